// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Domains.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <set>

using namespace mlir;
using namespace loom;
using namespace loom::views;

static const LinearForm one = LinearForm::of(Integer(1));

static Conjunction nonNegative(LinearForm form) {
  return {{}, {std::move(form)}};
}

/// What `condition == expected` says; every answer is exact over the variables
/// it mentions.
Cases Domains::holds(Value condition, bool expected, unsigned depth) {
  Operation *op = condition.getDefiningOp();
  APInt bits;
  if (matchPattern(condition, m_ConstantInt(&bits)))
    return bits.isZero() != expected ? Cases{Conjunction{}} : Cases{};
  if (isa_and_nonnull<arith::XOrIOp>(op) && depth < 32 &&
      matchPattern(op->getOperand(1), m_ConstantInt(&bits)))
    return holds(op->getOperand(0), expected != !bits.isZero(), depth + 1);
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op) && depth < 8) {
    Cases a = holds(op->getOperand(0), expected, depth + 1),
          b = holds(op->getOperand(1), expected, depth + 1);
    if (isa<arith::AndIOp>(op) != expected) { // a union
      a.insert(a.end(), b.begin(), b.end());
      return a;
    }
    if (a.size() * b.size() <= config.cases) {
      Cases both;
      for (const Conjunction &x : a)
        for (Conjunction y : b) {
          y.zero.insert(y.zero.end(), x.zero.begin(), x.zero.end());
          y.atLeastZero.insert(y.atLeastZero.end(), x.atLeastZero.begin(),
                               x.atLeastZero.end());
          both.push_back(std::move(y));
        }
      return both;
    }
  }
  if (isa_and_nonnull<arith::CmpIOp>(op))
    return compare(condition, expected);
  // A truth value of its own: -1 or 0.
  LinearForm truth = values.form(condition);
  return {{{expected ? truth + one : truth}, {}}};
}

Cases Domains::compare(Value condition, bool expected) {
  auto op = condition.getDefiningOp<arith::CmpIOp>();
  Type type = op.getLhs().getType();
  if (!type.isIntOrIndex() ||
      (!type.isIndex() && type.getIntOrFloatBitWidth() > 64)) {
    LinearForm truth = values.form(condition);
    return {{{expected ? truth + one : truth}, {}}};
  }
  using P = arith::CmpIPredicate;
  P p =
      expected ? op.getPredicate() : arith::invertPredicate(op.getPredicate());
  LinearForm a = values.form(op.getLhs()), b = values.form(op.getRhs());
  // Bring everything to a < b, a <= b, a == b or a != b.
  if (p == P::sgt || p == P::sge || p == P::ugt || p == P::uge) {
    std::swap(a, b);
    p = p == P::sgt   ? P::slt
        : p == P::sge ? P::sle
        : p == P::ugt ? P::ult
                      : P::ule;
  }
  if (p == P::eq)
    return {{{a - b}, {}}};
  if (p == P::ne)
    return {nonNegative(a - b - one), nonNegative(b - a - one)};
  LinearForm room = p == P::slt || p == P::ult ? b - a - one : b - a;
  if (p == P::slt || p == P::sle)
    return {nonNegative(room)};
  // Unsigned: the negative ones are above the others.
  bool aNegative = values.range(a).lo < 0, bNegative = values.range(b).lo < 0;
  LinearForm belowA = LinearForm::of(Integer(-1)) - a,
             belowB = LinearForm::of(Integer(-1)) - b;
  Cases cases;
  cases.push_back({{}, {room}});
  if (aNegative)
    cases.back().atLeastZero.push_back(a);
  if (bNegative) {
    cases.back().atLeastZero.push_back(b);
    cases.push_back({{}, {belowB, a}});
  }
  if (aNegative && bNegative)
    cases.push_back({{}, {room, belowA, belowB}});
  return cases;
}

void Domains::constrain(Domain &domain, const Cases &cases) {
  if (domain.pieces.size() * cases.size() > config.cases) {
    domain.why = "too many cases";
    return;
  }
  Cases result;
  for (const Conjunction &piece : domain.pieces)
    for (const Conjunction &more : cases) {
      Conjunction both = piece;
      both.zero.insert(both.zero.end(), more.zero.begin(), more.zero.end());
      both.atLeastZero.insert(both.atLeastZero.end(), more.atLeastZero.begin(),
                              more.atLeastZero.end());
      result.push_back(std::move(both));
    }
  domain.pieces = std::move(result);
}

