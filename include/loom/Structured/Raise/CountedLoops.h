// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exact counted-loop projection: which scf.while is a counting loop, and
// what it counts. One analysis for everyone who needs the domain of a loop.

#ifndef LOOM_STRUCTURED_RAISE_COUNTEDLOOPS_H
#define LOOM_STRUCTURED_RAISE_COUNTEDLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace loom {

/// Why the domain is exact.
enum class CountedProof {
  Constant, ///< constant bounds and step; the step lands on the upper bound
  Guarded, ///< from 0 by 1; an enclosing branch proves the upper bound positive
  Flags    ///< from 0 by 1; a longer run would overflow, and nothing leaves
};

/// The body runs for lower, lower + step, ..., upper - step, and the induction
/// variable is `upper` afterwards.
struct CountedLoop {
  unsigned iv; ///< index of the before-argument
  llvm::APInt lower, step;
  mlir::Value upper; ///< defined outside of the loop
  mlir::Value next;  ///< iv + step
  CountedProof proof;
  bool isUnsigned = false; ///< compare bounds as unsigned numbers

  /// The constant trip count, for the constant domain; nothing otherwise.
  /// (Reasoning about address widths uses only this member.)
  std::optional<llvm::APInt> constantTrips() const;
};

/// The domain of a latch-tested loop, nothing when it isn't proven. `completes`
/// says that every iteration is known to reach its end (as in a region).
std::optional<CountedLoop> projectCountedLoop(mlir::scf::WhileOp loop,
                                              bool completes = false);

/// Rewrites the loops of `root` that have the domain that regions execute:
/// i64, signed, from 0 by 1.
void recoverRegionLoops(mlir::Operation *root);

/// Rewrites every projectable loop of `root`.
void recoverCountedLoops(mlir::Operation *root);

} // namespace loom

#endif
