// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dot.h"
#include "Image/Reader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;
using namespace loom::tool;
using loom::rt::ActorInfo;
using loom::rt::Kind;
using loom::rt::LoadedRegion;
using loom::rt::Ty;
using loom::rt::ValueType;

namespace {
/// A loaded region that is released again.
struct Loaded : LoadedRegion {
  ~Loaded() { release(); }
};

class DotWriter {
public:
  DotWriter(const loom::image::Region &names, const LoadedRegion &region)
      : names(names), region(region), out(buffer) {}
  std::string write();

private:
  void writeMemories();
  void writeSources();
  void writeActor(uint32_t index);
  void writeOperands(uint32_t index);
  void writeSinks();
  void edge(uint32_t value, const std::string &target, StringRef role,
            bool ring);
  StringRef slotName(uint32_t slot) const;

  const loom::image::Region &names;
  const LoadedRegion &region;
  std::string buffer;
  raw_string_ostream out;
  std::vector<std::string> producers; // node (and result) by value number
};
} // namespace

static std::string quoted(StringRef text) {
  std::string out = "\"";
  for (char c : printable(text)) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\"";
}

StringRef DotWriter::slotName(uint32_t slot) const {
  auto list = items(names.slot_names());
  return slot < list.size() ? text(list.vector->Get(slot)) : StringRef();
}

static std::string typeOf(ValueType type) {
  if (loom::rt::isInteger(type.type))
    return "i" + std::to_string(type.width);
  return loom::rt::typeName(type.type);
}

/// The value of a constant as its type says.
static std::string constantText(const ActorInfo &actor) {
  std::string text;
  raw_string_ostream out(text);
  if (actor.type == Ty::F32) {
    uint32_t bits = uint32_t(actor.imm);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    out << format("%.9g", double(value));
  } else if (actor.type == Ty::F64) {
    double value;
    std::memcpy(&value, &actor.imm, sizeof value);
    out << format("%.17g", value);
  } else if (loom::rt::isInteger(actor.type) && actor.width > 0 &&
             actor.width <= 64) {
    unsigned shift = 64 - actor.width;
    out << (actor.width == 1 ? int64_t(actor.imm)
                             : int64_t(actor.imm << shift) >> shift);
  } else {
    out << format_hex(actor.imm, 2);
  }
  return text;
}

/// What the operands of a kind are called, by position.
static StringRef operandRole(const ActorInfo &actor, unsigned index) {
  static constexpr StringLiteral select("sel"), ctrl("ctrl");
  static constexpr StringLiteral stream[] = {"init", "limit", "step"};
  static constexpr StringLiteral carry[] = {"phase", "init", "next"};
  static constexpr StringLiteral gate[] = {"cond", "value"};
  static constexpr StringLiteral load[] = {"addr", "ctrl"};
  static constexpr StringLiteral store[] = {"addr", "data", "ctrl"};
  auto pick = [&](ArrayRef<StringLiteral> list) {
    return index < list.size() ? StringRef(list[index]) : StringRef();
  };
  switch (actor.kind) {
  case Kind::Constant:
    return ctrl;
  case Kind::Mux:
  case Kind::Demux:
    return index == 0 ? StringRef(select) : StringRef();
  case Kind::Stream:
    return pick(stream);
  case Kind::Carry:
  case Kind::Invariant:
    return pick(carry);
  case Kind::Gate:
    return pick(gate);
  case Kind::Load:
    return pick(load);
  case Kind::Store:
    return pick(store);
  case Kind::Sync:
  case Kind::Compute:
    return {};
  }
  return {};
}

static StringRef shapeOf(Kind kind) {
  switch (kind) {
  case Kind::Constant:
    return "shape=plaintext";
  case Kind::Sync:
    return "shape=circle,style=filled,fillcolor=\"#eeeeee\"";
  case Kind::Mux:
  case Kind::Demux:
    return "shape=trapezium,style=filled,fillcolor=\"#fff2cc\"";
  case Kind::Stream:
  case Kind::Carry:
  case Kind::Invariant:
  case Kind::Gate:
    return "shape=box,style=\"rounded,filled\",fillcolor=\"#f8cecc\"";
  case Kind::Load:
  case Kind::Store:
    return "shape=box,style=filled,fillcolor=\"#d5e8d4\"";
  case Kind::Compute:
    return "shape=ellipse,style=filled,fillcolor=\"#dae8fc\"";
  }
  return "shape=box";
}

void DotWriter::writeMemories() {
  for (auto [index, memory] :
       enumerate(ArrayRef(region.memories.begin(), region.memories.end()))) {
    std::string label = memory.name ? memory.name : "";
    if (label.empty())
      label = slotName(memory.slot).str();
    if (memory.element != Ty::None)
      label += std::string(" : ") + loom::rt::typeName(memory.element);
    label += memory.reads ? (memory.writes ? ", read and written" : ", read")
                          : ", written";
    if (memory.known)
      label += ", bytes [" + std::to_string(memory.lo) + ", " +
               std::to_string(memory.hi) + ")";
    out << "  m" << index << " [shape=cylinder,label=" << quoted(label)
        << "];\n";
  }
}

