// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translator: moves, jumps, the steps of loops and the trace.

#if defined(__x86_64__) && defined(__ELF__)

#include "Devices/Sim/Translator.h"
#include "Image/Flat.h"

#include <stddef.h>

namespace loom::rt {

using namespace x86;

void Translator::traceWord(uint8_t reg) {
  as.load(rcx, at(rsp, runSlot));
  as.load(rdx, at(rcx, offsetof(Run, trace)));
  as.store(at(rdx, 0), reg, false);
  as.aluImm(0, at(rcx, offsetof(Run, trace)), 4, true);
}

void Translator::traceRoom(uint32_t number) {
  as.load(rcx, at(rsp, runSlot));
  as.load(rdx, at(rcx, offsetof(Run, trace)));
  as.alu(7, rdx, at(rcx, offsetof(Run, traceLimit)), true);
  size_t room = as.jcc(below);
  as.movImm(rsi, number);
  as.patch(as.call(), flushThunk);
  fault(equal, number);
  as.here(room);
}

void Translator::traceTrips(const Inst &inst) {
  bitsInto(inst.a, rax);
  as.alu(5, rax, in(r12), true);
  as.aluImm(5, in(rax), static_cast<int32_t>(inst.imm), true);
  as.movImm(rsi, inst.imm + inst.mask);
  as.op(0, false, 0, 0x31, rdx, in(rdx));
  as.op(0, true, 0, 0xf7, 6, in(rsi)); // div
  as.movRegReg(rsi, rax);
  traceWord(rsi);
  as.shiftImm(5, rsi, 32, true);
  traceWord(rsi);
}

/// The condition under which the comparison holds, with the flags set.
Cc Translator::compareInts(unsigned pred, uint32_t a, uint32_t b,
                           unsigned width) {
  static constexpr Cc ccs[10] = {equal,   notEqual,     less,  lessEqual,
                                 greater, greaterEqual, below, belowEqual,
                                 above,   aboveEqual};
  Cc cc = ccs[pred <= 9 ? pred : 9];
  bool isSigned = pred >= 2 && pred <= 5;
  if (isSigned && width != 64 && width != 32) {
    bitsInto(a, rax);
    bitsInto(b, rcx);
    as.shiftImm(4, rax, 64 - width, true);
    as.shiftImm(4, rcx, 64 - width, true);
    as.alu(7, rax, in(rcx), true);
    return cc;
  }
  bool wide = width > 32;
  // Operands are zero-extended: the narrow comparison is enough.
  if (isSmall(b, wide)) {
    auto value = static_cast<int32_t>(constOf(b));
    if (!isFloat(a) && !(isConst(a) && !home[a]))
      as.aluImm(7, operand(a), value, wide);
    else {
      uint8_t reg = bits(a, rax);
      as.aluImm(7, in(reg), value, wide);
    }
    return cc;
  }
  uint8_t reg = bits(a, rax);
  if (isFloat(b)) {
    bitsInto(b, rcx);
    as.alu(7, reg, in(rcx), wide);
  } else {
    as.alu(7, reg, operand(b), wide);
  }
  return cc;
}

/// The comparison is only there for the jump behind it.
bool Translator::fuses(uint32_t number) const {
  const Inst &inst = program.code[number];
  if (number + 1 >= program.code.size)
    return false;
  const Inst &next = program.code[number + 1];
  return !isTarget[number + 1] &&
         next.code == static_cast<uint16_t>(Do::JumpIfZero) &&
         next.a == inst.dst && reads[inst.dst] == 1 && !isOutput[inst.dst];
}

void Translator::jumpTable(const Inst &inst, uint32_t number) {
  bitsInto(inst.a, rax);
  as.aluImm(7, in(rax), inst.lanes, true);
  fault(aboveEqual, number);
  // lea rcx, [rip + table]
  as.byte(0x48);
  as.byte(0x8d);
  as.byte(0x0d);
  as.dword(0);
  as.memory = tables.push({as.bytes.size - 4, number}) && as.memory;
  as.op(0, true, 0, 0x63, rax, {true, rcx, rax, 0}); // scaled below
  as.memory = as.memory && as.bytes.size >= 2;
  if (as.memory)
    as.bytes[as.bytes.size - 2] |= 0x80; // times 4
  as.alu(0, rax, in(rcx), true);
  as.op(0, false, 0, 0xff, 4, in(rax)); // jmp rax
}

/// One step of a counting loop.
void Translator::advance(const Inst &inst, uint32_t number) {
  auto op = static_cast<image::Op>(inst.op);
  if (op != image::Op::AddI && op != image::Op::SubI) {
    callCompute(inst, number);
    return;
  }
  unsigned which = op == image::Op::AddI ? 0 : 5;
  bool wide = inst.width > 32;
  uint8_t reg = target(inst.dst, rax);
  if (!home[inst.dst])
    as.load(reg, memoryOf(inst.dst));
  if (isSmall(inst.a, wide))
    as.aluImm(which, in(reg), static_cast<int32_t>(constOf(inst.a)), wide);
  else
    as.alu(which, reg, operand(inst.a), wide);
  maskTo(reg, inst.mask, inst.width);
  setBits(inst.dst, reg);
}

void Translator::instruction(uint32_t number) {
  const Inst &inst = program.code[number];
  switch (static_cast<Do>(inst.code)) {
  case Do::Enter:
    if (loopsDone < program.loops.size &&
        program.loops[loopsDone].begin == number + 1) {
      allocate(program.loops[loopsDone++]);
      enterLoop();
    }
    return;
  case Do::Move:
    if (isFloat(inst.dst) && isFloat(inst.a)) {
      uint8_t x = target(inst.dst, 0);
      floatInto(inst.a, x);
      setFloat(inst.dst, x);
    } else {
      uint8_t reg = isFloat(inst.dst) ? uint8_t(rax) : target(inst.dst, rax);
      bitsInto(inst.a, reg);
      setBits(inst.dst, reg);
    }
    return;
  case Do::Jump:
    jumpTo(as.jmp(), inst.target);
    return;
  case Do::JumpIfZero:
    if (number && fuses(number - 1) &&
        (program.code[number - 1].code == static_cast<uint16_t>(Code::CmpI)))
      return; // done by the comparison
    if (isFloat(inst.a) || isConst(inst.a)) {
      bitsInto(inst.a, rax);
      as.op(0, true, 0, 0x85, rax, in(rax));
    } else {
      as.aluImm(7, operand(inst.a), 0, true);
    }
    jumpTo(as.jcc(equal), inst.target);
    return;
  case Do::JumpUnless:
    jumpTo(as.jcc(inverse(compareInts(inst.pred, inst.a, inst.b, inst.width))),
           inst.target);
    return;
  case Do::Compare: {
    Cc cc = compareInts(inst.pred, inst.a, inst.b, inst.width);
    as.setcc(cc, rax);
    as.op(0, false, 1, 0xb6, rax, in(rax), true);
    setBits(inst.dst, rax);
    return;
  }
  case Do::JumpTable:
    jumpTable(inst, number);
    return;
  case Do::Advance:
    advance(inst, number);
    return;
  case Do::Fuel:
    as.aluImm(5, in(r12), static_cast<int32_t>(inst.imm), true);
    fault(negative, number);
    return;
  case Do::Load:
    loadInst(inst, number);
    return;
  case Do::Store:
    storeInst(inst, number);
    return;
  case Do::TraceWord:
    traceWord(bits(inst.a, rax));
    return;
  case Do::TraceImmediate:
    as.movImm(rax, inst.imm);
    traceWord(rax);
    return;
  case Do::TraceRoom:
    traceRoom(number);
    return;
  case Do::TripsBegin:
    setBits(inst.dst, r12);
    return;
  case Do::TripsEnd:
    traceTrips(inst);
    return;
  case Do::End:
    as.movImm(rax, nothing);
    epilogue();
    return;
  default:
    if (!compute(inst, number))
      callCompute(inst, number);
  }
}

} // namespace loom::rt

#endif
