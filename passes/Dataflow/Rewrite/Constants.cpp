// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// constants: an integer computation of constants is a constant.
//
// The operands have one phase, so the trigger of the first comes exactly as
// often as the result did. What is computed is what the actor computes: modulo
// 2^width; what would trap or has no defined value is left alone. A constant
// carries no order, so another trigger takes none away.
//
// retrigger: a constant that is sent into a lane or repeated by a loop is made
// there, where the token that triggers it is sent or repeated the same way.
//
// Lane k of demux c, (constant t) has as many tokens as lane k of demux c, t;
// an invariant of a constant as many as the invariant of t.

#include "Rewrites.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

static bool isComputation(Operation &op) {
  return !isa<DataflowDialect>(op.getDialect()) && op.getNumResults() == 1 &&
         op.getNumOperands() != 0 &&
         op.getResult(0).getType().isSignlessInteger();
}

bool rewrite::foldConstants(Context &context) {
  bool changed = false;
  for (Operation &op : llvm::make_early_inc_range(context.block)) {
    if (!isComputation(op))
      continue;
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands())
      if (constantBits(operand))
        operands.push_back(operand.getDefiningOp<ConstantOp>().getValue());
    if (operands.size() != op.getNumOperands())
      continue;
    SmallVector<OpFoldResult> results;
    if (failed(op.fold(operands, results)) || results.size() != 1)
      continue;
    auto folded =
        dyn_cast_or_null<IntegerAttr>(dyn_cast<Attribute>(results.front()));
    if (!folded || folded.getType() != op.getResult(0).getType())
      continue;
    replace(&op, makeConstant(context, &op, triggerOf(op.getOperand(0)),
                              folded.getValue()));
    changed = true;
  }
  return changed;
}

/// An actor of the same kind before `op` that does to `trigger` what `op` does
/// to its value.
template <typename OpT>
static OpT findTwin(OpT op, Value selector, Value trigger) {
  for (Operation *user : trigger.getUsers())
    if (auto twin = dyn_cast<OpT>(user))
      if (twin->getOperand(0) == selector && twin->getOperand(1) == trigger &&
          twin->isBeforeInBlock(op))
        return twin;
  return {};
}

bool rewrite::retriggerConstants(Context &context) {
  bool changed = false;
  auto repeat = [&](Operation *op, Operation *twin, ConstantOp constant) {
    context.b.setInsertionPoint(op);
    for (auto [result, trigger] :
         llvm::zip(op->getResults(), twin->getResults()))
      if (!result.use_empty())
        result.replaceAllUsesWith(
            ConstantOp::create(context.b, op->getLoc(), constant.getType(),
                               trigger, constant.getValue()));
    op->erase();
    changed = true;
  };
  for (Operation &op : llvm::make_early_inc_range(context.block)) {
    if (!isa<DemuxOp, InvariantOp>(op))
      continue;
    auto constant = op.getOperand(1).getDefiningOp<ConstantOp>();
    if (!constant)
      continue;
    Operation *twin = nullptr;
    if (auto demux = dyn_cast<DemuxOp>(op))
      twin = findTwin(demux, op.getOperand(0), constant.getCtrl());
    else
      twin =
          findTwin(cast<InvariantOp>(op), op.getOperand(0), constant.getCtrl());
    if (twin)
      repeat(&op, twin, constant);
  }
  return changed;
}
