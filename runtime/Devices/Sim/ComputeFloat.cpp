// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point computations, once for each type.

#include "Devices/Sim/Fire.h"

namespace loom::rt {

using U = uint64_t;

template <typename F>
static uint32_t visitFloat(Engine &engine, Actor &actor, uint32_t most,
                           Code code) {
  constexpr U sign = U(1) << (8 * sizeof(F) - 1);
  constexpr auto in = asFloat<F>;
#define BINARY(name, expression)                                               \
  case Code::name:                                                             \
    return strict<2>(engine, actor, most, [=](U x, U y, U) -> U {              \
      F a = in(x), b = in(y);                                                  \
      return bitsOf(static_cast<F>(expression));                               \
    });
#define UNARY(name, expression)                                                \
  case Code::name:                                                             \
    return strict<1>(engine, actor, most, [=](U x, U, U) -> U {                \
      F a = in(x);                                                             \
      return bitsOf(static_cast<F>(expression));                               \
    });
  switch (code) {
    BINARY(AddF, sumOf(a, b))
    BINARY(SubF, a - b)
    BINARY(MulF, productOf(a, b))
    BINARY(DivF, a / b)
    BINARY(RemF, modOf(a, b))
    BINARY(MinNumF, minNum(a, b))
    BINARY(MaxNumF, maxNum(a, b))
    BINARY(MinimumF, minimum(a, b))
    BINARY(MaximumF, maximum(a, b))
    UNARY(Sqrt, sqrtOf(a))
    UNARY(Floor, floorOf(a))
    UNARY(Ceil, ceilOf(a))
    UNARY(TruncF, truncOf(a))
    UNARY(Round, roundOf(a))
    UNARY(RoundEven, roundEvenOf(a))
  // Sign operations keep every other bit, NaNs included.
  case Code::NegF:
    return strict<1>(engine, actor, most,
                     [](U a, U, U) -> U { return a ^ sign; });
  case Code::AbsF:
    return strict<1>(engine, actor, most,
                     [](U a, U, U) -> U { return a & ~sign; });
  case Code::CopySign:
    return strict<2>(engine, actor, most,
                     [](U a, U b, U) -> U { return (a & ~sign) | (b & sign); });
  case Code::Fma:
    return strict<3>(engine, actor, most, [=](U a, U b, U c) -> U {
      return bitsOf(fmaOf(in(a), in(b), in(c)));
    });
  case Code::CmpF: {
    const unsigned set = actor.pred;
    return strict<2>(engine, actor, most, [=](U a, U b, U) -> U {
      return compareFloat<F>(set, in(a), in(b));
    });
  }
  default:
    break;
  }
#undef BINARY
#undef UNARY
  engine.raise(Reason::Internal, "an actor without code", actor);
  return 0;
}

uint32_t visitComputeF32(Engine &engine, Actor &actor, uint32_t most) {
  return visitFloat<float>(engine, actor, most, static_cast<Code>(actor.code));
}

uint32_t visitComputeF64(Engine &engine, Actor &actor, uint32_t most) {
  return visitFloat<double>(engine, actor, most,
                            static_cast<Code>(actor.code - floatCodes));
}

} // namespace loom::rt
