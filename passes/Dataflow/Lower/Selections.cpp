// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `scf.if` and `scf.index_switch`. Everything that enters a lane goes through a
// demux, everything that leaves the selection through a mux of the same
// selector; lane 0 is the false lane.

#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::lower;

void Lowering::lowerIf(Scope &scope, scf::IfOp op) {
  selections.emplace_back(value(scope, op.getCondition()), 2, op.getLoc());
  Region *otherwise =
      op.getElseRegion().empty() ? nullptr : &op.getElseRegion();
  lowerLanes(scope, op, selections.back(), {otherwise, &op.getThenRegion()});
}

/// The selector is in range by construction. Cases 0, 1, ... n-1 are lanes as
/// they are, everything else is lane n. Other cases are compared one by one
/// (eagerly: a mux would keep what it doesn't take) and the default is lane 0.
void Lowering::lowerSwitch(Scope &scope, scf::IndexSwitchOp op) {
  Location loc = op.getLoc();
  Type type = b.getI64Type();
  Value argument = value(scope, op.getArg());
  ArrayRef<int64_t> cases = op.getCases();
  SmallVector<Region *> regions;
  if (cases.empty()) {
    // Only the default: a selection with one lane that is always taken.
    Value always = integer(scope, 1, b.getI1Type(), loc);
    selections.emplace_back(always, 2, loc);
    lowerLanes(scope, op, selections.back(),
               {&op.getDefaultRegion(), &op.getDefaultRegion()});
    return;
  }
  if (cases.size() == 1) {
    Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, argument,
                                     integer(scope, cases[0], type, loc));
    selections.emplace_back(is, 2, loc);
    lowerLanes(scope, op, selections.back(),
               {&op.getDefaultRegion(), &op.getCaseRegions()[0]});
    return;
  }
  bool dense = true;
  for (auto [index, number] : llvm::enumerate(cases))
    dense &= number == static_cast<int64_t>(index);
  Value selector;
  for (Region &lane : op.getCaseRegions())
    regions.push_back(&lane);
  if (dense) {
    selector = arith::MinUIOp::create(b, loc, argument,
                                      integer(scope, cases.size(), type, loc));
    regions.push_back(&op.getDefaultRegion());
  } else {
    selector = integer(scope, 0, type, loc);
    for (auto [index, number] : llvm::enumerate(cases)) {
      Value is =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, argument,
                                integer(scope, number, type, loc));
      selector = arith::SelectOp::create(
          b, loc, is, integer(scope, index + 1, type, loc), selector);
    }
    regions.insert(regions.begin(), &op.getDefaultRegion());
  }
  selections.emplace_back(selector, static_cast<unsigned>(regions.size()), loc);
  lowerLanes(scope, op, selections.back(), regions);
}

void Lowering::lowerLanes(Scope &scope, Operation *op, Selection &selection,
                          ArrayRef<Region *> regions) {
  const Effects &effects = analysis.effects(op);
  unsigned partitions = analysis.numPartitions(), lanes = regions.size();
  for (unsigned p = 0; p < partitions; ++p)
    if (effects.touches(p))
      readToken(scope, p, op->getLoc());
  std::deque<Scope> inner(lanes);
  SmallVector<SmallVector<Value>> results(lanes);
  for (unsigned k = 0; k < lanes; ++k) {
    Scope &lane = inner[k];
    openScope(lane, scope, Scope::Lane);
    lane.selection = &selection;
    lane.lane = k;
    lane.execution = project(lane, scope.execution);
    for (unsigned p = 0; p < partitions; ++p) {
      if (!effects.touches(p))
        continue;
      if (scope.write[p])
        lane.write[p] = project(lane, scope.write[p]);
      if (!scope.readOf(p).empty())
        lane.readOf(p).assign({project(lane, scope.readOf(p).front())});
    }
    if (!regions[k])
      continue;
    Block &block = regions[k]->front();
    lowerBlock(lane, block);
    for (Value yielded : block.getTerminator()->getOperands())
      results[k].push_back(value(lane, yielded));
  }
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    SmallVector<Value> tokens;
    for (unsigned k = 0; k < lanes; ++k)
      tokens.push_back(results[k][i]);
    scope.values[op->getResult(i)] = mux(selection, tokens);
  }

  // Order tokens; equal lanes need only one mux.
  std::vector<std::pair<SmallVector<Value>, Value>> made;
  auto merge = [&](ArrayRef<Value> tokens) {
    for (auto &[key, token] : made)
      if (!mechanical && ArrayRef<Value>(key) == tokens)
        return token;
    made.emplace_back(SmallVector<Value>(tokens), mux(selection, tokens));
    return made.back().second;
  };
  SmallVector<bool> done(partitions);
  for (unsigned p = 0; p < partitions; ++p) {
    if (!effects.touches(p))
      continue;
    if (effects.writes[p] || mechanical) {
      SmallVector<Value> tokens;
      for (Scope &lane : inner)
        tokens.push_back(lane.write[p] ? lane.write[p] : lane.execution);
      scope.write[p] = merge(tokens);
    }
    if (done[scope.readClass[p]])
      continue;
    done[scope.readClass[p]] = true;
    SmallVector<Value> tokens;
    for (Scope &lane : inner) {
      Value token = readToken(lane, p, op->getLoc());
      tokens.push_back(token ? token : lane.execution);
    }
    scope.readOf(p).assign({merge(tokens)});
  }
  if (effects.hasWhile || mechanical) {
    SmallVector<Value> tokens;
    for (Scope &lane : inner)
      tokens.push_back(lane.execution);
    scope.execution = merge(tokens);
  }
}
