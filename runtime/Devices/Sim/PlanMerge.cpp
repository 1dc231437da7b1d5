// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries that keep one slot.

#include "Devices/Sim/PlanCoder.h"

namespace loom::rt {

/// Moves that are not looked at before so much was done stay.
static constexpr uint64_t mostMergeSteps = uint64_t(1) << 26;

/// Whether somebody uses what the slot holds when the loop ends.
bool Coder::survives(uint32_t wanted, uint32_t number) const {
  for (uint32_t v = 0; v < region.values; ++v)
    if (program.slotOf[v] == wanted && uses[v] &&
        plan.phaseOf[v] == plan.loops[number].parent)
      return true;
  return false;
}

/// A carry whose next value is made after the last use of its present one, and
/// in the loop itself, keeps one slot: the move goes away.
void Coder::mergeCarries(uint32_t number, uint32_t begin, uint32_t body,
                         uint32_t firstMove, uint32_t end) {
  if (!memory || end - begin > 4096)
    return;
  Inst *code = program.code.data;
  auto reads = [](const Inst &inst, uint32_t wanted) {
    uint32_t slots[4];
    for (uint32_t n = slotsRead(inst, slots); n-- > 0;)
      if (slots[n] == wanted)
        return true;
    return false;
  };
  auto writes = slotWritten;
  for (uint32_t m = firstMove; m < end; ++m) {
    if (code[m].code != uint16_t(Do::Move))
      continue;
    if (program.steps > mostMergeSteps)
      return;
    program.steps += end - begin;
    uint32_t carry = code[m].dst, next = code[m].a;
    uint32_t first = nothing; // where `next` is first made
    bool good = true;
    for (uint32_t i = begin; i < firstMove && good; ++i) {
      if (writes(code[i]) == next) {
        first = first == nothing ? i : first;
        // An accumulating slot, a cursor or a copy of an inner loop's has other
        // rules.
        good = code[i].code < uint16_t(Do::Move) ||
               code[i].code == uint16_t(Do::Load);
      }
      good = good && writes(code[i]) != carry;
    }
    if (!good || first == nothing)
      continue;
    // Made in an inner loop? Those of this loop were finished last.
    for (size_t r = inner.size; r != 0 && inner[r - 2] >= begin && good; r -= 2)
      for (uint32_t i = inner[r - 2]; i < inner[r - 1] && good;
           ++i, ++program.steps)
        good = writes(code[i]) != next;
    for (uint32_t i = first + 1; i < end && good; ++i)
      good = i == m || !reads(code[i], carry);
    for (uint32_t i = begin; i < first && good; ++i)
      good = !reads(code[i], next);
    if (!good)
      continue;
    program.steps += begin + 2 * uint64_t(region.values);
    for (uint32_t i = 0; i < begin && good; ++i)
      good = !reads(code[i], next) && writes(code[i]) != next;
    // The head runs once more than the moves do.
    if (!good || (first < body && survives(carry, number)))
      continue;
    for (uint32_t i = begin; i < end; ++i) {
      Inst &inst = code[i];
      if (i == m) {
        inst.code = static_cast<uint16_t>(Do::Dropped);
        continue;
      }
      if (writes(inst) == next)
        inst.dst = carry;
      if (reads(inst, next)) {
        if (inst.a == next)
          inst.a = carry;
        if (inst.b == next)
          inst.b = carry;
        if (inst.c == next)
          inst.c = carry;
      }
    }
    for (uint32_t &s : program.slotOf)
      if (s == next)
        s = carry;
  }
}

} // namespace loom::rt
