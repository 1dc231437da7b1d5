// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who owns loop metadata and the weights of a latch: the loop whose header the
// branch jumps back to, when that is one dominating header.

#ifndef LOOM_STRUCTURED_RAISE_LOOPHINTS_H
#define LOOM_STRUCTURED_RAISE_LOOPHINTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace loom {

/// Discardable attributes on structured operations, with the names that
/// upstream's lowerings read and write.
inline constexpr llvm::StringLiteral loopAnnotationName =
    "llvm.loop_annotation";
inline constexpr llvm::StringLiteral branchWeightsName = "branch_weights";

class LoopHints {
public:
  /// Reads the LLVM-dialect branches of a function, before they are respelled.
  explicit LoopHints(mlir::LLVM::LLVMFuncOp function);

  /// Puts what belongs to the loop with this header block on `loop`.
  void attach(mlir::Block *header, mlir::Operation *loop);

  unsigned orphans() const { return orphanCount; }
  unsigned attached() const { return attachedCount; }

private:
  struct Hint {
    mlir::Attribute annotation;
    mlir::DenseI32ArrayAttr weights; ///< continue, leave
    bool ambiguous = false;
  };
  llvm::DenseMap<mlir::Block *, Hint> hints; // by header; only looked up
  unsigned orphanCount = 0;
  unsigned attachedCount = 0;
};

} // namespace loom

#endif
