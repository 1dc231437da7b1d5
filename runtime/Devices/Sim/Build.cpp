// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a checked region to an engine: one queue per use, one code per actor.

#include "Devices/Sim/Engine.h"
#include "Devices/Sim/Fast.h"
#include "Devices/Sim/Program.h"
#include "Devices/Sim/Scalars.h"
#include "Devices/Sim/UsageModel.h"
#include "Image/Flat.h"

namespace loom::rt {

using image::Op;

static Code floatCode(Code code, Ty type) {
  return type == Ty::F64 ? static_cast<Code>(uint16_t(code) + floatCodes)
                         : code;
}

static Code computeCode(const ActorInfo &info) {
  bool doubleFrom = info.from == Ty::F64;
  bool doubleTo = info.type == Ty::F64;
  switch (static_cast<Op>(info.op)) {
#define LOOM_VALUE(name, operands, expression)                                 \
  case Op::name:                                                               \
    return Code::name;
#define LOOM_VARIANT(name, operands, expression)
#define LOOM_DIVISION LOOM_VALUE
#define LOOM_FLOAT(name, operands, expression)                                 \
  case Op::name:                                                               \
    return floatCode(Code::name, info.type);
#define LOOM_SIGN LOOM_FLOAT
#include "Devices/Sim/Operations.def"
  case Op::CmpI:
    return Code::CmpI;
  case Op::CmpF:
    return floatCode(Code::CmpF, info.from);
  case Op::SIToFP:
    return doubleTo ? Code::SIToF64 : Code::SIToF32;
  case Op::UIToFP:
    return doubleTo ? Code::UIToF64 : Code::UIToF32;
  case Op::FPToSI:
    return doubleFrom ? Code::F64ToSI : Code::F32ToSI;
  case Op::FPToUI:
    return doubleFrom ? Code::F64ToUI : Code::F32ToUI;
  case Op::PtrAdd:
    return Code::AddI;
  default: // ExtUI, TruncI, Bitcast, PtrToInt, IntToPtr, Copy
    return Code::Masked;
  }
}

Code codeOf(const ActorInfo &info) {
  bool control = info.type == Ty::None;
  switch (info.kind) {
  case Kind::Constant:
    return Code::Constant;
  case Kind::Sync:
    return Code::Sync;
  case Kind::Mux:
    return control ? Code::MuxControl : Code::Mux;
  case Kind::Demux:
    return control ? Code::DemuxControl : Code::Demux;
  case Kind::Stream:
    return Code::Stream;
  case Kind::Carry:
    return control ? Code::CarryControl : Code::Carry;
  case Kind::Invariant:
    return control ? Code::InvariantControl : Code::Invariant;
  case Kind::Gate:
    return control ? Code::GateControl : Code::Gate;
  case Kind::Load:
    return Code::Load;
  case Kind::Store:
    return Code::Store;
  case Kind::Compute:
    break;
  }
  return computeCode(info);
}

static void setFootprint(const LoadedRegion &region, const ActorInfo &info,
                         Actor &actor) {
  actor.slot = noMemory;
  actor.span = ~uint64_t(0);
  bool access = info.kind == Kind::Load || info.kind == Kind::Store;
  if (!access || info.mem == noMemory)
    return; // `mem` of other actors has no meaning
  const MemoryInfo &memory = region.memories[info.mem];
  actor.slot = memory.slot;
  if (!memory.known)
    return;
  uint64_t size =
      static_cast<uint64_t>(memory.hi) - static_cast<uint64_t>(memory.lo);
  actor.lo = static_cast<uint64_t>(memory.lo);
  actor.outside = size < actor.bytes;
  actor.span = size - actor.bytes;
}

void describeCompute(const ActorInfo &info, Inst &inst) {
  inst.code = static_cast<uint16_t>(codeOf(info));
  inst.pred = static_cast<Op>(info.op) == Op::CmpF
                  ? static_cast<uint8_t>(compareFloatSet(info.pred))
                  : info.pred;
  inst.width = info.type == Ty::Ptr ? 64 : info.width;
  inst.shift = static_cast<uint8_t>(inst.width ? 64 - inst.width : 0);
  inst.fromWidth = info.from == Ty::Ptr ? 64 : info.fromWidth;
  inst.fromShift =
      static_cast<uint8_t>(inst.fromWidth ? 64 - inst.fromWidth : 0);
  inst.mask = typeMask({info.type, info.width});
}

bool Engine::makeTokens(const LoadedRegion &region) {
  // Queues: the uses of each value side by side, in operand order.
  if (!uses.assignZero(size_t(region.values) + 1))
    return false;
  auto eachUse = [&](auto visit) {
    for (const ActorInfo &info : region.actors)
      for (uint32_t k = 0; k < info.numOperands; ++k)
        visit(region.operands[info.firstOperand + k]);
    for (uint32_t value : region.outputs)
      visit(value);
    for (uint32_t value : region.completes)
      visit(value);
  };
  eachUse([&](uint32_t value) { ++uses[value + 1]; });
  for (uint32_t v = 0; v < region.values; ++v)
    uses[v + 1] += uses[v];
  uint32_t count = uses[region.values];
  Vec<uint32_t> next;    // next free queue of a value
  Vec<uint32_t> queueOf; // in the order of eachUse
  bool good = queues.assignZero(count) && next.assignZero(region.values);
  if (good && region.values)
    memcpy(next.data, uses.data, region.values * sizeof(uint32_t));
  if (good)
    eachUse(
        [&](uint32_t value) { good = queueOf.push(next[value]++) && good; });
  for (uint32_t v = 0; v < region.values && good; ++v)
    for (uint32_t u = uses[v]; u < uses[v + 1] && good; ++u) {
      queues[u].mask = initialCapacity - 1;
      if (region.types[v].type == Ty::None)
        continue;
      tokenBytes += initialCapacity * sizeof(uint64_t);
      queues[u].data = tokenBytes > maxTokenBytes
                           ? nullptr
                           : static_cast<uint64_t *>(
                                 malloc(initialCapacity * sizeof(uint64_t)));
      good = queues[u].data != nullptr;
    }
  size_t sinks = queueOf.size - region.outputs.size - region.completes.size;
  for (size_t i = 0; i < region.outputs.size && good; ++i)
    good = outputs.push(queueOf[sinks + i]);
  for (size_t i = 0; i < region.completes.size && good; ++i)
    good = completes.push(queueOf[sinks + region.outputs.size + i]);

  good = good && actors.assignZero(region.actors.size) &&
         consumers.assignZero(count) && queued.assignZero(region.actors.size) &&
         work.assignZero(region.actors.size + 1);
  for (uint32_t q = 0; q < count && good; ++q)
    consumers[q] = noConsumer;
  const uint32_t *operandQueues = queueOf.data;
  for (size_t i = 0; i < region.actors.size && good; ++i) {
    const ActorInfo &info = region.actors[i];
    Actor &actor = actors[i];
    bool varies = info.kind == Kind::Sync || info.kind == Kind::Mux;
    actor.code = static_cast<uint16_t>(codeOf(info));
    actor.op = info.op;
    actor.pred =
        info.kind == Kind::Compute && static_cast<Op>(info.op) == Op::CmpF
            ? static_cast<uint8_t>(compareFloatSet(info.pred))
            : info.pred;
    actor.width = info.type == Ty::Ptr ? 64 : info.width;
    actor.shift = static_cast<uint8_t>(actor.width ? 64 - actor.width : 0);
    actor.fromWidth = info.from == Ty::Ptr ? 64 : info.fromWidth;
    actor.fromShift =
        static_cast<uint8_t>(actor.fromWidth ? 64 - actor.fromWidth : 0);
    actor.bytes = static_cast<uint8_t>(typeBytes(info.type));
    actor.lanes = info.kind == Kind::Mux
                      ? static_cast<uint16_t>(info.numOperands - 1)
                      : info.numResults;
    actor.firstResult = info.firstResult;
    for (unsigned r = 0; r < 2 && r < info.numResults; ++r) {
      actor.ob[r] = uses[info.firstResult + r];
      actor.oe[r] = uses[info.firstResult + r + 1];
    }
    if (varies) {
      actor.in[0] = static_cast<uint32_t>(lists.size);
      for (uint32_t k = 0; k < info.numOperands && good; ++k)
        good = lists.push(operandQueues[k]);
    } else {
      for (uint32_t k = 0; k < info.numOperands && k < 3; ++k)
        actor.in[k] = operandQueues[k];
    }
    for (uint32_t k = 0; k < info.numOperands; ++k)
      consumers[operandQueues[k]] = static_cast<uint32_t>(i);
    operandQueues += info.numOperands;
    actor.mask = typeMask({info.type, info.width});
    actor.value = info.kind == Kind::Constant ? info.imm : 0;
    setFootprint(region, info, actor);
  }
  uint32_t depth = 0;
  good = good && buildSchedule(region, schedule, depth) &&
         marks.assignZero(depth + 1);
  next.release();
  queueOf.release();
  return good;
}

void Engine::release() {
  if (usage)
    usage->release();
  free(usage);
  usage = nullptr;
  Fast::destroy(fast);
  fast = nullptr;
  timing.costs.release();
  touched.release();
  for (Queue &queue : queues)
    free(queue.data);
  actors.release();
  queues.release();
  uses.release();
  lists.release();
  outputs.release();
  completes.release();
  schedule.release();
  marks.release();
  consumers.release();
  work.release();
  queued.release();
}

} // namespace loom::rt
