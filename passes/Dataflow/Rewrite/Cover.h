// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the completion waits for a value.
//
// A value is covered if its tokens must have been consumed before all results
// and completion tokens can arrive: by the return, by an access (stores are
// waited for), or by an actor whose result is covered. Actors consume their
// operands in order, so that the token that leaves a loop comes after all that
// went around before it; of the lanes of a selection every one has to be
// covered.

#ifndef LOOM_DATAFLOW_REWRITE_COVER_H
#define LOOM_DATAFLOW_REWRITE_COVER_H

#include "Rewrites.h"

namespace loom::rewrite {

class Cover {
public:
  /// `without`: a user that doesn't count.
  explicit Cover(mlir::Operation *without = nullptr) : without(without) {}

  bool isCovered(mlir::Value value) {
    steps = 0;
    return look(value);
  }

private:
  bool look(mlir::Value value);
  bool isUseCovered(mlir::OpOperand &use);

  mlir::Operation *without;
  unsigned steps = 0;
  llvm::DenseMap<mlir::Value, bool> known;
};

/// Whether `user` may stop consuming `value`: no read is waited for through
/// `value` alone. Without released reads in the graph it always may.
bool mayRelease(Context &context, mlir::Value value, mlir::Operation *user);

/// Whether a value is the phase of a loop.
bool isLoopPhase(mlir::Value value);

} // namespace loom::rewrite

#endif
