// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translator's computations on floats.

#if defined(__x86_64__) && defined(__ELF__)

#include "Devices/Sim/Translator.h"

namespace loom::rt {

using namespace x86;

bool Translator::computeFloat(const Inst &inst) {
  auto code = static_cast<Code>(inst.code);
  if (code == Code::Select) {
    // The condition first: the result may share its operands' registers.
    bitsInto(inst.a, rax);
    floatInto(inst.b, 0);
    as.op(0, true, 0, 0x85, rax, in(rax));
    size_t taken = as.jcc(notEqual);
    floatInto(inst.c, 0);
    as.here(taken);
    setFloat(inst.dst, 0);
    return true;
  }
  bool isF64 = inst.code >= firstFloatCode + floatCodes;
  if (isF64)
    code = static_cast<Code>(inst.code - floatCodes);
  unsigned prefix = isF64 ? 0xf2 : 0xf3;
  auto binary = [&](unsigned opcode) {
    bool other = home[inst.b] && home[inst.b] == home[inst.dst];
    uint8_t x = other ? uint8_t(0) : target(inst.dst, 0);
    floatInto(inst.a, x);
    as.op(prefix, false, 1, opcode, x, operand(inst.b));
    setFloat(inst.dst, x);
    return true;
  };
  switch (code) {
  case Code::AddF:
    return binary(0x58);
  case Code::MulF:
    return binary(0x59);
  case Code::SubF:
    return binary(0x5c);
  case Code::DivF:
    return binary(0x5e);
  case Code::Sqrt: {
    floatInto(inst.a, 1);
    as.op(0, false, 1, 0x57, 0, in(0));
    as.op(prefix, false, 1, 0x51, 0, in(1));
    setFloat(inst.dst, 0);
    return true;
  }
  case Code::NegF:
  case Code::AbsF:
    bitsInto(inst.a, rax);
    // btc, btr of the sign bit
    as.op(0, isF64, 1, 0xba, code == Code::NegF ? 7 : 6, in(rax));
    as.byte(isF64 ? 63 : 31);
    setBits(inst.dst, rax);
    return true;
  case Code::CmpF: {
    // `pred` is the set of outcomes that satisfy it: equal 1, greater 2, less
    // 4, unordered 8. ucomis sets ZF, PF and CF: 000 greater, 001 less, 100
    // equal, 111 unordered.
    unsigned set = inst.pred;
    if (set == 0 || set == 15) {
      as.movImm(rax, set ? 1 : 0);
      setBits(inst.dst, rax);
      return true;
    }
    bool swapped = set == 4 || set == 5 || set == 10 || set == 11;
    floatInto(swapped ? inst.b : inst.a, 0);
    as.op(isF64 ? 0x66 : 0, false, 1, 0x2e, 0,
          operand(swapped ? inst.a : inst.b));
    Cc cc = equal;
    switch (set) {
    case 2:
    case 4:
      cc = above;
      break;
    case 3:
    case 5:
      cc = aboveEqual;
      break;
    case 9:
      cc = equal;
      break;
    case 6:
      cc = notEqual;
      break;
    case 10:
    case 12:
      cc = below;
      break;
    case 11:
    case 13:
      cc = belowEqual;
      break;
    case 7:
      cc = noParity;
      break;
    case 8:
      cc = parity;
      break;
    default: // 1: equal and ordered; 14: the opposite
      as.setcc(set == 1 ? equal : notEqual, rax);
      as.setcc(set == 1 ? noParity : parity, rcx);
      as.op(0, false, 0, set == 1 ? 0x22 : 0x0a, rax, in(rcx), true);
      as.op(0, false, 1, 0xb6, rax, in(rax), true);
      setBits(inst.dst, rax);
      return true;
    }
    as.setcc(cc, rax);
    as.op(0, false, 1, 0xb6, rax, in(rax), true);
    setBits(inst.dst, rax);
    return true;
  }
  default:
    return false;
  }
}

} // namespace loom::rt

#endif
