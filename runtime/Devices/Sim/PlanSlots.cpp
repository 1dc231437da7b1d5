// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots: which value is where in the frame.

#include "Devices/Sim/Chains.h"
#include "Devices/Sim/PlanCoder.h"

namespace loom::rt {

/// Values share slots wherever one only repeats another.
bool Coder::assignSlots() {
  uint32_t values = region.values;
  if (!program.slotOf.assignZero(values) || !uses.assignZero(values) ||
      !program.frame.assignZero(0))
    return false;
  for (uint32_t value : region.operands)
    ++uses[value];
  for (uint32_t value : region.outputs)
    ++uses[value];
  for (uint32_t v = 0; v < values; ++v) {
    program.slotOf[v] = nothing;
    if (region.types[v].type == Ty::None)
      continue;
    uint32_t actor = plan.producer[v];
    if (actor != nothing) {
      Kind kind = region.actors[actor].kind;
      if (kind == Kind::Sync || kind == Kind::Demux || kind == Kind::Invariant)
        continue;
    }
    bool constant =
        actor != nothing && region.actors[actor].kind == Kind::Constant;
    program.slotOf[v] = newSlot(constant ? region.actors[actor].imm : 0,
                                region.types[v].type, constant);
  }
  // A lane's value that only leaves the lane is made in the slot of the mux.
  for (const ActorInfo &info : region.actors) {
    if (info.kind != Kind::Mux || info.type == Ty::None)
      continue;
    for (uint32_t k = 1; k < info.numOperands; ++k) {
      uint32_t value = operand(info, k);
      uint32_t actor = plan.producer[value];
      if (actor == nothing || uses[value] != 1)
        continue;
      Kind kind = region.actors[actor].kind;
      if ((kind == Kind::Compute || kind == Kind::Load) &&
          plan.phaseOf[value] == plan.phaseOfActor[actor])
        program.slotOf[value] = program.slotOf[info.firstResult];
    }
  }
  auto before = [&](uint32_t value) {
    if (region.types[value].type == Ty::None)
      return nothing;
    const ActorInfo &info = region.actors[plan.producer[value]];
    return info.kind == Kind::Sync ? operand(info, value - info.firstResult)
                                   : operand(info, 1); // Demux, Invariant
  };
  if (!followChains(program.slotOf, program.steps, before))
    return false;
  if (!chosen.assignZero(plan.selections.size))
    return false;
  for (const PlanBranch &branch : plan.branches)
    chosen[branch.selection] = 1;
  if (!cursor.assignZero(plan.loops.size) ||
      !read.assignZero(program.frame.size))
    return false;
  auto reads = [&](uint32_t value) {
    if (slot(value) != nothing)
      read[slot(value)] = 1;
  };
  for (const ActorInfo &info : region.actors) {
    // Operand 0 of these selects, what a demux or a sync hands on is not read.
    bool selects = info.kind == Kind::Mux || info.kind == Kind::Carry ||
                   info.kind == Kind::Invariant;
    if (info.kind == Kind::Demux || info.kind == Kind::Sync)
      continue;
    for (uint32_t k = selects; k < info.numOperands; ++k)
      reads(operand(info, k));
  }
  for (uint32_t value : region.outputs)
    reads(value);
  for (const Selection &selection : plan.selections)
    reads(selection.selector);
  for (size_t l = 0; l < plan.loops.size; ++l)
    if (plan.loops[l].stream != nothing)
      cursor[l] = slot(region.actors[plan.loops[l].stream].firstResult);
  if (!program.baseSlots.assignZero(region.memories.size))
    return false;
  for (uint32_t &base : program.baseSlots)
    base = newSlot(0);
  zeroSlot = newSlot(0);
  return memory;
}

} // namespace loom::rt
