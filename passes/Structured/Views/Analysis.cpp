// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the parts in the order in which they depend on each other, and copies
// what they found into views without references to the IR.

#include "Analysis.h"

using namespace mlir;
using namespace loom;
using namespace loom::views;
using mlir::presburger::PresburgerSpace;

unsigned views::lineOf(Operation *op) {
  auto where = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return where ? where.getLine() : 0;
}

llvm::StringRef views::nameOf(Precision precision) {
  switch (precision) {
  case Precision::Exact:
    return "exact";
  case Precision::OverApproximate:
    return "over-approximate";
  case Precision::Unknown:
    break;
  }
  return "unknown";
}

Analysis::Analysis(SpatialRegionOp region, const ViewConfig &config)
    : region(region), config(config), values(region),
      domains(values, this->config), memory(values), solver(config),
      relations(values, domains, memory, solver) {
  region.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    unsigned number = order.size();
    order[op] = number;
    if (isLoop(op)) {
      loopNumber[op] = loops.size();
      loops.push_back(op);
    }
  });
  views.region = region.getRegionName().str();
}

std::vector<unsigned>
Analysis::numbers(llvm::ArrayRef<Operation *> list) const {
  std::vector<unsigned> result;
  for (Operation *loop : list)
    result.push_back(loopNumber.lookup(loop));
  return result;
}

void Analysis::describeVariables() {
  unsigned constants = 0, opaques = 0, quotients = 0;
  for (unsigned i = 0; i < values.count(); ++i) {
    const AffineValues::Variable &v = values.variable(i);
    VariableView view;
    view.kind = v.kind;
    view.range = v.range;
    view.loop = v.scope ? int(loopNumber.lookup(v.scope)) : -1;
    switch (v.kind) {
    case VariableView::Input:
      view.name =
          "arg" + std::to_string(cast<BlockArgument>(v.value).getArgNumber());
      break;
    case VariableView::Constant:
      view.name = "c" + std::to_string(constants++);
      break;
    case VariableView::Iteration:
      view.name = "i" + std::to_string(view.loop);
      break;
    case VariableView::Quotient:
      view.name = "q" + std::to_string(quotients++);
      break;
    case VariableView::Opaque:
      view.name = "v" + std::to_string(opaques++);
      break;
    }
    views.variables.push_back(std::move(view));
  }
}

void Analysis::describeLoops() {
  for (Operation *loop : loops) {
    LoopView view;
    view.op = order[loop];
    view.line = lineOf(loop);
    Operation *parent = loopAround(loop);
    view.parent = parent ? int(loopNumber[parent]) : -1;
    view.depth = parent ? views.domains.loops[view.parent].depth + 1 : 0;
    if (auto counted = dyn_cast<scf::ForOp>(loop)) {
      view.counted = true;
      std::string text =
          textOf(values.form(counted.getInductionVar()), views.variables);
      view.bounds =
          "iv = " + text + ", from " +
          textOf(values.form(counted.getLowerBound()), views.variables) +
          " to " +
          textOf(values.form(counted.getUpperBound()), views.variables) +
          " step " + textOf(values.form(counted.getStep()), views.variables) +
          (counted.getUnsignedCmp() ? " (unsigned)" : "");
    } else {
      view.bounds = "while";
    }
    views.domains.loops.push_back(std::move(view));
  }
}

