// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 4 of the writer: orders without a meaning inside the members.

#include "Canonical.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

using Position = std::pair<uint64_t, unsigned>;

static DenseMap<Operation *, uint64_t> positionsIn(ModuleOp module) {
  DenseMap<Operation *, uint64_t> result;
  module->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { result.try_emplace(op, result.size()); });
  return result;
}

static bool isPlainConstant(Operation &op) {
  return op.hasTrait<OpTrait::ConstantLike>() && op.getNumOperands() == 0 &&
         op.getNumResults() == 1 && op.getNumRegions() == 0;
}

void loom::artifact::orderConstants(ModuleOp module) {
  DenseMap<Operation *, uint64_t> positions = positionsIn(module);
  auto firstUse = [&](Operation *op) {
    Position first{UINT64_MAX, 0};
    for (OpOperand &use : op->getUses())
      first = std::min(first, Position{positions.lookup(use.getOwner()),
                                       use.getOperandNumber()});
    return first;
  };
  module->walk([&](Block *block) {
    for (auto it = block->begin(); it != block->end();) {
      SmallVector<std::pair<Position, Operation *>> run;
      for (; it != block->end() && isPlainConstant(*it); ++it)
        run.push_back({firstUse(&*it), &*it});
      if (!llvm::is_sorted(run, llvm::less_first())) {
        llvm::stable_sort(run, llvm::less_first());
        for (auto &[first, op] : run)
          op->moveBefore(block, it);
      }
      if (it != block->end())
        ++it;
    }
  });
}

void loom::artifact::sortUses(ModuleOp module) {
  DenseMap<Operation *, uint64_t> positions = positionsIn(module);
  auto sort = [&](Value value) {
    if (value.use_empty() || value.hasOneUse())
      return;
    SmallVector<std::pair<Position, unsigned>> uses;
    for (OpOperand &use : value.getUses())
      uses.push_back(
          {{positions.lookup(use.getOwner()), use.getOperandNumber()},
           unsigned(uses.size())});
    // The last use of the walk comes first.
    if (llvm::is_sorted(uses, std::greater<>()))
      return;
    llvm::sort(uses, std::greater<>());
    // Entry i: where the i-th use of today goes.
    SmallVector<unsigned> target(uses.size());
    for (auto [index, use] : llvm::enumerate(uses))
      target[use.second] = index;
    value.shuffleUseList(target);
  };
  module->walk([&](Operation *op) {
    for (Value result : op->getResults())
      sort(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          sort(argument);
  });
}
