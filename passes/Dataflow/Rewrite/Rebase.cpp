// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rebase: a counter that is only ever added to what the loop repeats counts
// from there: with b repeated,
//
//   stream a, n, s slt          -> stream b + a, b + n, s ne
//   iv + b                      -> iv
//   iv + b'                     -> iv + (b' - b)
//   iv * c + b'                 -> iv * c + (b' - b * c)
//
// where the differences are made once, outside, and repeated. The new counter
// emits b plus what the old one did, modulo 2^width: the identities hold. It
// stops after as many steps: with d = n - a known to be a multiple of s and not
// negative, the old one takes d / s steps; the new one is at b + n after d / s
// steps, and not before, because the multiples of s from 0 to d are different
// numbers modulo 2^width. So the phase is the same.
//
// The stream consumes b now; if the completion waits for a read by b, the phase
// has to be waited for (Cover.h).

#include "Cover.h"
#include "Linear.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

namespace {
/// A sum of the counter, or of a multiple, and of a repeated value.
struct Use {
  arith::AddIOp sum;
  Value counted;                       // the operand that isn't repeated
  Value base;                          // outside
  std::optional<WithConstant> product; // of the counter
};
} // namespace

static bool splitSum(Operation *op, Value counted, Value phase, Use &use) {
  use.sum = dyn_cast<arith::AddIOp>(op);
  use.counted = counted;
  if (!use.sum || use.sum.getLhs() == use.sum.getRhs())
    return false;
  Value other =
      use.sum.getLhs() == counted ? use.sum.getRhs() : use.sum.getLhs();
  Value from;
  use.base = repeatedOutside(other, &from);
  return use.base && from == phase;
}

/// All uses of the counter; false if one is of another kind.
static bool findUses(StreamOp stream, SmallVectorImpl<Use> &uses) {
  for (Operation *user : stream.getIv().getUsers()) {
    Use use;
    if (auto product = asProduct(user)) {
      for (Operation *outer : user->getUsers()) {
        use.product = product;
        if (!splitSum(outer, user->getResult(0), stream.getPhase(), use))
          return false;
        uses.push_back(use);
      }
      continue;
    }
    if (!splitSum(user, stream.getIv(), stream.getPhase(), use))
      return false;
    uses.push_back(use);
  }
  return true;
}

/// Whether the counter goes from init to limit in whole steps.
static bool isExact(StreamOp stream) {
  std::optional<llvm::APInt> init = constantBits(stream.getInit());
  std::optional<llvm::APInt> step = constantBits(stream.getStep());
  if (!init || !step || stream.getKind() != StepKind::Add ||
      stream.getPred() != Predicate::SLT || step->getSExtValue() <= 0)
    return false;
  std::optional<Bounds> limit = boundsOf(stream.getLimit());
  __int128 from = init->getSExtValue(), by = step->getSExtValue();
  __int128 top = __int128(1) << init->getBitWidth();
  if (!limit || limit->lo < from || limit->hi - from >= top)
    return false;
  if (limit->lo == limit->hi || by == 1)
    return (limit->lo - from) % by == 0 || by == 1;
  auto product = asProduct(stream.getLimit().getDefiningOp());
  return product && from % by == 0 && product->bits.getSExtValue() % by == 0;
}

static bool rebase(Context &context, StreamOp stream) {
  SmallVector<Use> uses;
  if (!isExact(stream) || !findUses(stream, uses) || uses.empty())
    return false;
  // The first plain sum decides.
  llvm::sort(uses, [](Use &a, Use &b) {
    return a.sum != b.sum && a.sum->isBeforeInBlock(b.sum);
  });
  Value base;
  for (const Use &use : uses)
    if (!use.product && bringBefore(use.base, stream)) {
      base = use.base;
      break;
    }
  if (!base)
    return false;
  for (const Use &use : uses)
    if (use.base.getType() != base.getType())
      return false;
  if (context.hasReleasedReads && !Cover().isCovered(stream.getPhase()))
    return false;
  Value trigger = triggerOf(stream.getInit());
  Location loc = stream.getLoc();
  Value phase = stream.getPhase();
  for (Use &use : uses) {
    if (!use.product && use.base == base) {
      use.sum.replaceAllUsesWith(stream.getIv());
      continue;
    }
    Operation *at = use.sum;
    Value old = use.product
                    ? makeProduct(context, at, base, use.product->bits, trigger)
                    : base;
    context.b.setInsertionPoint(at);
    Value rest = arith::SubIOp::create(context.b, loc, use.base, old);
    Value raw =
        InvariantOp::create(context.b, loc, rest.getType(), phase, rest);
    SmallVector<Type> types(2, rest.getType());
    Value lane =
        DemuxOp::create(context.b, loc, types, phase, raw).getLanes()[1];
    unsigned side = use.sum.getLhs() == use.counted ? 1 : 0;
    use.sum->setOperand(side, lane);
  }
  context.b.setInsertionPoint(stream);
  Value init =
      constantBits(stream.getInit())->isZero()
          ? base
          : arith::AddIOp::create(context.b, loc, base, stream.getInit());
  Value limit = arith::AddIOp::create(context.b, loc, base, stream.getLimit());
  stream.getInitMutable().assign(init);
  stream.getLimitMutable().assign(limit);
  stream.setPred(Predicate::NE);
  return true;
}

bool rewrite::rebaseStreams(Context &context) {
  bool changed = false;
  SmallVector<StreamOp> streams;
  for (Operation &op : context.block)
    if (auto stream = dyn_cast<StreamOp>(op))
      streams.push_back(stream);
  for (StreamOp stream : streams)
    if (!stream.getIv().use_empty())
      changed |= rebase(context, stream);
  return changed;
}
