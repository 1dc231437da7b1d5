// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rewrites share: order of the operations, constants, loop values.

#include "Rewrites.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

bool rewrite::isFeedback(Operation *op, unsigned operand) {
  if (isa<CarryOp>(op))
    return operand != 1;
  return isa<InvariantOp>(op) && operand == 0;
}

/// Whether every operand but the feedback comes before its use.
static bool isSorted(Block &block) {
  DenseSet<Operation *> seen;
  for (Operation &op : block) {
    for (OpOperand &operand : op.getOpOperands())
      if (Operation *def = operand.get().getDefiningOp())
        if (!rewrite::isFeedback(&op, operand.getOperandNumber()) &&
            !seen.contains(def))
          return false;
    seen.insert(&op);
  }
  return true;
}

bool rewrite::sortActors(Context &context) {
  if (isSorted(context.block))
    return true;
  DenseMap<Operation *, unsigned> waiting;
  std::vector<Operation *> order;
  for (Operation &op : context.block) {
    unsigned count = 0;
    for (OpOperand &operand : op.getOpOperands())
      count += operand.get().getDefiningOp() &&
               !isFeedback(&op, operand.getOperandNumber());
    waiting[&op] = count;
    if (count == 0)
      order.push_back(&op);
  }
  for (size_t i = 0; i < order.size(); ++i)
    for (OpOperand &use : order[i]->getUses())
      if (!isFeedback(use.getOwner(), use.getOperandNumber()) &&
          --waiting[use.getOwner()] == 0)
        order.push_back(use.getOwner());
  if (order.size() != waiting.size())
    return false;
  for (Operation *op : order)
    if (!isa<GraphReturnOp>(op))
      op->moveBefore(context.graph.getReturn());
  return true;
}

void rewrite::replace(Operation *op, ValueRange values) {
  op->replaceAllUsesWith(values);
  op->erase();
}

std::optional<llvm::APInt> rewrite::constantBits(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || !value.getType().isSignlessInteger())
    return std::nullopt;
  auto integer = dyn_cast<IntegerAttr>(constant.getValue());
  if (!integer || integer.getType() != value.getType())
    return std::nullopt;
  return integer.getValue();
}

Value rewrite::triggerOf(Value constant) {
  return constant.getDefiningOp<ConstantOp>().getCtrl();
}

Value rewrite::makeConstant(Context &context, Operation *at, Value trigger,
                            const llvm::APInt &bits) {
  context.b.setInsertionPoint(at);
  Type type = context.b.getIntegerType(bits.getBitWidth());
  return ConstantOp::create(context.b, at->getLoc(), type, trigger,
                            IntegerAttr::get(type, bits));
}

Value rewrite::repeatedOutside(Value value, Value *phase) {
  auto demux = value.getDefiningOp<DemuxOp>();
  if (!demux || value != demux.getLanes()[1])
    return {};
  auto invariant = demux.getValue().getDefiningOp<InvariantOp>();
  if (!invariant || invariant.getPhase() != demux.getSelector())
    return {};
  *phase = invariant.getPhase();
  return invariant.getInit();
}
