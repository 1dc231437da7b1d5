// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program as data: what its instructions read and write, its beginning and
// its end.

#include "Devices/Sim/Program.h"

namespace loom::rt {

uint32_t slotsRead(const Inst &inst, uint32_t slots[4]) {
  switch (static_cast<Do>(inst.code)) {
  case Do::Move:
  case Do::JumpIfZero:
  case Do::JumpTable:
  case Do::TraceWord:
  case Do::TripsEnd:
    slots[0] = inst.a;
    return 1;
  case Do::JumpUnless:
  case Do::Compare:
    slots[0] = inst.a;
    slots[1] = inst.b;
    return 2;
  case Do::Advance:
    slots[0] = inst.a;
    slots[1] = inst.dst;
    return 2;
  case Do::Load:
    slots[0] = inst.a;
    slots[1] = inst.base;
    return 2;
  case Do::Store:
    slots[0] = inst.a;
    slots[1] = inst.base;
    slots[2] = inst.b;
    return 3;
  default:
    if (inst.code >= static_cast<uint16_t>(Do::Move))
      return 0;
    slots[0] = inst.a;
    slots[1] = inst.b;
    slots[2] = inst.c;
    return inst.c != inst.a ? 3 : inst.b != inst.a ? 2 : 1;
  }
}

uint32_t slotWritten(const Inst &inst) {
  switch (static_cast<Do>(inst.code)) {
  case Do::Move:
  case Do::Compare:
  case Do::Advance:
  case Do::Load:
  case Do::TripsBegin:
    return inst.dst;
  default:
    return inst.code < static_cast<uint16_t>(Do::Move) ? inst.dst : nothing;
  }
}

void Program::enter(const LoadedRegion &region, const uint64_t *in) {
  for (size_t i = 0; i < region.inputs.size; ++i)
    if (slotOf[1 + i] != nothing)
      frame[slotOf[1 + i]] =
          in[region.inputs[i].slot] & typeMask(region.inputs[i].type);
  for (size_t m = 0; m < baseSlots.size; ++m)
    frame[baseSlots[m]] = in[region.memories[m].slot];
  for (StoreCache &cache : caches)
    cache.address = 1;
}

void Program::release() {
  code.release();
  targets.release();
  frame.release();
  baseSlots.release();
  caches.release();
  hints.release();
  outputSlots.release();
  slotOf.release();
  slotTypes.release();
  constant.release();
  loops.release();
}

} // namespace loom::rt
