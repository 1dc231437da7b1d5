// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread yields. An event covers a launch when, on every path on which
// the launch exists, all its executions come before the event. Causes are the
// dependencies of a launch and the operands of `dataflow.sync`; nothing else.
// A loop argument stands for itself until the loop is known: then it either
// hands every iteration on to the next, or the last iteration is all there is.

#include "Finalized.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using llvm::BitVector;

namespace {

class Frontier {
public:
  explicit Frontier(ThreadOp thread) : thread(thread) {
    thread.walk([&](Operation *op) {
      if (isa<GraphLaunchOp>(op)) {
        launchNumber[op] = launches.size();
        launches.push_back(op);
      }
    });
    size = launches.size();
    thread.walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op))
        for (BlockArgument argument : op->getRegion(0).getArguments())
          if (isa<NoneType>(argument.getType()))
            marker[argument] = size++;
    });
  }

  LogicalResult run() {
    auto yield = cast<ThreadYieldOp>(thread.getBlock().getTerminator());
    SmallVector<BitVector> sets;
    BitVector all(size);
    for (Value event : yield.getFrontier()) {
      sets.push_back(of(event));
      all |= sets.back();
    }
    for (auto [index, launch] : llvm::enumerate(launches))
      if (!all.test(index))
        return launch->emitOpError("comes before nothing that the thread "
                                   "yields, on every path");
    for (size_t member = 0; member < sets.size(); ++member) {
      BitVector own = sets[member];
      for (size_t other = 0; other < sets.size(); ++other)
        if (other != member)
          own.reset(sets[other]);
      if (own.none())
        return yield.emitOpError("needs no member ")
               << member << ": the others come after all that it covers";
    }
    return verifyWaits();
  }

private:
  LogicalResult verifyWaits() {
    WalkResult result = thread.walk([&](GraphWaitOp wait) {
      for (Value event : wait.getEvents()) {
        BitVector set = of(event);
        // In a loop: at least what the first iteration got.
        for (auto [argument, number] : marker)
          if (set.test(number))
            set |= of(initOf(argument));
        set.resize(launches.size());
        if (set.any())
          continue;
        wait.emitOpError("waits for an event that comes after no launch");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  static Value initOf(BlockArgument argument) {
    Operation *loop = argument.getOwner()->getParentOp();
    if (auto counted = dyn_cast<scf::ForOp>(loop))
      return counted.getTiedLoopInit(argument)->get();
    return cast<scf::WhileOp>(loop).getInits()[argument.getArgNumber()];
  }

  const BitVector &of(Value event) {
    auto it = known.find(event);
    if (it != known.end())
      return *it->second;
    auto set = std::make_unique<BitVector>(compute(event));
    return *(known[event] = std::move(set));
  }

  BitVector compute(Value event) {
    BitVector set(size);
    if (auto argument = dyn_cast<BlockArgument>(event)) {
      if (auto it = marker.find(argument); it != marker.end())
        set.set(it->second);
      else if (auto loop = dyn_cast_or_null<scf::WhileOp>(
                   argument.getOwner()->getParentOp()))
        set = of(loop.getConditionOp().getArgs()[argument.getArgNumber()]);
      return set;
    }
    unsigned number = cast<OpResult>(event).getResultNumber();
    Operation *op = event.getDefiningOp();
    if (auto launch = dyn_cast<GraphLaunchOp>(op)) {
      for (Value dependency : launch.getDependencies())
        set |= of(dependency);
      set.set(launchNumber.lookup(op));
    } else if (auto sync = dyn_cast<SyncOp>(op)) {
      for (Value input : sync.getInputs())
        set |= of(input);
    } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
      set = ofSelection(op, number);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      set = ofFor(loop, number);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      set = ofWhile(loop, number);
    }
    return set;
  }

  // The launches in a region.
  BitVector inside(Region &region) {
    BitVector set(size);
    for (auto [index, launch] : llvm::enumerate(launches))
      if (region.isAncestor(launch->getParentRegion()))
        set.set(index);
    return set;
  }

  // What every branch covers, or what another branch launches.
  BitVector ofSelection(Operation *op, unsigned number) {
    BitVector set(size, true);
    for (Region &region : op->getRegions()) {
      BitVector good = of(region.front().getTerminator()->getOperand(number));
      for (Region &other : op->getRegions())
        if (&other != &region)
          good |= inside(other);
      set &= good;
    }
    return set;
  }

  BitVector ofFor(scf::ForOp loop, unsigned number) {
    BitVector last = of(loop.getYieldedValues()[number]);
    BitVector init = of(loop.getInitArgs()[number]);
    if (!last.test(marker.lookup(loop.getRegionIterArg(number))))
      return init &= last; // of all iterations only the last
    last &= inside(loop.getRegion());
    return init |= last;
  }

  BitVector ofWhile(scf::WhileOp loop, unsigned number) {
    BitVector last = of(loop.getConditionOp().getArgs()[number]);
    BitVector body = inside(loop.getAfter()), head = inside(loop.getBefore());
    BitVector set = last;
    set.reset(body);
    set.reset(head);
    BitVector again(size); // what all executions of the body hand on
    for (BlockArgument argument : loop.getBeforeArguments()) {
      auto it = marker.find(argument);
      if (it == marker.end())
        continue;
      set.reset(it->second);
      if (!last.test(it->second))
        continue;
      const BitVector &next =
          of(loop.getYieldOp().getOperands()[argument.getArgNumber()]);
      if (!next.test(it->second))
        continue;
      again |= next;
      set |= of(loop.getInits()[argument.getArgNumber()]);
    }
    BitVector inBody = again;
    inBody &= body;
    head &= last;
    head &= again;
    set |= inBody;
    return set |= head;
  }

  ThreadOp thread;
  SmallVector<Operation *> launches;
  DenseMap<Operation *, unsigned> launchNumber;
  llvm::MapVector<BlockArgument, unsigned> marker;
  unsigned size = 0;
  DenseMap<Value, std::unique_ptr<BitVector>> known;
};

} // namespace

LogicalResult loom::verifyFrontier(ThreadOp thread) {
  return Frontier(thread).run();
}
