// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of compute actors: which operations of other dialects are pure
// scalar computations of a graph, and what the image calls them.

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
/// form (several results, a vector, a width above 64) that no actor has.
/// `index` is not a token type: an operation on it isn't registered.
std::optional<ComputeActor> lookupCompute(mlir::Operation *op);

/// The same by name alone, for checks before the types are known.
std::optional<uint8_t> lookupComputeName(llvm::StringRef name);

} // namespace loom::dataflow

#endif
