// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A topological order of the actors, stable against the text.

#include "Numbering.h"
#include <set>

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

static bool isFeedback(OpOperand &use) {
  if (isa<CarryOp>(use.getOwner()))
    return use.getOperandNumber() != 1;
  return isa<InvariantOp>(use.getOwner()) && use.getOperandNumber() == 0;
}

Numbering::Numbering(GraphOp graph) {
  std::vector<Operation *> text;
  DenseMap<Operation *, unsigned> position, waiting;
  for (Operation &op : graph.getBlock().without_terminator()) {
    position[&op] = text.size();
    text.push_back(&op);
    unsigned count = 0;
    for (OpOperand &use : op.getOpOperands())
      count += use.get().getDefiningOp() && !isFeedback(use);
    waiting[&op] = count;
  }
  std::set<unsigned> ready;
  for (auto [index, op] : llvm::enumerate(text))
    if (waiting[op] == 0)
      ready.insert(index);
  std::vector<bool> placed(text.size());
  unsigned next = 0; // the first actor that may not be placed yet
  while (actors.size() < text.size()) {
    unsigned index;
    if (!ready.empty()) {
      index = *ready.begin();
      ready.erase(ready.begin());
    } else { // a cycle that can't start: any order will do
      while (placed[next])
        ++next;
      index = next;
    }
    if (placed[index])
      continue;
    placed[index] = true;
    actors.push_back(text[index]);
    for (Value result : text[index]->getResults())
      for (OpOperand &use : result.getUses()) {
        auto it = position.find(use.getOwner());
        if (it != position.end() && !isFeedback(use) &&
            --waiting[use.getOwner()] == 0)
          ready.insert(it->second);
      }
  }
  for (BlockArgument argument : graph.getBlock().getArguments())
    if (!isa<MemRefType>(argument.getType()))
      values[argument] = numValues++;
  for (Operation *op : actors)
    for (Value result : op->getResults())
      values[result] = numValues++;
}
