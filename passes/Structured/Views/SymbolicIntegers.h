// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small helpers of the symbolic forms: integers of types and constants.

#ifndef LOOM_PASSES_STRUCTURED_VIEWS_SYMBOLICINTEGERS_H
#define LOOM_PASSES_STRUCTURED_VIEWS_SYMBOLICINTEGERS_H

#include "loom/Structured/Views/LinearForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"

namespace loom::symbolic {

inline Integer power(unsigned exponent) {
  Integer result(1);
  for (unsigned i = 0; i < exponent; ++i)
    result *= 2;
  return result;
}

inline Interval signedRange(unsigned width) {
  return {-power(width - 1), power(width - 1) - 1};
}

inline Interval unsignedRange(unsigned width) {
  return {Integer(0), power(width) - 1};
}

/// Of a node that is a bound of something: all that is known of its value.
inline Interval anywhere() { return {-power(127), power(127)}; }

/// The width of an integer of 2 to 64 bits, 0 for everything else.
inline unsigned widthOf(mlir::Value value) {
  auto type = mlir::dyn_cast<mlir::IntegerType>(value.getType());
  return type && type.getWidth() >= 2 && type.getWidth() <= 64 ? type.getWidth()
                                                               : 0;
}

inline std::optional<Integer> constantOf(mlir::Value value) {
  llvm::APInt bits;
  if (!widthOf(value) || !mlir::matchPattern(value, mlir::m_ConstantInt(&bits)))
    return std::nullopt;
  return Integer(bits.getSExtValue());
}

/// The operation does not wrap, or nobody may use its result.
inline bool hasSignedFlag(mlir::Operation *op) {
  auto flags =
      mlir::dyn_cast<mlir::arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

} // namespace loom::symbolic

#endif
