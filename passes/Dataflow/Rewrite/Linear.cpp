// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Linear.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

static std::optional<WithConstant> split(Value x, Value constant) {
  std::optional<llvm::APInt> bits = constantBits(constant);
  if (!bits || constantBits(x))
    return std::nullopt;
  return WithConstant{x, *bits, triggerOf(constant)};
}

std::optional<WithConstant> rewrite::asSum(Operation *op) {
  if (auto sub = dyn_cast_or_null<arith::SubIOp>(op)) {
    auto parts = split(sub.getLhs(), sub.getRhs());
    if (parts)
      parts->bits.negate();
    return parts;
  }
  auto add = dyn_cast_or_null<arith::AddIOp>(op);
  if (!add)
    return std::nullopt;
  auto parts = split(add.getLhs(), add.getRhs());
  return parts ? parts : split(add.getRhs(), add.getLhs());
}

std::optional<WithConstant> rewrite::asProduct(Operation *op) {
  if (auto shift = dyn_cast_or_null<arith::ShLIOp>(op)) {
    auto parts = split(shift.getLhs(), shift.getRhs());
    if (!parts || parts->bits.uge(parts->bits.getBitWidth()))
      return std::nullopt;
    parts->bits = llvm::APInt::getOneBitSet(parts->bits.getBitWidth(),
                                            parts->bits.getZExtValue());
    return parts;
  }
  auto mul = dyn_cast_or_null<arith::MulIOp>(op);
  if (!mul)
    return std::nullopt;
  auto parts = split(mul.getLhs(), mul.getRhs());
  return parts ? parts : split(mul.getRhs(), mul.getLhs());
}

Value rewrite::makeSum(Context &context, Operation *at, Value x,
                       const llvm::APInt &bits, Value trigger) {
  if (bits.isZero())
    return x;
  Value constant = makeConstant(context, at, trigger, bits);
  return arith::AddIOp::create(context.b, at->getLoc(), x, constant);
}

Value rewrite::makeProduct(Context &context, Operation *at, Value x,
                           const llvm::APInt &bits, Value trigger) {
  if (bits.isOne())
    return x;
  Value constant = makeConstant(context, at, trigger, bits);
  return arith::MulIOp::create(context.b, at->getLoc(), x, constant);
}

bool rewrite::bringBefore(Value value, Operation *at, unsigned depth) {
  Operation *def = value.getDefiningOp();
  if (!def || def->isBeforeInBlock(at))
    return true;
  if (def == at || depth == 8)
    return false;
  for (OpOperand &operand : def->getOpOperands())
    if (!isFeedback(def, operand.getOperandNumber()) &&
        !bringBefore(operand.get(), at, depth + 1))
      return false;
  def->moveBefore(at);
  return true;
}

std::optional<Bounds> rewrite::boundsOf(Value value, unsigned depth) {
  if (std::optional<llvm::APInt> bits = constantBits(value))
    return Bounds{bits->getSExtValue(), bits->getSExtValue()};
  Operation *op = value.getDefiningOp();
  if (!op || depth == 8)
    return std::nullopt;
  Value phase;
  if (Value outside = repeatedOutside(value, &phase))
    return boundsOf(outside, depth + 1);
  if (auto demux = dyn_cast<DemuxOp>(op))
    return boundsOf(demux.getValue(), depth + 1);
  if (auto invariant = dyn_cast<InvariantOp>(op))
    return boundsOf(invariant.getInit(), depth + 1);
  if (auto product = asProduct(op)) {
    std::optional<Bounds> bounds = boundsOf(product->x, depth + 1);
    __int128 by = product->bits.getSExtValue();
    __int128 top = __int128(1) << (product->bits.getBitWidth() - 1);
    if (!bounds || by <= 0 || bounds->hi * by >= top || bounds->lo * by < -top)
      return std::nullopt;
    return Bounds{bounds->lo * by, bounds->hi * by};
  }
  if (!isa<arith::ExtUIOp, arith::ExtSIOp>(op))
    return std::nullopt;
  unsigned width = op->getOperand(0).getType().getIntOrFloatBitWidth();
  __int128 one = 1;
  if (isa<arith::ExtUIOp>(op))
    return Bounds{0, (one << width) - 1};
  return Bounds{-(one << (width - 1)), (one << (width - 1)) - 1};
}
