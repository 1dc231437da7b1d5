// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials of loop-carried values and live-ins.

#include "SymbolicForms.h"
#include "SymbolicIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace loom;
using namespace loom::symbolic;

namespace {

bool isDefinedOutside(Value value, Operation *loop) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

/// The increment of `next == argument + increment`, or null.
Value incrementOf(Value next, Value argument) {
  auto add = next.getDefiningOp<arith::AddIOp>();
  if (!add)
    return Value();
  return add.getLhs() == argument   ? add.getRhs()
         : add.getRhs() == argument ? add.getLhs()
                                    : Value();
}

/// Comparisons that all hold when a loop goes on.
void conjuncts(Value condition, llvm::SmallVectorImpl<arith::CmpIOp> &list) {
  Operation *op = condition.getDefiningOp();
  if (!op || list.size() > 8)
    return;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    list.push_back(compare);
  } else if (isa<arith::AndIOp>(op)) {
    conjuncts(op->getOperand(0), list);
    conjuncts(op->getOperand(1), list);
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (matchPattern(select.getFalseValue(), m_Zero())) {
      conjuncts(select.getCondition(), list);
      conjuncts(select.getTrueValue(), list);
    }
  }
}

/// What a while loop does with one of its values.
struct Recurrence {
  Value next;             // the value of the next iteration
  Value increment;        // next == argument + increment
  bool afterTest = false; // computed behind the test
};

Recurrence recurrenceOf(scf::WhileOp loop, unsigned index) {
  Recurrence result;
  BlockArgument argument = loop.getBeforeArguments()[index];
  scf::ConditionOp test = loop.getConditionOp();
  auto passed = [&](Value value) -> Value {
    auto block = dyn_cast<BlockArgument>(value);
    return block && block.getOwner() == loop.getAfterBody()
               ? test.getArgs()[block.getArgNumber()]
               : Value();
  };
  Value back = loop.getYieldOp().getResults()[index];
  if (Value value = passed(back)) {
    result.next = value;
    result.increment = incrementOf(value, argument);
  } else if (auto add = back.getDefiningOp<arith::AddIOp>()) {
    result.afterTest = true;
    result.next = back;
    if (passed(add.getLhs()) == argument)
      result.increment = add.getRhs();
    else if (passed(add.getRhs()) == argument)
      result.increment = add.getLhs();
  }
  if (result.increment && !isDefinedOutside(result.increment, loop) &&
      !constantOf(result.increment))
    result.increment = Value();
  return result;
}

} // namespace

MaybePolynomial SymbolicForms::argument(BlockArgument argument) {
  auto type = dyn_cast<IntegerType>(argument.getType());
  if (!type || type.getWidth() < 2 || type.getWidth() > 64)
    return std::nullopt;
  Operation *owner = argument.getOwner()->getParentOp();
  if (isa<SpatialRegionOp>(owner))
    return symbol(bounds.make(BoundOp::SlotS, argument.getArgNumber(), 0, 0,
                              type.getWidth()),
                  signedRange(type.getWidth()), {});
  if (auto loop = dyn_cast<scf::ForOp>(owner))
    return forArgument(loop, argument);
  if (auto loop = dyn_cast<scf::WhileOp>(owner))
    return whileArgument(loop, argument);
  return std::nullopt;
}

