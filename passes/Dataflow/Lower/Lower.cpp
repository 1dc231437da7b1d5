// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph around a lowered region: inputs, results, completion; and what
// nobody needs is removed.

#include "loom/Dataflow/Lower/Lower.h"
#include "Expand.h"
#include "Lowering.h"
#include "Preflight.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::lower;

GraphOp Lowering::run(StringRef name) {
  Location loc = region.getLoc();
  Block &source = region.getBody().front();
  auto yield = cast<SpatialYieldOp>(source.getTerminator());
  auto graph = GraphOp::create(
      b, loc, b.getStringAttr(name), TypeAttr::get(b.getFunctionType({}, {})),
      b.getDenseI32ArrayAttr({}), b.getDenseI32ArrayAttr({}),
      region.getExitsAttr(), StringAttr());
  Block &block = graph.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&block);
  start = block.addArgument(b.getNoneType(), loc);
  Scope scope;
  unsigned partitions = analysis.numPartitions();
  scope.execution = start;
  scope.write.resize(partitions);
  scope.read.resize(partitions);
  for (unsigned p = 0; p < partitions; ++p)
    scope.readClass.push_back(p);
  if (mechanical)
    for (unsigned p = 0; p < partitions; ++p) {
      scope.write[p] = start;
      scope.read[p].assign({start});
    }
  for (BlockArgument argument : source.getArguments())
    scope.values[argument] =
        block.addArgument(argument.getType(), argument.getLoc());
  for (BlockArgument argument : source.getArguments())
    if (isa<LLVM::LLVMPointerType>(argument.getType()))
      memories[argument] =
          block.addArgument(getMemoryType(b.getContext()), argument.getLoc());

  lowerBlock(scope, source);
  finish(scope, yield);
  if (!mechanical)
    sweep(graph);
  trimInputs(graph);
  return graph;
}

/// Results and completion. The frontier is the permission to execute, if a loop
/// changed it, and the tails of all partitions.
void Lowering::finish(Scope &scope, SpatialYieldOp yield) {
  SmallVector<Value> values, frontier;
  for (Value v : yield.getValues())
    values.push_back(value(scope, v));
  if (scope.execution != start)
    frontier.push_back(scope.execution);
  for (unsigned p = 0; p < analysis.numPartitions(); ++p)
    for (Value token : scope.readOf(p))
      if (token != start && !llvm::is_contained(frontier, token))
        frontier.push_back(token);
  // Tokens that others imply.
  for (size_t i = 0; i < frontier.size() && !mechanical;) {
    bool implied = llvm::any_of(frontier, [&](Value other) {
      return other != frontier[i] && reaches(other, frontier[i]);
    });
    if (implied)
      frontier.erase(frontier.begin() + i);
    else
      ++i;
  }
  // Nothing was written: complete with the exit selector.
  if (frontier.empty()) {
    auto published =
        SyncOp::create(b, yield.getLoc(), ValueRange{start, values.front()});
    frontier.push_back(published.getResult(0));
    values.front() = published.getResult(1);
  }
  GraphReturnOp::create(b, yield.getLoc(), values, frontier);
}

/// Removes the actors whose tokens reach neither a store nor the return.
void Lowering::sweep(GraphOp graph) {
  DenseSet<Operation *> live;
  SmallVector<Operation *> work;
  auto add = [&](Operation *op) {
    if (op && live.insert(op).second)
      work.push_back(op);
  };
  for (Operation &op : graph.getBlock())
    if (isa<StoreOp, GraphReturnOp>(op))
      add(&op);
  while (!work.empty())
    for (Value operand : work.pop_back_val()->getOperands())
      add(operand.getDefiningOp());
  SmallVector<Operation *> dead;
  for (Operation &op : graph.getBlock())
    if (!live.contains(&op))
      dead.push_back(&op);
  for (Operation *op : dead)
    op->dropAllReferences();
  for (Operation *op : dead)
    op->erase();
}

/// Removes unused inputs and records the launch slots of the others.
void Lowering::trimInputs(GraphOp graph) {
  Block &block = graph.getBlock();
  unsigned slots = region.getBody().getNumArguments();
  SmallVector<int32_t> used, partitions;
  SmallVector<Type> types;
  DenseMap<Value, unsigned> slotOf;
  for (BlockArgument argument : region.getBody().getArguments())
    if (Value memory = memories.lookup(argument))
      slotOf[memory] = argument.getArgNumber();
  llvm::BitVector erase(block.getNumArguments());
  for (BlockArgument argument : block.getArguments().drop_front()) {
    if (argument.use_empty()) {
      erase.set(argument.getArgNumber());
      continue;
    }
    types.push_back(argument.getType());
    if (argument.getArgNumber() <= slots) {
      used.push_back(argument.getArgNumber() - 1);
      continue;
    }
    unsigned slot = slotOf.lookup(argument);
    used.push_back(slot);
    partitions.push_back(orderPartitions[slot]);
  }
  block.eraseArguments(erase);
  graph.setFunctionType(
      b.getFunctionType(types, graph.getReturn().getValues().getTypes()));
  graph.setSlots(used);
  graph.setPartitions(partitions);
}

void loom::loadLowerDialects(MLIRContext &context) {
  context.loadDialect<DataflowDialect, arith::ArithDialect, math::MathDialect,
                      LLVM::LLVMDialect, scf::SCFDialect, ub::UBDialect>();
}

FailureOr<GraphOp> loom::lowerRegion(SpatialRegionOp region, ModuleOp scratch,
                                     SmallVectorImpl<Refused> &refusals,
                                     LoweringMode mode) {
  return lowerRegion(region, region.getPartitions(), scratch, refusals, mode);
}

FailureOr<GraphOp> loom::lowerRegion(SpatialRegionOp region,
                                     ArrayRef<int32_t> partitions,
                                     ModuleOp scratch,
                                     SmallVectorImpl<Refused> &refusals,
                                     LoweringMode mode) {
  size_t before = refusals.size();
  OwningOpRef<SpatialRegionOp> expanded;
  if (needsExpansion(region)) {
    expanded = expand(region, refusals);
    if (!expanded)
      return failure();
    region = *expanded;
  }
  preflight(region, refusals);
  if (refusals.size() != before)
    return failure();
  std::string name = region.getRegionName().str();
  for (unsigned n = 1; scratch.lookupSymbol(name); ++n)
    name = (region.getRegionName() + "_" + Twine(n)).str();
  OpBuilder builder(scratch.getContext());
  builder.setInsertionPointToEnd(scratch.getBody());
  return Lowering(region, partitions, mode, builder).run(name);
}
