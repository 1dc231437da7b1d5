// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From symbolic footprints to a launch guard.

#include "loom/Dataflow/Lower/Guard.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mlir;
using namespace loom;

namespace {

constexpr unsigned MaxRoots = 32;
constexpr unsigned MaxPairs = 256;

/// Two ranges that matter to each other.
using RangePair = std::pair<const SymbolicRange *, const SymbolicRange *>;

/// The pairs of ranges of two roots that must not overlap.
llvm::SmallVector<RangePair, 3> hazards(const SymbolicRoot &a,
                                        const SymbolicRoot &b) {
  llvm::SmallVector<RangePair, 3> list;
  auto add = [&](const SymbolicRange &x, const SymbolicRange &y) {
    if (x.any && y.any)
      list.push_back({&x, &y});
  };
  add(a.write, b.write);
  add(a.write, b.read);
  add(a.read, b.write);
  return list;
}

class Planner {
public:
  Planner(SpatialRegionOp region, const SymbolicFootprints &footprints)
      : region(region), footprints(footprints),
        classes(footprints.roots.size()) {}

  std::optional<LaunchGuard> run() {
    const std::vector<SymbolicRoot> &roots = footprints.roots;
    if (footprints.unrooted || roots.size() > MaxRoots)
      return std::nullopt;
    forEachPair([&](unsigned a, unsigned b) {
      for (const RangePair &pair : hazards(roots[a], roots[b]))
        if (!pair.first->known || !pair.second->known)
          classes.join(a, b);
    });
    classes.compress();
    forEachPair([&](unsigned a, unsigned b) {
      if (classes[a] == classes[b])
        return;
      for (const RangePair &pair : hazards(roots[a], roots[b]))
        addPair(rangeOf(roots[a], *pair.first),
                rangeOf(roots[b], *pair.second));
    });
    if (guard.pairs.empty() || guard.pairs.size() > MaxPairs)
      return std::nullopt;
    setPartitions();
    prune();
    return std::move(guard);
  }

private:
  /// Every two roots of one order partition.
  template <typename Visit>
  void forEachPair(Visit visit) {
    ArrayRef<int32_t> ids = region.getPartitions();
    const std::vector<SymbolicRoot> &roots = footprints.roots;
    for (unsigned a = 0; a < roots.size(); ++a)
      for (unsigned b = a + 1; b < roots.size(); ++b)
        if (ids[roots[a].argument] == ids[roots[b].argument])
          visit(a, b);
  }

  /// One range does for loads and stores with the same bounds.
  unsigned rangeOf(const SymbolicRoot &root, const SymbolicRange &range) {
    obligations.insert(obligations.end(), range.obligations.begin(),
                       range.obligations.end());
    bool writes = &range == &root.write;
    for (auto [index, known] : llvm::enumerate(guard.ranges))
      if (known.argument == root.argument && known.lo == range.lo &&
          known.hi == range.hi) {
        (writes ? known.writes : known.reads) = true;
        return index;
      }
    guard.ranges.push_back(
        {root.argument, range.lo, range.hi, !writes, writes});
    return guard.ranges.size() - 1;
  }

  void addPair(unsigned a, unsigned b) {
    if (!llvm::is_contained(guard.pairs, std::make_pair(a, b)))
      guard.pairs.push_back({a, b});
  }

  void setPartitions() {
    // Roots by their class, other pointers by what they were.
    std::map<std::pair<bool, int32_t>, int32_t> numbers;
    for (BlockArgument argument : region.getBody().getArguments()) {
      if (!isa<LLVM::LLVMPointerType>(argument.getType())) {
        guard.partitions.push_back(-1);
        continue;
      }
      std::pair<bool, int32_t> key{
          false, region.getPartitions()[argument.getArgNumber()]};
      for (auto [index, root] : llvm::enumerate(footprints.roots))
        if (root.argument == argument.getArgNumber())
          key = {true, int32_t(classes[index])};
      guard.partitions.push_back(
          numbers.emplace(key, int32_t(numbers.size())).first->second);
    }
  }

  /// Keeps the nodes that the ranges and their obligations need.
  void prune() {
    std::vector<bool> needed(footprints.nodes.size());
    for (const LaunchGuard::Range &range : guard.ranges)
      needed[range.lo] = needed[range.hi] = true;
    for (unsigned node : obligations)
      needed[node] = true;
    for (size_t i = needed.size(); i-- > 0;)
      if (needed[i])
        eachOperand(footprints.nodes[i],
                    [&](unsigned operand) { needed[operand] = true; });
    std::vector<unsigned> renumbered(needed.size());
    for (auto [index, node] : llvm::enumerate(footprints.nodes)) {
      if (!needed[index])
        continue;
      renumbered[index] = guard.nodes.size();
      BoundNode copy = node;
      eachOperand(copy,
                  [&](unsigned &operand) { operand = renumbered[operand]; });
      guard.nodes.push_back(copy);
    }
    for (LaunchGuard::Range &range : guard.ranges) {
      range.lo = renumbered[range.lo];
      range.hi = renumbered[range.hi];
    }
  }

  template <typename Node, typename Visit>
  static void eachOperand(Node &node, Visit visit) {
    switch (node.op) {
    case BoundOp::Constant:
    case BoundOp::SlotS:
    case BoundOp::SlotU:
      return;
    case BoundOp::Add:
    case BoundOp::Mul:
    case BoundOp::Min:
    case BoundOp::Max:
      visit(node.b);
      [[fallthrough]];
    default:
      visit(node.a);
    }
  }

  SpatialRegionOp region;
  const SymbolicFootprints &footprints;
  llvm::IntEqClasses classes;
  LaunchGuard guard;
  std::vector<unsigned> obligations;
};

} // namespace

std::optional<LaunchGuard>
loom::planGuard(SpatialRegionOp region, const SymbolicFootprints &footprints) {
  return Planner(region, footprints).run();
}

std::string loom::printGuard(const LaunchGuard &guard) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "partitions";
  for (int32_t partition : guard.partitions)
    stream << " " << partition;
  stream << "\n";
  for (auto [number, node] : llvm::enumerate(guard.nodes)) {
    printBoundNode(stream, number, node);
    stream << "\n";
  }
  for (auto [number, range] : llvm::enumerate(guard.ranges))
    stream << "range " << number << ": slot " << range.argument << " + [n"
           << range.lo << ", n" << range.hi << ")"
           << (range.reads ? " reads" : "") << (range.writes ? " writes" : "")
           << "\n";
  for (auto [a, b] : guard.pairs)
    stream << "disjoint " << a << " " << b << "\n";
  return text;
}
