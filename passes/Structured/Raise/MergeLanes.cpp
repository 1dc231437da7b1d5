// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimistic value numbering of the values that structured constructs hand on
// (their merges), as for phis: everything is equal until two merges differ in
// what reaches them. What is left at the fixed point is equal by induction over
// the iterations of the loops.

#include "loom/Structured/Raise/PruneValues.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include <unordered_map>
#include <vector>

using namespace mlir;

namespace {

/// A result or a block argument, and where its values come from.
struct Merge {
  Value value;
  Operation *op; ///< the construct
  unsigned kind; ///< of the values that are available at the same point
  SmallVector<Value, 2> incoming;
};

enum Kind : unsigned { Result, Before, After };

class Numbering {
public:
  explicit Numbering(Operation *root) {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) { collect(op); });
  }

  /// Replaces every merge by the first value it equals.
  void run() {
    // A fixed point is reached in a few rounds more than loops are nested.
    constexpr unsigned mostRounds = 100;
    bool changed = true;
    for (unsigned round = 0; changed; ++round) {
      if (round == mostRounds)
        return; // not a fixed point: nothing is known
      changed = false;
      leaders.clear();
      for (const Merge &merge : merges) {
        Value number = evaluate(merge);
        Value &known = numbers[merge.value];
        changed |= known != number;
        known = number;
      }
    }
    for (const Merge &merge : merges)
      if (Value to = numbers.lookup(merge.value); to && to != merge.value)
        Value(merge.value).replaceAllUsesWith(to);
  }

private:
  void collect(Operation *op) {
    auto add = [&](Value value, Kind kind, ArrayRef<Value> incoming) {
      isMerge.insert(value);
      merges.push_back({value, op, kind, SmallVector<Value, 2>(incoming)});
    };
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      // In the order of execution: fewer rounds.
      for (auto [init, next, argument] :
           llvm::zip(loop.getInits(), loop.getYieldOp().getOperands(),
                     loop.getBeforeArguments()))
        add(argument, Before, {init, next});
      for (auto [given, argument] :
           llvm::zip(loop.getConditionOp().getArgs(), loop.getAfterArguments()))
        add(argument, After, {given});
      for (auto [given, result] :
           llvm::zip(loop.getConditionOp().getArgs(), loop.getResults()))
        add(result, Result, {given});
    } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
      for (OpResult result : op->getResults()) {
        SmallVector<Value> incoming;
        for (Region &region : op->getRegions())
          incoming.push_back(region.front().getTerminator()->getOperand(
              result.getResultNumber()));
        add(result, Result, incoming);
      }
    }
  }

  /// The number of a value; null: equal to anything so far.
  Value numberOf(Value value) {
    if (isMerge.contains(value))
      return numbers.lookup(value);
    return isScaffold(value) ? Value() : value;
  }

  static bool isScaffold(Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->hasAttr(loom::scaffoldName);
  }

  /// Values that reach a construct from outside of it can stand for what it
  /// hands on.
  static bool isOutside(Value value, Operation *op) {
    return !op->isAncestor(value.getParentRegion()->getParentOp());
  }

  Value evaluate(const Merge &merge) {
    Value only;
    bool several = false;
    SmallVector<Value, 4> from;
    for (Value incoming : merge.incoming) {
      Value number = numberOf(incoming);
      from.push_back(number);
      if (!number || number == merge.value || number == only)
        continue;
      several |= bool(only);
      only = number;
    }
    if (!several) {
      if (!only)
        return numbers.lookup(merge.value); // nothing real reaches it
      if (isOutside(only, merge.op))
        return only;
    }
    return leaderOf(merge, from);
  }

  /// The first merge at this point that gets the same values, and a scaffold
  /// where the other gets one. (To match a scaffold with anything would not be
  /// transitive.)
  Value leaderOf(const Merge &merge, ArrayRef<Value> from) {
    size_t hash = llvm::hash_combine(
        merge.op, merge.kind, merge.value.getType().getAsOpaquePointer());
    for (Value number : from)
      hash = llvm::hash_combine(hash, number.getAsOpaquePointer());
    std::vector<Leader> &bucket = leaders[hash];
    for (const Leader &leader : bucket)
      if (leader.op == merge.op && leader.kind == merge.kind &&
          leader.value.getType() == merge.value.getType() &&
          ArrayRef<Value>(leader.from) == from)
        return leader.value;
    bucket.push_back(
        {merge.value, merge.op, merge.kind, SmallVector<Value, 2>(from)});
    return merge.value;
  }

  struct Leader {
    Value value;
    Operation *op;
    unsigned kind;
    SmallVector<Value, 2> from;
  };

  std::vector<Merge> merges;
  llvm::DenseSet<Value> isMerge;
  llvm::DenseMap<Value, Value> numbers;
  std::unordered_map<size_t, std::vector<Leader>> leaders; // only looked up
};

} // namespace

void loom::mergeLanes(Operation *root) {
  Numbering(root).run();
  root->walk([](Operation *op) { op->removeAttr(scaffoldName); });
}
