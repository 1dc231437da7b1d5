// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small semantic changes of a module, for tests of identities.

#ifndef LOOM_TEST_PASSES_MUTATOR_H
#define LOOM_TEST_PASSES_MUTATOR_H

#include "mlir/IR/BuiltinOps.h"
#include <random>

namespace loom::test {

/// Makes one change of what the program means. Its kind, or null when the dice
/// found no place for it; the result may then be anything but must not be used.
/// The caller verifies.
const char *mutate(mlir::ModuleOp module, std::mt19937_64 &random);

} // namespace loom::test

#endif
