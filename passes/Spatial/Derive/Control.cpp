// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches. Whatever lives longer than one iteration, or leaves a
// branch, is in a register that is declared before the statement and written in
// a stage of its own before the first use.

#include "Deriver.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace loom;
using namespace loom::spatial;

namespace {

constexpr unsigned MaxCases = 32;
constexpr unsigned MaxMuxed = 16;

/// Operations of a branch that may run although the branch isn't taken.
bool isSpeculatable(Region &region, unsigned &count) {
  if (region.empty())
    return true;
  for (Operation &op : region.front().without_terminator()) {
    if (op.getNumRegions() || !isMemoryEffectFree(&op) ||
        isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
      return false;
    ++count;
  }
  return true;
}

} // namespace

Value Deriver::makeRegister(Type type, bool keep, Location loc) {
  return RegOp::create(b, loc, RegType::get(b.getContext(), type), keep);
}

/// One stage that writes registers.
void Deriver::write(ArrayRef<Value> data, ArrayRef<Value> registers,
                    Location loc) {
  if (registers.empty())
    return;
  auto pipe = PipeOp::create(b, loc);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&pipe.getBody().emplaceBlock());
  for (auto [value, target] : llvm::zip(data, registers))
    RegWriteOp::create(b, loc, value, target);
}

/// The write at the end of an iteration. A value that is the old value of
/// another register goes through a temporary: Spatial may move the read of a
/// register to its use, here behind a write.
void Deriver::carry(ArrayRef<Value> data, ArrayRef<Value> registers,
                    Location loc) {
  SmallVector<Value> values, targets, early, temporaries;
  SmallVector<unsigned> late;
  for (auto [value, target] : llvm::zip(data, registers)) {
    auto read = value.getDefiningOp<RegReadOp>();
    if (read && read.getReg() == target)
      continue;
    targets.push_back(target);
    values.push_back(value);
    if (read && llvm::is_contained(registers, read.getReg())) {
      late.push_back(values.size() - 1);
      early.push_back(value);
      temporaries.push_back(makeRegister(value.getType(), false, loc));
    }
  }
  write(early, temporaries, loc);
  for (auto [position, temporary] : llvm::zip(late, temporaries))
    values[position] =
        RegReadOp::create(b, loc, values[position].getType(), temporary);
  write(values, targets, loc);
}

void Deriver::readInto(ValueRange sources, ArrayRef<Value> registers,
                       Location loc) {
  for (auto [source, reg] : llvm::zip(sources, registers))
    values.map(source,
               RegReadOp::create(b, loc, source.getType(), reg).getValue());
}

LogicalResult Deriver::forLoop(scf::ForOp loop) {
  Location loc = loop.getLoc();
  if (!loop.getInductionVar().getType().isInteger(64) || loop.getUnsignedCmp())
    return refuse(RefusalKind::SpatialLoop,
                  "a loop that does not count in 64 bits", loc);
  for (Value argument : loop.getRegionIterArgs())
    if (failed(checkType(argument, loc)))
      return failure();
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return stateLoop(loop);
  const Integer most(INT32_MAX), least(INT32_MIN);
  Integer by(step.getSExtValue());
  LinearForm lb = forms.form(loop.getLowerBound()),
             ub = forms.form(loop.getUpperBound());
  std::optional<Interval> l = forms.rangeAt(lb, loop),
                          u = forms.rangeAt(ub, loop),
                          trips = forms.rangeAt(ub - lb, loop);
  if (!l || !u || !trips || by <= 0)
    return stateLoop(loop);
  if (l->lo >= least && l->hi <= most && u->lo >= least && u->hi + by <= most)
    return countedLoop(loop, false);
  // The distance must be exact, not just its form.
  if (by == 1 && trips->hi < most && trips->lo >= least)
    return countedLoop(loop, true);
  return stateLoop(loop);
}

