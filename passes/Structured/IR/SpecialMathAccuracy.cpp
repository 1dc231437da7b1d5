// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/IR/SpecialMathAccuracy.h"
#include "loom/Structured/IR/Loom.h"
#include "loom/Structured/IR/RootRelativeAddress.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using loom::SpecialMathAccuracy;

bool loom::isSpecialMath(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().getStringRef())
      .Cases({"math.sin", "math.cos", "math.tan", "math.sincos"}, true)
      .Cases({"math.asin", "math.acos", "math.atan", "math.atan2"}, true)
      .Cases({"math.sinh", "math.cosh", "math.tanh"}, true)
      .Cases({"math.asinh", "math.acosh", "math.atanh"}, true)
      .Cases({"math.exp", "math.exp2", "math.expm1"}, true)
      .Cases({"math.log", "math.log2", "math.log10", "math.log1p"}, true)
      .Cases({"math.powf", "math.fpowi", "math.cbrt", "math.rsqrt"}, true)
      .Cases({"math.sqrt", "math.erf", "math.erfc"}, true)
      .Default(false);
}

StringRef loom::spell(SpecialMathAccuracy tier) {
  switch (tier) {
  case SpecialMathAccuracy::CorrectlyRounded:
    return "CorrectlyRounded";
  case SpecialMathAccuracy::Max1Ulp:
    return "Max1Ulp";
  case SpecialMathAccuracy::Max2Ulp:
    return "Max2Ulp";
  case SpecialMathAccuracy::Max4Ulp:
    return "Max4Ulp";
  }
  llvm_unreachable("no such tier");
}

std::optional<SpecialMathAccuracy>
loom::parseSpecialMathAccuracy(StringRef text) {
  for (auto tier :
       {SpecialMathAccuracy::CorrectlyRounded, SpecialMathAccuracy::Max1Ulp,
        SpecialMathAccuracy::Max2Ulp, SpecialMathAccuracy::Max4Ulp})
    if (text == spell(tier))
      return tier;
  return std::nullopt;
}

std::optional<SpecialMathAccuracy> loom::selectedAccuracy(Operation *op) {
  auto text = op->getAttrOfType<StringAttr>(specialMathAccuracyName);
  return text ? parseSpecialMathAccuracy(text.getValue()) : std::nullopt;
}

void loom::selectAccuracy(Operation *op, SpecialMathAccuracy tier) {
  op->setAttr(specialMathAccuracyName,
              StringAttr::get(op->getContext(), spell(tier)));
}

LogicalResult loom::verifySpecialMathAccuracy(Operation *op,
                                              NamedAttribute attribute) {
  auto text = dyn_cast<StringAttr>(attribute.getValue());
  std::optional<SpecialMathAccuracy> tier =
      text ? parseSpecialMathAccuracy(text.getValue()) : std::nullopt;
  if (!tier)
    return op->emitOpError() << "'" << specialMathAccuracyName
                             << "' must be CorrectlyRounded, Max1Ulp, Max2Ulp "
                                "or Max4Ulp";
  if (!isSpecialMath(op))
    return op->emitOpError()
           << "'" << specialMathAccuracyName << "' belongs to a special "
           << "function of the math dialect";
  auto floating = dyn_cast<arith::ArithFastMathInterface>(op);
  bool approximates =
      floating && floating.getFastMathFlagsAttr() &&
      bitEnumContainsAll(floating.getFastMathFlagsAttr().getValue(),
                         arith::FastMathFlags::afn);
  if (*tier != SpecialMathAccuracy::CorrectlyRounded && !approximates)
    return op->emitOpError() << "'" << specialMathAccuracyName << "' of "
                             << spell(*tier) << " needs the permission 'afn'";
  return success();
}

LogicalResult
loom::LoomDialect::verifyOperationAttribute(Operation *op,
                                            NamedAttribute attribute) {
  if (attribute.getName() == specialMathAccuracyName)
    return verifySpecialMathAccuracy(op, attribute);
  if (attribute.getName() == rootRelativeAddressName)
    return verifyRootRelativeAddress(op, attribute);
  return success();
}
