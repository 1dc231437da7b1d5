// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preparation of a clone: LLVM's own passes, the light pipeline.

#ifndef LOOM_PLUGIN_PREPARE_H
#define LOOM_PLUGIN_PREPARE_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Loop;
} // namespace llvm

namespace loom {

/// Brings the loops of a clone into simplified, rotated, loop-closed form.
void prepareFunction(llvm::Function &clone,
                     llvm::FunctionAnalysisManager &analyses);

/// Simplified, rotated, loop-closed form again after a clone was changed.
void restoreLoopForm(llvm::Function &clone,
                     llvm::FunctionAnalysisManager &analyses);

/// Replaces the memory intrinsics inside the blocks of `loop` by loads and
/// stores or loops, and restores the loop form of the function.
/// Returns true if something changed.
bool expandMemoryIntrinsics(llvm::Function &clone, llvm::Loop &loop,
                            llvm::FunctionAnalysisManager &analyses);

} // namespace loom

#endif
