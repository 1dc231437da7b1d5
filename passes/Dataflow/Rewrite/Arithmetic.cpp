// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// arithmetic: computations that do nothing, and widenings that are undone:
// x + 0, x * 1, trunc of an extension, comparison of an extension with a
// constant that the narrow type has, narrow results of a wide selection.
//
// Each is an identity of modular arithmetic, token by token. What is no longer
// consumed is a constant, or data that is consumed by the same actors otherwise
// (select c, x, x excepted: mayRelease).

#include "Cover.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

/// x, if the operation does nothing to it.
static Value sameAs(Context &context, Operation *op) {
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (select.getTrueValue() == select.getFalseValue() &&
        mayRelease(context, select.getCondition(), op))
      return select.getTrueValue();
    return {};
  }
  if (op->getNumOperands() != 2)
    return {};
  std::optional<llvm::APInt> right = constantBits(op->getOperand(1));
  if (right && right->isZero() &&
      isa<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::XOrIOp,
          arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return op->getOperand(0);
  if (right && right->isOne() &&
      isa<arith::MulIOp, arith::DivUIOp, arith::DivSIOp>(op) &&
      right->getBitWidth() > 1)
    return op->getOperand(0);
  if (right && right->isAllOnes() && isa<arith::AndIOp>(op))
    return op->getOperand(0);
  std::optional<llvm::APInt> left = constantBits(op->getOperand(0));
  if (left && left->isZero() &&
      isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp>(op))
    return op->getOperand(1);
  if (left && left->isOne() && left->getBitWidth() > 1 &&
      isa<arith::MulIOp>(op))
    return op->getOperand(1);
  return {};
}

/// trunc (ext x)
static Value undoExtension(Context &context, arith::TruncIOp trunc) {
  Operation *ext = trunc.getIn().getDefiningOp();
  if (!ext || !isa<arith::ExtUIOp, arith::ExtSIOp>(ext))
    return {};
  Value narrow = ext->getOperand(0);
  Type type = trunc.getType();
  unsigned from = narrow.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return narrow;
  context.b.setInsertionPoint(trunc);
  Location loc = trunc.getLoc();
  if (to < from)
    return arith::TruncIOp::create(context.b, loc, type, narrow);
  if (isa<arith::ExtUIOp>(ext))
    return arith::ExtUIOp::create(context.b, loc, type, narrow);
  return arith::ExtSIOp::create(context.b, loc, type, narrow);
}

/// ext (ext x), of the same kind
static Value joinExtensions(Context &context, Operation *op) {
  Operation *inner = op->getOperand(0).getDefiningOp();
  if (!inner || inner->getName() != op->getName())
    return {};
  context.b.setInsertionPoint(op);
  Type type = op->getResult(0).getType();
  if (isa<arith::ExtUIOp>(op))
    return arith::ExtUIOp::create(context.b, op->getLoc(), type,
                                  inner->getOperand(0));
  return arith::ExtSIOp::create(context.b, op->getLoc(), type,
                                inner->getOperand(0));
}

/// cmp (extui x), constant: in the narrow type. For i1, x or not x.
static Value narrowCompare(Context &context, arith::CmpIOp compare) {
  auto ext = compare.getLhs().getDefiningOp<arith::ExtUIOp>();
  std::optional<llvm::APInt> bits = constantBits(compare.getRhs());
  if (!ext || !bits)
    return {};
  arith::CmpIPredicate pred = compare.getPredicate();
  Value narrow = ext.getIn();
  unsigned width = narrow.getType().getIntOrFloatBitWidth();
  if (bits->getActiveBits() > width)
    return {};
  bool equality =
      pred == arith::CmpIPredicate::eq || pred == arith::CmpIPredicate::ne;
  if (!equality && pred != arith::CmpIPredicate::ult &&
      pred != arith::CmpIPredicate::ule && pred != arith::CmpIPredicate::ugt &&
      pred != arith::CmpIPredicate::uge)
    return {};
  if (width == 1 && equality &&
      bits->isOne() == (pred == arith::CmpIPredicate::eq))
    return narrow;
  Value constant = makeConstant(context, compare, triggerOf(compare.getRhs()),
                                bits->trunc(width));
  return arith::CmpIOp::create(context.b, compare.getLoc(), pred, narrow,
                               constant);
}

/// trunc (mux c, ext x, constant): a narrow mux. Every lane is an extension of
/// the narrow type or a constant.
static Value narrowMux(Context &context, arith::TruncIOp trunc) {
  auto mux = trunc.getIn().getDefiningOp<MuxOp>();
  if (!mux || !llvm::hasSingleElement(mux->getUses()))
    return {};
  Type type = trunc.getType();
  for (Value lane : mux.getLanes()) {
    Operation *ext = lane.getDefiningOp();
    bool narrow = ext && isa<arith::ExtUIOp, arith::ExtSIOp>(ext) &&
                  ext->getOperand(0).getType() == type;
    if (!narrow && !constantBits(lane))
      return {};
  }
  SmallVector<Value> lanes;
  for (Value lane : mux.getLanes()) {
    if (std::optional<llvm::APInt> bits = constantBits(lane))
      lanes.push_back(makeConstant(context, mux, triggerOf(lane),
                                   bits->trunc(type.getIntOrFloatBitWidth())));
    else
      lanes.push_back(lane.getDefiningOp()->getOperand(0));
  }
  context.b.setInsertionPoint(mux);
  return MuxOp::create(context.b, mux.getLoc(), type, mux.getSelector(), lanes);
}

static Value simplify(Context &context, Operation *op) {
  if (Value same = sameAs(context, op))
    return same;
  if (auto trunc = dyn_cast<arith::TruncIOp>(op)) {
    if (Value value = undoExtension(context, trunc))
      return value;
    return narrowMux(context, trunc);
  }
  if (isa<arith::ExtUIOp, arith::ExtSIOp>(op))
    return joinExtensions(context, op);
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return narrowCompare(context, compare);
  return {};
}

bool rewrite::simplifyArithmetic(Context &context) {
  bool changed = false;
  for (Operation &op : llvm::make_early_inc_range(context.block)) {
    if (isa<DataflowDialect>(op.getDialect()) || op.use_empty())
      continue;
    if (Value value = simplify(context, &op)) {
      op.getResult(0).replaceAllUsesWith(value);
      changed = true;
    }
  }
  return changed;
}