/// The number of the iteration, from 0, in the body of a counted loop.
MaybePolynomial SymbolicForms::iterations(scf::ForOp loop) {
  auto known = loopIterations.find(loop);
  if (known != loopIterations.end())
    return known->second;
  loopIterations[loop] = std::nullopt;
  MaybePolynomial lb = exact(loop.getLowerBound()),
                  ub = exact(loop.getUpperBound());
  std::optional<Integer> step = constantOf(loop.getStep());
  if (!lb || !ub || !step || *step <= 0)
    return std::nullopt;
  std::set<unsigned> obligations;
  // An unsigned comparison is a signed one between what isn't negative.
  if (loop.getUnsignedCmp() && (!requireNotNegative(*lb, obligations) ||
                                !requireNotNegative(*ub, obligations)))
    return std::nullopt;
  Polynomial last = *ub - Polynomial::of(Integer(1)) - *lb;
  if (*step != 1) {
    MaybeNode node = bound(last, true);
    if (node)
      node = bounds.make(BoundOp::FloorDiv, *node, 0, int64_t(*step), 0);
    Interval r = range(last);
    MaybePolynomial most =
        symbol(node,
               isInvariant(last) ? Interval{llvm::floorDiv(r.lo, *step),
                                            llvm::floorDiv(r.hi, *step)}
                                 : anywhere(),
               last.obligations);
    if (!most)
      return std::nullopt;
    last = *most;
  }
  Integer most = (linear.range(loop.getInductionVar()).hi -
                  linear.range(loop.getLowerBound()).lo) /
                 *step;
  MaybePolynomial count =
      bounded({Integer(0), std::max(Integer(0), most)},
              {Polynomial::of(Integer(0))}, {last}, obligations);
  count->obligations.insert(lb->obligations.begin(), lb->obligations.end());
  loopIterations[loop] = count;
  return count;
}

MaybePolynomial SymbolicForms::forArgument(scf::ForOp loop,
                                           BlockArgument argument) {
  if (argument == loop.getInductionVar()) {
    MaybePolynomial lb = exact(loop.getLowerBound()),
                    ub = exact(loop.getUpperBound());
    std::optional<Integer> step = constantOf(loop.getStep());
    if (!lb || !ub)
      return std::nullopt;
    if (step && *step > 0) {
      MaybePolynomial count = iterations(loop);
      return count ? MaybePolynomial(*lb + *count * *step) : std::nullopt;
    }
    if (loop.getUnsignedCmp())
      return std::nullopt;
    return bounded(signedRange(argument.getType().getIntOrFloatBitWidth()),
                   {*lb}, {*ub - Polynomial::of(Integer(1))}, {});
  }
  // Another value that grows by the same amount every time.
  unsigned index = argument.getArgNumber() - 1;
  Value next = loop.getYieldedValues()[index];
  Value increment = incrementOf(next, argument);
  if (!increment ||
      (!isDefinedOutside(increment, loop) && !constantOf(increment)))
    return std::nullopt;
  MaybePolynomial first = exact(loop.getInitArgs()[index]),
                  by = exact(increment), count = iterations(loop);
  if (!first || !by || !count)
    return std::nullopt;
  Polynomial p = *first + *count * *by;
  if (hasSignedFlag(next.getDefiningOp()))
    return p;
  return requireFits(std::move(p), argument.getType().getIntOrFloatBitWidth());
}

