// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, joins, selections, computations.

#include "Activation.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;

static bool fireConstant(Actor &actor) {
  if (!actor.has(0))
    return false;
  actor.take(0);
  auto op = cast<dataflow::ConstantOp>(actor.op());
  // That it is one was checked before.
  std::optional<Token> value = tokenOf(op.getValue(), op.getResult().getType());
  actor.emit(0, value.value_or(Token()).lanes);
  return true;
}

static bool fireSync(Actor &actor) {
  unsigned count = actor.op()->getNumOperands();
  if (!actor.has(0, count - 1))
    return false;
  SmallVector<Token> tokens;
  for (unsigned i = 0; i < count; ++i)
    tokens.push_back(actor.take(i));
  for (unsigned i = 0; i < count; ++i)
    actor.emit(i, tokens[i].lanes);
  return true;
}

/// The lane that a selector names; nullopt and a failure if there is none.
static std::optional<unsigned> laneOf(Actor &actor, const Token &selector,
                                      unsigned count) {
  Lane lane = selector.lanes.front();
  if (lane.poison) {
    actor.fail(RunFault::Poison, "a selector");
    return std::nullopt;
  }
  if (lane.bits >= count) {
    Type type = actor.op()->getOperand(0).getType();
    actor.fail(RunFault::Selector, printToken(selector, type) + " of " +
                                       std::to_string(count) + " lanes");
    return std::nullopt;
  }
  return unsigned(lane.bits);
}

static bool fireMux(Actor &actor) {
  if (!actor.has(0))
    return false;
  std::optional<unsigned> lane =
      laneOf(actor, actor.peek(0), actor.op()->getNumOperands() - 1);
  if (!lane || !actor.has(1 + *lane))
    return false;
  actor.take(0);
  Token value = actor.take(1 + *lane);
  actor.emit(0, value.lanes);
  return true;
}

static bool fireDemux(Actor &actor) {
  if (!actor.has(0, 1))
    return false;
  std::optional<unsigned> lane =
      laneOf(actor, actor.peek(0), actor.op()->getNumResults());
  if (!lane)
    return false;
  actor.take(0);
  Token value = actor.take(1);
  actor.emit(*lane, value.lanes);
  return true;
}

bool loom::run::computeRule(Actor &actor) {
  unsigned count = actor.op()->getNumOperands();
  if (!actor.has(0, count - 1))
    return false;
  SmallVector<Token, 3> tokens;
  for (unsigned i = 0; i < count; ++i)
    tokens.push_back(actor.take(i));
  SmallVector<const Token *, 3> operands;
  for (const Token &token : tokens)
    operands.push_back(&token);
  Token result;
  Computation &computation = actor.machine().computationOf(actor.op());
  if (auto failure = computation.compute(operands, result))
    return actor.fail(failure->fault, failure->detail);
  actor.emit(0, result.lanes);
  return true;
}

Rule loom::run::controlRule(Operation *op) {
  if (isa<dataflow::ConstantOp>(op))
    return fireConstant;
  if (isa<dataflow::SyncOp>(op))
    return fireSync;
  if (isa<dataflow::MuxOp>(op))
    return fireMux;
  if (isa<dataflow::DemuxOp>(op))
    return fireDemux;
  return nullptr;
}
