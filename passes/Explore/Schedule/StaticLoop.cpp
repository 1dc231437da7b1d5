// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StaticLoop.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace loom::schedule;
using llvm::APInt;

std::optional<StaticLoop> loom::schedule::staticLoop(scf::ForOp loop) {
  APInt lower, upper, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return std::nullopt;
  bool isSigned = !loop.getUnsignedCmp();
  if (isSigned ? !step.isStrictlyPositive() || lower.sge(upper)
               : step.isZero() || lower.uge(upper))
    return std::nullopt;
  // Wide enough for every sum and product here.
  unsigned width = 2 * lower.getBitWidth() + 2;
  auto widen = [&](const APInt &value) {
    return isSigned ? value.sext(width) : value.zext(width);
  };
  APInt trips =
      (widen(upper) - widen(lower) + widen(step) - 1).udiv(widen(step));
  APInt end = widen(lower) + trips * widen(step);
  unsigned narrow = lower.getBitWidth();
  if (trips.getActiveBits() > 63 ||
      (isSigned ? !end.isSignedIntN(narrow) : !end.isIntN(narrow)))
    return std::nullopt;
  return StaticLoop{lower, step, trips.getZExtValue()};
}
