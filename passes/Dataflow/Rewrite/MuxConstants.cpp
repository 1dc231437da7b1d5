// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mux-constants: a computation of a mux of constants is a mux of the computed
// constants; a mux of equal constants is the constant; an i1 mux of constants
// that differ in one lane is a comparison of the selector with that lane.
//
// A mux emits one token per selector token, the constant of its lane; so does
// what replaces it. The lanes' constants are triggered in the lanes, by what a
// demux of the same selector made of one token: that token comes as often as
// the selector. A mux of equal constants no longer waits for the selector,
// which is data (mayRelease keeps the completion).

#include "Cover.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

/// The constants of all lanes; empty if one isn't.
static SmallVector<llvm::APInt> laneConstants(MuxOp mux) {
  SmallVector<llvm::APInt> constants;
  for (Value lane : mux.getLanes()) {
    std::optional<llvm::APInt> bits = constantBits(lane);
    if (!bits)
      return {};
    constants.push_back(*bits);
  }
  return constants;
}

/// What is demuxed into all the lanes as their trigger; null: something else.
static Value commonTrigger(MuxOp mux) {
  Value common;
  for (auto [k, lane] : llvm::enumerate(mux.getLanes())) {
    Value trigger = triggerOf(lane);
    auto demux = trigger.getDefiningOp<DemuxOp>();
    if (!demux || demux.getSelector() != mux.getSelector() ||
        cast<OpResult>(trigger).getResultNumber() != k ||
        (common && demux.getValue() != common))
      return {};
    common = demux.getValue();
  }
  return common;
}

/// The mux without its computations. Null: stays.
static Value simplify(Context &context, MuxOp mux,
                      ArrayRef<llvm::APInt> constants) {
  Value selector = mux.getSelector(), trigger = commonTrigger(mux);
  if (llvm::all_equal(constants)) {
    if (!trigger || !mayRelease(context, selector, mux))
      return {};
    return makeConstant(context, mux, trigger, constants.front());
  }
  if (!mux.getType().isInteger(1))
    return {};
  if (constants.size() == 2 && constants[1].isOne())
    return selector;
  // One lane against all others.
  for (bool odd : {true, false}) {
    if (llvm::count(constants, llvm::APInt(1, odd)) != 1)
      continue;
    size_t lane =
        llvm::find(constants, llvm::APInt(1, odd)) - constants.begin();
    if (!trigger)
      return {};
    unsigned width = selector.getType().getIntOrFloatBitWidth();
    Value number =
        makeConstant(context, mux, trigger, llvm::APInt(width, lane));
    return arith::CmpIOp::create(context.b, mux.getLoc(),
                                 odd ? arith::CmpIPredicate::eq
                                     : arith::CmpIPredicate::ne,
                                 selector, number);
  }
  return {};
}

/// The computation of one lane, or nothing.
static std::optional<llvm::APInt> compute(Operation *op, unsigned operand,
                                          const llvm::APInt &bits) {
  SmallVector<Attribute> operands;
  for (OpOperand &use : op->getOpOperands()) {
    if (use.getOperandNumber() == operand) {
      operands.push_back(IntegerAttr::get(use.get().getType(), bits));
      continue;
    }
    if (!constantBits(use.get()))
      return std::nullopt;
    operands.push_back(use.get().getDefiningOp<ConstantOp>().getValue());
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return std::nullopt;
  auto folded =
      dyn_cast_or_null<IntegerAttr>(dyn_cast<Attribute>(results.front()));
  if (!folded || folded.getType() != op->getResult(0).getType())
    return std::nullopt;
  return folded.getValue();
}

/// Makes a computation of the mux, its only use, part of its lanes.
static bool pullIn(Context &context, MuxOp mux,
                   ArrayRef<llvm::APInt> constants) {
  if (!llvm::hasSingleElement(mux->getUses()))
    return false;
  OpOperand &use = *mux->getUses().begin();
  Operation *op = use.getOwner();
  if (isa<DataflowDialect>(op->getDialect()) || op->getNumResults() != 1 ||
      op->getNumOperands() > 2 ||
      !op->getResult(0).getType().isSignlessInteger())
    return false;
  SmallVector<Value> lanes;
  SmallVector<llvm::APInt> computed;
  for (const llvm::APInt &bits : constants) {
    std::optional<llvm::APInt> lane = compute(op, use.getOperandNumber(), bits);
    if (!lane)
      return false;
    computed.push_back(*lane);
  }
  for (auto [lane, bits] : llvm::zip(mux.getLanes(), computed))
    lanes.push_back(makeConstant(context, mux, triggerOf(lane), bits));
  context.b.setInsertionPoint(mux);
  replace(op, MuxOp::create(context.b, mux.getLoc(), op->getResult(0).getType(),
                            mux.getSelector(), lanes)
                  ->getResults());
  return true;
}

bool rewrite::foldMuxConstants(Context &context) {
  bool changed = false;
  SmallVector<MuxOp> muxes;
  for (Operation &op : context.block)
    if (auto mux = dyn_cast<MuxOp>(op))
      muxes.push_back(mux);
  for (MuxOp mux : muxes) {
    SmallVector<llvm::APInt> constants = laneConstants(mux);
    if (constants.empty())
      continue;
    if (pullIn(context, mux, constants)) {
      mux->erase();
      changed = true;
    } else if (Value value = simplify(context, mux, constants)) {
      replace(mux, value);
      changed = true;
    }
  }
  return changed;
}
