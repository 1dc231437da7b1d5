// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear forms of loop-carried values: induction variables of counted loops and
// of loops that step by one up to a bound.

#include "loom/Structured/Views/LinearForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <algorithm>

using namespace mlir;
using namespace loom;

namespace {

bool within(const Interval &inner, const Interval &outer) {
  return inner.lo >= outer.lo && inner.hi <= outer.hi;
}

Interval signedRange(Value value) {
  Integer half(1);
  for (unsigned i = 1; i < value.getType().getIntOrFloatBitWidth(); ++i)
    half *= 2;
  return {-half, half - 1};
}

} // namespace

LinearForm LinearForms::computeArgument(BlockArgument argument) {
  if (isa_and_nonnull<scf::WhileOp>(argument.getOwner()->getParentOp()))
    return computeWhileArgument(argument);
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || loop.getUnsignedCmp())
    return opaque(argument);
  LinearForm lb = form(loop.getLowerBound()), ub = form(loop.getUpperBound());
  APInt stepBits;
  Integer step(0);
  if (matchPattern(loop.getStep(), m_ConstantInt(&stepBits)))
    step = Integer(stepBits.getSExtValue());

  if (argument != loop.getInductionVar()) {
    // A second induction variable: argument + c at the end of each iteration.
    unsigned index = argument.getArgNumber() - 1;
    Value next = loop.getYieldedValues()[index];
    Value init = loop.getInitArgs()[index];
    auto add = next.getDefiningOp<arith::AddIOp>();
    APInt increment;
    if (!add || step <= 0 ||
        !((add.getLhs() == argument &&
           matchPattern(add.getRhs(), m_ConstantInt(&increment))) ||
          (add.getRhs() == argument &&
           matchPattern(add.getLhs(), m_ConstantInt(&increment)))))
      return opaque(argument);
    Integer c(increment.getSExtValue());
    if (c % step != 0)
      return opaque(argument);
    LinearForm iv = form(loop.getInductionVar());
    return fitting(form(init) + (iv - lb) * (c / step), argument);
  }

  Interval l = range(lb), u = range(ub), whole = signedRange(argument);
  Interval r{l.lo, std::max(l.lo, u.hi - 1)};
  LinearForm one = LinearForm::of(Integer(1));
  if (step > 1) {
    Integer trips = std::max(Integer(0), llvm::floorDiv(u.hi - 1 - l.lo, step));
    LinearForm q = fresh({Integer(0), trips});
    LinearForm iv = lb + q * step;
    if (within(range(iv), whole)) {
      fact(q, q);
      fact(q, ub - one - iv);
      return iv;
    }
  }
  LinearForm iv = fresh(r);
  fact(iv, iv - lb);
  fact(iv, ub - one - iv);
  return iv;
}

/// A loop that tests at its end whether the counter, one more than before, has
/// reached a bound. If it can't start past the bound it meets it.
LinearForm LinearForms::computeWhileArgument(BlockArgument argument) {
  auto loop = cast<scf::WhileOp>(argument.getOwner()->getParentOp());
  unsigned index = argument.getArgNumber();
  if (argument.getOwner() != loop.getBeforeBody())
    return opaque(argument);
  // Handed over unchanged after the test.
  Value back = loop.getYieldOp().getResults()[index];
  auto passed = dyn_cast<BlockArgument>(back);
  if (!passed || passed.getOwner() != loop.getAfterBody())
    return opaque(argument);
  scf::ConditionOp test = loop.getConditionOp();
  auto next =
      test.getArgs()[passed.getArgNumber()].getDefiningOp<arith::AddIOp>();
  if (!next || next.getLhs() != argument ||
      !matchPattern(next.getRhs(), m_One()))
    return opaque(argument);
  auto compare = test.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getLhs() != next.getResult() ||
      (compare.getPredicate() != arith::CmpIPredicate::ne &&
       compare.getPredicate() != arith::CmpIPredicate::slt))
    return opaque(argument);
  Value bound = compare.getRhs();
  if (loop->isAncestor(bound.getParentRegion()->getParentOp()))
    return opaque(argument);
  LinearForm first = form(loop.getInits()[index]), end = form(bound);
  LinearForm last = end - LinearForm::of(Integer(1));
  std::optional<Interval> room = rangeAt(last - first, loop);
  if (!room || room->lo < 0)
    return opaque(argument);
  Interval lo = range(first), hi = range(last);
  LinearForm iv = fresh({lo.lo, std::max(lo.lo, hi.hi)});
  fact(iv, iv - first);
  fact(iv, last - iv);
  return iv;
}

LinearForm LinearForms::modularForm(Value value) {
  Integer whole(1);
  for (unsigned i = 0; i < 64; ++i)
    whole *= 2;
  auto least = [&](const Integer &x) {
    Integer rest = llvm::mod(x, whole);
    return rest * 2 >= whole ? rest - whole : rest;
  };
  auto reduce = [&](const LinearForm &f) {
    LinearForm result = LinearForm::of(least(f.constant));
    for (const auto &[number, factor] : f.terms)
      if (Integer rest = least(factor); rest != 0)
        result.terms.emplace(number, rest);
    return result;
  };
  if (depth > 64 || !value.getType().isInteger(64))
    return form(value);
  Operation *op = value.getDefiningOp();
  APInt constant;
  LinearForm result;
  ++depth;
  if (isa_and_nonnull<arith::AddIOp>(op))
    result = modularForm(op->getOperand(0)) + modularForm(op->getOperand(1));
  else if (isa_and_nonnull<arith::SubIOp>(op))
    result = modularForm(op->getOperand(0)) - modularForm(op->getOperand(1));
  else if (isa_and_nonnull<arith::MulIOp>(op) &&
           matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    result = modularForm(op->getOperand(0)) * Integer(constant.getSExtValue());
  else if (isa_and_nonnull<arith::ShLIOp>(op) &&
           matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
           constant.ult(63))
    result = modularForm(op->getOperand(0)) *
             Integer(int64_t(1) << constant.getZExtValue());
  else
    result = form(value);
  --depth;
  return reduce(result);
}
