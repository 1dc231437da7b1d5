// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compute actors: which operations of other dialects are pure computations of a
// graph, and what the image calls them. The table is Schemas.td.

#ifndef LOOM_DATAFLOW_IR_COMPUTE_H
#define LOOM_DATAFLOW_IR_COMPUTE_H

#include "mlir/IR/Operation.h"
#include <cstdint>
#include <optional>

namespace loom::dataflow {

/// A registered computation: the number of its `loom::image::Op` and, for a
/// comparison, the number of its predicate.
struct ComputeActor {
  uint8_t op = 0;
  uint8_t pred = 0;
};

/// Looks an operation up by its name; nullopt if it isn't registered or has a
/// form (several results, a width above 64, an attribute without a class) that
/// no actor has. Vectors count lane by lane; the image has no form for them.
std::optional<ComputeActor> lookupCompute(mlir::Operation *op);

/// The number in the image by name alone, for checks before the types are
/// known; nullopt if the image has none.
std::optional<uint8_t> lookupComputeName(llvm::StringRef name);

} // namespace loom::dataflow

#endif
