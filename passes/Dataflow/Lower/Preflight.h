// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what the lowering can't do, before it does anything.

#ifndef LOOM_DATAFLOW_LOWER_PREFLIGHT_H
#define LOOM_DATAFLOW_LOWER_PREFLIGHT_H

#include "loom/Structured/IR/Loom.h"
#include "loom/Support/Refusal.h"

namespace loom::lower {

/// Adds a refusal for every operation of the region without an actor.
void preflight(SpatialRegionOp region,
               llvm::SmallVectorImpl<Refused> &refusals);

/// The type of the token of a value: `index` is i64.
mlir::Type tokenType(mlir::Type type);

/// A constant of S0 that has a value without operands: `arith.constant`, null,
/// poison and undefined values (which are 0). Null attribute if `op` is none.
mlir::TypedAttr constantOf(mlir::Operation *op);

} // namespace loom::lower

#endif
