// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Canonicalize.h"
#include "CountedLoops.h"
#include "Outline.h"
#include "OutsideValues.h"
#include "SplitLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace {

/// Splits double a loop; neither a nest nor a function is grown without bound.
constexpr unsigned mostInNest = 32, mostInFunction = 64;

/// Tries each loop whose header is in `blocks()` once, inner ones first, so
/// that a split of an outer loop copies inner loops that are done.
template <typename BlocksT>
void splitLoops(Function &function, FunctionAnalysisManager &analyses,
                BasicBlock *&header, unsigned mostSplits, BlocksT blocks) {
  SmallPtrSet<BasicBlock *, 16> tried;
  for (unsigned splits = 0; splits < mostSplits;) {
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    auto &se = analyses.getResult<ScalarEvolutionAnalysis>(function);
    SmallPtrSet<BasicBlock *, 16> region = blocks();
    SmallVector<Loop *> order = loops.getLoopsInPreorder();
    loom::OutsideValues outside(region, loops, dominators, se);
    BasicBlock *entry = nullptr;
    for (Loop *loop : reverse(order)) {
      BasicBlock *loopHeader = loop->getHeader();
      if (!region.contains(loopHeader) || !tried.insert(loopHeader).second)
        continue;
      entry = loom::splitLoop(*loop, loops, dominators, se, outside);
      if (!entry)
        continue;
      if (loopHeader == header)
        header = entry;
      break;
    }
    if (!entry)
      return;
    ++splits;
    analyses.invalidate(function, PreservedAnalyses::none());
  }
}

} // namespace

BasicBlock *loom::canonicalizeNest(Loop &nest, ArrayRef<BasicBlock *> exits,
                                   FunctionAnalysisManager &analyses) {
  BasicBlock *header = nest.getHeader();
  Function &function = *header->getParent();
  splitLoops(function, analyses, header, mostInNest,
             [&] { return regionBlocks(*header, exits); });
  canonicalizeLoops(analyses.getResult<LoopAnalysis>(function),
                    analyses.getResult<DominatorTreeAnalysis>(function),
                    analyses.getResult<ScalarEvolutionAnalysis>(function),
                    regionBlocks(*header, exits));
  return header;
}

void loom::canonicalizeFunction(Function &function,
                                FunctionAnalysisManager &analyses,
                                SmallPtrSetImpl<BasicBlock *> *counted) {
  auto everything = [&] {
    SmallPtrSet<BasicBlock *, 16> blocks;
    for (BasicBlock &block : function)
      blocks.insert(&block);
    return blocks;
  };
  BasicBlock *header = nullptr;
  splitLoops(function, analyses, header, mostInFunction, everything);
  canonicalizeLoops(analyses.getResult<LoopAnalysis>(function),
                    analyses.getResult<DominatorTreeAnalysis>(function),
                    analyses.getResult<ScalarEvolutionAnalysis>(function),
                    everything(), counted);
}
