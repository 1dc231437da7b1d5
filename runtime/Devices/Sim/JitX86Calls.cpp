// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translator: the frame of the code, and what it calls.

#if defined(__x86_64__) && defined(__ELF__)

#include "Devices/Sim/Translator.h"

#include <stddef.h>

namespace loom::rt {

using namespace x86;

static constexpr uint8_t savedInts[] = {rbx, rbp, r12, r13, r14, r15};

void Translator::prologue() {
  for (uint8_t reg : savedInts) {
    if (reg >> 3)
      as.byte(0x41);
    as.byte(0x50 | (reg & 7));
  }
  as.aluImm(5, in(rsp), 40, true);
  as.store(at(rsp, runSlot), rdi);
  as.load(rax, at(rdi, offsetof(Run, undoLines)));
  as.store(at(rsp, linesSlot), rax);
  as.load(rbx, at(rdi, offsetof(Run, frame)));
  as.load(r12, at(rdi, offsetof(Run, fuel)));
}

/// eax holds the instruction that stopped the run.
void Translator::epilogue() {
  as.load(rcx, at(rsp, runSlot));
  as.store(at(rcx, offsetof(Run, fuel)), r12);
  as.aluImm(0, in(rsp), 40, true);
  for (unsigned i = sizeof(savedInts); i-- > 0;) {
    if (savedInts[i] >> 3)
      as.byte(0x41);
    as.byte(0x58 | (savedInts[i] & 7));
  }
  as.byte(0xc3);
}

/// A routine that calls function(run, instruction number in rsi, rdx) and keeps
/// every register but rax, rcx, rdx, rsi, xmm0 and xmm1. Returns its result in
/// eax with the flags of a test.
uint32_t Translator::thunk(void *function) {
  auto start = static_cast<uint32_t>(as.bytes.size);
  // The return address makes the stack odd: 8 + 8 * 5 + 8 * 14 + 8 = 168.
  constexpr int32_t space = 168;
  as.aluImm(5, in(rsp), space, true);
  int32_t offset = 0;
  static constexpr uint8_t kept[] = {rdi, r8, r9, r10, r11};
  for (uint8_t reg : kept) {
    as.store(at(rsp, offset), reg);
    offset += 8;
  }
  for (unsigned x = firstFreeFloat; x <= lastFreeFloat; ++x) {
    as.op(0xf2, false, 1, 0x11, x, at(rsp, offset));
    offset += 8;
  }
  as.load(rdi, at(rsp, space + 8 + runSlot));
  as.movImm(rax, reinterpret_cast<uint64_t>(function));
  as.op(0, false, 0, 0xff, 2, in(rax)); // call rax
  offset = 0;
  for (uint8_t reg : kept) {
    as.load(reg, at(rsp, offset));
    offset += 8;
  }
  for (unsigned x = firstFreeFloat; x <= lastFreeFloat; ++x) {
    as.op(0xf2, false, 1, 0x10, x, at(rsp, offset));
    offset += 8;
  }
  as.aluImm(0, in(rsp), space, true);
  as.op(0, false, 0, 0x85, rax, in(rax));
  as.byte(0xc3);
  return start;
}

// What the code calls. The run knows the program's instructions.

static uint32_t noteFromCode(Run *run, uint32_t number, uint64_t address) {
  const Inst &inst = run->code[number];
  if (!run->undo->note(address, inst.bytes)) {
    run->fault = Reason::Memory;
    run->detail = "the undo log is full";
    return 0;
  }
  // Remember the line, when it is one.
  StoreCache &cache = run->caches[inst.cache];
  if ((address & 63) + inst.bytes <= 64) {
    const UndoLine *line = run->undo->lastLine();
    cache.address = line->address;
    cache.offset = static_cast<uint64_t>(
        reinterpret_cast<const char *>(line) -
        reinterpret_cast<const char *>(run->undo->lines.data));
    run->hints[line->address >> 6 & (lineHints - 1)] =
        static_cast<uint32_t>(line - run->undo->lines.data);
  }
  return 1;
}

static uint32_t computeFromCode(Run *run, uint32_t number) {
  const Inst &inst = run->code[number];
  uint64_t *f = run->frame;
  if (inst.code == static_cast<uint16_t>(Do::Advance))
    return advanceValue(inst, f[inst.dst], f[inst.a]);
  uint64_t result = 0;
  if (!computeValue(inst, f[inst.a], f[inst.b], f[inst.c], result))
    return 0;
  f[inst.dst] = result;
  return 1;
}

static uint32_t flushFromCode(Run *run, uint32_t) { return run->flush(*run); }

/// By way of memory: operands out, call, result in.
void Translator::callCompute(const Inst &inst, uint32_t number) {
  uint32_t slots[4];
  auto spill = [&](uint32_t slot) {
    if (!home[slot])
      return;
    if (isFloat(slot))
      as.op(scalar(slot), false, 1, 0x11, home[slot] - 1, memoryOf(slot));
    else
      as.store(memoryOf(slot), home[slot] - 1);
  };
  for (uint32_t n = slotsRead(inst, slots); n-- > 0;)
    spill(slots[n]);
  as.movImm(rsi, number);
  as.patch(as.call(), computeThunk);
  fault(equal, number);
  uint32_t dst = inst.dst;
  if (home[dst]) {
    if (isFloat(dst))
      as.op(scalar(dst), false, 1, 0x10, home[dst] - 1, memoryOf(dst));
    else
      as.load(home[dst] - 1, memoryOf(dst));
  }
}

void Translator::makeThunks() {
  noteThunk = thunk(reinterpret_cast<void *>(noteFromCode));
  computeThunk = thunk(reinterpret_cast<void *>(computeFromCode));
  flushThunk = thunk(reinterpret_cast<void *>(flushFromCode));
}

} // namespace loom::rt

#endif
