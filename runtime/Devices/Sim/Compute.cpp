// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer computations, conversions and selections.

#include "Devices/Sim/Fire.h"

namespace loom::rt {

using U = uint64_t;

static bool divisionTraps(Engine &engine, const Actor &actor, U a, U b,
                          bool isSigned) {
  bool traps =
      b == 0 || (isSigned && b == actor.mask && a == U(1) << (actor.width - 1));
  if (traps)
    engine.raise(Reason::Trap, "an integer division would trap", actor);
  return traps;
}

uint32_t visitCompute(Engine &engine, Actor &actor, uint32_t most) {
  const U mask = actor.mask;
  const unsigned shift = actor.shift;
  const unsigned width = actor.width;
  const unsigned fromShift = actor.fromShift;
#define BINARY(name, expression)                                               \
  case Code::name:                                                             \
    return strict<2>(engine, actor, most,                                      \
                     [=](U a, U b, U) -> U { return (expression) & mask; });
#define UNARY(name, expression)                                                \
  case Code::name:                                                             \
    return strict<1>(engine, actor, most,                                      \
                     [=](U a, U, U) -> U { return (expression) & mask; });
#define TERNARY(name, expression)                                              \
  case Code::name:                                                             \
    return strict<3>(engine, actor, most,                                      \
                     [=](U a, U b, U c) -> U { return (expression) & mask; });
#define DIVISION(name, isSigned, expression)                                   \
  case Code::name:                                                             \
    return strict<2>(engine, actor, most, [&](U a, U b, U) -> U {              \
      if (divisionTraps(engine, actor, a, b, isSigned))                        \
        return 0;                                                              \
      return (expression) & mask;                                              \
    });
  switch (static_cast<Code>(actor.code)) {
    BINARY(AddI, a + b)
    BINARY(SubI, a - b)
    BINARY(MulI, a * b)
    BINARY(AndI, a & b)
    BINARY(OrI, a | b)
    BINARY(XorI, a ^ b)
    BINARY(ShlI, shiftLeft(a, b, width))
    BINARY(ShrUI, shiftRight(a, b, width))
    BINARY(ShrSI, shiftRightSigned(sext(a, shift), b, width))
    BINARY(MinSI, sext(a, shift) < sext(b, shift) ? a : b)
    BINARY(MaxSI, sext(a, shift) > sext(b, shift) ? a : b)
    BINARY(MinUI, a < b ? a : b)
    BINARY(MaxUI, a > b ? a : b)
    BINARY(AddSatS, addSatSigned(sext(a, shift), sext(b, shift), width))
    BINARY(SubSatS, subSatSigned(sext(a, shift), sext(b, shift), width))
    BINARY(AddSatU, addSatUnsigned(a, b, mask))
    BINARY(SubSatU, a > b ? a - b : 0)
    UNARY(AbsI, sext(a, shift) < 0 ? 0 - a : a)
    UNARY(CtPop, static_cast<unsigned>(__builtin_popcountll(a)))
    UNARY(CtLz, leadingZeros(a, width))
    UNARY(CtTz, trailingZeros(a, width))
    UNARY(BSwap, swapBytes(a, width))
    UNARY(BitReverse, reverseBits(a, width))
    UNARY(ExtSI, static_cast<U>(sext(a, fromShift)))
    UNARY(Masked, a)
    TERNARY(FShl, funnelLeft(a, b, c, width))
    TERNARY(FShr, funnelRight(a, b, c, width))
    TERNARY(Select, a ? b : c)
    DIVISION(DivUI, false, a / b)
    DIVISION(RemUI, false, a % b)
    DIVISION(DivSI, true, static_cast<U>(sext(a, shift) / sext(b, shift)))
    DIVISION(RemSI, true, static_cast<U>(sext(a, shift) % sext(b, shift)))
    UNARY(SIToF32, bitsOf(static_cast<float>(sext(a, fromShift))))
    UNARY(SIToF64, bitsOf(static_cast<double>(sext(a, fromShift))))
    UNARY(UIToF32, bitsOf(static_cast<float>(a)))
    UNARY(UIToF64, bitsOf(static_cast<double>(a)))
    UNARY(F32ToSI, floatToSigned(static_cast<double>(asF32(a)), width))
    UNARY(F64ToSI, floatToSigned(asF64(a), width))
    UNARY(F32ToUI, floatToUnsigned(static_cast<double>(asF32(a)), width))
    UNARY(F64ToUI, floatToUnsigned(asF64(a), width))
    UNARY(ExtF, bitsOf(static_cast<double>(asF32(a))))
    UNARY(DemoteF, bitsOf(static_cast<float>(asF64(a))))
  case Code::CmpI: {
    // One loop per predicate, so that the choice is made once.
#define COMPARE(number, expression)                                            \
  case number:                                                                 \
    return strict<2>(engine, actor, most,                                      \
                     [=](U a, U b, U) -> U { return (expression); });
    switch (actor.pred) {
      COMPARE(0, a == b)
      COMPARE(1, a != b)
      COMPARE(2, sext(a, fromShift) < sext(b, fromShift))
      COMPARE(3, sext(a, fromShift) <= sext(b, fromShift))
      COMPARE(4, sext(a, fromShift) > sext(b, fromShift))
      COMPARE(5, sext(a, fromShift) >= sext(b, fromShift))
      COMPARE(6, a < b)
      COMPARE(7, a <= b)
      COMPARE(8, a > b)
      COMPARE(9, a >= b)
    default:
      break;
    }
#undef COMPARE
    break;
  }
  default:
    if (actor.code >= firstFloatCode + floatCodes)
      return visitComputeF64(engine, actor, most);
    return visitComputeF32(engine, actor, most);
  }
#undef BINARY
#undef UNARY
#undef TERNARY
#undef DIVISION
  engine.raise(Reason::Internal, "an actor without code", actor);
  return 0;
}

} // namespace loom::rt
