// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expansion, inner operations first.
//
// A parallel loop says that its points may run in any order: one after the
// other is one of them. So each point becomes a copy of the body with constants
// for its coordinates, the last dimension fastest, and a reduction combines the
// points in this order. A copy of memory becomes a loop over its elements: each
// is read and then written, in the order of the elements.

#include "Expand.h"
#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Support/SourceLine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace loom;
using namespace loom::lower;

static bool isExpanded(Operation *op) {
  return isa<scf::ExecuteRegionOp, scf::ParallelOp, scf::ForallOp,
             memref::CopyOp>(op);
}

bool lower::needsExpansion(SpatialRegionOp region) {
  return region.getBody()
      .walk([](Operation *op) {
        return isExpanded(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

/// One dimension of a parallel loop.
struct Range {
  int64_t lower, step;
  uint64_t count;
};

class Expander {
public:
  Expander(SpatialRegionOp region, SmallVectorImpl<Refused> &refusals)
      : region(region), refusals(refusals), b(region.getContext()) {}

  void run();

private:
  void refuse(Operation *op, const Twine &why) {
    refusals.push_back({RefusalKind::DataflowOp,
                        (op->getName().getStringRef() + " " + why).str(),
                        lineOf(op->getLoc())});
  }

  bool findRanges(Operation *op, SmallVector<Range> &ranges);
  uint64_t pointsOf(Operation *op);
  uint64_t sizeOf(Operation *op);
  void inlineOnce(scf::ExecuteRegionOp op);
  void replicate(Operation *op, ValueRange coordinates,
                 function_ref<void(IRMapping &)> atPoint);
  void expandParallel(scf::ParallelOp op);
  void expandForall(scf::ForallOp op);
  void expandCopy(memref::CopyOp op);

  SpatialRegionOp region;
  SmallVectorImpl<Refused> &refusals;
  OpBuilder b;
  DenseMap<Operation *, SmallVector<Range>> rangesOf;
};

} // namespace

/// The domain of a parallel loop, if it is fixed and small.
bool Expander::findRanges(Operation *op, SmallVector<Range> &ranges) {
  SmallVector<OpFoldResult> lower, upper, step;
  if (auto loop = dyn_cast<scf::ForallOp>(op)) {
    if (loop->getNumResults() != 0)
      return refuse(op, "with results"), false;
    lower = loop.getMixedLowerBound();
    upper = loop.getMixedUpperBound();
    step = loop.getMixedStep();
  } else {
    auto parallel = cast<scf::ParallelOp>(op);
    lower = getAsOpFoldResult(parallel.getLowerBound());
    upper = getAsOpFoldResult(parallel.getUpperBound());
    step = getAsOpFoldResult(parallel.getStep());
  }
  uint64_t points = 1;
  bool empty = false;
  for (auto [from, to, by] : llvm::zip(lower, upper, step)) {
    std::optional<int64_t> lo = getConstantIntValue(from),
                           hi = getConstantIntValue(to),
                           each = getConstantIntValue(by);
    if (!lo || !hi || !each)
      return refuse(op, "with bounds that aren't constants"), false;
    if (*each <= 0)
      return refuse(op, "with a step that isn't positive"), false;
    uint64_t count = 0;
    if (*lo < *hi) // as unsigned numbers: the difference may need 64 bits
      count = (uint64_t(*hi) - uint64_t(*lo) - 1) / uint64_t(*each) + 1;
    ranges.push_back({*lo, *each, count});
    empty |= count == 0;
    points =
        std::min(points * std::min(count, maxReplicas + 1), maxReplicas + 1);
  }
  if (!empty && points > maxReplicas)
    return refuse(op, "of more than " + Twine(maxReplicas) + " points"), false;
  return true;
}

uint64_t Expander::pointsOf(Operation *op) {
  uint64_t points = 1;
  for (const Range &range : rangesOf[op])
    points *= range.count;
  return points;
}

/// How many operations `op` becomes, or more than the limit.
uint64_t Expander::sizeOf(Operation *op) {
  uint64_t size = 1;
  for (Region &inner : op->getRegions())
    for (Operation &child : inner.getOps())
      size = std::min(size + sizeOf(&child), maxExpandedOps + 1);
  if (rangesOf.contains(op)) // with a constant for each coordinate
    size = (size + rangesOf[op].size()) * pointsOf(op);
  return std::min(size, maxExpandedOps + 1);
}

void Expander::run() {
  SmallVector<Operation *> work; // inner ones first
  region.getBody().walk([&](Operation *op) {
    if (!isExpanded(op))
      return;
    work.push_back(op);
    if (isa<scf::ParallelOp, scf::ForallOp>(op))
      findRanges(op, rangesOf[op]);
  });
  if (!refusals.empty())
    return;
  if (sizeOf(region) > maxExpandedOps) {
    refusals.push_back({RefusalKind::DataflowSize,
                        "parallel loops of more than " +
                            std::to_string(maxExpandedOps) + " operations",
                        lineOf(region.getLoc())});
    return;
  }
  for (Operation *op : work) {
    b.setInsertionPoint(op);
    if (auto once = dyn_cast<scf::ExecuteRegionOp>(op))
      inlineOnce(once);
    else if (auto parallel = dyn_cast<scf::ParallelOp>(op))
      expandParallel(parallel);
    else if (auto forall = dyn_cast<scf::ForallOp>(op))
      expandForall(forall);
    else
      expandCopy(cast<memref::CopyOp>(op));
    if (!refusals.empty())
      return;
  }
}

/// Blocks that follow each other are one.
void Expander::inlineOnce(scf::ExecuteRegionOp op) {
  Region &body = op.getRegion();
  Block *block = &body.front();
  while (auto jump = dyn_cast<cf::BranchOp>(block->getTerminator())) {
    Block *next = jump.getDest();
    if (next->getSinglePredecessor() != block || next == block)
      break;
    for (auto [argument, operand] :
         llvm::zip(next->getArguments(), jump.getDestOperands()))
      argument.replaceAllUsesWith(operand);
    jump.erase();
    block->getOperations().splice(block->end(), next->getOperations());
    next->erase();
  }
  auto yield = dyn_cast<scf::YieldOp>(block->getTerminator());
  if (!yield || !llvm::hasSingleElement(body))
    return refuse(op, "with branches");
  op->replaceAllUsesWith(yield.getResults());
  yield.erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         block->getOperations());
  op.erase();
}

/// A copy of the body of `op` for every point; `atPoint` sees what its values
/// became.
void Expander::replicate(Operation *op, ValueRange coordinates,
                         function_ref<void(IRMapping &)> atPoint) {
  ArrayRef<Range> ranges = rangesOf[op];
  uint64_t points = pointsOf(op);
  for (uint64_t point = 0; point < points; ++point) {
    IRMapping mapping;
    uint64_t rest = point;
    for (size_t d = ranges.size(); d-- > 0; rest /= ranges[d].count) {
      int64_t at =
          ranges[d].lower + int64_t(rest % ranges[d].count) * ranges[d].step;
      mapping.map(coordinates[d],
                  arith::ConstantIndexOp::create(b, op->getLoc(), at));
    }
    for (Operation &inner : op->getRegion(0).front().without_terminator())
      b.clone(inner, mapping);
    atPoint(mapping);
  }
}

void Expander::expandParallel(scf::ParallelOp op) {
  auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
  SmallVector<Value> values(op.getInitVals());
  replicate(op, op.getInductionVars(), [&](IRMapping &mapping) {
    for (auto [value, operand, region] :
         llvm::zip(values, reduce.getOperands(), reduce.getReductions())) {
      Block &block = region.front();
      mapping.map(block.getArgument(0), value);
      mapping.map(block.getArgument(1), mapping.lookupOrDefault(operand));
      for (Operation &inner : block.without_terminator())
        b.clone(inner, mapping);
      value = mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
    }
  });
  op->replaceAllUsesWith(values);
  op.erase();
}

void Expander::expandForall(scf::ForallOp op) {
  replicate(op, op.getInductionVars(), [](IRMapping &) {});
  op.erase();
}

/// The pointer that a memory is a view of, or null.
static Value pointerOf(Value memory) {
  auto cast = memory.getDefiningOp<UnrealizedConversionCastOp>();
  if (!cast || cast.getInputs().size() != 1 || cast.getOutputs().size() != 1 ||
      !isa<LLVM::LLVMPointerType>(cast.getInputs().front().getType()))
    return {};
  return cast.getInputs().front();
}

void Expander::expandCopy(memref::CopyOp op) {
  Location loc = op.getLoc();
  Value from = pointerOf(op.getSource()), to = pointerOf(op.getTarget());
  if (!from || !to)
    return refuse(op, "of a memory that is no view of a pointer");
  for (Value memory : {op.getSource(), op.getTarget()}) {
    auto type = dyn_cast<MemRefType>(memory.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return refuse(op, "of a shape that isn't fixed and contiguous");
    if (!type.getElementType().isIntOrFloat() ||
        !dataflow::isMemoryDataType(type.getElementType()))
      return refuse(op, "of elements without an access");
  }
  auto type = cast<MemRefType>(op.getSource().getType());
  Type element = type.getElementType();
  int64_t count = 1;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(count, size, count))
      return refuse(op, "of too many elements");
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  };
  Value zero = constant(0), one = constant(1), size = constant(count);
  Value bytes = constant(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
  auto loop = scf::ForOp::create(b, loc, zero, size, one);
  Operation *first = op.getSource().getDefiningOp();
  Operation *second = op.getTarget().getDefiningOp();
  b.setInsertionPointToStart(loop.getBody());
  Value offset = arith::MulIOp::create(b, loc, loop.getInductionVar(), bytes);
  auto at = [&](Value pointer) {
    return LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(),
                               pointer, ValueRange(offset));
  };
  Value value = LLVM::LoadOp::create(b, loc, element, at(from));
  LLVM::StoreOp::create(b, loc, value, at(to));
  op.erase();
  if (first->use_empty())
    first->erase();
  if (second != first && second->use_empty())
    second->erase();
}

OwningOpRef<SpatialRegionOp> lower::expand(SpatialRegionOp region,
                                           SmallVectorImpl<Refused> &refusals) {
  size_t before = refusals.size();
  SmallVector<Refused> own;
  OwningOpRef<SpatialRegionOp> copy(cast<SpatialRegionOp>(region->clone()));
  Expander(*copy, own).run();
  refusals.append(own.begin(), own.end());
  if (refusals.size() != before)
    return {};
  return copy;
}
