// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cover.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

/// How many uses one question looks at.
static constexpr unsigned maxSteps = 2048;

bool rewrite::isLoopPhase(Value value) {
  if (value.getDefiningOp<StreamOp>())
    return true;
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    return isa<CarryOp, InvariantOp>(use.getOwner()) &&
           use.getOperandNumber() == 0;
  });
}

bool Cover::look(Value value) {
  auto [it, isNew] = known.try_emplace(value, false); // while looked at: no
  if (!isNew)
    return it->second;
  bool covered = llvm::any_of(value.getUses(), [&](OpOperand &use) {
    return use.getOwner() != without && ++steps <= maxSteps &&
           isUseCovered(use);
  });
  known[value] = covered;
  return covered;
}

bool Cover::isUseCovered(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<GraphReturnOp, StoreOp>(op))
    return true;
  if (auto load = dyn_cast<LoadOp>(op))
    return look(load.getDone()) || look(load.getData());
  if (auto demux = dyn_cast<DemuxOp>(op)) {
    if (isLoopPhase(demux.getSelector()))
      return look(demux.getLanes()[0]);
    return llvm::all_of(demux.getLanes(),
                        [&](Value lane) { return look(lane); });
  }
  if (auto stream = dyn_cast<StreamOp>(op))
    return look(stream.getPhase());
  if (isa<GateOp>(op))
    return false; // the last token goes nowhere
  return llvm::any_of(op->getResults(),
                      [&](Value result) { return look(result); });
}

bool rewrite::mayRelease(Context &context, Value value, Operation *user) {
  return !context.hasReleasedReads || Cover(user).isCovered(value);
}
