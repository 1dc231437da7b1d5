// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tail-rings: two order rings of a loop with the same feedback become one, that
// with the later first token: the rings of the two tails (writes, and reads
// with them) of a partition when every iteration ends with a write.
//
// Both rings have the same number of tokens, and the same tokens but for the
// first of an activation. The first of the one that stays is implied by the
// other's (Implied.h): what used the other waits for more than before and for
// nothing less, so no pair of accesses loses its order. It doesn't wait for
// itself: the later first token comes before both rings in the order of the
// operations. Here events are added, to reads in the first iteration.

#include "Implied.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

/// Makes `gone` the ring `kept`, if the first token of `kept` says more.
static bool merge(CarryOp gone, CarryOp kept, Implied &implied) {
  Operation *init = kept.getInit().getDefiningOp();
  if (init && !init->isBeforeInBlock(gone))
    return false;
  if (kept.getInit() != gone.getInit() &&
      !implied(kept.getInit(), gone.getInit()))
    return false;
  if (gone->isBeforeInBlock(kept))
    kept->moveBefore(gone);
  replace(gone, kept.getResult());
  implied = Implied();
  return true;
}

bool rewrite::mergeTailRings(Context &context) {
  bool changed = false;
  Implied implied;
  DenseMap<std::pair<Value, Value>, CarryOp> rings; // by phase and feedback
  for (Operation &op : llvm::make_early_inc_range(context.block)) {
    auto carry = dyn_cast<CarryOp>(op);
    if (!carry || !isa<NoneType>(carry.getType()))
      continue;
    CarryOp &other = rings[{carry.getPhase(), carry.getNext()}];
    if (!other) {
      other = carry;
      continue;
    }
    if (merge(carry, other, implied)) {
      changed = true;
    } else if (merge(other, carry, implied)) {
      other = carry;
      changed = true;
    }
  }
  return changed;
}
