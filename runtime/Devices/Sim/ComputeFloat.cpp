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
  switch (code) {
#define LOOM_FLOAT(name, operands, expression)                                 \
  case Code::name:                                                             \
    return strict<operands>(engine, actor, most, [=](U x, U y, U z) -> U {     \
      [[maybe_unused]] const F a = in(x), b = in(y), c = in(z);                \
      return bitsOf(static_cast<F>(expression));                               \
    });
#define LOOM_SIGN(name, operands, expression)                                  \
  case Code::name:                                                             \
    return strict<operands>(                                                   \
        engine, actor, most,                                                   \
        [](U a, [[maybe_unused]] U b, U) -> U { return (expression); });
#include "Devices/Sim/Operations.def"
  case Code::CmpF: {
    const unsigned set = actor.pred;
    return strict<2>(engine, actor, most, [=](U a, U b, U) -> U {
      return compareFloat<F>(set, in(a), in(b));
    });
  }
  default:
    break;
  }
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
