// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer operations with a constant, as the address rewrites see them.

#ifndef LOOM_DATAFLOW_REWRITE_LINEAR_H
#define LOOM_DATAFLOW_REWRITE_LINEAR_H

#include "Rewrites.h"

namespace loom::rewrite {

/// x op constant, and what triggers the constant.
struct WithConstant {
  mlir::Value x;
  llvm::APInt bits;
  mlir::Value trigger;
};

/// x + c, also written c + x or x - c.
std::optional<WithConstant> asSum(mlir::Operation *op);
/// x * c, also written c * x or x << c.
std::optional<WithConstant> asProduct(mlir::Operation *op);

/// New operations before `at`.
mlir::Value makeSum(Context &context, mlir::Operation *at, mlir::Value x,
                    const llvm::APInt &bits, mlir::Value trigger);
mlir::Value makeProduct(Context &context, mlir::Operation *at, mlir::Value x,
                        const llvm::APInt &bits, mlir::Value trigger);

struct Bounds {
  __int128 lo, hi;
};
/// What a value lies between, signed.
std::optional<Bounds> boundsOf(mlir::Value value, unsigned depth = 0);

/// Whether an actor before `at` makes the value, or it is an input. Actors that
/// don't depend on `at` are moved there, some few at most.
bool bringBefore(mlir::Value value, mlir::Operation *at, unsigned depth = 0);

} // namespace loom::rewrite

#endif
