// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/Raise/PruneValues.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace {

bool isSelection(Operation *op) {
  return isa<scf::IfOp, scf::IndexSwitchOp>(op);
}

bool isStructured(Operation *op) {
  return isSelection(op) || isa<scf::WhileOp>(op);
}

/// Does it only hand values on to a construct that is handled here?
bool isForwarding(Operation *op) {
  return isa<scf::ConditionOp>(op) ||
         (isa<scf::YieldOp>(op) && isStructured(op->getParentOp()));
}

/// Live values, from the operations with effects backwards.
class Liveness {
public:
  explicit Liveness(Operation *root) {
    root->walk([&](Operation *op) {
      if (auto condition = dyn_cast<scf::ConditionOp>(op))
        mark(condition.getCondition());
      else if (isSelection(op))
        markAll(op->getOperands());
      else if (!isa<scf::WhileOp>(op) && !isForwarding(op) && !isErasable(op))
        markAll(op->getOperands());
    });
    while (!work.empty())
      propagate(work.pop_back_val());
  }

  /// An operation that goes when none of its results is live.
  static bool isErasable(Operation *op) {
    return op->getNumRegions() == 0 && op->getNumResults() != 0 &&
           wouldOpBeTriviallyDead(op);
  }

  bool isLive(Value value) const { return live.contains(value); }

  /// The positions of `values` to erase.
  llvm::BitVector dead(ValueRange values) const {
    llvm::BitVector positions(unsigned(values.size()));
    for (auto [index, value] : llvm::enumerate(values))
      if (!isLive(value))
        positions.set(unsigned(index));
    return positions;
  }

private:
  void mark(Value value) {
    if (live.insert(value).second)
      work.push_back(value);
  }

  void markAll(ValueRange values) {
    for (Value value : values)
      mark(value);
  }

  void propagate(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp());
      if (!loop)
        return;
      unsigned position = argument.getArgNumber();
      if (argument.getOwner() == loop.getAfterBody())
        return markForwarded(loop, position);
      mark(loop.getInits()[position]);
      return mark(loop.getYieldOp().getOperand(position));
    }
    auto result = cast<OpResult>(value);
    Operation *op = result.getOwner();
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return markForwarded(loop, result.getResultNumber());
    if (!isSelection(op))
      return markAll(op->getOperands());
    for (Region &region : op->getRegions())
      if (!region.empty())
        mark(region.front().getTerminator()->getOperand(
            result.getResultNumber()));
  }

  /// Result and after-argument at one position are one forwarded value.
  void markForwarded(scf::WhileOp loop, unsigned position) {
    mark(loop.getConditionOp().getArgs()[position]);
    mark(loop.getAfterArguments()[position]);
    mark(loop.getResult(position));
  }

  llvm::DenseSet<Value> live; // only looked up
  SmallVector<Value> work;
};

class Pruner {
public:
  explicit Pruner(const Liveness &liveness) : liveness(liveness) {}

  void run(Operation *root) {
    // Inside first. Dead values then have dead users only, all of them gone
    // before their definition.
    SmallVector<Operation *> structured;
    root->walk([&](Operation *op) {
      if (isStructured(op))
        structured.push_back(op);
    });
    for (Operation *op : structured)
      trimOperands(op);
    SmallVector<Operation *> dead;
    root->walk([&](Operation *op) {
      if (Liveness::isErasable(op) &&
          llvm::none_of(op->getResults(),
                        [&](Value v) { return liveness.isLive(v); }))
        dead.push_back(op);
    });
    for (Operation *op : dead)
      op->dropAllReferences();
    for (Operation *op : dead)
      op->dropAllUses();
    for (Operation *op : dead)
      op->erase();
    for (Operation *op : structured)
      rebuild(op);
  }

private:
  void trimOperands(Operation *op) {
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      llvm::BitVector forwarded = liveness.dead(loop.getResults());
      llvm::BitVector condition(forwarded.size() + 1);
      for (unsigned i : forwarded.set_bits())
        condition.set(i + 1);
      loop.getConditionOp()->eraseOperands(condition);
      llvm::BitVector carried = liveness.dead(loop.getBeforeArguments());
      loop.getYieldOp()->eraseOperands(carried);
      op->eraseOperands(carried);
      return;
    }
    for (Region &region : op->getRegions())
      if (!region.empty())
        region.front().getTerminator()->eraseOperands(
            liveness.dead(op->getResults()));
  }

  void rebuild(Operation *op) {
    llvm::BitVector results = liveness.dead(op->getResults()), carried;
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      carried = liveness.dead(loop.getBeforeArguments());
      loop.getBeforeBody()->eraseArguments(carried);
      loop.getAfterBody()->eraseArguments(results);
    }
    if (results.none() && carried.none())
      return;
    SmallVector<Type> types;
    SmallVector<Value> kept;
    for (OpResult result : op->getResults())
      if (!results.test(result.getResultNumber())) {
        types.push_back(result.getType());
        kept.push_back(result);
      }
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(op->getOperands());
    state.addTypes(types);
    state.attributes = op->getDiscardableAttrDictionary();
    state.propertiesAttr = op->getPropertiesAsAttribute();
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    OpBuilder builder(op);
    Operation *pruned = builder.create(state);
    for (auto [to, from] : llvm::zip(pruned->getRegions(), op->getRegions()))
      to.takeBody(from);
    for (auto [from, to] : llvm::zip(kept, pruned->getResults()))
      from.replaceAllUsesWith(to);
    op->erase();
  }

  const Liveness &liveness;
};

} // namespace

void loom::pruneDeadValues(Operation *root) {
  Liveness liveness(root);
  Pruner(liveness).run(root);
}

LogicalResult loom::pruneValues(Operation *root, uint64_t mostPairs) {
  mergeLanes(root);
  pruneDeadValues(root);
  uint64_t pairs = 0;
  root->walk([&](Operation *op) {
    if (isStructured(op))
      pairs += uint64_t(op->getNumResults()) * op->getNumResults();
  });
  return success(pairs <= mostPairs);
}
