// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control of programs.

#include "Program.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;

static bool runs(scf::ForOp loop, const APInt &iv, const APInt &limit) {
  return loop.getUnsignedCmp() ? iv.ult(limit) : iv.slt(limit);
}

Step Program::enterFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  unsigned width = laneWidth(loop.getInductionVar().getType());
  APInt bounds[3];
  Value values[3] = {loop.getLowerBound(), loop.getUpperBound(),
                     loop.getStep()};
  for (auto [bound, value] : llvm::zip(bounds, values)) {
    const Token *token = ready(value);
    if (!token)
      return Step::Wait;
    if (token->lanes.front().poison)
      return fail(op, RunFault::Poison, "a bound or a step");
    bound = APInt(width, token->lanes.front().bits);
  }
  if (bounds[2].isZero() || (!loop.getUnsignedCmp() && bounds[2].isNegative()))
    return fail(op, RunFault::Trap, "a step that isn't positive");
  if (!runs(loop, bounds[0], bounds[1])) {
    assign(loop.getResults(), loop.getInitArgs());
    return Step::Next;
  }
  bind(loop.getInductionVar(),
       Datum::of(Token{{Lane{bounds[0].getZExtValue(), false}}, nullptr}));
  assign(loop.getRegionIterArgs(), loop.getInitArgs());
  enter(*loop.getBody());
  frames.back().iv = bounds[0];
  frames.back().limit = bounds[1];
  frames.back().stride = bounds[2];
  return Step::Moved;
}

Step Program::enterSwitch(Operation *op) {
  auto select = cast<scf::IndexSwitchOp>(op);
  const Token *token = ready(select.getArg());
  if (!token)
    return Step::Wait;
  if (token->lanes.front().poison)
    return fail(op, RunFault::Poison, "a selector");
  int64_t value = int64_t(token->lanes.front().bits);
  Region *region = &select.getDefaultRegion();
  for (auto [number, of] :
       llvm::zip(select.getCases(), select.getCaseRegions()))
    if (number == value)
      region = &of;
  enter(region->front());
  return Step::Moved;
}

Step Program::yield(Operation *op) {
  Operation *parent = op->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    Frame &frame = frames.back();
    bool overflow = false;
    frame.iv = loop.getUnsignedCmp() ? frame.iv.uadd_ov(frame.stride, overflow)
                                     : frame.iv.sadd_ov(frame.stride, overflow);
    if (overflow || !runs(loop, frame.iv, frame.limit))
      return finishRegion(op, op->getOperands());
    assign(loop.getRegionIterArgs(), op->getOperands());
    bind(loop.getInductionVar(),
         Datum::of(Token{{Lane{frame.iv.getZExtValue(), false}}, nullptr}));
    frame.next = &loop.getBody()->front();
    return Step::Moved;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    assign(loop.getBeforeArguments(), op->getOperands());
    frames.back().next = &loop.getBeforeBody()->front();
    return Step::Moved;
  }
  return finishRegion(op, op->getOperands());
}

Step Program::condition(Operation *op) {
  auto end = cast<scf::ConditionOp>(op);
  auto loop = cast<scf::WhileOp>(op->getParentOp());
  const Token *token = ready(end.getCondition());
  if (!token)
    return Step::Wait;
  std::optional<bool> again = truth(op, *token);
  if (!again)
    return Step::Wait;
  if (!*again)
    return finishRegion(op, end.getArgs());
  assign(loop.getAfterArguments(), end.getArgs());
  frames.back().next = &loop.getAfterBody()->front();
  return Step::Moved;
}

Step Program::control(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    const Token *token = ready(branch.getCondition());
    if (!token)
      return Step::Wait;
    std::optional<bool> taken = truth(op, *token);
    if (!taken)
      return Step::Wait;
    Region &region = *taken ? branch.getThenRegion() : branch.getElseRegion();
    if (region.empty())
      return Step::Next;
    enter(region.front());
    return Step::Moved;
  }
  if (isa<scf::ForOp>(op))
    return enterFor(op);
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    assign(loop.getBeforeArguments(), loop.getInits());
    enter(*loop.getBeforeBody());
    return Step::Moved;
  }
  if (isa<scf::IndexSwitchOp>(op))
    return enterSwitch(op);
  if (isa<scf::YieldOp>(op))
    return yield(op);
  if (isa<scf::ConditionOp>(op))
    return condition(op);
  return Step::Other;
}
