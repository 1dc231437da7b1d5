// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// offsets: constant parts of sums and products move outwards, where they meet
// and vanish or are shared:
//
//   (x + c) + d       -> x + (c + d)
//   (x + c) * d       -> x * d + c * d
//   (x * c) * d       -> x * (c * d)
//   a + (x + c)       -> (a + x) + c
//   a body token that repeats x + c, where another repeats x -> that one + c
//
// All are identities modulo 2^width, token by token. Every new constant is
// triggered by what triggered an old one of the same phase, or by a control
// token of the same body. The data that is consumed stays the same.
//
// A rewrite is made when the inner operation disappears with it, or when the
// sum it makes is shared with another; so there are never more actors after it.

#include "Linear.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

/// Whether all users of an inner operation are of the kinds that take it apart.
static bool disappears(Value inner) {
  return llvm::all_of(inner.getUsers(), [](Operation *user) {
    return asSum(user) || asProduct(user);
  });
}

static Value ofConstant(Context &context, Operation *op) {
  if (auto outer = asSum(op)) {
    auto inner = asSum(outer->x.getDefiningOp());
    if (inner && ((outer->bits + inner->bits).isZero() || disappears(outer->x)))
      return makeSum(context, op, inner->x, outer->bits + inner->bits,
                     outer->trigger);
    return {};
  }
  auto outer = asProduct(op);
  if (!outer)
    return {};
  Operation *def = outer->x.getDefiningOp();
  if (auto inner = asSum(def); inner && disappears(outer->x)) {
    Value product =
        makeProduct(context, op, inner->x, outer->bits, outer->trigger);
    return makeSum(context, op, product, inner->bits * outer->bits,
                   outer->trigger);
  }
  if (auto inner = asProduct(def);
      inner && llvm::hasSingleElement(outer->x.getUses()))
    return makeProduct(context, op, inner->x, inner->bits * outer->bits,
                       outer->trigger);
  return {};
}

/// Whether a + x is computed elsewhere too, or a + (x + d) is.
static bool isShared(Operation *op, Value a, Value x) {
  for (Operation *user : x.getUsers()) {
    if (user == op)
      continue;
    bool plain = isa<arith::AddIOp>(user) && !asSum(user);
    if (plain && llvm::is_contained(user->getOperands(), a))
      return true;
    auto sum = asSum(user);
    if (!sum || sum->x != x)
      continue;
    for (Operation *outer : user->getUsers())
      if (outer != op && isa<arith::AddIOp>(outer) &&
          llvm::is_contained(outer->getOperands(), a))
        return true;
  }
  return false;
}

/// a + (x + c)
static Value outOfSum(Context &context, arith::AddIOp add) {
  if (asSum(add))
    return {};
  for (unsigned side : {0u, 1u}) {
    Value inner = add->getOperand(side), a = add->getOperand(1 - side);
    auto sum = asSum(inner.getDefiningOp());
    if (!sum || a == inner)
      continue;
    if (!llvm::hasSingleElement(inner.getUses()) && !isShared(add, a, sum->x))
      continue;
    context.b.setInsertionPoint(add);
    Value rest = arith::AddIOp::create(context.b, add.getLoc(), a, sum->x);
    return makeSum(context, add, rest, sum->bits, sum->trigger);
  }
  return {};
}

/// A control token of the body of a loop, before `at`: one that is repeated, so
/// that it comes early, if there is one.
static Value bodyToken(Value phase, Operation *at) {
  Value other;
  for (Operation *user : phase.getUsers()) {
    auto demux = dyn_cast<DemuxOp>(user);
    if (!demux || demux.getSelector() != phase || !demux->isBeforeInBlock(at) ||
        !isa<NoneType>(demux.getValue().getType()))
      continue;
    if (demux.getValue().getDefiningOp<InvariantOp>())
      return demux.getLanes()[1];
    other = demux.getLanes()[1];
  }
  return other;
}

/// Where the loop repeats x: its body token, made before `at`.
static Value bodyLane(Value phase, Value x, Operation *at) {
  for (Operation *user : x.getUsers()) {
    auto invariant = dyn_cast<InvariantOp>(user);
    if (!invariant || invariant.getPhase() != phase)
      continue;
    for (Operation *projection : invariant->getUsers())
      if (auto demux = dyn_cast<DemuxOp>(projection))
        if (demux.getSelector() == phase &&
            bringBefore(demux.getLanes()[1], at))
          return demux.getLanes()[1];
  }
  return {};
}

/// lane 1 of demux p, (invariant p, x + c)
static bool repeatedSum(Context &context, DemuxOp demux) {
  Value lane = demux.getLanes()[1], phase;
  Value outside = repeatedOutside(lane, &phase);
  if (!outside || lane.use_empty())
    return false;
  auto sum = asSum(outside.getDefiningOp());
  if (!sum)
    return false;
  Value trigger = bodyToken(phase, demux);
  Value x = trigger ? bodyLane(phase, sum->x, demux) : Value();
  if (!x)
    return false;
  lane.replaceAllUsesWith(makeSum(context, demux, x, sum->bits, trigger));
  return true;
}

bool rewrite::gatherOffsets(Context &context) {
  bool changed = false;
  for (Operation &op : llvm::make_early_inc_range(context.block)) {
    if (op.use_empty())
      continue;
    if (auto demux = dyn_cast<DemuxOp>(op)) {
      changed |= repeatedSum(context, demux);
      continue;
    }
    Value value = ofConstant(context, &op);
    if (auto add = dyn_cast<arith::AddIOp>(op); add && !value)
      value = outOfSum(context, add);
    if (!value)
      continue;
    op.getResult(0).replaceAllUsesWith(value);
    changed = true;
  }
  return changed;
}
