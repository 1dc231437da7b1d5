// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of a linear form at a point: a linear program over the iterations of
// the enclosing loops, the conditions that lead to the point and the facts
// about the variables involved. All of it in exact arithmetic.

#include "loom/Structured/Views/LinearForms.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <set>

using namespace mlir;
using namespace loom;

namespace {
constexpr unsigned MaxVariables = 28; // of one linear program
} // namespace

/// What `condition == holds` says about integers.
void LinearForms::assume(Value condition, bool holds,
                         std::vector<LinearForm> &facts) {
  Operation *op = condition.getDefiningOp();
  if (!op)
    return;
  if ((isa<arith::AndIOp>(op) && holds) || (isa<arith::OrIOp>(op) && !holds)) {
    assume(op->getOperand(0), holds, facts);
    assume(op->getOperand(1), holds, facts);
    return;
  }
  if (isa<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_One()))
    return assume(op->getOperand(0), !holds, facts);
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || !compare.getLhs().getType().isInteger())
    return;
  using P = arith::CmpIPredicate;
  P p = holds ? compare.getPredicate()
              : arith::invertPredicate(compare.getPredicate());
  LinearForm a = form(compare.getLhs()), b = form(compare.getRhs());
  LinearForm one = LinearForm::of(Integer(1));
  // Bring everything to a < b, a <= b or a == b.
  if (p == P::sgt || p == P::sge || p == P::ugt || p == P::uge) {
    std::swap(a, b);
    p = p == P::sgt   ? P::slt
        : p == P::sge ? P::sle
        : p == P::ugt ? P::ult
                      : P::ule;
  }
  if (p == P::ult || p == P::ule) {
    // Below something that is not negative: not negative itself.
    if (range(b).lo < 0)
      return;
    facts.push_back(a);
    p = p == P::ult ? P::slt : P::sle;
  }
  if (p == P::slt)
    facts.push_back(b - a - one);
  else if (p == P::sle)
    facts.push_back(b - a);
  else if (p == P::eq) {
    facts.push_back(b - a);
    facts.push_back(a - b);
  } else if (p == P::ne) {
    // Not at an end of the range: one step further in.
    LinearForm d = a - b;
    Interval r = range(d);
    if (r.lo == 0)
      facts.push_back(d - one);
    else if (r.hi == 0)
      facts.push_back(LinearForm::of(Integer(-1)) - d);
  }
}

/// The facts that hold because `at` executes.
void LinearForms::context(Operation *at, std::vector<LinearForm> &facts) {
  LinearForm one = LinearForm::of(Integer(1));
  for (Operation *child = at, *parent = at->getParentOp(); parent;
       child = parent, parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      assume(branch.getCondition(),
             child->getParentRegion() == &branch.getThenRegion(), facts);
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (loop.getUnsignedCmp())
        continue;
      LinearForm iv = form(loop.getInductionVar());
      facts.push_back(iv - form(loop.getLowerBound()));
      facts.push_back(form(loop.getUpperBound()) - one - iv);
    }
  }
}

std::optional<Interval> LinearForms::rangeAt(const LinearForm &form,
                                             Operation *at) {
  std::vector<LinearForm> facts;
  context(at, facts);

  // Close over the facts of every variable involved.
  std::set<unsigned> seen;
  std::vector<unsigned> work;
  auto mention = [&](const LinearForm &f) {
    for (const auto &term : f.terms)
      if (seen.insert(term.first).second)
        work.push_back(term.first);
  };
  mention(form);
  for (const LinearForm &f : facts)
    mention(f);
  while (!work.empty() && seen.size() <= MaxVariables) {
    unsigned number = work.back();
    work.pop_back();
    for (const LinearForm &f : variables[number].atLeastZero) {
      facts.push_back(f);
      mention(f);
    }
  }
  if (seen.size() > MaxVariables)
    return range(form);

  std::map<unsigned, unsigned> column;
  for (unsigned number : seen)
    column.emplace(number, column.size());
  unsigned count = column.size();
  presburger::IntegerPolyhedron domain(
      presburger::PresburgerSpace::getSetSpace(count));
  auto row = [&](const LinearForm &f) {
    llvm::SmallVector<Integer> result(count + 1, Integer(0));
    for (const auto &[number, factor] : f.terms)
      result[column[number]] = factor;
    result[count] = f.constant;
    return result;
  };
  auto atLeastZero = [&](const LinearForm &f) {
    llvm::SmallVector<Integer> result = row(f);
    Integer common(0);
    for (unsigned i = 0; i < count; ++i)
      common = llvm::gcd(common, llvm::abs(result[i]));
    if (common > 1) { // all variables are whole numbers
      for (unsigned i = 0; i < count; ++i)
        result[i] /= common;
      result[count] = llvm::floorDiv(result[count], common);
    }
    domain.addInequality(result);
  };
  for (const LinearForm &f : facts)
    atLeastZero(f);
  for (unsigned number : seen) {
    LinearForm v = LinearForm::variable(number);
    atLeastZero(v - LinearForm::of(variables[number].range.lo));
    atLeastZero(LinearForm::of(variables[number].range.hi) - v);
  }
  presburger::Simplex simplex(domain);
  if (simplex.isEmpty())
    return std::nullopt;
  auto [lo, hi] = simplex.computeIntegerBounds(row(form));
  if (!lo.isBounded() || !hi.isBounded())
    return range(form);
  // Rational optima rounded inwards; no integer in between: never executed.
  if (*lo > *hi)
    return range(form);
  return Interval{*lo, *hi};
}
