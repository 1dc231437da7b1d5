// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rewrites behind the decisions. Each works on a loop of a private clone;
// the caller has checked that the factor divides the trip count.

#ifndef LOOM_EXPLORE_SCHEDULE_TRANSFORMS_H
#define LOOM_EXPLORE_SCHEDULE_TRANSFORMS_H

#include "StaticLoop.h"

namespace loom::schedule {

/// Iterations stay in their order.
mlir::LogicalResult unroll(mlir::scf::ForOp loop, uint64_t factor);

/// Iterations stay in their order.
mlir::LogicalResult tile(mlir::scf::ForOp loop, const StaticLoop &bounds,
                         uint64_t factor);

/// No values carried by the outer loop, one inner loop whose bounds it does not
/// change; else loads, stores and what has no effect.
bool isJamShape(mlir::scf::ForOp loop);

/// For a loop of that shape whose iterations are proven independent: `factor`
/// of them run side by side in one inner loop. Our own: upstream's takes the
/// index type only.
mlir::LogicalResult unrollAndJam(mlir::scf::ForOp loop,
                                 const StaticLoop &bounds, uint64_t factor);

/// Why the iterations of the loop may not be mixed; empty when they are proven
/// independent.
std::string dependsBetweenIterations(mlir::scf::ForOp loop);

} // namespace loom::schedule

#endif
