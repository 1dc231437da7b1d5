// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dead: actors whose tokens reach neither a store nor the return, and inputs
// that nobody uses, are removed.
//
// A use has a queue of its own, so what a removed actor consumed or didn't
// changes no sequence elsewhere. A removed load changes no memory; nothing that
// remains waited for it. Memory and results of the others are therefore the
// same, and the completion is made of values that remain.

#include "Rewrites.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

/// Whether an actor without consumers may go. What this room doesn't know
/// stays.
static bool isRemovable(Operation *op) {
  return isa<ConstantOp, SyncOp, MuxOp, DemuxOp, StreamOp, CarryOp, InvariantOp,
             GateOp, LoadOp>(op) ||
         !isa<DataflowDialect>(op->getDialect());
}

static bool trimInputs(GraphOp graph) {
  Block &block = graph.getBlock();
  llvm::BitVector unused(block.getNumArguments());
  SmallVector<Type> types;
  SmallVector<int32_t> slots, partitions;
  unsigned values = graph.getNumValueInputs();
  for (BlockArgument argument : block.getArguments().drop_front()) {
    unsigned input = argument.getArgNumber() - 1;
    if (argument.use_empty()) {
      unused.set(argument.getArgNumber());
      continue;
    }
    types.push_back(argument.getType());
    slots.push_back(graph.getSlots()[input]);
    if (input >= values)
      partitions.push_back(graph.getPartitions()[input - values]);
  }
  if (unused.none())
    return false;
  block.eraseArguments(unused);
  graph.setFunctionType(FunctionType::get(
      graph.getContext(), types, graph.getFunctionType().getResults()));
  graph.setSlots(slots);
  graph.setPartitions(partitions);
  return true;
}

bool rewrite::removeDead(Context &context) {
  DenseSet<Operation *> live;
  SmallVector<Operation *> work;
  auto add = [&](Operation *op) {
    if (op && live.insert(op).second)
      work.push_back(op);
  };
  for (Operation &op : context.block)
    if (!isRemovable(&op))
      add(&op);
  while (!work.empty())
    for (Value operand : work.pop_back_val()->getOperands())
      add(operand.getDefiningOp());
  SmallVector<Operation *> dead;
  for (Operation &op : context.block)
    if (!live.contains(&op))
      dead.push_back(&op);
  for (Operation *op : dead)
    op->dropAllReferences();
  for (Operation *op : dead)
    op->erase();
  return trimInputs(context.graph) || !dead.empty();
}
