// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopHints.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;

loom::LoopHints::LoopHints(LLVM::LLVMFuncOp function) {
  std::optional<DominanceInfo> dominance;
  for (Block &block : function.getBody()) {
    Operation *branch = block.getTerminator();
    Attribute annotation;
    DenseI32ArrayAttr weights;
    if (auto jump = dyn_cast<LLVM::BrOp>(branch)) {
      annotation = jump.getLoopAnnotationAttr();
    } else if (auto choice = dyn_cast<LLVM::CondBrOp>(branch)) {
      annotation = choice.getLoopAnnotationAttr();
      weights = choice.getBranchWeightsAttr();
    }
    if (!annotation && !weights)
      continue;
    if (!dominance)
      dominance.emplace(function);
    SmallVector<Block *> headers;
    for (Block *successor : block.getSuccessors())
      if (dominance->dominates(successor, &block) &&
          !llvm::is_contained(headers, successor))
        headers.push_back(successor);
    if (headers.size() != 1) {
      orphanCount += annotation ? 1 : 0;
      continue;
    }
    Hint &hint = hints[headers.front()];
    if (annotation) {
      if (hint.annotation && hint.annotation != annotation)
        hint.ambiguous = true;
      hint.annotation = annotation;
    }
    // Of a latch that leaves the loop; two of them say nothing together.
    auto choice = dyn_cast<LLVM::CondBrOp>(branch);
    if (weights && weights.size() == 2 &&
        choice.getTrueDest() != choice.getFalseDest()) {
      bool first = choice.getTrueDest() == headers.front();
      ArrayRef<int32_t> values = weights.asArrayRef();
      hint.weights = hint.weights
                         ? DenseI32ArrayAttr()
                         : DenseI32ArrayAttr::get(
                               function.getContext(),
                               {values[first ? 0 : 1], values[first ? 1 : 0]});
    }
  }
  for (auto &entry : hints)
    if (entry.second.ambiguous) {
      ++orphanCount;
      entry.second.annotation = Attribute();
    }
}

void loom::LoopHints::attach(Block *header, Operation *loop) {
  auto found = hints.find(header);
  if (found == hints.end())
    return;
  if (found->second.annotation) {
    loop->setAttr(loopAnnotationName, found->second.annotation);
    ++attachedCount;
  }
  if (found->second.weights)
    loop->setAttr(branchWeightsName, found->second.weights);
  // A second loop with this header, of an irreducible graph, gets nothing.
  hints.erase(found);
}
