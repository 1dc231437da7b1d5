// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translator: loads, and stores with their notes in the undo log.

#if defined(__x86_64__) && defined(__ELF__)

#include "Devices/Sim/Translator.h"

#include <stddef.h>

namespace loom::rt {

using namespace x86;

/// Checks the address operand against the footprint; leaves the address.
Operand Translator::address(const Inst &inst, uint32_t number) {
  if (inst.outside) {
    as.memory = faults.push({as.jmp(), number}) && as.memory;
    return at(rbx, 0);
  }
  bool fixed = isConst(inst.a);
  uint64_t offset = fixed ? constOf(inst.a) : 0;
  if (fixed && offset - inst.imm > inst.span)
    as.memory = faults.push({as.jmp(), number}) && as.memory;
  if (fixed && static_cast<int64_t>(offset) == static_cast<int32_t>(offset)) {
    uint8_t base = bits(inst.base, rdx);
    return at(base, static_cast<int32_t>(offset));
  }
  uint8_t index = bits(inst.a, rdx);
  if (inst.span != ~uint64_t(0) && !fixed) {
    uint8_t tested = index;
    if (inst.imm) {
      as.movImm(rax, inst.imm);
      as.movRegReg(rcx, index);
      as.alu(5, rcx, in(rax), true);
      tested = rcx;
    }
    if (inst.span <= 0x7fffffff) {
      as.aluImm(7, in(tested), static_cast<int32_t>(inst.span), true);
    } else {
      as.movImm(rax, inst.span);
      as.alu(7, tested, in(rax), true);
    }
    fault(above, number);
  }
  uint8_t base = bits(inst.base, rax);
  return at(base, index, 0);
}

void Translator::loadInst(const Inst &inst, uint32_t number) {
  Operand from = address(inst, number);
  if (isFloat(inst.dst)) {
    uint8_t x = target(inst.dst, 0);
    as.op(inst.bytes == 8 ? 0xf2 : 0xf3, false, 1, 0x10, x, from);
    setFloat(inst.dst, x);
    return;
  }
  uint8_t reg = target(inst.dst, rax);
  switch (inst.bytes) {
  case 1:
    as.op(0, false, 1, 0xb6, reg, from);
    break;
  case 2:
    as.op(0, false, 1, 0xb7, reg, from);
    break;
  default:
    as.load(reg, from, inst.bytes == 8);
  }
  setBits(inst.dst, reg);
}

void Translator::storeInst(const Inst &inst, uint32_t number) {
  Operand to = address(inst, number);
  as.op(0, true, 0, 0x8d, rdx, to); // lea
  Slow slow = {};
  slow.inst = number;
  // The line that this store met last?
  slow.again = as.bytes.size;
  as.movImm(rsi, reinterpret_cast<uint64_t>(program.caches.data + inst.cache));
  as.movRegReg(rcx, rdx);
  as.op(0, true, 0, 0x2b, rcx, at(rsi, offsetof(StoreCache, address)));
  as.aluImm(7, in(rcx), 64 - inst.bytes, true);
  slow.elsewhere = as.jcc(above);
  as.load(rax, at(rsp, linesSlot));
  as.load(rax, at(rax, 0));
  as.op(0, true, 0, 0x03, rax, at(rsi, offsetof(StoreCache, offset)));
  as.movImm(rsi, (uint64_t(1) << inst.bytes) - 1);
  as.shiftCl(4, rsi, true);
  as.op(0, true, 0, 0x85, rsi, at(rax, offsetof(UndoLine, mask)));
  size_t fresh = as.jcc(equal);
  // All of it noted before?
  as.op(0, true, 0, 0xf7, 2, in(rsi)); // not
  as.op(0, true, 0, 0x0b, rsi, at(rax, offsetof(UndoLine, mask)));
  as.aluImm(7, in(rsi), -1, true);
  slow.partly = as.jcc(notEqual);
  size_t noted = as.jmp();
  as.here(fresh);
  as.op(0, true, 0, 0x09, rsi, at(rax, offsetof(UndoLine, mask)));
  auto old = at(rax, rcx, offsetof(UndoLine, old));
  switch (inst.bytes) {
  case 1:
    as.op(0, false, 1, 0xb6, rsi, at(rdx, 0));
    as.op(0, false, 0, 0x88, rsi, old, true);
    break;
  case 2:
    as.op(0, false, 1, 0xb7, rsi, at(rdx, 0));
    as.op(0x66, false, 0, 0x89, rsi, old);
    break;
  default:
    as.load(rsi, at(rdx, 0), inst.bytes == 8);
    as.store(old, rsi, inst.bytes == 8);
  }
  as.here(noted);
  slow.back = as.bytes.size;
  as.memory = stores.push(slow) && as.memory;
  if (isFloat(inst.b)) {
    uint8_t x = target(inst.b, 0);
    floatInto(inst.b, x);
    as.op(inst.bytes == 8 ? 0xf2 : 0xf3, false, 1, 0x11, x, at(rdx, 0));
    return;
  }
  uint8_t data = bits(inst.b, rax);
  switch (inst.bytes) {
  case 1:
    as.op(0, false, 0, 0x88, data, at(rdx, 0), true);
    break;
  case 2:
    as.op(0x66, false, 0, 0x89, data, at(rdx, 0));
    break;
  default:
    as.store(at(rdx, 0), data, inst.bytes == 8);
  }
}

/// A line that the log has already becomes the store's last one; otherwise the
/// log notes the bytes.
void Translator::storeSlow(const Slow &slow) {
  const Inst &inst = program.code[slow.inst];
  as.here(slow.elsewhere);
  size_t notes[4];
  unsigned count = 0;
  if (inst.bytes > 1) { // over the end of the line?
    as.movRegReg(rcx, rdx, false);
    as.aluImm(4, in(rcx), 63, false);
    as.aluImm(7, in(rcx), 64 - inst.bytes, false);
    notes[count++] = as.jcc(above);
  }
  as.movRegReg(rcx, rdx);
  as.shiftImm(5, rcx, 4, true);
  as.aluImm(4, in(rcx), (lineHints - 1) * sizeof(uint32_t), false);
  as.movImm(rsi, reinterpret_cast<uint64_t>(program.hints.data));
  as.load(rax, at(rsi, rcx, 0), false);
  as.load(rsi, at(rsp, linesSlot));
  as.alu(7, rax, at(rsi, sizeof(UndoLine *)), true); // the log's size
  notes[count++] = as.jcc(aboveEqual);
  static_assert(sizeof(UndoLine) <= 127 && lineHints <= 1 << 28,
                "immediates of a byte and of 31 bits");
  as.op(0, true, 0, 0x6b, rax, in(rax)); // imul
  as.byte(sizeof(UndoLine));
  as.load(rsi, at(rsi, 0));
  as.movRegReg(rcx, rdx);
  as.aluImm(4, in(rcx), -64, true);
  as.alu(7, rcx, at(rsi, rax, offsetof(UndoLine, address)), true);
  notes[count++] = as.jcc(notEqual);
  as.movImm(rsi, reinterpret_cast<uint64_t>(program.caches.data + inst.cache));
  as.store(at(rsi, offsetof(StoreCache, address)), rcx);
  as.store(at(rsi, offsetof(StoreCache, offset)), rax);
  as.patch(as.jmp(), slow.again);
  for (unsigned i = 0; i < count; ++i)
    as.here(notes[i]);
  as.here(slow.partly);
  // rdx is needed afterwards; the stack has a slot for it.
  as.store(at(rsp, 24), rdx);
  as.movImm(rsi, slow.inst);
  as.patch(as.call(), noteThunk);
  fault(equal, slow.inst);
  as.load(rdx, at(rsp, 24));
  as.patch(as.jmp(), slow.back);
}

} // namespace loom::rt

#endif
