// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Absences: the rows that could serve an actor are narrowed down fact by fact,
// and the fact that leaves none is the one that is named.

#include "loom/Fabric/Capability/View.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace loom::fabric;

namespace {

/// The rows of one kind that are still in question.
template <typename Row>
class Narrowing {
public:
  explicit Narrowing(const std::vector<Row> &rows) {
    for (const Row &row : rows)
      left.push_back(&row);
  }
  /// Keeps the rows that `serves` holds for; without any, `words` complete
  /// what is absent.
  template <typename Predicate>
  Narrowing &keep(const std::string &words, Predicate serves) {
    if (!absence.empty())
      return *this;
    said += said.empty() ? words : " " + words;
    llvm::erase_if(left, [&](const Row *row) { return !serves(*row); });
    if (left.empty())
      absence = said;
    return *this;
  }
  std::string finish(uint64_t &units) {
    units = 0;
    for (const Row *row : left)
      units += row->costs.count;
    if (absence.empty() && units == 0)
      absence = "unit for " + said;
    return absence;
  }

private:
  llvm::SmallVector<const Row *> left;
  std::string said, absence;
};

} // namespace

template <typename T>
static bool has(const std::vector<T> &list, const T &value) {
  return llvm::is_contained(list, value);
}

static std::string withLanes(unsigned lanes) {
  return lanes == 1 ? "on scalars" : "with " + std::to_string(lanes) + " lanes";
}

static std::string flagsMissing(unsigned flags) {
  std::string text = "with no fast-math flags but";
  for (llvm::StringRef name : fastMathNames())
    if (flags & *fastMathBit(name))
      text += " " + name.str();
  return flags ? text : "without fast-math flags";
}

static std::string computeAbsence(const Target &target, const ActorDemand &d,
                                  uint64_t &units) {
  Narrowing<ComputeRow> rows(target.compute);
  rows.keep(d.op, [&](const ComputeRow &row) { return has(row.ops, d.op); });
  if (d.converts)
    rows.keep("from " + d.from.str(),
              [&](const ComputeRow &row) { return has(row.from, d.from); });
  rows.keep((d.converts ? "to " : "on ") + d.type.str(),
            [&](const ComputeRow &row) {
              return has(row.types, d.type) && row.from.empty() != d.converts;
            });
  rows.keep(withLanes(d.lanes),
            [&](const ComputeRow &row) { return has(row.lanes, d.lanes); });
  rows.keep(flagsMissing(d.flags),
            [&](const ComputeRow &row) { return (row.needs & ~d.flags) == 0; });
  rows.keep("within " + stringifyAccuracy(d.accepts).str(),
            [&](const ComputeRow &row) { return row.guarantees <= d.accepts; });
  return rows.finish(units);
}

static std::string streamAbsence(const Target &target, const ActorDemand &d,
                                 uint64_t &units) {
  Narrowing<StreamRow> rows(target.streams);
  rows.keep("stream " + stringifyStepKind(d.step).str(),
            [&](const StreamRow &row) { return row.step == d.step; });
  rows.keep("on " + d.type.str(),
            [&](const StreamRow &row) { return has(row.types, d.type); });
  return rows.finish(units);
}

static std::string tokenAbsence(const Target &target, const ActorDemand &d,
                                uint64_t &units) {
  Narrowing<TokenRow> rows(target.tokens);
  rows.keep(stringifyTokenKind(d.token).str(),
            [&](const TokenRow &row) { return row.kind == d.token; });
  rows.keep("on " + d.type.str(),
            [&](const TokenRow &row) { return has(row.types, d.type); });
  rows.keep(withLanes(d.lanes),
            [&](const TokenRow &row) { return has(row.lanes, d.lanes); });
  if (d.fan)
    rows.keep("with a fan of " + std::to_string(d.fan),
              [&](const TokenRow &row) { return d.fan <= row.fan; });
  return rows.finish(units);
}

static std::string accessAbsence(const Target &target, const ActorDemand &d,
                                 uint64_t &units) {
  Narrowing<AccessRow> rows(target.accesses);
  rows.keep(stringifyOrdering(d.ordering).str() + " " +
                stringifyAccessKind(d.access).str(),
            [&](const AccessRow &row) {
              return row.kind == d.access && row.ordering == d.ordering;
            });
  rows.keep("of " + stringifyAccessForm(d.form).str() + " form",
            [&](const AccessRow &row) { return row.form == d.form; });
  rows.keep("at a " + stringifyAddressForm(d.address).str() + " address",
            [&](const AccessRow &row) { return row.address == d.address; });
  // The formats of addresses are facts of the target, not of a row.
  rows.keep("of type " + d.addressType.str(), [&](const AccessRow &) {
    const Element &type = d.addressType;
    return type.kind == Element::Pointer ? has(target.abi.pointers, type)
           : type.kind == Element::Index
               ? true
               : has(target.abi.indexWidths, unsigned(type.bits));
  });
  rows.keep("on " + d.type.str(),
            [&](const AccessRow &row) { return has(row.types, d.type); });
  rows.keep(withLanes(d.lanes),
            [&](const AccessRow &row) { return has(row.lanes, d.lanes); });
  if (d.masked)
    rows.keep("with a mask", [](const AccessRow &row) { return row.masked; });
  return rows.finish(units);
}

std::string CapabilityView::findAbsence(const ActorDemand &demand,
                                        uint64_t &units) const {
  switch (demand.kind) {
  case ActorDemand::Compute:
    return computeAbsence(target, demand, units);
  case ActorDemand::Stream:
    return streamAbsence(target, demand, units);
  case ActorDemand::Token:
    return tokenAbsence(target, demand, units);
  case ActorDemand::Access:
    return accessAbsence(target, demand, units);
  }
  return "actor of this kind";
}

const CapabilityView::Answer &
CapabilityView::answer(const ActorDemand &demand) const {
  auto [entry, isNew] = known.try_emplace(demand);
  if (isNew)
    entry->second.absence = findAbsence(demand, entry->second.units);
  return entry->second;
}

std::string CapabilityView::lacks(const ActorDemand &demand) const {
  return answer(demand).absence;
}

uint64_t CapabilityView::occurrences(const ActorDemand &demand) const {
  return answer(demand).units * target.system.cores;
}

std::string CapabilityView::lacks(const ProgramAbi &abi) const {
  for (const Element &pointer : abi.pointers)
    if (!has(target.abi.pointers, pointer))
      return pointer.str();
  if (abi.endianness != target.abi.endianness)
    return stringifyEndianness(abi.endianness).str() + "-endian memory";
  if (!llvm::StringRef(abi.triple).starts_with(target.abi.triple))
    return "triple " + abi.triple;
  return "";
}