/// iv < limit, or iv >= limit; a minimum or maximum is several limits.
void Domains::bound(Domain &domain, const LinearForm &iv, Value limit,
                    bool upper) {
  Operation *op = limit.getDefiningOp();
  bool several = upper ? isa_and_nonnull<arith::MinSIOp>(op)
                       : isa_and_nonnull<arith::MaxSIOp>(op);
  if (several) {
    bound(domain, iv, op->getOperand(0), upper);
    bound(domain, iv, op->getOperand(1), upper);
    return;
  }
  LinearForm form = values.form(limit);
  constrain(domain, {nonNegative(upper ? form - one - iv : iv - form)});
}

void Domains::enterLoop(Domain &domain, Operation *loop) {
  domain.loops.push_back(loop);
  LinearForm iteration = LinearForm::variable(values.iteration(loop));
  constrain(domain, {nonNegative(iteration)});
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!counted) {
    domain.why = "a while loop: how often it runs is not known";
    return;
  }
  LinearForm iv = values.form(counted.getInductionVar());
  bool closed = iv.terms.count(iteration.terms.begin()->first);
  if (!closed) {
    domain.why = counted.getUnsignedCmp()
                     ? "a loop with unsigned bounds that may be negative"
                     : "a loop whose step is not a positive constant";
    return;
  }
  bound(domain, iv, counted.getUpperBound(), true);
}

void Domains::enterSwitch(Domain &domain, Operation *op, Region *region) {
  auto choice = cast<scf::IndexSwitchOp>(op);
  LinearForm value = values.form(choice.getArg());
  ArrayRef<int64_t> cases = choice.getCases();
  for (auto [number, body] : llvm::enumerate(choice.getCaseRegions()))
    if (&body == region)
      return constrain(
          domain, {{{value - LinearForm::of(Integer(cases[number]))}, {}}});
  for (int64_t other : cases) {
    LinearForm apart = value - LinearForm::of(Integer(other));
    constrain(domain, {nonNegative(apart - one),
                       nonNegative(LinearForm() - apart - one)});
  }
}

const Domain &Domains::of(Block *block) {
  auto known = domains.find(block);
  if (known != domains.end())
    return *known->second;
  Operation *parent = block->getParentOp();
  Domain domain;
  if (isa<SpatialRegionOp>(parent)) {
    domain.pieces = {Conjunction{}};
  } else {
    domain = of(parent->getBlock());
    if (isLoop(parent)) {
      enterLoop(domain, parent);
    } else if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      constrain(domain, holds(branch.getCondition(),
                              block->getParent() == &branch.getThenRegion()));
    } else if (isa<scf::IndexSwitchOp>(parent)) {
      enterSwitch(domain, parent, block->getParent());
    } else {
      domain.why =
          ("control of '" + parent->getName().getStringRef() + "' is not known")
              .str();
    }
  }
  auto &slot = domains[block];
  slot = std::make_unique<Domain>(std::move(domain));
  return *slot;
}

std::vector<unsigned> Domains::variablesOf(const Conjunction &piece) const {
  std::set<unsigned> seen;
  std::vector<unsigned> work;
  auto mention = [&](const LinearForm &form) {
    for (const auto &term : form.terms)
      if (seen.insert(term.first).second)
        work.push_back(term.first);
  };
  for (const LinearForm &form : piece.zero)
    mention(form);
  for (const LinearForm &form : piece.atLeastZero)
    mention(form);
  while (!work.empty()) {
    unsigned number = work.back();
    work.pop_back();
    for (const LinearForm &form : values.variable(number).atLeastZero)
      mention(form);
  }
  return {seen.begin(), seen.end()};
}

std::string Domains::inexact(const std::vector<unsigned> &variables,
                             bool free) const {
  for (unsigned number : variables) {
    const AffineValues::Variable &v = values.variable(number);
    if (v.kind == VariableView::Opaque)
      return "depends on a value that varies in ways not followed";
    if (free && v.kind == VariableView::Constant)
      return "depends on a value computed from the inputs";
  }
  return "";
}
