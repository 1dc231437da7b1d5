// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphPlan.h"

using namespace mlir;
using namespace loom::dataflow;
using namespace loom::run;

GraphPlan::GraphPlan(GraphOp graph) : graph(graph) {
  Block &block = graph.getBlock();
  DenseMap<Operation *, unsigned> number;
  for (Operation &op : block)
    number[&op] = number.size();
  firstStream = 1 + graph.getNumValueInputs();
  unsigned firstMemory = block.getNumArguments() - graph.getNumMemories();

  auto usesOf = [&](Value value) {
    std::vector<Use> uses;
    for (OpOperand &use : value.getUses())
      uses.push_back({number[use.getOwner()], use.getOperandNumber()});
    // Use lists are in no order that means anything.
    llvm::sort(uses, [](const Use &a, const Use &b) {
      return std::pair(a.actor, a.operand) < std::pair(b.actor, b.operand);
    });
    return uses;
  };
  auto plan = [&](Operation &op) {
    ActorPlan actor;
    actor.op = &op;
    actor.firstQueue = numQueues;
    numQueues += op.getNumOperands();
    for (Value operand : op.getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      unsigned at = argument ? argument.getArgNumber() : 0;
      bool isStream = argument && at >= firstStream && at < firstMemory;
      actor.stream.push_back(isStream ? int(at - firstStream) : -1);
      if (argument && at >= firstMemory)
        actor.memory = int(at - firstMemory);
    }
    for (Value result : op.getResults())
      actor.uses.push_back(usesOf(result));
    return actor;
  };
  for (Operation &op : block.without_terminator())
    actors.push_back(plan(op));
  end = plan(*block.getTerminator());
  for (BlockArgument argument : block.getArguments())
    inputs.push_back(usesOf(argument));
}
