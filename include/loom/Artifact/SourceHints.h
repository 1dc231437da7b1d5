// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source hints: transient analysis inputs on operations. A module with a hint
// that was neither consumed nor discarded can't be finalised.

#ifndef LOOM_ARTIFACT_SOURCEHINTS_H
#define LOOM_ARTIFACT_SOURCEHINTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace loom {

/// An unresolved hint: any attribute, on any operation.
inline constexpr llvm::StringLiteral sourceHintAttr = "loom.source_hint";
/// What remains of a hint that was consumed; the canonical writer drops it.
inline constexpr llvm::StringLiteral consumedHintAttr =
    "loom.source_hint_consumed";

/// Binds a hint. An operation has one hint attribute; a second hint makes it an
/// array.
void bindSourceHint(mlir::Operation *op, mlir::Attribute hint);

/// Takes the hint of `op` because a decision was made from it; null when there
/// is none.
mlir::Attribute consumeSourceHint(mlir::Operation *op);

/// Drops every unresolved hint in `root`; returns how many.
unsigned discardSourceHints(mlir::Operation *root);

} // namespace loom

#endif
