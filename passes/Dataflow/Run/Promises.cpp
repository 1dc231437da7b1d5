// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation promises about its operands: broken, the result is poison.
// The folders of MLIR ignore most of these.

#include "Compute.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace loom::run;

namespace {
/// The operands as integers, where they are.
struct Numbers {
  Numbers(Operation *op, ArrayRef<Lane> operands)
      : width(laneWidth(op->getOperand(0).getType())),
        a(width, operands[0].bits),
        b(width, operands.size() > 1 ? operands[1].bits : 0,
          /*isSigned=*/false, /*implicitTrunc=*/true) {}
  unsigned width;
  APInt a, b;
};
} // namespace

static bool has(arith::IntegerOverflowFlags flags,
                arith::IntegerOverflowFlags flag) {
  return arith::bitEnumContainsAll(flags, flag);
}

// Signed and unsigned overflow of the operations that have both flags.
template <typename SignedCheck, typename UnsignedCheck>
static bool overflows(arith::IntegerOverflowFlags flags, SignedCheck isSigned,
                      UnsignedCheck isUnsigned) {
  return (has(flags, arith::IntegerOverflowFlags::nsw) && isSigned()) ||
         (has(flags, arith::IntegerOverflowFlags::nuw) && isUnsigned());
}

static bool breaksTrunc(arith::TruncIOp op, const APInt &a) {
  unsigned to = op.getType().getIntOrFloatBitWidth();
  return overflows(
      op.getOverflowFlags(),
      [&] { return a.trunc(to).sext(a.getBitWidth()) != a; },
      [&] { return a.trunc(to).zext(a.getBitWidth()) != a; });
}

// A float outside of the integers of the result.
static bool outOfRange(Operation *op, Lane lane, bool isSigned) {
  auto type = cast<FloatType>(op->getOperand(0).getType());
  APFloat value(type.getFloatSemantics(), APInt(type.getWidth(), lane.bits));
  APSInt integer(laneWidth(op->getResult(0).getType()), !isSigned);
  bool exact = false;
  return value.convertToInteger(integer, APFloat::rmTowardZero, &exact) &
         APFloat::opInvalidOp;
}

bool loom::run::breaksPromise(Operation *op, ArrayRef<Lane> operands) {
  if (llvm::any_of(operands, [](Lane lane) { return lane.poison; }))
    return false;
  if (isa<arith::FPToSIOp>(op))
    return outOfRange(op, operands[0], /*isSigned=*/true);
  if (isa<arith::FPToUIOp>(op))
    return outOfRange(op, operands[0], /*isSigned=*/false);
  if (!isa<arith::ArithDialect>(op->getDialect()) ||
      !op->getOperand(0).getType().isIntOrIndex())
    return false;
  Numbers n(op, operands);
  const APInt &a = n.a, &b = n.b;
  bool lost = false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](arith::AddIOp add) {
        return overflows(
            add.getOverflowFlags(),
            [&] { return (void)a.sadd_ov(b, lost), lost; },
            [&] { return (void)a.uadd_ov(b, lost), lost; });
      })
      .Case([&](arith::SubIOp sub) {
        return overflows(
            sub.getOverflowFlags(),
            [&] { return (void)a.ssub_ov(b, lost), lost; },
            [&] { return (void)a.usub_ov(b, lost), lost; });
      })
      .Case([&](arith::MulIOp mul) {
        return overflows(
            mul.getOverflowFlags(),
            [&] { return (void)a.smul_ov(b, lost), lost; },
            [&] { return (void)a.umul_ov(b, lost), lost; });
      })
      .Case([&](arith::ShLIOp shl) {
        return b.uge(n.width) ||
               overflows(
                   shl.getOverflowFlags(),
                   [&] { return (void)a.sshl_ov(b, lost), lost; },
                   [&] { return (void)a.ushl_ov(b, lost), lost; });
      })
      .Case([&](arith::TruncIOp trunc) { return breaksTrunc(trunc, a); })
      .Case([&](arith::ShRSIOp shr) {
        return b.uge(n.width) ||
               (shr.getIsExact() && a.countr_zero() < b.getZExtValue() &&
                !a.isZero());
      })
      .Case([&](arith::ShRUIOp shr) {
        return b.uge(n.width) ||
               (shr.getIsExact() && a.countr_zero() < b.getZExtValue() &&
                !a.isZero());
      })
      .Case([&](arith::DivSIOp div) {
        return div.getIsExact() && !b.isZero() && !a.srem(b).isZero();
      })
      .Case([&](arith::DivUIOp div) {
        return div.getIsExact() && !b.isZero() && !a.urem(b).isZero();
      })
      .Default([](Operation *) { return false; });
}
