// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One computation, prepared: MLIR folds it on constants; what doesn't fold is
// computed by the scalar table of the device.

#ifndef LOOM_DATAFLOW_RUN_COMPUTE_H
#define LOOM_DATAFLOW_RUN_COMPUTE_H

#include "loom/Dataflow/Run/Run.h"
#include "mlir/IR/OwningOpRef.h"

namespace loom::run {

/// Why an operation can't be computed here; empty if it can.
std::string whyNotComputed(mlir::Operation *op);

class Computation {
public:
  explicit Computation(mlir::Operation *op);
  ~Computation();
  Computation(const Computation &) = delete;
  Computation &operator=(const Computation &) = delete;

  /// The lanes of the result; a failure when the host would trap.
  std::optional<RunFailure> compute(llvm::ArrayRef<const Token *> operands,
                                    Token &result);

private:
  std::optional<RunFailure> computeLane(llvm::ArrayRef<Lane> operands,
                                        Lane &result);
  bool foldLane(llvm::ArrayRef<Lane> operands, Lane &result);

  mlir::Operation *op;
  // The operation on one lane, apart from the graph: folding may look at what
  // defines an operand, and may change the operation.
  std::unique_ptr<mlir::Block> scratch;
  mlir::Operation *scalar = nullptr;
};

/// Computes by the table of the device; false: the host would trap. Operands
/// are not poison.
bool computeByTable(mlir::Operation *scalar, llvm::ArrayRef<Lane> operands,
                    Lane &result);
bool inTable(mlir::Operation *op);

/// Whether a promise of the operation (nsw, nuw, exact, a shift amount, the
/// range of a conversion) is broken: then the result is poison.
bool breaksPromise(mlir::Operation *scalar, llvm::ArrayRef<Lane> operands);

/// vector.extract, vector.insert, vector.shuffle.
bool movesLanes(mlir::Operation *op);
void moveLanes(mlir::Operation *op, llvm::ArrayRef<const Token *> operands,
               Token &result);

} // namespace loom::run

#endif
