// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The footprint and reuse view: bytes per root as sets over the inputs, and
// which accesses come back to the same bytes.

#include "Analysis.h"
#include "loom/Structured/Views/Footprint.h"

using namespace mlir;
using namespace loom;
using namespace loom::views;

namespace {
constexpr unsigned MaxGroupAccesses = 256;

bool isSymbol(VariableView::Kind kind) {
  return kind == VariableView::Input || kind == VariableView::Constant;
}
} // namespace

void Analysis::footprintOf(unsigned root, bool isWrite) {
  FootprintView view;
  view.root = root;
  view.isWrite = isWrite;
  std::vector<System> systems;
  std::vector<unsigned> symbols;
  std::string unknown, over;
  bool any = false;
  if (memory.roots[root].scope)
    unknown = "the root is another pointer in each iteration";
  for (const Access &access : memory.accesses) {
    if (access.root != root || access.isWrite != isWrite)
      continue;
    any = true;
    if (!access.known)
      unknown = access.why;
    const Domain &domain = domains.of(access.op->getBlock());
    if (!domain.why.empty())
      over = domain.why;
    for (const Conjunction &piece : domain.pieces) {
      System system(values);
      LinearForm byte = LinearForm::variable(system.column());
      LinearForm first = system.in(access.offset, 0);
      system.atLeastZero(byte - first);
      system.atLeastZero(
          first + LinearForm::of(Integer(int64_t(access.width)) - 1) - byte);
      system.add(piece, 0);
      system.closeForText();
      std::vector<unsigned> variables;
      for (const auto &[key, column] : system.all()) {
        variables.push_back(key.second);
        if (isSymbol(values.variable(key.second).kind) &&
            !llvm::is_contained(symbols, key.second))
          symbols.push_back(key.second);
      }
      if (std::string why = domains.inexact(variables, false); !why.empty())
        over = why;
      if (system.tooLarge())
        unknown = "too many variables";
      systems.push_back(std::move(system));
    }
  }
  if (!any)
    return;
  llvm::sort(symbols);
  std::optional<IntegerSolver::Description> found;
  if (unknown.empty() && !systems.empty()) {
    std::vector<Polyhedron> pieces;
    std::vector<std::string> names{"b"};
    std::vector<Interval> ranges;
    for (unsigned symbol : symbols) {
      names.push_back(views.variables[symbol].name);
      ranges.push_back(values.variable(symbol).range);
    }
    for (System &system : systems) {
      std::vector<unsigned> columns;
      for (unsigned symbol : symbols)
        columns.push_back(system.column(symbol, 0));
      pieces.push_back(system.polyhedron({0}, columns));
    }
    found = solver.describe(pieces, names, ranges, true);
    if (!found)
      unknown = "the analysis budget is used up";
  }
  if (found) {
    view.precision =
        over.empty() ? Precision::Exact : Precision::OverApproximate;
    view.why = over;
    view.set = found->text;
    view.first = found->least;
    view.last = found->most;
    view.lo = found->constantLeast;
    if (found->constantMost)
      view.hi = *found->constantMost + 1;
    view.dense = over.empty() && found->convex;
    if (over.empty() && view.lo && view.hi &&
        *view.hi - *view.lo <= powerOfTwo(63))
      view.distinctBytes = found->points;
  } else {
    view.why = systems.empty() && unknown.empty() ? "never executed" : unknown;
    if (systems.empty() && unknown.empty())
      view.precision = Precision::Exact;
  }
  views.footprints.footprints.push_back(std::move(view));
}

void Analysis::findFootprints() {
  for (unsigned root = 0; root < memory.roots.size(); ++root)
    for (bool isWrite : {false, true})
      footprintOf(root, isWrite);
  // What the sets leave open, the intervals of the footprint view may know.
  llvm::SmallVector<RootFootprint> intervals = computeFootprints(region);
  for (FootprintView &view : views.footprints.footprints) {
    const Root &root = memory.roots[view.root];
    if (root.kind != RootView::Argument)
      continue;
    unsigned number = cast<BlockArgument>(root.value).getArgNumber();
    for (const RootFootprint &f : intervals) {
      if (f.argument != number || !f.known || f.lo == f.hi)
        continue;
      if (view.precision == Precision::Unknown) {
        view.precision = Precision::OverApproximate;
        view.lo = Integer(f.lo);
        view.hi = Integer(f.hi);
      } else if (view.precision == Precision::OverApproximate) {
        view.lo = view.lo ? std::max(*view.lo, Integer(f.lo)) : Integer(f.lo);
        view.hi = view.hi ? std::min(*view.hi, Integer(f.hi)) : Integer(f.hi);
      }
    }
  }
}

/// The bytes from one iteration of `loop` to the next, other loops standing
/// still; no value if the address varies otherwise.
static std::optional<Integer> strideOf(const AffineValues &values,
                                       const Access &access, const Root &root,
                                       Operation *loop, unsigned iteration) {
  if (!access.known || values.varies(root.scope, loop))
    return std::nullopt;
  Integer stride(0);
  for (const auto &[number, factor] : access.offset.terms) {
    const AffineValues::Variable &v = values.variable(number);
    if (number == iteration)
      stride = factor;
    else if (v.kind != VariableView::Iteration && values.varies(v.scope, loop))
      return std::nullopt;
  }
  return stride;
}

void Analysis::findReuse() {
  FootprintReuseView &view = views.footprints;
  for (unsigned i = 0; i < memory.accesses.size(); ++i) {
    const Access &access = memory.accesses[i];
    for (Operation *loop : domains.of(access.op->getBlock()).loops) {
      ReuseView reuse;
      reuse.access = i;
      reuse.loop = loopNumber[loop];
      std::optional<Integer> stride =
          strideOf(values, access, memory.roots[access.root], loop,
                   values.iteration(loop));
      if (stride) {
        Integer size = llvm::abs(*stride), width(int64_t(access.width));
        reuse.stride = *stride;
        reuse.kind = size == 0      ? ReuseView::Temporal
                     : size < width ? ReuseView::Overlapping
                     : size > width ? ReuseView::Strided
                                    : ReuseView::Contiguous;
      }
      view.reuse.push_back(reuse);
    }
  }
  if (memory.accesses.size() > MaxGroupAccesses)
    return;
  for (unsigned i = 0; i < memory.accesses.size(); ++i)
    for (unsigned j = i + 1; j < memory.accesses.size(); ++j) {
      const Access &a = memory.accesses[i], &b = memory.accesses[j];
      LinearForm apart = b.offset - a.offset;
      const auto &chain = domains.of(a.op->getBlock()).loops;
      if (a.root != b.root || a.width != b.width || !a.known || !b.known ||
          !apart.isConstant() || chain != domains.of(b.op->getBlock()).loops)
        continue;
      for (Operation *loop : llvm::reverse(chain)) {
        std::optional<Integer> stride = strideOf(
            values, a, memory.roots[a.root], loop, values.iteration(loop));
        if (!stride || *stride == 0 || apart.constant % *stride != 0)
          continue;
        // b in this iteration is where a is `ahead` iterations later.
        Integer ahead = apart.constant / *stride;
        GroupReuse group{i, j, loopNumber[loop], -ahead};
        if (ahead > 0)
          group = {j, i, loopNumber[loop], ahead};
        view.groups.push_back(group);
        break;
      }
    }
}
