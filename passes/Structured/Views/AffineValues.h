// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer values of a region as linear forms over iteration numbers, inputs and
// opaque values, for the analysis views. Unlike the variables of `LinearForms`,
// these are identified: two forms with one variable speak of one value, and it
// is known with which loops the value may vary.
//
// A form equals its value in every execution without undefined behaviour in
// which the value is not poison. It is built from a wrapping operation only
// under an `nsw` flag or a range proof.

#ifndef LOOM_PASSES_STRUCTURED_VIEWS_AFFINEVALUES_H
#define LOOM_PASSES_STRUCTURED_VIEWS_AFFINEVALUES_H

#include "loom/Structured/Views/Views.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace loom::views {

bool isLoop(mlir::Operation *op);
/// The innermost loop around `op` in `region`, or null.
mlir::Operation *loopAround(mlir::Operation *op);

class AffineValues {
public:
  explicit AffineValues(SpatialRegionOp region) : region(region) {}

  struct Variable {
    VariableView::Kind kind = VariableView::Opaque;
    mlir::Value value;                ///< null: the iteration of a loop
    mlir::Operation *scope = nullptr; ///< innermost loop it may vary with
    Interval range;
    std::vector<LinearForm> atLeastZero; ///< facts
    /// A product of two forms that are not constant; null otherwise.
    std::vector<LinearForm> factors;
  };

  /// The signed value of an integer of 1 to 64 bits.
  LinearForm form(mlir::Value value);
  /// Equal to a 64-bit value modulo 2^64, coefficients of least magnitude.
  LinearForm modularForm(mlir::Value value);
  /// Iterations that `loop` has completed.
  unsigned iteration(mlir::Operation *loop);
  /// The change of a loop-carried integer or pointer per iteration, where it is
  /// a constant; modulo 2^64 for pointers, modulo the width for integers.
  std::optional<Integer> stepOf(mlir::BlockArgument argument, bool &exact);
  /// What a loop-carried value starts with.
  mlir::Value initOf(mlir::BlockArgument argument);

  const Variable &variable(unsigned number) const { return variables[number]; }
  unsigned count() const { return variables.size(); }
  Interval range(const LinearForm &form) const;
  /// The innermost loop that `value` may vary with, or null.
  mlir::Operation *scopeOf(mlir::Value value);
  /// Does any variable of `form` vary with the iterations of `loop`?
  bool varies(const LinearForm &form, mlir::Operation *loop) const;
  bool varies(mlir::Operation *scope, mlir::Operation *loop) const {
    return scope && loop->isAncestor(scope);
  }

  SpatialRegionOp getRegion() const { return region; }

private:
  LinearForm compute(mlir::Value value);
  LinearForm computeArgument(mlir::BlockArgument argument);
  LinearForm computeOp(mlir::Operation *op, mlir::Value value);
  LinearForm computeSelection(mlir::Value a, mlir::Value b, mlir::Value value);
  LinearForm quotient(const LinearForm &a, const Integer &c, mlir::Value v);
  LinearForm remainder(const LinearForm &a, const Integer &c, mlir::Value v);
  LinearForm product(const LinearForm &a, const LinearForm &b, mlir::Value v);
  LinearForm opaque(mlir::Value value);
  void narrowInput(mlir::BlockArgument input, Interval &range);
  LinearForm exactOr(LinearForm form, mlir::Value value, bool flagged);
  unsigned fresh(Variable variable);

  SpatialRegionOp region;
  LinearForms ranges;
  std::vector<Variable> variables;
  llvm::DenseMap<mlir::Value, LinearForm> cache;
  llvm::DenseMap<mlir::Value, mlir::Operation *> scopes;
  llvm::DenseMap<mlir::Operation *, unsigned> iterations;
  unsigned depth = 0;
};

/// `form` with `by` in place of variable `number`.
LinearForm substitute(const LinearForm &form, unsigned number,
                      const LinearForm &by);
/// Coefficients of least magnitude modulo 2^64.
LinearForm reduceModular(const LinearForm &form);
Integer powerOfTwo(unsigned exponent);

} // namespace loom::views

#endif
