// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured operations that the lowering knows by others: nested blocks that
// run once, parallel loops over a few fixed points, copies of memory.

#ifndef LOOM_DATAFLOW_LOWER_EXPAND_H
#define LOOM_DATAFLOW_LOWER_EXPAND_H

#include "loom/Structured/IR/Loom.h"
#include "loom/Support/Refusal.h"
#include "mlir/IR/OwningOpRef.h"

namespace loom::lower {

/// The most points a parallel loop is replicated for.
constexpr uint64_t maxReplicas = 64;
/// The most operations a region grows to.
constexpr uint64_t maxExpandedOps = 1 << 16;

/// Whether `region` holds an operation that `expand` replaces.
bool needsExpansion(SpatialRegionOp region);

/// A copy of `region` without these operations. What can't be expanded is added
/// to `refusals`, and there is no copy.
mlir::OwningOpRef<SpatialRegionOp>
expand(SpatialRegionOp region, llvm::SmallVectorImpl<Refused> &refusals);

} // namespace loom::lower

#endif