/// A loop with a 32-bit iterator: over the bounds themselves, or from 0 over
/// the distance of the bounds.
LogicalResult Deriver::countedLoop(scf::ForOp loop, bool normalised) {
  Location loc = loop.getLoc();
  Type i32 = b.getI32Type();
  SmallVector<Value> registers, init;
  for (Value value : loop.getInitArgs()) {
    registers.push_back(makeRegister(value.getType(), false, loc));
    init.push_back(get(value));
  }
  write(init, registers, loc);

  Value lb, ub, step;
  if (normalised) {
    lb = constant(i32, 0, loc);
    step = constant(i32, 1, loc);
    Value distance = arith::SubIOp::create(b, loc, get(loop.getUpperBound()),
                                           get(loop.getLowerBound()));
    ub = arith::TruncIOp::create(b, loc, i32, distance);
  } else {
    lb = divided(loop.getLowerBound(), 1, loc);
    ub = divided(loop.getUpperBound(), 1, loc);
    step = divided(loop.getStep(), 1, loc);
  }
  auto foreach = ForeachOp::create(b, loc, lb, ub, step);
  {
    OpBuilder::InsertionGuard guard(b);
    Block &body = foreach.getBody().emplaceBlock();
    Value iterator = body.addArgument(i32, loc);
    b.setInsertionPointToStart(&body);
    Value wide = arith::ExtSIOp::create(b, loc, b.getI64Type(), iterator);
    if (normalised)
      wide = arith::AddIOp::create(b, loc, get(loop.getLowerBound()), wide);
    else
      iterators.map(loop.getInductionVar(), iterator);
    values.map(loop.getInductionVar(), wide);
    readInto(loop.getRegionIterArgs(), registers, loc);
    if (failed(block(*loop.getBody())))
      return failure();
    SmallVector<Value> next;
    for (Value value : loop.getYieldedValues())
      next.push_back(get(value));
    carry(next, registers, loc);
  }
  readInto(loop.getResults(), registers, loc);
  return success();
}

/// A loop whose counter is the state of a machine.
LogicalResult Deriver::stateLoop(scf::ForOp loop) {
  Location loc = loop.getLoc();
  Type i64 = b.getI64Type();
  SmallVector<Value> registers, init;
  for (Value value : loop.getInitArgs()) {
    registers.push_back(makeRegister(value.getType(), true, loc));
    init.push_back(get(value));
  }
  write(init, registers, loc);
  auto fsm = FsmOp::create(b, loc, get(loop.getLowerBound()));
  {
    OpBuilder::InsertionGuard guard(b);
    Block &condition = fsm.getCondition().emplaceBlock();
    b.setInsertionPointToStart(&condition);
    Value below = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                        condition.addArgument(i64, loc),
                                        get(loop.getUpperBound()));
    YieldOp::create(b, loc, below);

    Block &action = fsm.getAction().emplaceBlock();
    b.setInsertionPointToStart(&action);
    values.map(loop.getInductionVar(), action.addArgument(i64, loc));
    readInto(loop.getRegionIterArgs(), registers, loc);
    if (failed(block(*loop.getBody())))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : loop.getYieldedValues())
      yielded.push_back(get(value));
    carry(yielded, registers, loc);
    YieldOp::create(b, loc, Value());

    Block &next = fsm.getNext().emplaceBlock();
    b.setInsertionPointToStart(&next);
    Value sum = arith::AddIOp::create(b, loc, next.addArgument(i64, loc),
                                      get(loop.getStep()));
    YieldOp::create(b, loc, sum);
  }
  readInto(loop.getResults(), registers, loc);
  return success();
}

/// State 0 runs the loop once more, state 1 ends it. The part before the
/// condition runs in each step, the part after it under the condition.
LogicalResult Deriver::whileLoop(scf::WhileOp loop) {
  Location loc = loop.getLoc();
  Type i1 = b.getI1Type(), i32 = b.getI32Type();
  SmallVector<Value> carried, init, results;
  for (auto [value, argument] :
       llvm::zip(loop.getInits(), loop.getBeforeArguments())) {
    if (failed(checkType(argument, loc)))
      return failure();
    carried.push_back(makeRegister(value.getType(), true, loc));
    init.push_back(get(value));
  }
  for (Value value : loop.getResults()) {
    if (failed(checkType(value, loc)))
      return failure();
    results.push_back(makeRegister(value.getType(), true, loc));
  }
  Value go = makeRegister(i1, true, loc);
  write(init, carried, loc);
  auto fsm = FsmOp::create(b, loc, constant(i32, 0, loc));
  {
    OpBuilder::InsertionGuard guard(b);
    Block &condition = fsm.getCondition().emplaceBlock();
    b.setInsertionPointToStart(&condition);
    Value running = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                          condition.addArgument(i32, loc),
                                          constant(i32, 1, loc));
    YieldOp::create(b, loc, running);

    Block &action = fsm.getAction().emplaceBlock();
    action.addArgument(i32, loc);
    b.setInsertionPointToStart(&action);
    readInto(loop.getBeforeArguments(), carried, loc);
    if (failed(block(*loop.getBeforeBody())))
      return failure();
    scf::ConditionOp test = loop.getConditionOp();
    SmallVector<Value> passed, outcome;
    for (auto [value, argument] :
         llvm::zip(test.getArgs(), loop.getAfterArguments())) {
      passed.push_back(get(value));
      values.map(argument, get(value));
    }
    outcome = passed;
    outcome.push_back(get(test.getCondition()));
    SmallVector<Value> targets = results;
    targets.push_back(go);
    write(outcome, targets, loc);

    auto after = [&]() -> LogicalResult {
      if (failed(block(*loop.getAfterBody())))
        return failure();
      SmallVector<Value> next;
      for (Value value : loop.getYieldOp().getResults())
        next.push_back(get(value));
      carry(next, carried, loc);
      return success();
    };
    if (llvm::hasSingleElement(*loop.getAfterBody())) {
      // Nothing but the hand-over, which is harmless in the last step.
      if (failed(after()))
        return failure();
    } else {
      auto ifOp = IfOp::create(b, loc, get(test.getCondition()));
      OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToStart(&ifOp.getThenRegion().emplaceBlock());
      if (failed(after()))
        return failure();
    }
    b.setInsertionPointToEnd(&action);
    YieldOp::create(b, loc, Value());

    Block &next = fsm.getNext().emplaceBlock();
    next.addArgument(i32, loc);
    b.setInsertionPointToStart(&next);
    Value again = RegReadOp::create(b, loc, i1, go);
    Value state = arith::SelectOp::create(b, loc, again, constant(i32, 0, loc),
                                          constant(i32, 1, loc));
    YieldOp::create(b, loc, state);
  }
  readInto(loop.getResults(), results, loc);
  return success();
}

