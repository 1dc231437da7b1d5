// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar operations: those that an app has are cloned, some are expanded, all
// others are refused.

#include "Deriver.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace loom;
using namespace loom::spatial;

namespace {

/// Operations that the emitter spells.
bool isNative(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
             arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRSIOp,
             arith::ShRUIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp,
             arith::MaxUIOp, arith::CmpIOp, arith::SelectOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp, arith::AddFOp, arith::SubFOp,
             arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::CmpFOp,
             arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
             arith::ExtFOp, arith::TruncFOp, arith::BitcastOp, math::AbsIOp,
             math::SqrtOp>(op);
}

} // namespace

Value Deriver::constant(Type type, int64_t value, Location loc) {
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  unsigned width = type.getIntOrFloatBitWidth();
  return arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(type, APInt(64, uint64_t(value)).trunc(width)));
}

/// Arithmetic on single bits, as logic; null if there is no such thing.
Value Deriver::logic(Operation *op) {
  Location loc = op->getLoc();
  Value x = get(op->getOperand(0)), y = get(op->getOperand(1));
  auto inverse = [&](Value v) -> Value {
    return arith::XOrIOp::create(b, loc, v, constant(b.getI1Type(), 1, loc));
  };
  auto both = [&](Value v, Value w) -> Value {
    return arith::AndIOp::create(b, loc, v, w);
  };
  auto either = [&](Value v, Value w) -> Value {
    return arith::OrIOp::create(b, loc, v, w);
  };
  if (isa<arith::AddIOp, arith::SubIOp, arith::XOrIOp>(op))
    return arith::XOrIOp::create(b, loc, x, y);
  // As numbers the bits are 0 and 1 without sign, 0 and -1 with it.
  if (isa<arith::MulIOp, arith::AndIOp, arith::MinUIOp, arith::MaxSIOp>(op))
    return both(x, y);
  if (isa<arith::OrIOp, arith::MaxUIOp, arith::MinSIOp>(op))
    return either(x, y);
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return Value();
  using P = arith::CmpIPredicate;
  switch (compare.getPredicate()) {
  case P::eq:
    return inverse(arith::XOrIOp::create(b, loc, x, y));
  case P::ne:
    return arith::XOrIOp::create(b, loc, x, y);
  case P::ult:
  case P::sgt:
    return both(inverse(x), y);
  case P::ugt:
  case P::slt:
    return both(x, inverse(y));
  case P::ule:
  case P::sge:
    return either(inverse(x), y);
  case P::uge:
  case P::sle:
    return either(x, inverse(y));
  }
  return Value();
}

LogicalResult Deriver::compute(Operation *op) {
  Location loc = op->getLoc();
  auto unknown = [&]() {
    return refuse(RefusalKind::SpatialOp, op->getName().getStringRef(), loc);
  };
  if (op->getNumResults() != 1 || op->getNumRegions() ||
      !isMemoryEffectFree(op))
    return unknown();
  Value result = op->getResult(0);
  // The selector of a switch keeps its integer type.
  if (isa<arith::IndexCastUIOp>(op) && result.getType().isIndex()) {
    if (failed(checkType(op->getOperand(0), loc)))
      return failure();
    values.map(result, get(op->getOperand(0)));
    return success();
  }
  if (failed(checkType(result, loc)))
    return failure();
  for (Value operand : op->getOperands())
    if (failed(checkType(operand, loc)))
      return failure();

  Value mapped;
  if (isa<LLVM::PoisonOp, LLVM::UndefOp, LLVM::ZeroOp, ub::PoisonOp>(op)) {
    mapped = constant(result.getType(), 0, loc);
  } else if (isa<LLVM::FreezeOp>(op)) {
    mapped = get(op->getOperand(0));
  } else if (auto literal = dyn_cast<arith::ConstantOp>(op)) {
    if (auto number = dyn_cast<FloatAttr>(literal.getValue()))
      if (number.getValue().isNaN())
        return refuse(RefusalKind::SpatialOp, "a NaN constant", loc);
    mapped = b.clone(*op)->getResult(0);
  } else if (isNative(op)) {
    bool onBits = op->getOperand(0).getType().isInteger(1);
    bool widens = isa<arith::SIToFPOp, arith::UIToFPOp>(op);
    bool toBits = isa<arith::FPToSIOp, arith::FPToUIOp>(op) &&
                  result.getType().isInteger(1);
    if (toBits || (isa<arith::BitcastOp>(op) && onBits))
      return unknown();
    if (onBits && widens) {
      Value wide = isa<arith::SIToFPOp>(op)
                       ? arith::ExtSIOp::create(b, loc, b.getI32Type(),
                                                get(op->getOperand(0)))
                             .getResult()
                       : arith::ExtUIOp::create(b, loc, b.getI32Type(),
                                                get(op->getOperand(0)))
                             .getResult();
      mapped = arith::SIToFPOp::create(b, loc, result.getType(), wide);
    } else if (onBits && op->getNumOperands() == 2) {
      mapped = logic(op);
    } else if (onBits && isa<math::AbsIOp>(op)) {
      mapped = get(op->getOperand(0));
    } else {
      mapped = b.clone(*op, values)->getResult(0);
    }
  } else if (isa<FloatType>(result.getType())) {
    mapped = expandFloat(op);
  } else if (!result.getType().isInteger(1)) {
    mapped = expand(op);
  }
  if (!mapped)
    return unknown();
  values.map(result, mapped);
  return success();
}
