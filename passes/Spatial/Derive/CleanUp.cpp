// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spatial warns about writes that nobody reads and values that nobody uses; an
// app has neither. Constants that its rewrite rules or its code generator get
// wrong are moved into host registers, where it can't see them.

#include "Deriver.h"
#include "loom/Spatial/Derive/Derive.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include <map>
#include <vector>

using namespace mlir;
using namespace loom::spatial;

namespace {

bool isEmpty(Region &region) {
  return region.empty() || region.front().empty();
}

bool isUseless(Operation *op) {
  if (isa<ReadOp, RegReadOp, SramOp>(op) ||
      (op->getNumRegions() == 0 && isMemoryEffectFree(op)))
    return op->use_empty() && op->getNumResults() > 0;
  if (auto pipe = dyn_cast<PipeOp>(op))
    return isEmpty(pipe.getBody());
  if (auto loop = dyn_cast<ForeachOp>(op))
    return isEmpty(loop.getBody());
  if (auto branch = dyn_cast<IfOp>(op))
    return isEmpty(branch.getThenRegion()) && isEmpty(branch.getElseRegion());
  return false;
}

/// Erases what nobody needs; true if there was something.
bool sweep(AppOp app) {
  std::vector<Operation *> all;
  app.getBody().walk([&](Operation *op) { all.push_back(op); });
  bool changed = false;
  for (auto it = all.rbegin(); it != all.rend(); ++it) {
    Operation *op = *it;
    if (isa<RegOp>(op)) {
      if (llvm::any_of(op->getUsers(),
                       [](Operation *user) { return isa<RegReadOp>(user); }))
        continue;
      // Later in the list than their register: the writes are still there.
      for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
        user->erase();
      op->erase();
      return true;
    }
    if (isUseless(op)) {
      op->erase();
      changed = true;
    }
  }
  return changed;
}

/// A value in the accelerator that reads a constant from the host.
Value fromHost(AppOp app, std::map<std::pair<unsigned, int64_t>, Value> &known,
               unsigned width, int64_t bits) {
  Value &value = known[{width, bits}];
  if (value)
    return value;
  OpBuilder b(app.getContext());
  Block &host = app.getBody().front();
  Operation *accel = &host.back();
  b.setInsertionPoint(accel);
  Type type = b.getIntegerType(width);
  Value reg = ArgInOp::create(b, app.getLoc(),
                              RegType::get(b.getContext(), type), bits);
  Block &body = cast<AccelOp>(accel).getBody().front();
  Operation *first = &body.front();
  while (isa<SramOp, LoadOp>(first))
    first = first->getNextNode();
  b.setInsertionPoint(first);
  value = RegReadOp::create(b, app.getLoc(), type, reg);
  return value;
}

void hideConstants(AppOp app) {
  std::map<std::pair<unsigned, int64_t>, Value> known;
  std::vector<arith::ConstantOp> zeros;
  std::vector<Operation *> products;
  app.getBody().walk([&](Operation *op) {
    if (auto literal = dyn_cast<arith::ConstantOp>(op)) {
      auto number = dyn_cast<FloatAttr>(literal.getValue());
      if (number && number.getValue().isZero())
        zeros.push_back(literal);
    }
    // A remainder is spelled with a product.
    if (isa<arith::MulIOp, arith::RemSIOp, arith::RemUIOp>(op))
      products.push_back(op);
  });
  for (arith::ConstantOp zero : zeros) {
    // A zero literal comes out with the wrong sign.
    unsigned width = zero.getType().getIntOrFloatBitWidth();
    Value bits = fromHost(app, known, width, 0);
    OpBuilder b(app.getContext());
    b.setInsertionPointAfterValue(bits);
    Value plain =
        arith::BitcastOp::create(b, zero.getLoc(), zero.getType(), bits);
    if (cast<FloatAttr>(zero.getValue()).getValue().isNegative())
      plain = arith::NegFOp::create(b, zero.getLoc(), plain);
    zero.getResult().replaceAllUsesWith(plain);
    zero.erase();
  }
  for (Operation *product : products) {
    // Only the low half of a wide factor is looked at.
    APInt factor;
    if (!product->getResult(0).getType().isInteger(64))
      continue;
    for (OpOperand &operand : product->getOpOperands())
      if ((isa<arith::MulIOp>(product) || operand.getOperandNumber() == 1) &&
          matchPattern(operand.get(), m_ConstantInt(&factor)) &&
          !factor.isSignedIntN(32) && !factor.isPowerOf2())
        operand.set(fromHost(app, known, 64, factor.getSExtValue()));
  }
}

/// Spatial merges a chain of arithmetic right shifts without looking at the
/// width.
void mergeShifts(AppOp app) {
  app.getBody().walk([&](arith::ShRSIOp outer) {
    APInt far, near;
    auto inner = outer.getLhs().getDefiningOp<arith::ShRSIOp>();
    unsigned width = outer.getType().getIntOrFloatBitWidth();
    if (!inner || !matchPattern(outer.getRhs(), m_ConstantInt(&far)) ||
        !matchPattern(inner.getRhs(), m_ConstantInt(&near)))
      return;
    uint64_t sum = far.getLimitedValue(width) + near.getLimitedValue(width);
    OpBuilder b(outer);
    Value amount = arith::ConstantOp::create(
        b, outer.getLoc(),
        b.getIntegerAttr(outer.getType(),
                         int64_t(std::min<uint64_t>(sum, width - 1))));
    outer->setOperands({inner.getLhs(), amount});
  });
}

/// Folds scalar operations: what became constant here is printed as a literal.
void fold(AppOp app) {
  std::vector<Operation *> all;
  app.getBody().walk([&](Operation *op) {
    if (op->getNumResults() == 1 && op->getNumOperands() > 0 &&
        op->getDialect()->getNamespace() == "arith")
      all.push_back(op);
  });
  for (Operation *op : all) {
    std::vector<Attribute> operands(op->getNumOperands());
    for (auto [index, value] : llvm::enumerate(op->getOperands()))
      matchPattern(value, m_Constant(&operands[index]));
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.size() != 1)
      continue;
    Value value = dyn_cast<Value>(results.front());
    if (!value) {
      auto literal = dyn_cast<TypedAttr>(cast<Attribute>(results.front()));
      if (!literal || literal.getType() != op->getResult(0).getType())
        continue;
      OpBuilder b(op);
      value = arith::ConstantOp::create(b, op->getLoc(), literal);
    }
    if (value.getType() == op->getResult(0).getType())
      op->getResult(0).replaceAllUsesWith(value);
  }
}

} // namespace

void loom::spatial::cleanUp(AppOp app) {
  while (sweep(app))
    ;
  fold(app);
  mergeShifts(app);
  hideConstants(app);
  IRRewriter rewriter(app.getContext());
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, app);
  while (sweep(app))
    ;
}
