// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hoist: a computation (or a sync of control tokens) in the body of a loop, of
// operands that the loop repeats, is made once outside and repeated. For sums,
// operands that the loop repeats are brought together first:
// (x + y) + z -> x + (y + z).
//
// The actor is a function of the operands' tokens: repeating its result gives
// what the results of the repeated operands were. A loop that doesn't run makes
// it compute in vain: nothing that may trap is hoisted. A repeated sync has the
// events of the operands, as before. Sums are regrouped modulo 2^width.
//
// It is made when at least one operand is no longer repeated for it, so that
// every iteration fires fewer actors.

#include "Linear.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

static bool isHoistable(Operation &op) {
  if (auto sync = dyn_cast<SyncOp>(op))
    return llvm::all_of(sync.getInputs().getTypes(),
                        [](Type type) { return isa<NoneType>(type); });
  return !isa<DataflowDialect>(op.getDialect()) && op.getNumResults() == 1 &&
         !isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
             op);
}

/// Whether the repetition of an operand ends when `user` no longer needs it.
static bool endsWith(Value lane, Operation *user) {
  auto only = [](Value value, Operation *user) {
    return llvm::all_of(value.getUsers(),
                        [&](Operation *other) { return other == user; });
  };
  auto demux = lane.getDefiningOp<DemuxOp>();
  return only(lane, user) && demux.getLanes()[0].use_empty() &&
         only(demux.getValue(), demux);
}

/// A body token that repeats `outside`, before `at`.
static SmallVector<Value> repeat(Context &context, Operation *at, Value phase,
                                 ValueRange outside) {
  SmallVector<Value> lanes;
  context.b.setInsertionPoint(at);
  for (Value value : outside) {
    Value raw = InvariantOp::create(context.b, at->getLoc(), value.getType(),
                                    phase, value);
    SmallVector<Type> types(2, value.getType());
    lanes.push_back(DemuxOp::create(context.b, at->getLoc(), types, phase, raw)
                        .getLanes()[1]);
  }
  return lanes;
}

static bool hoist(Context &context, Operation *op) {
  Value phase;
  SmallVector<Value> outside;
  unsigned gain = 1; // actors per iteration that go
  bool repeats = false;
  for (Value operand : op->getOperands()) {
    Value from;
    if (Value value = repeatedOutside(operand, &from)) {
      outside.push_back(value);
      bool ends = endsWith(operand, op);
      repeats |= ends;
      gain += ends ? 2 : 0;
    } else if (constantBits(operand)) {
      Value trigger = repeatedOutside(triggerOf(operand), &from);
      if (!trigger)
        return false;
      outside.push_back(trigger); // the constant is made there below
      gain += llvm::hasSingleElement(operand.getUses());
    } else {
      return false;
    }
    if (phase && from != phase)
      return false;
    phase = from;
  }
  if (!phase || !repeats || gain <= 2)
    return false;
  for (auto [value, operand] : llvm::zip(outside, op->getOperands()))
    if (std::optional<llvm::APInt> bits = constantBits(operand))
      value = makeConstant(context, op, value, *bits);
  IRMapping mapping;
  mapping.map(op->getOperands(), outside);
  context.b.setInsertionPoint(op);
  Operation *moved = context.b.clone(*op, mapping);
  // A sync needs one result only.
  ValueRange results = moved->getResults();
  SmallVector<Value> lanes = repeat(context, op, phase, results.take_front());
  for (Value result : op->getResults())
    result.replaceAllUsesWith(lanes.front());
  op->erase();
  return true;
}

/// (x + y) + z with repeated y and z.
static bool regroup(Context &context, arith::AddIOp add) {
  for (unsigned side : {0u, 1u}) {
    auto inner = add->getOperand(side).getDefiningOp<arith::AddIOp>();
    Value z = add->getOperand(1 - side), phase, other;
    if (!inner || !llvm::hasSingleElement(inner->getUses()) ||
        !repeatedOutside(z, &phase))
      continue;
    for (unsigned innerSide : {0u, 1u}) {
      Value y = inner->getOperand(innerSide);
      Value x = inner->getOperand(1 - innerSide);
      if (y == z || !repeatedOutside(y, &other) || other != phase ||
          repeatedOutside(x, &other) ||
          !(endsWith(y, inner) || endsWith(z, add)))
        continue;
      context.b.setInsertionPoint(add);
      Value sum = arith::AddIOp::create(context.b, add.getLoc(), y, z);
      Value result = arith::AddIOp::create(context.b, add.getLoc(), x, sum);
      replace(add, result);
      inner->erase();
      return true;
    }
  }
  return false;
}

bool rewrite::hoistInvariants(Context &context) {
  bool changed = false;
  SmallVector<Operation *> ops;
  for (Operation &op : context.block)
    if (isHoistable(op) && !op.use_empty())
      ops.push_back(&op);
  DenseSet<Operation *> gone;
  for (Operation *op : ops) {
    if (gone.contains(op) || op->use_empty())
      continue;
    if (hoist(context, op)) {
      changed = true;
      continue;
    }
    auto add = dyn_cast<arith::AddIOp>(op);
    if (!add)
      continue;
    Operation *left = add.getLhs().getDefiningOp();
    Operation *right = add.getRhs().getDefiningOp();
    if (regroup(context, add)) {
      changed = true;
      gone.insert(left); // one of them; it came before
      gone.insert(right);
    }
  }
  return changed;
}
