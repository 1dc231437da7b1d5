// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one classifier of the floating-point environment. `passthrough` is the
// importer's bag of what it doesn't know; a string in there that isn't listed
// below could mean anything, so it blocks the standard spelling.

#include "Speller.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Attributes.h"

using namespace mlir;

/// String attributes that only steer code generation, and may have any value.
static bool isCodegenOnly(StringRef name) {
  static const llvm::StringSet<> names = {
      "min-legal-vector-width",
      "no-builtins",
      "no-jump-tables",
      "no-stack-arg-probe",
      "stack-protector-buffer-size",
      "stack-probe-size",
      "probe-stack",
      "patchable-function",
      "patchable-function-entry",
      "patchable-function-prefix",
      "frame-pointer",
      "target-cpu",
      "target-features",
      "tune-cpu",
      "warn-stack-size",
      "no-inline-line-tables",
      "split-stack",
      "zero-call-used-regs",
      "function-instrument",
      "xray-instruction-threshold",
      "sample-profile-suffix-elision-policy",
      "use-sample-profile",
      "bolt-skip-rewriting",
      "alloc-family",
      "alloc-variant-zeroed",
      "thunk",
      "disable-tail-calls",
      "no-realign-stack",
      "stackrealign",
      "prefer-vector-width",
      "cf-branch-protection",
      "indirect-tls-seg-refs",
      "uniform-work-group-size",
      "fp-contract",
  };
  return names.contains(name) || name.starts_with("no-builtin-");
}

/// "preserve-sign,preserve-sign" and the like flush subnormals.
static bool isIEEE(std::optional<StringRef> mode) {
  return !mode || mode->empty() || *mode == "ieee" || *mode == "ieee,ieee";
}

/// One entry of `passthrough`: a name or a pair [name, value].
static bool isCompatible(Attribute entry) {
  StringRef name, value;
  if (auto pair = dyn_cast<ArrayAttr>(entry)) {
    if (pair.size() != 2 || !isa<StringAttr>(pair[0]) ||
        !isa<StringAttr>(pair[1]))
      return false;
    name = cast<StringAttr>(pair[0]).getValue();
    value = cast<StringAttr>(pair[1]).getValue();
  } else if (auto single = dyn_cast<StringAttr>(entry)) {
    name = single.getValue();
  } else {
    return false;
  }
  if (name == "strictfp")
    return false;
  // Clang's default; any other policy may observe exceptions.
  if (name == "no-trapping-math")
    return value == "true";
  if (name == "use-soft-float" || name == "less-precise-fpmad" ||
      name == "unsafe-fp-math" || name == "approx-func-fp-math" ||
      name == "no-infs-fp-math" || name == "no-nans-fp-math" ||
      name == "no-signed-zeros-fp-math")
    return value == "false" || value.empty();
  if (name == "denormal-fp-math" || name == "denormal-fp-math-f32")
    return isIEEE(value);
  // An enum attribute, or one with a number (uwtable, memory, ...): LLVM
  // defines them all and none is about floating point except strictfp.
  if (llvm::Attribute::getAttrKindFromName(name) != llvm::Attribute::None)
    return true;
  return isCodegenOnly(name);
}

bool loom::hasDefaultFPEnvironment(LLVM::LLVMFuncOp function) {
  if (!isIEEE(function.getDenormalFpMath()) ||
      !isIEEE(function.getDenormalFpMathF32()))
    return false;
  // Permissions for the whole function, which no operation of arith repeats.
  if (function.getNoInfsFpMath().value_or(false) ||
      function.getNoNansFpMath().value_or(false) ||
      function.getNoSignedZerosFpMath().value_or(false))
    return false;
  ArrayAttr bag = function.getPassthroughAttr();
  return !bag || llvm::all_of(bag, isCompatible);
}
