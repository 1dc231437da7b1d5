// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes the values that structuring leaves over: upstream's transformation
// hands every value of a region through every construct around it, and once for
// every edge.

#ifndef LOOM_STRUCTURED_RAISE_PRUNEVALUES_H
#define LOOM_STRUCTURED_RAISE_PRUNEVALUES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace loom {

/// Marks the poison that stands for a value on paths that never use it, until
/// mergeLanes. (Poison of the source has no such mark and stays what it is.)
inline constexpr llvm::StringLiteral scaffoldName = "loom.scaffold";

/// The quotient of the values that scf.if, scf.index_switch and scf.while under
/// `root` hand on: a value that only one value from outside reaches is that
/// value, and those of one construct that always are the same are one. Exact.
void mergeLanes(mlir::Operation *root);

/// Erases what nothing with an effect depends on, under `root`: results of
/// scf.if, scf.index_switch and scf.while, the carried values of scf.while, and
/// operations without effects. One pass, linear in the number of operands; the
/// greedy rewriter does the same one result at a time, each time rebuilding the
/// operation.
void pruneDeadValues(mlir::Operation *root);

/// Both. Fails when the constructs still hand on more than `mostPairs` pairs of
/// values, each counted with those of its own construct: patterns that look at
/// all pairs would not come to an end. (2^23: bzip2's decompressor has 5.4
/// million and takes seconds, a function of lz4's fuzzer 19.6 and takes
/// minutes.)
mlir::LogicalResult pruneValues(mlir::Operation *root,
                                uint64_t mostPairs = 1 << 23);

} // namespace loom

#endif
