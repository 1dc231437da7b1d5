// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From capability rows to the timing rows of the image.

#include "loom/Dataflow/Image/TargetRows.h"
#include "loom/Dataflow/IR/Compute.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace loom;
using fabric::Element;
using image::ActorKind;
using image::Op;
using image::Type;

using TypeSet = std::vector<Type>;

static const TypeSet integers = {Type::I1, Type::I8, Type::I16, Type::I32,
                                 Type::I64};
static const TypeSet floats = {Type::F32, Type::F64};
static const TypeSet moved = {Type::I8,  Type::I16, Type::I32, Type::I64,
                              Type::F32, Type::F64, Type::Ptr};
static const TypeSet data = {Type::I1,  Type::I8,  Type::I16, Type::I32,
                             Type::I64, Type::F32, Type::F64, Type::Ptr};

/// The types that an operation of the image may have. A row for all of them is
/// a row for any.
static TypeSet typesOf(Op op) {
  switch (op) {
  case Op::ExtSI:
  case Op::ExtUI:
    return {Type::I8, Type::I16, Type::I32, Type::I64};
  case Op::BSwap:
    return {Type::I16, Type::I32, Type::I64};
  case Op::CmpI:
    return {Type::I1, Type::I8, Type::I16, Type::I32, Type::I64, Type::Ptr};
  case Op::Select:
  case Op::Copy:
    return data;
  case Op::ExtF:
    return {Type::F64};
  case Op::DemoteF:
    return {Type::F32};
  case Op::Bitcast:
    return {Type::I32, Type::I64, Type::F32, Type::F64};
  case Op::PtrAdd:
  case Op::IntToPtr:
    return {Type::Ptr};
  case Op::PtrToInt:
    return {Type::I64};
  case Op::FPToSI:
  case Op::FPToUI:
    return integers;
  default:
    return op >= Op::AddF && op <= Op::UIToFP ? floats : integers;
  }
}

static TypeSet typesOf(ActorKind kind, Op op) {
  switch (kind) {
  case ActorKind::Sync:
    return {Type::None};
  case ActorKind::Constant:
    return data;
  case ActorKind::Stream:
    return integers;
  case ActorKind::Load:
  case ActorKind::Store:
    return moved;
  case ActorKind::Compute:
    return typesOf(op);
  default: {
    TypeSet all = data;
    all.push_back(Type::None);
    return all;
  }
  }
}

