// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer computations, conversions and selections.

#include "Devices/Sim/Fire.h"

namespace loom::rt {

using U = uint64_t;

uint32_t visitCompute(Engine &engine, Actor &actor, uint32_t most) {
  const U mask = actor.mask;
  const unsigned shift = actor.shift;
  const unsigned width = actor.width;
  const unsigned fromShift = actor.fromShift;
  switch (static_cast<Code>(actor.code)) {
#define LOOM_VALUE(name, operands, expression)                                 \
  case Code::name:                                                             \
    return strict<operands>(                                                   \
        engine, actor, most,                                                   \
        [=](U a, [[maybe_unused]] U b, [[maybe_unused]] U c) -> U {            \
          return (expression) & mask;                                          \
        });
#define LOOM_DIVISION(name, isSigned, expression)                              \
  case Code::name:                                                             \
    return strict<2>(engine, actor, most, [&](U a, U b, U) -> U {              \
      if (divisionTraps(actor, a, b, isSigned)) {                              \
        engine.raise(Reason::Trap, "an integer division would trap", actor);   \
        return 0;                                                              \
      }                                                                        \
      return (expression) & mask;                                              \
    });
#include "Devices/Sim/Operations.def"
  case Code::CmpI:
    // One loop per predicate, so that the choice is made once.
    switch (actor.pred) {
#define LOOM_COMPARE(number, expression)                                       \
  case number:                                                                 \
    return strict<2>(engine, actor, most,                                      \
                     [=](U a, U b, U) -> U { return (expression); });
#include "Devices/Sim/Operations.def"
    default:
      break;
    }
    break;
  default:
    if (actor.code >= firstFloatCode + floatCodes)
      return visitComputeF64(engine, actor, most);
    return visitComputeF32(engine, actor, most);
  }
  engine.raise(Reason::Internal, "an actor without code", actor);
  return 0;
}

} // namespace loom::rt
