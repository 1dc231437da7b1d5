// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms.h"
#include "loom/Structured/Views/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace loom;
using namespace loom::schedule;
using llvm::APInt;

LogicalResult loom::schedule::unroll(scf::ForOp loop, uint64_t factor) {
  return LogicalResult(loopUnrollByFactor(loop, factor));
}

/// Of a sum that is at most `StaticLoop::end`, which is representable in the
/// order by which the loop compares.
static arith::IntegerOverflowFlags neverWraps(scf::ForOp loop) {
  return loop.getUnsignedCmp() ? arith::IntegerOverflowFlags::nuw
                               : arith::IntegerOverflowFlags::nsw;
}

LogicalResult loom::schedule::tile(scf::ForOp loop, const StaticLoop &bounds,
                                   uint64_t factor) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(loop.getInductionVar().getType(), value));
  };
  APInt block = bounds.step * factor;
  Value blockStep = constant(block);
  Value end = constant(bounds.end());
  auto outer =
      scf::ForOp::create(builder, loc, loop.getLowerBound(), end, blockStep,
                         loop.getInitArgs(), nullptr, loop.getUnsignedCmp());
  // Without carried values the builder makes the terminator.
  if (!loop.getInitArgs().empty())
    builder.setInsertionPointToEnd(outer.getBody());
  else
    builder.setInsertionPoint(outer.getBody()->getTerminator());
  Value blockEnd = arith::AddIOp::create(builder, loc, outer.getInductionVar(),
                                         blockStep, neverWraps(loop));
  IRMapping mapping;
  auto inner = cast<scf::ForOp>(builder.clone(*loop, mapping));
  inner.setLowerBound(outer.getInductionVar());
  inner.setUpperBound(blockEnd);
  inner.getInitArgsMutable().assign(outer.getRegionIterArgs());
  if (!loop.getInitArgs().empty())
    scf::YieldOp::create(builder, loc, inner.getResults());
  loop.replaceAllUsesWith(outer.getResults());
  loop.erase();
  return success();
}

/// An operation that each lane may have for itself: what it reads and writes
/// the views describe, and it ends.
static bool isOfOneLane(Operation &op) {
  return !op.walk([](Operation *each) {
              bool plain = isa<scf::IfOp>(each) || isMemoryEffectFree(each);
              if (auto load = dyn_cast<LLVM::LoadOp>(each))
                plain = !load.getVolatile_() &&
                        load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
              if (auto store = dyn_cast<LLVM::StoreOp>(each))
                plain = !store.getVolatile_() &&
                        store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
              if (isa<LoopLikeOpInterface>(each))
                plain = false;
              return plain ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

bool loom::schedule::isJamShape(scf::ForOp loop) {
  if (loop.getNumResults() != 0)
    return false;
  scf::ForOp inner;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto nested = dyn_cast<scf::ForOp>(op)) {
      if (inner)
        return false;
      inner = nested;
    } else if (!isOfOneLane(op)) {
      return false;
    }
  }
  return inner && inner.getNumResults() == 0 &&
         llvm::all_of(
             ValueRange{inner.getLowerBound(), inner.getUpperBound(),
                        inner.getStep()},
             [&](Value value) { return loop.isDefinedOutsideOfLoop(value); });
}

LogicalResult loom::schedule::unrollAndJam(scf::ForOp loop,
                                           const StaticLoop &bounds,
                                           uint64_t factor) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type type = loop.getInductionVar().getType();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  SmallVector<Value> offsets;
  for (uint64_t lane = 0; lane != factor; ++lane)
    offsets.push_back(constant(bounds.step * lane));
  Value end = constant(bounds.end());
  auto outer = scf::ForOp::create(builder, loc, loop.getLowerBound(), end,
                                  constant(bounds.step * factor), ValueRange(),
                                  nullptr, loop.getUnsignedCmp());
  builder.setInsertionPoint(outer.getBody()->getTerminator());
  SmallVector<IRMapping> lanes(factor);
  for (auto [mapping, offset] : llvm::zip(lanes, offsets))
    mapping.map(loop.getInductionVar(),
                arith::AddIOp::create(builder, loc, outer.getInductionVar(),
                                      offset, neverWraps(loop)));
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto inner = dyn_cast<scf::ForOp>(op);
    if (!inner) {
      for (IRMapping &mapping : lanes)
        builder.clone(op, mapping);
      continue;
    }
    auto shared = scf::ForOp::create(
        builder, inner.getLoc(), inner.getLowerBound(), inner.getUpperBound(),
        inner.getStep(), ValueRange(), nullptr, inner.getUnsignedCmp());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(shared.getBody()->getTerminator());
    for (IRMapping &mapping : lanes) {
      mapping.map(inner.getInductionVar(), shared.getInductionVar());
      for (Operation &each : inner.getBody()->without_terminator())
        builder.clone(each, mapping);
    }
  }
  loop.erase();
  return success();
}

std::string loom::schedule::dependsBetweenIterations(scf::ForOp loop) {
  auto region = loop->getParentOfType<SpatialRegionOp>();
  if (!region)
    return "the loop is in no region";
  views::RegionViews result = views::analyzeRegion(region);
  // Loops are numbered in the order of a walk, as the view walks them.
  unsigned number = 0, found = ~0u;
  region->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::ForOp, scf::WhileOp>(op))
      return;
    if (op == loop.getOperation())
      found = number;
    ++number;
  });
  if (found >= result.dependence.loops.size())
    return "the view does not list the loop";
  const views::LoopVerdict &verdict = result.dependence.loops[found];
  if (verdict.admission == views::Admission::ProvenIndependent)
    return {};
  return (views::nameOf(verdict.admission) + ": " + verdict.why).str();
}
