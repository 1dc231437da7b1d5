// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts of the built-in targets, from targets/*.mlir.

#include "loom/Fabric/Builtin/Resolve.h"

using namespace loom::fabric;

static constexpr BuiltinTarget targets[] = {
#include "loom/Fabric/Builtin/Targets.inc"
};

llvm::ArrayRef<BuiltinTarget> loom::fabric::builtinTargets() { return targets; }