void Analysis::describeDomains() {
  llvm::DenseMap<Block *, unsigned> known;
  region.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    Block *block = op->getBlock();
    auto [entry, isNew] =
        known.try_emplace(block, views.domains.domains.size());
    views.domains.domainOf.push_back(entry->second);
    if (!isNew)
      return;
    const Domain &domain = domains.of(block);
    DomainView view;
    view.loops = numbers(domain.loops);
    view.why = domain.why;
    std::vector<unsigned> symbols;
    std::vector<System> systems;
    for (const Conjunction &piece : domain.pieces) {
      System system(values);
      for (Operation *loop : domain.loops)
        system.column(values.iteration(loop), 0);
      system.add(piece, 0);
      system.closeForText();
      for (const auto &[key, column] : system.all()) {
        VariableView::Kind kind = values.variable(key.second).kind;
        if ((kind == VariableView::Input || kind == VariableView::Constant) &&
            !llvm::is_contained(symbols, key.second))
          symbols.push_back(key.second);
      }
      if (std::string why = domains.inexact(domains.variablesOf(piece), false);
          !why.empty() && view.why.empty())
        view.why = why;
      systems.push_back(std::move(system));
    }
    llvm::sort(symbols);
    std::vector<std::string> names;
    std::vector<Interval> ranges;
    for (Operation *loop : domain.loops)
      view.variables.push_back(values.iteration(loop));
    llvm::append_range(view.variables, symbols);
    for (unsigned variable : view.variables)
      names.push_back(views.variables[variable].name);
    for (unsigned symbol : symbols)
      ranges.push_back(values.variable(symbol).range);
    for (System &system : systems) {
      std::vector<unsigned> dimensions, columns;
      for (Operation *loop : domain.loops)
        dimensions.push_back(system.column(values.iteration(loop), 0));
      for (unsigned symbol : symbols)
        columns.push_back(system.column(symbol, 0));
      view.pieces.push_back(system.polyhedron(dimensions, columns));
    }
    view.precision =
        view.why.empty() ? Precision::Exact : Precision::OverApproximate;
    if (view.pieces.empty()) {
      view.text = "{ }";
    } else if (auto text = solver.describe(view.pieces, names, ranges, false)) {
      view.text = text->text;
    } else {
      view.precision = Precision::Unknown;
      view.why = "the analysis budget is used up";
    }
    views.domains.domains.push_back(std::move(view));
  });
}

void Analysis::describeMemory() {
  for (const Root &root : memory.roots) {
    RootView view;
    view.kind = root.kind;
    view.loop = root.scope ? int(loopNumber.lookup(root.scope)) : -1;
    auto argument = dyn_cast<BlockArgument>(root.value);
    if (root.kind == RootView::Argument) {
      view.number = argument.getArgNumber();
      view.partition = region.getPartitions()[view.number];
      view.name = "arg" + std::to_string(view.number);
    } else {
      Operation *op = argument ? argument.getOwner()->getParentOp()
                               : root.value.getDefiningOp();
      view.number = order.lookup(op);
      view.name =
          (argument ? "carried" : "pointer") + std::to_string(view.number) +
          (argument ? "." + std::to_string(argument.getArgNumber()) : "");
    }
    views.memory.roots.push_back(std::move(view));
  }
  unsigned count = memory.roots.size();
  for (unsigned i = 0; i < count; ++i) {
    views.memory.aliases.emplace_back();
    for (unsigned j = 0; j < count; ++j)
      views.memory.aliases.back().push_back(memory.alias(i, j));
  }
  for (const Access &access : memory.accesses) {
    AccessView view;
    view.op = access.order;
    view.isWrite = access.isWrite;
    view.width = access.width;
    llvm::raw_string_ostream(view.type)
        << (access.isWrite ? access.op->getOperand(0).getType()
                           : access.op->getResult(0).getType());
    view.root = access.root;
    view.known = access.known;
    view.offset = access.offset;
    view.why = access.why;
    view.loops = numbers(domains.of(access.op->getBlock()).loops);
    view.line = lineOf(access.op);
    views.memory.accesses.push_back(std::move(view));
  }
  for (Operation *op : memory.unknownEffects)
    views.memory.unknownEffects.push_back(order[op]);
}

RegionViews views::analyzeRegion(SpatialRegionOp region,
                                 const ViewConfig &config) {
  Analysis analysis(region, config);
  // Every form that is needed, before the variables get their names.
  region.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    analysis.domains.of(op->getBlock());
    if (isLoop(op))
      analysis.values.iteration(op);
    if (auto counted = dyn_cast<scf::ForOp>(op))
      for (Value limit : {counted.getLowerBound(), counted.getUpperBound(),
                          counted.getStep(), counted.getInductionVar()})
        analysis.values.form(limit);
  });
  analysis.describeVariables();
  analysis.describeLoops();
  analysis.describeDomains();
  analysis.describeMemory();
  analysis.findReductions();
  analysis.findDependences();
  analysis.findFootprints();
  analysis.findReuse();
  analysis.views.exhausted = analysis.solver.exhausted();
  return std::move(analysis.views);
}
