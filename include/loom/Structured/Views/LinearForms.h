// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer values of a structured region as linear forms over loop iterations
// and opaque values, with proven ranges. A form is exact: it is built only
// where no step of the computation can wrap.

#ifndef LOOM_STRUCTURED_VIEWS_LINEARFORMS_H
#define LOOM_STRUCTURED_VIEWS_LINEARFORMS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>
#include <vector>

namespace loom {

using Integer = llvm::DynamicAPInt;

/// constant + sum of coefficient * variable.
struct LinearForm {
  std::map<unsigned, Integer> terms;
  Integer constant = Integer(0);

  static LinearForm of(Integer constant);
  static LinearForm variable(unsigned number);
  bool isConstant() const { return terms.empty(); }
  LinearForm operator+(const LinearForm &other) const;
  LinearForm operator*(const Integer &factor) const;
  LinearForm operator-(const LinearForm &other) const;
};

/// A closed interval.
struct Interval {
  Integer lo, hi;
};

class LinearForms {
public:
  /// The signed value of an integer SSA value (width <= 64).
  LinearForm form(mlir::Value value);

  /// A form that equals a 64-bit value modulo 2^64, with the coefficients of
  /// least magnitude: what is needed of an address, whose computation may wrap.
  LinearForm modularForm(mlir::Value value);

  /// Bounds of a form from the ranges of its variables alone.
  Interval range(const LinearForm &form) const;
  Interval range(mlir::Value value) { return range(form(value)); }

  /// Bounds of a form wherever `at` executes, from the loops and conditions
  /// around `at`. No value if `at` never executes.
  std::optional<Interval> rangeAt(const LinearForm &form, mlir::Operation *at);

  /// The largest known d such that `form` minus its constant is a multiple of d
  /// (0 when the form is constant).
  Integer stride(const LinearForm &form) const;

  /// Largest power-of-two-or-other divisor of the whole form; 0 for zero.
  Integer divisor(const LinearForm &form) const;

private:
  struct Variable {
    Interval range;
    Integer divisor = Integer(1);
    std::vector<LinearForm> atLeastZero; ///< facts that mention the variable
  };

  LinearForm compute(mlir::Value value);
  LinearForm computeOp(mlir::Operation *op, mlir::Value value, unsigned width);
  LinearForm computeBits(mlir::Operation *op, mlir::Value value,
                         unsigned width);
  LinearForm computeArgument(mlir::BlockArgument argument);
  LinearForm computeWhileArgument(mlir::BlockArgument argument);
  LinearForm opaque(mlir::Value value);
  LinearForm fresh(Interval range, Integer divisor = Integer(1));
  LinearForm fitting(LinearForm form, mlir::Value value);
  LinearForm quotient(const LinearForm &a, const Integer &c, mlir::Value value);
  void fact(const LinearForm &variable, LinearForm atLeastZero);
  void assume(mlir::Value condition, bool holds,
              std::vector<LinearForm> &facts);
  void context(mlir::Operation *at, std::vector<LinearForm> &facts);

  std::vector<Variable> variables;
  llvm::DenseMap<mlir::Value, LinearForm> cache;
  unsigned depth = 0;
};

} // namespace loom

#endif
