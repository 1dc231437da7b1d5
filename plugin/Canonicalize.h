// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What raising wants of the loops of a nest, in the clone that is raised.

#ifndef LOOM_PLUGIN_CANONICALIZE_H
#define LOOM_PLUGIN_CANONICALIZE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm

namespace loom {

/// Splits the loops of a nest that leave from the middle at a known trip count
/// (SplitLoops.h), then gives the loops canonical counters (CountedLoops.h).
/// `exits` are the exit blocks of the nest. Returns the block that enters it.
llvm::BasicBlock *canonicalizeNest(llvm::Loop &nest,
                                   llvm::ArrayRef<llvm::BasicBlock *> exits,
                                   llvm::FunctionAnalysisManager &analyses);

/// The same for every loop of a function. `counted` gets the headers of the
/// loops whose count was proven, see canonicalizeLoops.
void canonicalizeFunction(
    llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
    llvm::SmallPtrSetImpl<llvm::BasicBlock *> *counted = nullptr);

} // namespace loom

#endif
