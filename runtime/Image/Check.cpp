// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structural checks of a decoded region: every rule that loom_image.fbs states.
// After them the engine may index and switch without looking.

#include "Image/Reader.h"
#include "Image/Signature.h"

namespace loom::rt {

bool validType(ValueType value) {
  switch (value.type) {
  case Ty::I1:
    return value.width == 1;
  case Ty::I8:
    return value.width >= 2 && value.width <= 8;
  case Ty::I16:
    return value.width >= 9 && value.width <= 16;
  case Ty::I32:
    return value.width >= 17 && value.width <= 32;
  case Ty::I64:
    return value.width >= 33 && value.width <= 64;
  case Ty::None:
  case Ty::F32:
  case Ty::F64:
  case Ty::Ptr:
    return value.width == 0;
  }
  return false;
}

static bool validData(ValueType value) {
  return value.type != Ty::None && validType(value);
}

static ImageVerdict checkInterface(const LoadedRegion &region) {
  for (size_t i = 0; i < region.slots.size; ++i)
    if (region.slots[i] == Ty::None || region.slots[i] > Ty::Ptr)
      return {ImageError::RegionSlots, int64_t(i)};
  for (size_t i = 0; i < region.inputs.size; ++i) {
    const InputInfo &input = region.inputs[i];
    if (input.slot >= region.slots.size || !validData(input.type) ||
        region.slots[input.slot] != input.type.type)
      return {ImageError::RegionInputs, int64_t(i)};
  }
  constexpr int64_t farthest = int64_t(1) << 47;
  for (size_t i = 0; i < region.memories.size; ++i) {
    const MemoryInfo &memory = region.memories[i];
    if (memory.slot >= region.slots.size ||
        region.slots[memory.slot] != Ty::Ptr || memory.partition > maxSlots ||
        memory.element > Ty::Ptr ||
        (memory.known && (memory.lo > memory.hi || memory.lo < -farthest ||
                          memory.hi > farthest)))
      return {ImageError::RegionMemories, int64_t(i)};
  }
  for (size_t i = 0; i < region.outputInfos.size; ++i)
    if (!validData(region.outputInfos[i].type) ||
        region.outputInfos[i].exit < -1)
      return {ImageError::RegionOutputs, int64_t(i)};
  const OutputInfo &exit = region.outputInfos[0];
  if (exit.type != ValueType{Ty::I32, 32} || exit.exit != -1)
    return {ImageError::RegionOutputs, 0};
  return {};
}

/// The fixed number of operands and results of a kind; -1 when it varies.
struct Shape {
  int operands;
  int results;
};

static Shape shapeOf(const ActorInfo &actor) {
  switch (actor.kind) {
  case Kind::Constant:
    return {1, 1};
  case Kind::Sync:
    return {-1, -1};
  case Kind::Mux:
    return {-1, 1};
  case Kind::Demux:
    return {2, -1};
  case Kind::Stream:
    return {3, 2};
  case Kind::Carry:
    return {3, 1};
  case Kind::Invariant:
    return {2, 1};
  case Kind::Gate:
    return {2, 2};
  case Kind::Load:
    return {2, 2};
  case Kind::Store:
    return {3, 1};
  case Kind::Compute:
    return {static_cast<int>(signatureOf(actor.op).operands), 1};
  }
  return {-2, -2};
}

static ImageError checkActor(const LoadedRegion &region,
                             const ActorInfo &actor) {
  if (actor.kind > Kind::Compute)
    return ImageError::ActorKind;
  if (actor.kind == Kind::Compute && signatureOf(actor.op).form == Form::None)
    return ImageError::ActorOp;
  Shape shape = shapeOf(actor);
  if ((shape.operands >= 0 && actor.numOperands != shape.operands) ||
      (shape.results >= 0 && actor.numResults != shape.results))
    return ImageError::ActorArity;
  if (uint64_t(actor.firstOperand) + actor.numOperands > region.operands.size)
    return ImageError::OperandRange;
  for (uint32_t i = 0; i < actor.numOperands; ++i)
    if (region.operands[actor.firstOperand + i] >= region.values)
      return ImageError::OperandRange;

  ValueType type = {actor.type, actor.width};
  switch (actor.kind) {
  case Kind::Sync:
    return actor.numOperands == actor.numResults && actor.numOperands >= 1
               ? ImageError::None
               : ImageError::ActorArity;
  case Kind::Mux:
    if (actor.numOperands < 3)
      return ImageError::ActorArity;
    break;
  case Kind::Demux:
    if (actor.numResults < 2)
      return ImageError::ActorArity;
    break;
  default:
    break;
  }
  if (actor.type > Ty::Ptr)
    return ImageError::ActorType;
  if (!validType(type))
    return ImageError::ActorWidth;
  switch (actor.kind) {
  case Kind::Constant:
    if (type.type == Ty::None)
      return ImageError::ActorType;
    return actor.imm & ~typeMask(type) ? ImageError::ActorConstant
                                       : ImageError::None;
  case Kind::Stream:
    if (!isInteger(type.type))
      return ImageError::ActorType;
    if (!isStepKind(actor.op))
      return ImageError::ActorOp;
    return actor.pred > 9 ? ImageError::ActorPredicate : ImageError::None;
  case Kind::Load:
  case Kind::Store: {
    if (typeBytes(type.type) == 0)
      return ImageError::ActorType;
    if (isInteger(type.type) && type.width != 8 * typeBytes(type.type))
      return ImageError::ActorWidth;
    if (actor.mem == noMemory)
      return ImageError::None;
    if (actor.mem >= region.memories.size)
      return ImageError::ActorMemory;
    const MemoryInfo &memory = region.memories[actor.mem];
    bool allowed = actor.kind == Kind::Load ? memory.reads : memory.writes;
    return allowed ? ImageError::None : ImageError::ActorMemory;
  }
  case Kind::Compute:
    if (type.type == Ty::None)
      return ImageError::ActorType;
    return checkCompute(actor);
  default:
    return ImageError::None;
  }
}

/// Result types of everything but sync, which repeats its operands.
static void setResultTypes(const ActorInfo &actor, ValueType *result) {
  ValueType type = {actor.type, actor.width};
  switch (actor.kind) {
  case Kind::Sync:
    return;
  case Kind::Stream:
    result[0] = type;
    result[1] = {Ty::I1, 1};
    return;
  case Kind::Gate:
    result[0] = {Ty::I1, 1};
    result[1] = type;
    return;
  case Kind::Load:
    result[0] = type;
    result[1] = {};
    return;
  case Kind::Store:
    result[0] = {};
    return;
  default:
    for (uint32_t i = 0; i < actor.numResults; ++i)
      result[i] = type;
    return;
  }
}

/// Follows sync lanes to the value that gives the type. A chain that is longer
/// than the number of values is a ring of nothing but syncs.
static bool resolveSyncTypes(LoadedRegion &region) {
  // source[v]: the operand that sync result v repeats, v itself otherwise.
  Vec<uint32_t> source;
  if (!source.assignZero(region.values))
    return false;
  for (uint32_t v = 0; v < region.values; ++v)
    source[v] = v;
  bool good = true;
  for (const ActorInfo &actor : region.actors)
    for (uint32_t i = 0; actor.kind == Kind::Sync && i < actor.numResults;
         ++i) {
      uint32_t operand = region.operands[actor.firstOperand + i];
      source[actor.firstResult + i] = operand;
      good = good && operand != actor.firstResult + i; // a ring of one
    }
  for (uint32_t v = 0; v < region.values && good; ++v) {
    uint32_t root = v;
    uint32_t steps = 0;
    while (source[root] != root && steps <= region.values) {
      root = source[root];
      ++steps;
    }
    good = source[root] == root && steps <= region.values;
    // Compress, so that long chains stay linear in all.
    for (uint32_t at = v; good && source[at] != root && at != root;) {
      uint32_t next = source[at];
      source[at] = root;
      at = next;
    }
    if (good)
      region.types[v] = region.types[root];
  }
  source.release();
  return good;
}

static bool operandTypesMatch(const LoadedRegion &region,
                              const ActorInfo &actor) {
  const uint32_t *operand = region.operands.data + actor.firstOperand;
  auto is = [&](uint32_t i, ValueType type) {
    return region.types[operand[i]] == type;
  };
  auto isSelector = [&](uint32_t lanes) {
    ValueType type = region.types[operand[0]];
    return lanes == 2 ? type == ValueType{Ty::I1, 1}
                      : isInteger(type.type) && type.type != Ty::I1;
  };
  ValueType type = {actor.type, actor.width};
  ValueType boolean = {Ty::I1, 1};
  ValueType control;
  switch (actor.kind) {
  case Kind::Constant:
    return is(0, control);
  case Kind::Sync:
    return true;
  case Kind::Mux:
    for (uint32_t i = 1; i < actor.numOperands; ++i)
      if (!is(i, type))
        return false;
    return isSelector(actor.numOperands - 1);
  case Kind::Demux:
    return isSelector(actor.numResults) && is(1, type);
  case Kind::Stream:
    return is(0, type) && is(1, type) && is(2, type);
  case Kind::Carry:
    return is(0, boolean) && is(1, type) && is(2, type);
  case Kind::Invariant:
  case Kind::Gate:
    return is(0, boolean) && is(1, type);
  case Kind::Load:
  case Kind::Store: {
    ValueType address =
        actor.mem == noMemory ? ValueType{Ty::Ptr, 0} : ValueType{Ty::I64, 64};
    if (actor.kind == Kind::Load)
      return is(0, address) && is(1, control);
    return is(0, address) && is(1, type) && is(2, control);
  }
  case Kind::Compute: {
    ValueType types[3];
    for (uint32_t i = 0; i < actor.numOperands && i < 3; ++i)
      types[i] = region.types[operand[i]];
    return computeOperandsMatch(actor, types);
  }
  }
  return false;
}

ImageVerdict checkRegion(LoadedRegion &region) {
  ImageVerdict verdict = checkInterface(region);
  if (!verdict.ok())
    return verdict;
  // Numbering: start, inputs, then all results in actor order.
  uint64_t next = 1 + uint64_t(region.inputs.size);
  uint64_t operands = 0; // ranges may overlap: count them, too
  for (size_t i = 0; i < region.actors.size; ++i) {
    if (region.actors[i].firstResult != next)
      return {ImageError::ValueNumbering, int64_t(i)};
    next += region.actors[i].numResults;
    operands += region.actors[i].numOperands;
  }
  if (operands > maxOperands)
    return {ImageError::GraphSize};
  if (next != region.values)
    return {ImageError::ValueNumbering};
  for (size_t i = 0; i < region.actors.size; ++i) {
    ImageError error = checkActor(region, region.actors[i]);
    if (error != ImageError::None)
      return {error, int64_t(i)};
  }
  if (!region.types.assignZero(region.values))
    return {ImageError::NoMemory};
  for (size_t i = 0; i < region.inputs.size; ++i)
    region.types[1 + i] = region.inputs[i].type;
  for (const ActorInfo &actor : region.actors)
    setResultTypes(actor, region.types.data + actor.firstResult);
  if (!resolveSyncTypes(region))
    return {ImageError::SyncCycle};
  for (size_t i = 0; i < region.actors.size; ++i)
    if (!operandTypesMatch(region, region.actors[i]))
      return {ImageError::OperandType, int64_t(i)};
  if (region.outputs.size != region.outputInfos.size)
    return {ImageError::GraphOutputs};
  for (size_t i = 0; i < region.outputs.size; ++i)
    if (region.outputs[i] >= region.values ||
        region.types[region.outputs[i]] != region.outputInfos[i].type)
      return {ImageError::GraphOutputs, int64_t(i)};
  if (region.completes.size == 0)
    return {ImageError::GraphCompletes};
  for (size_t i = 0; i < region.completes.size; ++i)
    if (region.completes[i] >= region.values ||
        region.types[region.completes[i]].type != Ty::None)
      return {ImageError::GraphCompletes, int64_t(i)};
  return {};
}

} // namespace loom::rt
