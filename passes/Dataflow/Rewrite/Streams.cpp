// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// streams: a counter that is only ever multiplied by constants counts in
// multiples of the smallest of them, when it divides the others:
// (stream a, n, s) * g -> stream a*g, n*g, s*g.
//
// The new counter emits g times what the old one did, and the same phase, if no
// multiple of a value that the old one compares wraps: a counter from a below a
// limit of n with a step of s > 0 compares values from a to n - 1 + s. These
// bounds are known for constants and for limits that are extensions; a product
// that may wrap keeps the stream as it is.

#include "Linear.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

/// The multiplier to count in, and all the products; 0: none.
static int64_t findFactor(StreamOp stream,
                          SmallVectorImpl<Operation *> &users) {
  int64_t factor = 0;
  for (Operation *user : stream.getIv().getUsers()) {
    auto product = asProduct(user);
    if (!product || product->x != stream.getIv())
      return 0;
    int64_t c = product->bits.getSExtValue();
    if (c < 2)
      return 0;
    factor = factor == 0 ? c : std::min(factor, c);
    users.push_back(user);
  }
  for (Operation *user : users)
    if (asProduct(user)->bits.getSExtValue() % factor != 0)
      return 0;
  return factor;
}

static bool scale(Context &context, StreamOp stream) {
  SmallVector<Operation *> users;
  std::optional<llvm::APInt> init = constantBits(stream.getInit());
  std::optional<llvm::APInt> step = constantBits(stream.getStep());
  if (!init || !step || stream.getKind() != StepKind::Add ||
      (stream.getPred() != Predicate::SLT &&
       stream.getPred() != Predicate::ULT))
    return false;
  std::optional<Bounds> limit = boundsOf(stream.getLimit());
  __int128 factor = findFactor(stream, users);
  if (factor == 0 || !limit || step->getSExtValue() <= 0 ||
      (stream.getPred() == Predicate::ULT &&
       (limit->lo < 0 || init->isNegative())))
    return false;
  unsigned width = init->getBitWidth();
  __int128 top = (__int128(1) << (width - 1)) - 1;
  __int128 last = std::max(limit->hi - 1, __int128(init->getSExtValue())) +
                  step->getSExtValue();
  if (factor * last > top || factor * limit->hi > top ||
      factor * limit->lo < -top || factor * init->getSExtValue() < -top)
    return false;
  llvm::APInt by(width, static_cast<uint64_t>(factor));
  Value trigger = triggerOf(stream.getInit());
  stream.getInitMutable().assign(
      makeConstant(context, stream, trigger, *init * by));
  stream.getStepMutable().assign(
      makeConstant(context, stream, trigger, *step * by));
  if (std::optional<llvm::APInt> bits = constantBits(stream.getLimit()))
    stream.getLimitMutable().assign(
        makeConstant(context, stream, trigger, *bits * by));
  else
    stream.getLimitMutable().assign(
        makeProduct(context, stream, stream.getLimit(), by, trigger));
  for (Operation *user : users) {
    auto product = *asProduct(user);
    replace(user, makeProduct(context, user, stream.getIv(),
                              product.bits.udiv(by), product.trigger));
  }
  return true;
}

bool rewrite::scaleStreams(Context &context) {
  bool changed = false;
  SmallVector<StreamOp> streams;
  for (Operation &op : context.block)
    if (auto stream = dyn_cast<StreamOp>(op))
      streams.push_back(stream);
  for (StreamOp stream : streams)
    if (!stream.getIv().use_empty())
      changed |= scale(context, stream);
  return changed;
}