/// The value of a counter of a while loop before or behind the test. With t the
/// tested value and d = t - counter (0 or the step s), going on means t < bound
/// (s > 0), so that the next value is at most bound - 1 - d + s; the first one
/// is obliged to be no more than that. With `!=` and a step of one, t meets the
/// bound for the same reason.
MaybePolynomial SymbolicForms::counter(scf::WhileOp loop, unsigned index,
                                       bool afterTest) {
  BlockArgument argument = loop.getBeforeArguments()[index];
  unsigned width = argument.getType().getIntOrFloatBitWidth();
  Recurrence recurrence = recurrenceOf(loop, index);
  std::optional<Integer> step =
      recurrence.increment ? constantOf(recurrence.increment) : std::nullopt;
  MaybePolynomial first = exact(loop.getInits()[index]);
  if (!step || *step == 0 || !first)
    return std::nullopt;
  bool up = *step > 0;
  Integer one(up ? 1 : -1);
  llvm::SmallVector<arith::CmpIOp> tests;
  conjuncts(loop.getConditionOp().getCondition(), tests);
  for (arith::CmpIOp test : tests) {
    using P = arith::CmpIPredicate;
    Value tested = test.getLhs(), limit = test.getRhs();
    P p = test.getPredicate();
    auto isCounter = [&](Value value) {
      return value == argument ||
             (!recurrence.afterTest && value == recurrence.next);
    };
    if (!isCounter(tested)) {
      std::swap(tested, limit);
      p = p == P::slt   ? P::sgt
          : p == P::sgt ? P::slt
          : p == P::sle ? P::sge
          : p == P::sge ? P::sle
          : p == P::ult ? P::ugt
          : p == P::ugt ? P::ult
          : p == P::ne  ? P::ne
                        : P::eq;
    }
    if (!isCounter(tested) ||
        (!isDefinedOutside(limit, loop) && !constantOf(limit)))
      continue;
    bool order = up ? (p == P::slt || p == P::sle || p == P::ult)
                    : (p == P::sgt || p == P::sge || p == P::ugt);
    bool meets = p == P::ne && (*step == 1 || *step == -1);
    MaybePolynomial end = exact(limit);
    if ((!order && !meets) || !end)
      continue;
    std::set<unsigned> obligations;
    if (p == P::sle || p == P::sge)
      end = *end + Polynomial::of(one);
    if ((p == P::ult || p == P::ugt) &&
        ((*step != 1 && *step != -1) ||
         !requireNotNegative(*end, obligations) ||
         !requireNotNegative(*first, obligations)))
      continue;
    Integer d = tested == argument ? Integer(0) : *step;
    // The last value that can come next, and the last that goes on.
    Polynomial next = *end - Polynomial::of(one + d - *step);
    Polynomial on = *end - Polynomial::of(one + d);
    if (!requireNotNegative(up ? next - *first : *first - next, obligations))
      continue;
    // The step behind the last one must not wrap.
    MaybePolynomial beyond =
        requireFits(*end - Polynomial::of(one) + Polynomial::of(*step), width);
    if (!beyond)
      continue;
    obligations.insert(beyond->obligations.begin(), beyond->obligations.end());
    const Polynomial &last = afterTest ? on : next;
    return up ? bounded(signedRange(width), {*first}, {last}, obligations)
              : bounded(signedRange(width), {last}, {*first}, obligations);
  }
  return std::nullopt;
}

MaybePolynomial SymbolicForms::whileArgument(scf::WhileOp loop,
                                             BlockArgument argument) {
  if (loop.getBeforeArguments().size() != loop.getInits().size())
    return std::nullopt;
  unsigned index = argument.getArgNumber();
  if (argument.getOwner() == loop.getAfterBody()) {
    // What the test hands over.
    Value passed = loop.getConditionOp().getArgs()[index];
    auto block = dyn_cast<BlockArgument>(passed);
    if (block && block.getOwner() == loop.getBeforeBody())
      if (MaybePolynomial form = counter(loop, block.getArgNumber(), true))
        return form;
    return exact(passed);
  }
  if (MaybePolynomial form = counter(loop, index, false)) {
    counters.insert(argument);
    return form;
  }
  // Another value that grows along with a counter.
  Recurrence recurrence = recurrenceOf(loop, index);
  if (!recurrence.increment)
    return std::nullopt;
  for (BlockArgument other : loop.getBeforeArguments()) {
    Recurrence theirs = other == argument || !other.getType().isInteger()
                            ? Recurrence()
                            : recurrenceOf(loop, other.getArgNumber());
    std::optional<Integer> step =
        theirs.increment ? constantOf(theirs.increment) : std::nullopt;
    if (!step || (*step != 1 && *step != -1))
      continue;
    MaybePolynomial count = exact(other),
                    origin = exact(loop.getInits()[other.getArgNumber()]),
                    first = exact(loop.getInits()[index]),
                    by = exact(recurrence.increment);
    if (!count || !origin || !first || !by || !counters.contains(other))
      continue;
    Polynomial p = *first + (*count - *origin) * *step * *by;
    if (hasSignedFlag(recurrence.next.getDefiningOp()))
      return p;
    return requireFits(std::move(p),
                       argument.getType().getIntOrFloatBitWidth());
  }
  return std::nullopt;
}