void DotWriter::writeSources() {
  out << "  start [shape=point,xlabel=\"start\"];\n";
  producers.push_back("start");
  for (auto [index, input] :
       enumerate(ArrayRef(region.inputs.begin(), region.inputs.end()))) {
    std::string label = slotName(input.slot).str();
    if (label.empty())
      label = "slot " + std::to_string(input.slot);
    out << "  in" << index << " [shape=invhouse,label="
        << quoted(label + " : " + typeOf(input.type)) << "];\n";
    producers.push_back("in" + std::to_string(index));
  }
}

std::string loom::tool::actorLabel(const ActorInfo &actor) {
  std::string label =
      StringRef(EnumNameActorKind(loom::image::ActorKind(actor.kind))).lower();
  if (actor.kind == Kind::Compute)
    label = StringRef(EnumNameOp(loom::image::Op(actor.op))).lower();
  if (actor.kind == Kind::Constant)
    label = constantText(actor);
  if (actor.type != Ty::None)
    label += " : " + typeOf({actor.type, actor.width});
  return label;
}

void DotWriter::writeActor(uint32_t index) {
  const ActorInfo &actor = region.actors[index];
  out << "  a" << index << " [" << shapeOf(actor.kind)
      << ",label=" << quoted(loom::tool::actorLabel(actor));
  if (actor.line)
    out << ",tooltip=\"line " << actor.line << "\"";
  out << "];\n";
  for (unsigned i = 0; i < actor.numResults; ++i)
    producers.push_back("a" + std::to_string(index));
}

void DotWriter::edge(uint32_t value, const std::string &target, StringRef role,
                     bool ring) {
  if (value >= producers.size())
    return;
  out << "  " << producers[value] << " -> " << target << " [";
  if (!role.empty())
    out << "label=\"" << role << "\",";
  if (ring)
    out << "color=\"#b03030\",penwidth=2,constraint=false";
  else if (value >= region.types.size || region.types[value].type == Ty::None)
    out << "style=dashed,color=\"#808080\"";
  else
    out << "color=black";
  out << "];\n";
}

void DotWriter::writeOperands(uint32_t index) {
  const ActorInfo &actor = region.actors[index];
  std::string node = "a" + std::to_string(index);
  for (unsigned i = 0; i < actor.numOperands; ++i) {
    uint32_t value = region.operands[actor.firstOperand + i];
    // Values are numbered in actor order: a later one closes a ring.
    bool ring = value >= actor.firstResult;
    edge(value, node, operandRole(actor, i), ring);
  }
  if (actor.mem == loom::rt::noMemory)
    return;
  if (actor.kind == Kind::Load)
    out << "  m" << actor.mem << " -> " << node << " [style=dotted];\n";
  else if (actor.kind == Kind::Store)
    out << "  " << node << " -> m" << actor.mem << " [style=dotted];\n";
}

void DotWriter::writeSinks() {
  for (size_t i = 0; i < region.outputs.size; ++i) {
    std::string node = "out" + std::to_string(i);
    std::string label = i == 0 ? "exit" : "out " + std::to_string(i);
    if (i < region.outputInfos.size)
      label += " : " + typeOf(region.outputInfos[i].type);
    out << "  " << node << " [shape=house,label=" << quoted(label) << "];\n";
    edge(region.outputs[i], node, "", false);
  }
  if (region.completes.size == 0)
    return;
  out << "  done [shape=doublecircle,label=\"done\"];\n";
  for (uint32_t value : region.completes)
    edge(value, "done", "", false);
}

std::string DotWriter::write() {
  std::string place = text(names.function()).str();
  if (!text(names.file()).empty())
    place +=
        ", " + text(names.file()).str() + ":" + std::to_string(names.line());
  out << "digraph " << quoted(text(names.name())) << " {\n"
      << "  label=" << quoted((text(names.name()) + " (" + place + ")").str())
      << ";\n  labelloc=t;\n"
      << "  node [fontname=\"Helvetica\",fontsize=11];\n"
      << "  edge [fontname=\"Helvetica\",fontsize=9];\n";
  writeMemories();
  writeSources();
  for (uint32_t i = 0; i < region.actors.size; ++i)
    writeActor(i);
  for (uint32_t i = 0; i < region.actors.size; ++i)
    writeOperands(i);
  writeSinks();
  out << "}\n";
  return buffer;
}

Expected<std::string> loom::tool::dotOf(const RegionRef &ref) {
  Loaded loaded;
  loom::rt::ImageVerdict verdict =
      loom::rt::loadRegion(ref.image->bytes().data(), ref.index, loaded);
  if (!verdict.ok())
    return createStringError(inconvertibleErrorCode(),
                             "the graph is damaged (%s)",
                             loom::rt::imageErrorName(verdict.error));
  return DotWriter(*ref.region, loaded).write();
}