/// One side of a branch: its operations, then its results into registers.
LogicalResult Deriver::arm(Region &source, ArrayRef<Value> registers) {
  if (source.empty())
    return success();
  if (failed(block(source.front())))
    return failure();
  Operation *yield = source.front().getTerminator();
  for (auto [value, reg] : llvm::zip(yield->getOperands(), registers))
    RegWriteOp::create(b, yield->getLoc(), get(value), reg);
  return success();
}

LogicalResult Deriver::branch(scf::IfOp op) {
  Location loc = op.getLoc();
  for (Value value : op.getResults())
    if (failed(checkType(value, loc)))
      return failure();
  unsigned count = 0;
  if (isSpeculatable(op.getThenRegion(), count) &&
      isSpeculatable(op.getElseRegion(), count) && count <= MaxMuxed) {
    for (Region *side : {&op.getThenRegion(), &op.getElseRegion()})
      if (!side->empty() && failed(block(side->front())))
        return failure();
    for (auto [index, result] : llvm::enumerate(op.getResults()))
      values.map(result,
                 arith::SelectOp::create(b, loc, get(op.getCondition()),
                                         get(op.thenYield().getOperand(index)),
                                         get(op.elseYield().getOperand(index)))
                     .getResult());
    return success();
  }
  SmallVector<Value> registers;
  for (Value value : op.getResults())
    registers.push_back(makeRegister(value.getType(), false, loc));
  auto ifOp = IfOp::create(b, loc, get(op.getCondition()));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&ifOp.getThenRegion().emplaceBlock());
    if (failed(arm(op.getThenRegion(), registers)))
      return failure();
    b.setInsertionPointToStart(&ifOp.getElseRegion().emplaceBlock());
    if (failed(arm(op.getElseRegion(), registers)))
      return failure();
  }
  readInto(op.getResults(), registers, loc);
  return success();
}

/// Branches on the cases from `index` on; the default comes last.
LogicalResult Deriver::switchFrom(scf::IndexSwitchOp op, unsigned index,
                                  ArrayRef<Value> registers) {
  if (index == op.getCases().size())
    return arm(op.getDefaultRegion(), registers);
  Location loc = op.getLoc();
  Value selector = get(op.getArg());
  int64_t label = op.getCases()[index];
  unsigned width = selector.getType().getIntOrFloatBitWidth();
  // The selector was widened without sign.
  if (width < 64 && (label < 0 || (label >> width) != 0))
    return switchFrom(op, index + 1, registers);
  APInt bits = APInt(64, uint64_t(label)).trunc(width);
  Value hit = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq, selector,
      constant(selector.getType(), bits.getSExtValue(), loc));
  auto ifOp = IfOp::create(b, loc, hit);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&ifOp.getThenRegion().emplaceBlock());
  if (failed(arm(op.getCaseRegions()[index], registers)))
    return failure();
  b.setInsertionPointToStart(&ifOp.getElseRegion().emplaceBlock());
  return switchFrom(op, index + 1, registers);
}

LogicalResult Deriver::switchOn(scf::IndexSwitchOp op) {
  Location loc = op.getLoc();
  if (op.getCases().size() > MaxCases)
    return refuse(RefusalKind::SpatialSize,
                  llvm::Twine(op.getCases().size()) + " cases of a switch",
                  loc);
  if (!get(op.getArg()))
    return refuse(RefusalKind::SpatialOp, "a switch on an index", loc);
  SmallVector<Value> registers;
  for (Value value : op.getResults()) {
    if (failed(checkType(value, loc)))
      return failure();
    registers.push_back(makeRegister(value.getType(), false, loc));
  }
  if (failed(switchFrom(op, 0, registers)))
    return failure();
  readInto(op.getResults(), registers, loc);
  return success();
}
