// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a special function of the `math` dialect may be from the correctly
// rounded result: the attribute `loom.special_math_accuracy`.

#ifndef LOOM_STRUCTURED_IR_SPECIALMATHACCURACY_H
#define LOOM_STRUCTURED_IR_SPECIALMATHACCURACY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace loom {

inline constexpr llvm::StringLiteral specialMathAccuracyName =
    "loom.special_math_accuracy";

/// From the strongest guarantee to the weakest.
enum class SpecialMathAccuracy : uint32_t {
  CorrectlyRounded = 0,
  Max1Ulp = 1,
  Max2Ulp = 2,
  Max4Ulp = 3
};

/// Does a guarantee satisfy a maximum that is accepted?
inline bool satisfies(SpecialMathAccuracy guaranteed,
                      SpecialMathAccuracy accepted) {
  return guaranteed <= accepted;
}

/// The operations that the attribute belongs to.
bool isSpecialMath(mlir::Operation *op);

/// The one spelling of a tier, and back; nothing for any other text.
llvm::StringRef spell(SpecialMathAccuracy tier);
std::optional<SpecialMathAccuracy> parseSpecialMathAccuracy(llvm::StringRef);

/// The tier selected on `op`; nothing when none is (or it is malformed).
std::optional<SpecialMathAccuracy> selectedAccuracy(mlir::Operation *op);
void selectAccuracy(mlir::Operation *op, SpecialMathAccuracy tier);

/// The attribute is a tier, stands on a special function, and asks for less
/// than correct rounding only where `afn` permits it.
mlir::LogicalResult verifySpecialMathAccuracy(mlir::Operation *op,
                                              mlir::NamedAttribute attribute);

} // namespace loom

#endif
