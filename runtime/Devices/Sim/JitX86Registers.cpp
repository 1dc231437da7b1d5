// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translator: slots in registers and in memory.

#if defined(__x86_64__) && defined(__ELF__)

#include "Devices/Sim/Translator.h"

namespace loom::rt {

using namespace x86;

static constexpr uint8_t freeInts[] = {rdi, r8,  r9,  r10, r11,
                                       rbp, r13, r14, r15};

uint8_t Translator::bits(uint32_t slot, uint8_t scratch) {
  if (home[slot] && !isFloat(slot))
    return home[slot] - 1;
  bitsInto(slot, scratch);
  return scratch;
}

void Translator::bitsInto(uint32_t slot, uint8_t reg) {
  if (home[slot] && isFloat(slot))
    as.op(0x66, isDouble(slot), 1, 0x7e, home[slot] - 1, in(reg));
  else if (home[slot])
    as.movRegReg(reg, home[slot] - 1);
  else if (isConst(slot) && constOf(slot))
    as.movImm(reg, constOf(slot));
  else
    as.load(reg, memoryOf(slot));
}

void Translator::setBits(uint32_t slot, uint8_t reg) {
  if (home[slot] && isFloat(slot))
    as.op(0x66, isDouble(slot), 1, 0x6e, home[slot] - 1, in(reg));
  else if (home[slot]) {
    if (home[slot] - 1 != reg)
      as.movRegReg(home[slot] - 1, reg);
  } else
    as.store(memoryOf(slot), reg);
}

void Translator::floatInto(uint32_t slot, uint8_t xmm) {
  if (home[slot]) {
    if (home[slot] - 1 != xmm)
      as.op(0, false, 1, 0x28, xmm, in(home[slot] - 1)); // movaps
  } else {
    as.op(scalar(slot), false, 1, 0x10, xmm, memoryOf(slot));
  }
}

void Translator::setFloat(uint32_t slot, uint8_t xmm) {
  if (home[slot]) {
    if (home[slot] - 1 != xmm)
      as.op(0, false, 1, 0x28, home[slot] - 1, in(xmm));
  } else {
    as.op(scalar(slot), false, 1, 0x11, xmm, memoryOf(slot));
  }
}

/// Clears the bits above the width. 32 and 64 have been cleared by the
/// operation.
void Translator::maskTo(uint8_t reg, uint64_t mask, unsigned width) {
  if (width == 64 || width == 32)
    return;
  if (width < 32) {
    as.aluImm(4, in(reg), static_cast<int32_t>(mask), false);
    return;
  }
  uint8_t scratch = reg == rcx ? rdx : rcx;
  as.movImm(scratch, mask);
  as.alu(4, reg, in(scratch), true);
}

void Translator::allocate(const InnerLoop &loop) {
  inLoop = &loop;
  Vec<uint32_t> seen;
  auto count = [&](uint32_t slot) {
    // An integer constant is an immediate, or as good in memory.
    if (isConst(slot) && !isFloat(slot))
      return;
    if (counts[slot]++ == 0)
      as.memory = seen.push(slot) && as.memory;
  };
  for (uint32_t i = loop.begin; i < loop.end; ++i) {
    uint32_t slots[4];
    for (uint32_t n = slotsRead(program.code[i], slots); n-- > 0;)
      count(slots[n]);
    uint32_t written = slotWritten(program.code[i]);
    if (written != nothing)
      count(written);
  }
  unsigned ints = 0, floats = firstFreeFloat;
  held.clear();
  for (;;) {
    uint32_t best = nothing;
    for (uint32_t slot : seen) {
      bool room =
          isFloat(slot) ? floats <= lastFreeFloat : ints < sizeof(freeInts);
      if (counts[slot] && room &&
          (best == nothing || counts[slot] > counts[best]))
        best = slot;
    }
    if (best == nothing)
      break;
    counts[best] = 0;
    home[best] =
        static_cast<uint8_t>(1 + (isFloat(best) ? floats++ : freeInts[ints++]));
    as.memory = held.push(best) && as.memory;
  }
  for (uint32_t slot : seen)
    counts[slot] = 0;
  seen.release();
}

/// Whether every iteration writes the slot before it reads it.
static bool writtenFirst(const Program &program, const InnerLoop &loop,
                         uint32_t slot) {
  for (uint32_t i = loop.begin; i < loop.end; ++i) {
    const Inst &inst = program.code[i];
    uint32_t slots[4];
    for (uint32_t n = slotsRead(inst, slots); n-- > 0;)
      if (slots[n] == slot)
        return false;
    if (slotWritten(inst) == slot)
      return true;
    Do code = static_cast<Do>(inst.code);
    bool leaves = (code == Do::JumpUnless || code == Do::JumpIfZero) &&
                  inst.target >= loop.end;
    if (!leaves && (code == Do::Jump || code == Do::JumpIfZero ||
                    code == Do::JumpUnless || code == Do::JumpTable))
      return false;
  }
  return false;
}

/// Whether only the loop itself reads the slot.
bool Translator::isLocal(uint32_t slot) const {
  uint32_t inside = 0;
  for (uint32_t i = inLoop->begin; i < inLoop->end; ++i) {
    uint32_t slots[4];
    for (uint32_t n = slotsRead(program.code[i], slots); n-- > 0;)
      inside += slots[n] == slot;
  }
  return !isOutput[slot] && reads[slot] == inside;
}

void Translator::enterLoop() {
  for (uint32_t slot : held) {
    if (isLocal(slot) && writtenFirst(program, *inLoop, slot))
      continue;
    uint8_t reg = home[slot] - 1;
    if (isFloat(slot))
      as.op(scalar(slot), false, 1, 0x10, reg, memoryOf(slot));
    else
      as.load(reg, memoryOf(slot));
  }
}

void Translator::leaveLoop() {
  for (uint32_t slot : held) {
    bool written = false;
    for (uint32_t i = inLoop->begin; i < inLoop->end; ++i)
      written |= slotWritten(program.code[i]) == slot;
    uint8_t reg = home[slot] - 1;
    if (!written || isLocal(slot))
      continue;
    if (isFloat(slot))
      as.op(scalar(slot), false, 1, 0x11, reg, memoryOf(slot));
    else
      as.store(memoryOf(slot), reg);
  }
  for (uint32_t slot : held)
    home[slot] = 0;
  held.clear();
  inLoop = nullptr;
}

} // namespace loom::rt

#endif
