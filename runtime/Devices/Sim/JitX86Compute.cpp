// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translator's computations on integers. What is not here is called
// (computeValue).

#if defined(__x86_64__) && defined(__ELF__)

#include "Devices/Sim/Translator.h"

namespace loom::rt {

using namespace x86;

bool Translator::compute(const Inst &inst, uint32_t number) {
  const auto code = static_cast<Code>(inst.code);
  const unsigned width = inst.width;
  const bool wide = width > 32;
  const bool whole = width == 32 || width == 64;
  // A register to work in that is not `other`'s.
  auto work = [&](uint32_t other) -> uint8_t {
    if (!home[inst.dst] || isFloat(inst.dst) ||
        (other != nothing && home[other] == home[inst.dst]))
      return rax;
    return home[inst.dst] - 1;
  };
  auto done = [&](uint8_t reg) {
    maskTo(reg, inst.mask, width);
    setBits(inst.dst, reg);
    return true;
  };
  if (isFloat(inst.dst) && (code == Code::AddI || code == Code::Select))
    return code == Code::Select && computeFloat(inst);
  switch (code) {
  case Code::AddI:
  case Code::SubI:
  case Code::AndI:
  case Code::OrI:
  case Code::XorI: {
    unsigned which = code == Code::AddI   ? 0
                     : code == Code::SubI ? 5
                     : code == Code::AndI ? 4
                     : code == Code::OrI  ? 1
                                          : 6;
    uint32_t a = inst.a, b = inst.b;
    if (code != Code::SubI &&
        (isConst(a) || (home[b] && home[b] == home[inst.dst]))) {
      a = inst.b;
      b = inst.a;
    }
    uint8_t reg = work(b);
    bitsInto(a, reg);
    if (isSmall(b, wide))
      as.aluImm(which, in(reg), static_cast<int32_t>(constOf(b)), wide);
    else if (isFloat(b))
      return false;
    else
      as.alu(which, reg, operand(b), wide);
    return done(reg);
  }
  case Code::MulI: {
    uint32_t a = inst.a, b = inst.b;
    if (isConst(a) || (home[b] && home[b] == home[inst.dst])) {
      a = inst.b;
      b = inst.a;
    }
    uint8_t reg = work(b);
    if (isSmall(b, wide) && !isConst(a)) {
      as.op(0, wide, 0, 0x69, reg, operand(a));
      as.dword(static_cast<uint32_t>(constOf(b)));
    } else {
      bitsInto(a, reg);
      as.op(0, wide, 1, 0xaf, reg, operand(b));
    }
    return done(reg);
  }
  case Code::ShlI:
  case Code::ShrUI:
  case Code::ShrSI: {
    unsigned which = code == Code::ShlI ? 4 : code == Code::ShrUI ? 5 : 7;
    if (isConst(inst.b) && constOf(inst.b) >= width) {
      as.op(0, false, 0, 0x31, rax, in(rax));
      setBits(inst.dst, rax);
      return true;
    }
    uint8_t reg = work(inst.b);
    bitsInto(inst.a, reg);
    if (code == Code::ShrSI && !whole) {
      as.shiftImm(4, reg, 64 - width, true);
      as.shiftImm(7, reg, 64 - width, true);
    }
    // Narrow values shift in 64 bits, except where the sign is bit 31.
    bool shiftWide = wide || (code != Code::ShrSI && width != 32) ||
                     (code == Code::ShrSI && !whole);
    if (isConst(inst.b)) {
      as.shiftImm(which, reg, static_cast<unsigned>(constOf(inst.b)),
                  shiftWide);
      if (code == Code::ShlI || code == Code::ShrSI)
        maskTo(reg, inst.mask, width);
      setBits(inst.dst, reg);
      return true;
    }
    bitsInto(inst.b, rcx);
    as.shiftCl(which, reg, shiftWide);
    // An amount of the width or more gives 0.
    as.movImm(rdx, 0);
    as.aluImm(7, in(rcx), static_cast<int32_t>(width), true);
    as.cmov(aboveEqual, reg, in(rdx), true);
    return done(reg);
  }
  case Code::FShl:
  case Code::FShr: {
    if (!whole)
      return false;
    bool left = code == Code::FShl;
    bitsInto(inst.a, rax);
    bitsInto(inst.b, rdx);
    if (isConst(inst.c)) {
      unsigned by = static_cast<unsigned>(constOf(inst.c) % width);
      if (left)
        as.op(0, wide, 1, 0xa4, rdx, in(rax));
      else
        as.op(0, wide, 1, 0xac, rax, in(rdx));
      as.byte(by);
    } else {
      bitsInto(inst.c, rcx);
      if (left)
        as.op(0, wide, 1, 0xa5, rdx, in(rax));
      else
        as.op(0, wide, 1, 0xad, rax, in(rdx));
    }
    setBits(inst.dst, left ? rax : rdx);
    return true;
  }
  case Code::MinSI:
  case Code::MaxSI:
  case Code::MinUI:
  case Code::MaxUI: {
    bool isSigned = code == Code::MinSI || code == Code::MaxSI;
    if (isSigned && !whole)
      return false;
    bitsInto(inst.a, rax);
    bitsInto(inst.b, rcx);
    as.alu(7, rax, in(rcx), wide);
    Cc cc = code == Code::MinSI   ? greater
            : code == Code::MaxSI ? less
            : code == Code::MinUI ? above
                                  : below;
    as.cmov(cc, rax, in(rcx), wide);
    setBits(inst.dst, rax);
    return true;
  }
  case Code::AbsI:
    if (!whole)
      return false;
    bitsInto(inst.a, rax);
    as.movRegReg(rcx, rax, wide);
    as.op(0, wide, 0, 0xf7, 3, in(rcx)); // neg
    as.cmov(notNegative, rax, in(rcx), wide);
    setBits(inst.dst, rax);
    return true;
  case Code::BSwap:
    if (!whole)
      return false;
    bitsInto(inst.a, rax);
    if (wide)
      as.byte(0x48);
    as.byte(0x0f);
    as.byte(0xc8);
    setBits(inst.dst, rax);
    return true;
  case Code::CmpI: {
    Cc cc = compareInts(inst.pred, inst.a, inst.b, inst.fromWidth);
    if (fuses(number)) {
      jumpTo(as.jcc(inverse(cc)), program.code[number + 1].target);
      return true;
    }
    as.setcc(cc, rax);
    as.op(0, false, 1, 0xb6, rax, in(rax), true);
    setBits(inst.dst, rax);
    return true;
  }
  case Code::Select: {
    bitsInto(inst.b, rax);
    uint8_t other = bits(inst.c, rcx);
    if (isConst(inst.a))
      bitsInto(inst.a, rdx);
    as.aluImm(7, isConst(inst.a) ? in(rdx) : operand(inst.a), 0, true);
    as.cmov(equal, rax, in(other), true);
    setBits(inst.dst, rax);
    return true;
  }
  case Code::ExtSI: {
    uint8_t reg = work(nothing);
    unsigned from = inst.fromWidth;
    bitsInto(inst.a, reg);
    if (from == 32)
      as.op(0, true, 0, 0x63, reg, in(reg));
    else if (from == 8)
      as.op(0, true, 1, 0xbe, reg, in(reg), true);
    else if (from == 16)
      as.op(0, true, 1, 0xbf, reg, in(reg));
    else {
      as.shiftImm(4, reg, 64 - from, true);
      as.shiftImm(7, reg, 64 - from, true);
    }
    if (width == 32)
      as.movRegReg(reg, reg, false);
    return done(reg);
  }
  case Code::Masked: {
    if (isFloat(inst.dst)) {
      bitsInto(inst.a, rax);
      setBits(inst.dst, rax);
      return true;
    }
    uint8_t reg = work(nothing);
    bitsInto(inst.a, reg);
    if (width == 32)
      as.movRegReg(reg, reg, false);
    return done(reg);
  }
  case Code::DivUI:
  case Code::RemUI:
  case Code::DivSI:
  case Code::RemSI: {
    if (!whole)
      return false;
    bool isSigned = code == Code::DivSI || code == Code::RemSI;
    bitsInto(inst.a, rax);
    bitsInto(inst.b, rcx);
    as.op(0, true, 0, 0x85, rcx, in(rcx));
    fault(equal, number);
    if (isSigned) {
      // Only the least value by -1 overflows.
      as.aluImm(7, in(rcx), -1, wide);
      size_t fine = as.jcc(notEqual);
      as.movImm(rdx, uint64_t(1) << (width - 1));
      as.alu(7, rax, in(rdx), wide);
      fault(equal, number);
      as.here(fine);
      if (wide)
        as.byte(0x48);
      as.byte(0x99); // cdq, cqo
    } else {
      as.movImm(rdx, 0);
    }
    as.op(0, wide, 0, 0xf7, isSigned ? 7 : 6, in(rcx));
    bool quotient = code == Code::DivSI || code == Code::DivUI;
    setBits(inst.dst, quotient ? rax : rdx);
    return true;
  }
  case Code::SIToF32:
  case Code::SIToF64:
  case Code::UIToF32:
  case Code::UIToF64: {
    bool isSigned = code == Code::SIToF32 || code == Code::SIToF64;
    bool isF64 = code == Code::SIToF64 || code == Code::UIToF64;
    unsigned from = inst.fromWidth;
    if (!isSigned && from == 64)
      return false;
    bitsInto(inst.a, rax);
    if (isSigned && from == 32)
      as.op(0, true, 0, 0x63, rax, in(rax));
    else if (isSigned && from < 64) {
      as.shiftImm(4, rax, 64 - from, true);
      as.shiftImm(7, rax, 64 - from, true);
    }
    as.op(0, false, 1, 0x57, 0, in(0)); // xorps: no false dependence
    as.op(isF64 ? 0xf2 : 0xf3, true, 1, 0x2a, 0, in(rax));
    setFloat(inst.dst, 0);
    return true;
  }
  case Code::F32ToSI:
  case Code::F64ToSI:
  case Code::F32ToUI:
  case Code::F64ToUI: {
    bool isSigned = code == Code::F32ToSI || code == Code::F64ToSI;
    bool isF64 = code == Code::F64ToSI || code == Code::F64ToUI;
    if (!isSigned && width > 32)
      return false;
    bool convertWide = isSigned ? width > 32 : width == 32;
    floatInto(inst.a, 0);
    as.op(isF64 ? 0xf2 : 0xf3, convertWide, 1, 0x2c, rax, in(0));
    if (width == 32 && convertWide)
      as.movRegReg(rax, rax, false);
    return done(rax);
  }
  case Code::ExtF:
  case Code::DemoteF:
    floatInto(inst.a, 1);
    as.op(0, false, 1, 0x57, 0, in(0));
    as.op(code == Code::ExtF ? 0xf3 : 0xf2, false, 1, 0x5a, 0, in(1));
    setFloat(inst.dst, 0);
    return true;
  default:
    if (inst.code >= firstFloatCode)
      return computeFloat(inst);
    return false;
  }
}

} // namespace loom::rt

#endif
