// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canonical form of a target: one line a row, equal rows as one, sorted.

#include "loom/Fabric/Capability/Target.h"
#include "llvm/Support/Endian.h"
#include <map>

using namespace loom::fabric;

namespace {

/// A line of words; lists are in brackets, so that no two rows share a line.
class Line {
public:
  explicit Line(llvm::StringRef kind) : text(kind) {}
  Line &word(llvm::StringRef value) {
    text += ' ';
    text += value;
    return *this;
  }
  Line &number(uint64_t value) { return word(std::to_string(value)); }
  Line &list(const std::vector<Element> &elements) {
    text += " [";
    for (const Element &element : elements)
      text += " " + element.str();
    text += " ]";
    return *this;
  }
  Line &list(const std::vector<unsigned> &values) {
    text += " [";
    for (unsigned value : values)
      text += " " + std::to_string(value);
    text += " ]";
    return *this;
  }
  Line &costs(const Costs &costs) {
    return number(costs.latency).number(costs.interval);
  }
  std::string text;
};

} // namespace

static Line lineOf(const ComputeRow &row) {
  Line line("compute [");
  for (const std::string &op : row.ops)
    line.word(op);
  line.word("]").list(row.types).list(row.from).list(row.lanes);
  return line.number(row.needs)
      .word(stringifyAccuracy(row.guarantees))
      .costs(row.costs);
}

static Line lineOf(const StreamRow &row) {
  return Line("stream")
      .word(stringifyStepKind(row.step))
      .list(row.types)
      .costs(row.costs);
}

static Line lineOf(const TokenRow &row) {
  return Line("token")
      .word(stringifyTokenKind(row.kind))
      .number(row.fan)
      .list(row.types)
      .list(row.lanes)
      .costs(row.costs);
}

static Line lineOf(const AccessRow &row) {
  return Line("access")
      .word(stringifyAccessKind(row.kind))
      .word(stringifyAccessForm(row.form))
      .word(stringifyAddressForm(row.address))
      .word(stringifyOrdering(row.ordering))
      .list(row.types)
      .list(row.lanes)
      .number(row.masked)
      .costs(row.costs);
}

std::string loom::fabric::canonicalForm(const Target &target) {
  std::map<std::string, uint64_t> rows; // with the sum of their counts
  auto add = [&](const auto &list) {
    for (const auto &row : list)
      rows[lineOf(row).text] += row.costs.count;
  };
  add(target.compute);
  add(target.streams);
  add(target.tokens);
  add(target.accesses);
  for (const LocalMemory &memory : target.localMemories)
    rows[Line("local_memory")
             .number(memory.capacity)
             .number(memory.banks)
             .number(memory.ports)
             .number(memory.latency)
             .number(memory.bytes)
             .text] += memory.count;

  // The triple is the one free text; its length keeps it apart.
  std::string body = Line("abi")
                         .list(target.abi.pointers)
                         .word(stringifyEndianness(target.abi.endianness))
                         .list(target.abi.indexWidths)
                         .number(target.abi.triple.size())
                         .word(target.abi.triple)
                         .text +
                     "\n";
  const System &system = target.system;
  body += Line("system")
              .number(system.cores)
              .number(system.clockKHz)
              .number(system.queue)
              .number(system.launch)
              .number(system.transfer)
              .text +
          "\n";
  const SystemMemory &memory = target.systemMemory;
  body += Line("system_memory")
              .number(memory.capacity)
              .number(memory.ports)
              .number(memory.latency)
              .number(memory.bytes)
              .text +
          "\n";
  for (const auto &[line, count] : rows)
    body += line + " x " + std::to_string(count) + "\n";

  std::string bytes("loom.fabric.semantic.v1");
  bytes += '\0';
  char length[8];
  llvm::support::endian::write64be(length, body.size());
  bytes.append(length, sizeof(length));
  return bytes + body;
}
