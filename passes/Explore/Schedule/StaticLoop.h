// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counted loop with constant bounds, as schedule transforms see it.

#ifndef LOOM_EXPLORE_SCHEDULE_STATICLOOP_H
#define LOOM_EXPLORE_SCHEDULE_STATICLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace loom::schedule {

struct StaticLoop {
  llvm::APInt lower, step;
  uint64_t trips = 0;

  /// The value after the last iteration, lower + trips * step.
  llvm::APInt end() const { return lower + step * trips; }
};

/// No value when a bound is not constant, the loop never runs, or `end` is not
/// representable in the type of the induction variable.
std::optional<StaticLoop> staticLoop(mlir::scf::ForOp loop);

} // namespace loom::schedule

#endif
