// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reduction view: what a value carried by a loop is combined with, and what
// has to be granted before its order may change.

#include "Analysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace loom;
using namespace loom::views;

namespace {

/// Of a combiner: its identity for the type, and what reordering needs.
struct Combiner {
  const char *identity;
  bool floating;
};

std::optional<Combiner> combinerOf(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Combiner>>(op)
      .Case<arith::AddIOp>([](auto) { return Combiner{"0", false}; })
      .Case<arith::OrIOp>([](auto) { return Combiner{"0", false}; })
      .Case<arith::XOrIOp>([](auto) { return Combiner{"0", false}; })
      .Case<arith::MulIOp>([](auto) { return Combiner{"1", false}; })
      .Case<arith::AndIOp>([](auto) { return Combiner{"all ones", false}; })
      .Case<arith::MinUIOp>([](auto) { return Combiner{"all ones", false}; })
      .Case<arith::MaxUIOp>([](auto) { return Combiner{"0", false}; })
      .Case<arith::MinSIOp>([](auto) { return Combiner{"signed max", false}; })
      .Case<arith::MaxSIOp>([](auto) { return Combiner{"signed min", false}; })
      .Case<arith::AddFOp>([](auto) { return Combiner{"-0.0", true}; })
      .Case<arith::MulFOp>([](auto) { return Combiner{"1.0", true}; })
      .Case<arith::MinimumFOp>([](auto) { return Combiner{"+inf", true}; })
      .Case<arith::MaximumFOp>([](auto) { return Combiner{"-inf", true}; })
      .Case<arith::MinNumFOp>([](auto) { return Combiner{"NaN", true}; })
      .Case<arith::MaxNumFOp>([](auto) { return Combiner{"NaN", true}; })
      .Default([](auto) { return std::nullopt; });
}

/// Follows the carried value backwards through one iteration, use by use.
class Chain {
public:
  std::vector<Operation *> combiners;
  bool guarded = false;
  std::string why;

  /// Is the used value the carried `from`, combined any number of times?
  bool follow(OpOperand &use, Value from, unsigned depth = 0) {
    Value value = use.get();
    uses.insert(&use);
    chained.insert(value);
    if (value == from)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || depth > 32)
      return fail(op ? "too long a chain"
                     : "the next value is not made from the carried one");
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned index = cast<OpResult>(value).getResultNumber();
      guarded = true;
      return follow(branch.thenYield()->getOpOperand(index), from, depth + 1) &&
             follow(branch.elseYield()->getOpOperand(index), from, depth + 1);
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // Carried on by an inner loop.
      unsigned index = cast<OpResult>(value).getResultNumber();
      Value inner = loop.getRegionIterArgs()[index];
      Operation *yield = loop.getBody()->getTerminator();
      return follow(yield->getOpOperand(index), inner, depth + 1) &&
             follow(loop.getInitsMutable()[index], from, depth + 1);
    }
    if (!combinerOf(op))
      return fail("'" + op->getName().getStringRef().str() +
                  "' is no combiner");
    if (!combiners.empty() && combiners.front()->getName() != op->getName())
      return fail("two kinds of combiners");
    bool left = leadsTo(op->getOperand(0), from),
         right = leadsTo(op->getOperand(1), from);
    if (left == right)
      return fail(left ? "both operands depend on the carried value"
                       : "the next value is not made from the carried one");
    if (!llvm::is_contained(combiners, op))
      combiners.push_back(op);
    return follow(op->getOpOperand(left ? 0 : 1), from, depth + 1);
  }

  /// No value of the chain may be used outside it: then nothing else, in
  /// registers or in memory, depends on the values in between.
  bool closed() {
    for (Value value : chained)
      for (OpOperand &use : value.getUses())
        if (!uses.count(&use))
          return fail("a value in between is used otherwise");
    return true;
  }

private:
  bool fail(std::string reason) {
    if (why.empty())
      why = std::move(reason);
    return false;
  }

  /// Does `value` depend on `from` through operands? Only picks the operand to
  /// follow; `closed` is what makes sure.
  bool leadsTo(Value value, Value from) {
    llvm::SmallVector<Value> work{value};
    llvm::SmallPtrSet<Operation *, 16> seen;
    while (!work.empty() && seen.size() < 512) {
      Value v = work.pop_back_val();
      if (v == from)
        return true;
      Operation *op = v.getDefiningOp();
      if (!op || !seen.insert(op).second)
        continue;
      op->walk([&](Operation *inside) {
        llvm::append_range(work, inside->getOperands());
      });
    }
    return false;
  }

  llvm::SmallPtrSet<OpOperand *, 16> uses;
  llvm::SetVector<Value> chained;
};

} // namespace

llvm::StringRef views::nameOf(ReductionView::Policy policy) {
  switch (policy) {
  case ReductionView::None:
    return "any order";
  case ReductionView::DropOverflowFlags:
    return "any order, without the overflow flags";
  case ReductionView::Reassociate:
    return "needs a reassociation policy";
  case ReductionView::Ordered:
    break;
  }
  return "ordered";
}

static ReductionView::Policy policyOf(llvm::ArrayRef<Operation *> combiners) {
  auto policy = ReductionView::None;
  for (Operation *op : combiners) {
    if (combinerOf(op)->floating) {
      auto flags =
          cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr();
      if (!arith::bitEnumContainsAll(flags.getValue(),
                                     arith::FastMathFlags::reassoc))
        return ReductionView::Reassociate;
    }
    auto overflow = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    if (overflow &&
        (overflow.hasNoSignedWrap() || overflow.hasNoUnsignedWrap()))
      policy = ReductionView::DropOverflowFlags;
  }
  return policy;
}

static std::string textOfType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

void Analysis::findReductions() {
  for (Operation *loop : loops) {
    auto counted = dyn_cast<scf::ForOp>(loop);
    Block &body = loop->getRegion(0).front();
    for (BlockArgument argument : body.getArguments()) {
      if (counted && argument.getArgNumber() == 0)
        continue;
      ReductionView view;
      view.loop = loopNumber[loop];
      view.argument = argument.getArgNumber() - (counted ? 1 : 0);
      view.type = textOfType(argument.getType());
      bool exact = false;
      Chain chain;
      if (values.stepOf(argument, exact)) {
        view.kind = ReductionView::Induction;
        view.policy = ReductionView::None;
      } else if (!counted) {
        view.why = "carried by a while loop";
      } else if (chain.follow(counted.getBody()->getTerminator()->getOpOperand(
                                  view.argument),
                              argument) &&
                 !chain.combiners.empty() && chain.closed()) {
        view.kind = ReductionView::Reduction;
        view.policy = policyOf(chain.combiners);
        view.combiner = chain.combiners.front()->getName().getStringRef().str();
        view.identity = combinerOf(chain.combiners.front())->identity;
        view.guarded = chain.guarded;
        for (Operation *op : chain.combiners)
          view.operations.push_back(order[op]);
        llvm::sort(view.operations);
      } else {
        view.why = chain.why.empty() ? "never combined" : chain.why;
      }
      views.reductions.push_back(std::move(view));
    }
  }
}
