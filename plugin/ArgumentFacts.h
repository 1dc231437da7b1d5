// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host function knows of the live-ins of a nest, as attributes of the
// outlined function: facts are computed once, on LLVM IR.

#ifndef LOOM_PLUGIN_ARGUMENTFACTS_H
#define LOOM_PLUGIN_ARGUMENTFACTS_H

#include "llvm/IR/PassManager.h"

namespace loom {
struct Nest;

/// Adds `range`, and for pointers `align`, `dereferenceable` and `nonnull`, to
/// the arguments of `nest.outlined` where they hold on every entry of the nest.
void annotateArguments(Nest &nest, llvm::FunctionAnalysisManager &analyses);

} // namespace loom

#endif