static std::optional<Type> imageType(const Element &element) {
  switch (element.kind) {
  case Element::None:
    return Type::None;
  case Element::Integer:
    return element.bits == 1    ? Type::I1
           : element.bits == 8  ? Type::I8
           : element.bits == 16 ? Type::I16
           : element.bits == 32 ? Type::I32
                                : Type::I64;
  case Element::Float:
    if (element.bits == 32)
      return Type::F32;
    if (element.bits == 64)
      return Type::F64;
    return std::nullopt;
  case Element::Pointer:
    if (element.space == 0 && element.bits == 64)
      return Type::Ptr;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

static Op opOf(llvm::StringRef name) {
  if (name == "llvm.freeze")
    return Op::Copy;
  return static_cast<Op>(dataflow::lookupComputeName(name).value_or(0));
}

static Op opOf(fabric::StepKind step) {
  using fabric::StepKind;
  switch (step) {
  case StepKind::Add:
    return Op::AddI;
  case StepKind::Sub:
    return Op::SubI;
  case StepKind::Mul:
    return Op::MulI;
  case StepKind::SDiv:
    return Op::DivSI;
  case StepKind::UDiv:
    return Op::DivUI;
  case StepKind::Shl:
    return Op::ShlI;
  case StepKind::AShr:
    return Op::ShrSI;
  case StepKind::LShr:
    return Op::ShrUI;
  }
  return Op::None;
}

static ActorKind kindOf(fabric::TokenKind kind) {
  using fabric::TokenKind;
  switch (kind) {
  case TokenKind::Constant:
    return ActorKind::Constant;
  case TokenKind::Sync:
    return ActorKind::Sync;
  case TokenKind::Mux:
    return ActorKind::Mux;
  case TokenKind::Demux:
    return ActorKind::Demux;
  case TokenKind::Carry:
    return ActorKind::Carry;
  case TokenKind::Invariant:
    return ActorKind::Invariant;
  case TokenKind::Gate:
    return ActorKind::Gate;
  }
  return ActorKind::Sync;
}

namespace {

class Rows {
public:
  /// Rows without units or without scalars serve no actor of an image.
  void add(ActorKind kind, Op op, const std::vector<Element> &types,
           const std::vector<unsigned> &lanes, unsigned needs,
           const fabric::Costs &costs) {
    if (costs.count == 0 || !llvm::is_contained(lanes, 1u))
      return;
    TypeSet allowed = typesOf(kind, op);
    for (const Element &element : types) {
      std::optional<Type> type = imageType(element);
      if (kind == ActorKind::Sync)
        type = Type::None; // its operands need not have one type
      if (!type || !llvm::is_contained(allowed, *type))
        continue;
      Cost cost{needs, costs.latency, costs.interval};
      auto [entry, isNew] = best[{kind, op}].try_emplace(*type, cost);
      if (!isNew)
        entry->second = std::min(entry->second, cost);
    }
  }

  std::vector<image::TimingRow> finish() const {
    std::vector<image::TimingRow> rows;
    for (const auto &[key, types] : best) {
      auto [kind, op] = key;
      const Cost &first = types.begin()->second;
      bool same = llvm::all_of(types, [&](const auto &entry) {
        return entry.second.latency == first.latency &&
               entry.second.interval == first.interval;
      });
      bool whole = types.size() == typesOf(kind, op).size();
      for (const auto &[type, cost] : types) {
        rows.emplace_back(cost.latency, cost.interval, kind, op,
                          same && whole ? Type::None : type, uint8_t(0));
        if (same && whole)
          break;
      }
    }
    return rows;
  }

private:
  struct Cost {
    unsigned needs;
    uint16_t latency, interval;
    bool operator<(const Cost &o) const {
      return std::make_tuple(needs != 0, latency, interval) <
             std::make_tuple(o.needs != 0, o.latency, o.interval);
    }
  };
  std::map<std::pair<ActorKind, Op>, std::map<Type, Cost>> best;
};

} // namespace

std::vector<image::TimingRow> loom::timingRows(const fabric::Target &target) {
  Rows rows;
  const std::vector<unsigned> scalar = {1};
  for (const fabric::TokenRow &row : target.tokens)
    rows.add(kindOf(row.kind), Op::None, row.types, row.lanes, 0, row.costs);
  for (const fabric::StreamRow &row : target.streams)
    rows.add(ActorKind::Stream, opOf(row.step), row.types, scalar, 0,
             row.costs);
  for (const fabric::AccessRow &row : target.accesses)
    if (row.form == fabric::AccessForm::Element &&
        row.ordering == fabric::Ordering::Plain)
      rows.add(row.kind == fabric::AccessKind::Load ? ActorKind::Load
                                                    : ActorKind::Store,
               Op::None, row.types, row.lanes, 0, row.costs);
  for (const fabric::ComputeRow &row : target.compute)
    for (const std::string &name : row.ops)
      if (Op op = opOf(name); op != Op::None)
        rows.add(ActorKind::Compute, op, row.types, row.lanes, row.needs,
                 row.costs);
  return rows.finish();
}

namespace {
/// All local memories of a core together, no more than an image can say.
struct LocalTotals {
  uint64_t capacity = 0;
  uint32_t ports = 0;
  uint64_t bytes = 0;
};
} // namespace

static LocalTotals totalsOf(llvm::ArrayRef<fabric::LocalMemory> memories) {
  constexpr uint64_t mostCapacity = uint64_t(1) << 60, mostPorts = 1u << 22,
                     mostBytes = uint64_t(1) << 40;
  LocalTotals totals;
  for (const fabric::LocalMemory &memory : memories) {
    // Counts and ports are below 2^21 and 2^11, bytes below 2^21.
    uint64_t ports = uint64_t(memory.count) * memory.ports;
    uint64_t capacity = memory.capacity > mostCapacity / memory.count
                            ? mostCapacity
                            : memory.capacity * memory.count;
    totals.capacity = std::min(mostCapacity, totals.capacity + capacity);
    totals.ports = uint32_t(std::min(mostPorts, totals.ports + ports));
    totals.bytes = std::min(mostBytes, totals.bytes + ports * memory.bytes);
  }
  return totals;
}

flatbuffers::Offset<image::Target>
loom::writeTarget(flatbuffers::FlatBufferBuilder &builder,
                  const fabric::Target &target) {
  auto name = builder.CreateString(target.name);
  auto identity = builder.CreateString(target.identity.hex());
  auto rows = builder.CreateVectorOfStructs(timingRows(target));
  const LocalTotals local = totalsOf(target.localMemories);
  return image::CreateTarget(
      builder, name, identity, rows, target.system.queue,
      target.systemMemory.ports, target.systemMemory.bytes,
      target.system.launch, target.system.transfer, target.system.clockKHz,
      target.system.cores, local.capacity, local.ports, local.bytes);
}
