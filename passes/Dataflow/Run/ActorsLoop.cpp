// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop actors. `running` is the second state of their tables.

#include "Activation.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::run;

static bool compare(Predicate predicate, const APInt &a, const APInt &b) {
  switch (predicate) {
  case Predicate::EQ:
    return a == b;
  case Predicate::NE:
    return a != b;
  case Predicate::SLT:
    return a.slt(b);
  case Predicate::SLE:
    return a.sle(b);
  case Predicate::SGT:
    return a.sgt(b);
  case Predicate::SGE:
    return a.sge(b);
  case Predicate::ULT:
    return a.ult(b);
  case Predicate::ULE:
    return a.ule(b);
  case Predicate::UGT:
    return a.ugt(b);
  case Predicate::UGE:
    return a.uge(b);
  }
  llvm_unreachable("a predicate");
}

/// nullopt: the host would trap, or the amount of a shift is poison.
static std::optional<APInt> advance(StepKind kind, const APInt &value,
                                    const APInt &by) {
  switch (kind) {
  case StepKind::Add:
    return value + by;
  case StepKind::Sub:
    return value - by;
  case StepKind::Mul:
    return value * by;
  case StepKind::SDiv: {
    if (by.isZero())
      return std::nullopt;
    bool overflow = false;
    APInt quotient = value.sdiv_ov(by, overflow);
    return overflow ? std::nullopt : std::optional(quotient);
  }
  case StepKind::UDiv:
    if (by.isZero())
      return std::nullopt;
    return value.udiv(by);
  case StepKind::Shl:
  case StepKind::AShr:
  case StepKind::LShr:
    if (by.uge(value.getBitWidth()))
      return APInt::getZero(value.getBitWidth()); // as the device has it
    return kind == StepKind::Shl    ? value.shl(by)
           : kind == StepKind::AShr ? value.ashr(by)
                                    : value.lshr(by);
  }
  llvm_unreachable("a step");
}

static bool fireStream(Actor &actor) {
  auto op = cast<StreamOp>(actor.op());
  if (!actor.running) {
    if (!actor.has(0, 2))
      return false;
    actor.kept = actor.take(0);
    actor.limit = actor.take(1);
    actor.stride = actor.take(2);
    actor.running = true;
    return true;
  }
  for (const Token *token : {&actor.kept, &actor.limit, &actor.stride}) {
    actor.use(*token);
    if (token->lanes.front().poison)
      return actor.fail(RunFault::Poison, "a bound or a step");
  }
  unsigned width = laneWidth(op.getIv().getType());
  APInt value(width, actor.kept.lanes.front().bits);
  APInt limit(width, actor.limit.lanes.front().bits);
  if (!compare(op.getPred(), value, limit)) {
    actor.running = false;
    actor.emit(1, Lane{0, false});
    return true;
  }
  std::optional<APInt> next = advance(
      op.getKind(), value, APInt(width, actor.stride.lanes.front().bits));
  if (!next)
    return actor.fail(RunFault::Trap, "a division of the step");
  Lane iv = actor.kept.lanes.front();
  actor.kept.lanes.front().bits = next->getZExtValue();
  actor.emit(0, iv);
  actor.emit(1, Lane{1, false});
  return true;
}

static bool fireCarry(Actor &actor) {
  if (!actor.running) {
    if (!actor.has(1))
      return false;
    Token init = actor.take(1);
    actor.running = true;
    actor.emit(0, init.lanes);
    return true;
  }
  if (!actor.has(0))
    return false;
  std::optional<bool> phase = actor.truth(actor.peek(0));
  if (!phase || (*phase && !actor.has(2)))
    return false;
  actor.take(0);
  if (!*phase) {
    actor.running = false;
    return true;
  }
  Token next = actor.take(2);
  actor.emit(0, next.lanes);
  return true;
}

static bool fireInvariant(Actor &actor) {
  if (!actor.running) {
    if (!actor.has(1))
      return false;
    actor.kept = actor.take(1);
    actor.running = true;
    actor.emit(0, actor.kept.lanes);
    return true;
  }
  if (!actor.has(0))
    return false;
  std::optional<bool> phase = actor.truth(actor.peek(0));
  if (!phase)
    return false;
  actor.take(0);
  if (!*phase) {
    actor.running = false;
    return true;
  }
  actor.use(actor.kept);
  actor.emit(0, actor.kept.lanes);
  return true;
}

static bool fireGate(Actor &actor) {
  if (!actor.has(0, 1))
    return false;
  std::optional<bool> condition = actor.truth(actor.peek(0));
  if (!condition)
    return false;
  actor.take(0);
  Token value = actor.take(1);
  if (actor.running)
    actor.emit(0, Lane{*condition, false});
  if (*condition)
    actor.emit(1, value.lanes);
  actor.running = *condition;
  return true;
}

Rule loom::run::loopRule(Operation *op) {
  if (isa<StreamOp>(op))
    return fireStream;
  if (isa<CarryOp>(op))
    return fireCarry;
  if (isa<InvariantOp>(op))
    return fireInvariant;
  if (isa<GateOp>(op))
    return fireGate;
  return nullptr;
}
