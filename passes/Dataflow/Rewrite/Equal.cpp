// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// equal: of values that have the same tokens only the first is kept. That two
// values are equal is found by value numbering (Numbering.h), with these rules;
// each is a rewrite of its own when it runs alone.
//
// equal-actors. An actor is a function of its operands' sequences and has the
// events of its operands; so actors of one kind with equal operands are equal,
// a carry and an invariant by induction over the tokens. Two loads with equal
// address and permission read the same bytes: a store that may conflict is
// ordered before the permission, which is the same for both, or waits for them.
// What waited for the other's `done` waits for this one's. Only for streams
// this isn't done: loops that follow one another would share the count, and
// keep all its tokens meanwhile.
//
// identity-rings. A carry whose feedback is lane 1 of itself is an invariant:
// by induction every token is the first one. A sync of one control token is
// that token. Lane 0 of a demux by a counted phase, of what that phase repeats,
// is the repeated token itself: one per activation on both sides. It no longer
// waits for the end of the counting, which consists of nothing but data; a
// counted loop ends. The phase of another loop may depend on whether something
// ends: there the exit stays.
//
// passing-selections. mux c, (demux c, x) = x: token n of x goes into the lane
// that selector n names and is fetched from there. It no longer waits for c,
// which is data.
//
// Where a rewrite ends the waiting for data, mayRelease keeps the completion.

#include "Cover.h"
#include "Numbering.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

/// Whether `result`, of `op`, may be replaced by `leader` as far as the
/// completion is concerned.
static bool mayReplace(Context &context, const Numbering &numbering,
                       Operation *op, Value leader) {
  if (!context.hasReleasedReads)
    return true;
  Operation *other = leader.getDefiningOp();
  auto agree = [&](auto pair) {
    return numbering.leader(std::get<0>(pair)) ==
           numbering.leader(std::get<1>(pair));
  };
  // Equal actors: what has not become the same operand is given up.
  if (other && other->getName() == op->getName() &&
      other->getNumOperands() == op->getNumOperands() &&
      llvm::all_of(llvm::zip(op->getOperands(), other->getOperands()), agree))
    return llvm::all_of(llvm::zip(op->getOperands(), other->getOperands()),
                        [&](auto pair) {
                          return std::get<0>(pair) == std::get<1>(pair) ||
                                 mayRelease(context, std::get<0>(pair), op);
                        });
  if (isa<MuxOp, DemuxOp>(op)) // the value itself is consumed in its place
    return mayRelease(context, op->getOperand(0), op);
  return true;
}

static bool merge(Context &context, Numbering::Options options) {
  Numbering numbering(context, options);
  DenseMap<Value, Value> invariants; // of carries
  bool changed = false;
  for (Operation &op : llvm::make_early_inc_range(context.block)) {
    for (Value result : op.getResults()) {
      Value leader = numbering.leader(result);
      if (Value invariant = invariants.lookup(leader))
        leader = invariant;
      if (leader == result || result.use_empty() ||
          !mayReplace(context, numbering, &op, leader))
        continue;
      result.replaceAllUsesWith(leader);
      changed = true;
    }
    auto carry = dyn_cast<CarryOp>(op);
    if (!carry || carry->use_empty() || !numbering.isRepeating(carry))
      continue;
    context.b.setInsertionPoint(carry);
    auto invariant =
        InvariantOp::create(context.b, carry.getLoc(), carry.getType(),
                            carry.getPhase(), carry.getInit());
    invariants[carry.getResult()] = invariant.getResult();
    carry.getResult().replaceAllUsesWith(invariant.getResult());
    changed = true;
  }
  return changed;
}

bool rewrite::mergeEqual(Context &context) {
  return merge(context, {true, true, true});
}
bool rewrite::mergeActors(Context &context) {
  return merge(context, {true, false, false});
}
bool rewrite::dropIdentityRings(Context &context) {
  return merge(context, {false, true, false});
}
bool rewrite::dropPassingLanes(Context &context) {
  return merge(context, {false, false, true});
}
