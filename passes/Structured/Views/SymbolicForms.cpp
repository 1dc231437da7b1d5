// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials, the nodes they become, and the elimination of bounded variables.

#include "SymbolicForms.h"
#include <algorithm>

using namespace mlir;
using namespace loom;

namespace {

constexpr unsigned MaxNodes = 200;
constexpr unsigned MaxTerms = 24;
constexpr unsigned MaxDegree = 4;
constexpr unsigned MaxWork = 4000; // eliminations of one region

Interval product(const Interval &a, const Interval &b) {
  Integer p[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}

bool fits64(const Integer &value) {
  return value >= Integer(INT64_MIN) && value <= Integer(INT64_MAX);
}

} // namespace

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

Polynomial Polynomial::of(Integer constant) {
  Polynomial p;
  p.add({}, constant);
  return p;
}

Polynomial Polynomial::variable(unsigned number) {
  Polynomial p;
  p.add({number}, Integer(1));
  return p;
}

void Polynomial::add(const Monomial &monomial, const Integer &factor) {
  if (factor == 0)
    return;
  auto [entry, isNew] = terms.emplace(monomial, factor);
  if (isNew)
    return;
  entry->second += factor;
  if (entry->second == 0)
    terms.erase(entry);
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial sum = *this;
  for (const auto &[monomial, factor] : other.terms)
    sum.add(monomial, factor);
  sum.obligations.insert(other.obligations.begin(), other.obligations.end());
  return sum;
}

Polynomial Polynomial::operator*(const Integer &factor) const {
  Polynomial product;
  for (const auto &[monomial, mine] : terms)
    product.add(monomial, mine * factor);
  product.obligations = obligations;
  return product;
}

Polynomial Polynomial::operator-(const Polynomial &other) const {
  return *this + other * Integer(-1);
}

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial product;
  for (const auto &[mine, factor] : terms)
    for (const auto &[theirs, otherFactor] : other.terms) {
      Monomial monomial(mine.size() + theirs.size());
      std::merge(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                 monomial.begin());
      product.add(monomial, factor * otherFactor);
    }
  product.obligations = obligations;
  product.obligations.insert(other.obligations.begin(),
                             other.obligations.end());
  return product;
}

bool Polynomial::isConstant() const {
  return terms.empty() || (terms.size() == 1 && terms.begin()->first.empty());
}

Integer Polynomial::constant() const {
  auto found = terms.find({});
  return found == terms.end() ? Integer(0) : found->second;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

MaybeNode BoundNodes::make(BoundOp op, unsigned a, unsigned b, int64_t imm,
                           unsigned width) {
  auto [entry, isNew] =
      known.try_emplace({unsigned(op), a, b, imm, width}, nodes.size());
  if (!isNew)
    return entry->second;
  if (nodes.size() >= MaxNodes) {
    known.erase(entry);
    return std::nullopt;
  }
  nodes.push_back({op, width, a, b, imm});
  return entry->second;
}

MaybeNode BoundNodes::constant(const Integer &value) {
  if (!fits64(value))
    return std::nullopt;
  return make(BoundOp::Constant, 0, 0, int64_t(value), 0);
}

MaybeNode BoundNodes::add(unsigned a, unsigned b) {
  if (nodes[a].op == BoundOp::Constant)
    std::swap(a, b);
  if (nodes[b].op == BoundOp::Constant)
    return addConstant(a, Integer(nodes[b].imm));
  return make(BoundOp::Add, std::min(a, b), std::max(a, b), 0, 0);
}

MaybeNode BoundNodes::addConstant(unsigned a, const Integer &value) {
  Integer sum = value;
  if (nodes[a].op == BoundOp::Constant)
    return constant(sum + Integer(nodes[a].imm));
  if (nodes[a].op == BoundOp::AddC) {
    sum += Integer(nodes[a].imm);
    a = nodes[a].a;
  }
  if (sum == 0)
    return a;
  if (!fits64(sum))
    return std::nullopt;
  return make(BoundOp::AddC, a, 0, int64_t(sum), 0);
}

MaybeNode BoundNodes::multiply(unsigned a, unsigned b) {
  return make(BoundOp::Mul, std::min(a, b), std::max(a, b), 0, 0);
}

MaybeNode BoundNodes::multiplyConstant(unsigned a, const Integer &value) {
  if (value == 1)
    return a;
  if (!fits64(value))
    return std::nullopt;
  return make(BoundOp::MulC, a, 0, int64_t(value), 0);
}

MaybeNode BoundNodes::least(unsigned a, unsigned b, bool greatest) {
  // Two values that differ by a constant need no comparison.
  auto split = [&](unsigned n) -> std::pair<int64_t, int64_t> {
    if (nodes[n].op == BoundOp::Constant)
      return {-1, nodes[n].imm};
    if (nodes[n].op == BoundOp::AddC)
      return {nodes[n].a, nodes[n].imm};
    return {n, 0};
  };
  auto [baseA, plusA] = split(a);
  auto [baseB, plusB] = split(b);
  if (baseA == baseB)
    return (plusA < plusB) != greatest ? a : b;
  return make(greatest ? BoundOp::Max : BoundOp::Min, std::min(a, b),
              std::max(a, b), 0, 0);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

MaybePolynomial SymbolicForms::symbol(MaybeNode node, Interval range,
                                      const std::set<unsigned> &obligations) {
  if (!node)
    return std::nullopt;
  Polynomial p;
  if (bounds.nodes[*node].op == BoundOp::Constant) {
    p = Polynomial::of(Integer(bounds.nodes[*node].imm));
  } else {
    unsigned number = 0;
    while (number < variables.size() &&
           !(variables[number].isSymbol && variables[number].node == *node))
      ++number;
    if (number == variables.size()) {
      Variable variable;
      variable.range = range;
      variable.isSymbol = true;
      variable.node = *node;
      variables.push_back(variable);
    }
    p = Polynomial::variable(number);
  }
  p.obligations = obligations;
  return p;
}

Polynomial SymbolicForms::bounded(Interval range, std::vector<Polynomial> lo,
                                  std::vector<Polynomial> hi,
                                  std::set<unsigned> obligations) {
  Variable variable;
  variable.range = range;
  for (std::vector<Polynomial> *side : {&lo, &hi})
    for (Polynomial &p : *side)
      obligations.insert(p.obligations.begin(), p.obligations.end());
  variable.lo = std::move(lo);
  variable.hi = std::move(hi);
  variables.push_back(std::move(variable));
  Polynomial p = Polynomial::variable(variables.size() - 1);
  p.obligations = std::move(obligations);
  return p;
}

bool SymbolicForms::isInvariant(const Polynomial &p) const {
  for (const auto &[monomial, factor] : p.terms)
    for (unsigned number : monomial)
      if (!variables[number].isSymbol)
        return false;
  return true;
}

Interval SymbolicForms::range(const Polynomial &p) const {
  Interval sum{Integer(0), Integer(0)};
  for (const auto &[monomial, factor] : p.terms) {
    Interval part{factor, factor};
    for (unsigned number : monomial)
      part = product(part, variables[number].range);
    sum.lo += part.lo;
    sum.hi += part.hi;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

MaybeNode SymbolicForms::emit(const Polynomial &p) {
  MaybeNode sum;
  for (const auto &[monomial, factor] : p.terms) {
    if (monomial.empty())
      continue;
    MaybeNode part;
    for (unsigned number : monomial) {
      unsigned node = variables[number].node;
      part = part ? bounds.multiply(*part, node) : MaybeNode(node);
      if (!part)
        return std::nullopt;
    }
    part = bounds.multiplyConstant(*part, factor);
    if (!part)
      return std::nullopt;
    sum = sum ? bounds.add(*sum, *part) : part;
    if (!sum)
      return std::nullopt;
  }
  Integer constant = p.constant();
  return sum ? bounds.addConstant(*sum, constant) : bounds.constant(constant);
}

/// Bound of factor * variable + rest with a bound in place of the variable; of
/// several bounds the best result.
MaybeNode SymbolicForms::boundBy(const Polynomial &factor,
                                 const Polynomial &rest,
                                 const Variable &variable, bool upperSide,
                                 bool upper) {
  MaybeNode best;
  for (const Polynomial &side : upperSide ? variable.hi : variable.lo) {
    MaybeNode node = bound(factor * side + rest, upper);
    if (node)
      best = best ? bounds.least(*best, *node, /*greatest=*/!upper) : node;
  }
  return best;
}

MaybeNode SymbolicForms::bound(const Polynomial &p, bool upper) {
  if (++work > MaxWork || p.terms.size() > MaxTerms)
    return std::nullopt;
  int64_t last = -1;
  for (const auto &[monomial, factor] : p.terms) {
    if (monomial.size() > MaxDegree)
      return std::nullopt;
    for (unsigned number : monomial)
      if (!variables[number].isSymbol)
        last = std::max<int64_t>(last, number);
  }
  if (last < 0)
    return emit(p);

  Polynomial factor, rest;
  for (const auto &[monomial, coefficient] : p.terms) {
    Polynomial::Monomial others;
    for (unsigned number : monomial)
      if (number != unsigned(last))
        others.push_back(number);
    if (monomial.size() > others.size() + 1)
      return std::nullopt; // a square
    (others.size() == monomial.size() ? rest : factor).add(others, coefficient);
  }
  Variable variable = variables[last]; // bound() may add variables
  Interval sign = range(factor);
  if (sign.lo >= 0)
    return boundBy(factor, rest, variable, upper, upper);
  if (sign.hi <= 0)
    return boundBy(factor, rest, variable, !upper, upper);
  // Either end, whatever the sign of the factor.
  MaybeNode a = boundBy(factor, rest, variable, false, upper);
  MaybeNode b = boundBy(factor, rest, variable, true, upper);
  if (!a || !b)
    return std::nullopt;
  return bounds.least(*a, *b, /*greatest=*/upper);
}

MaybePolynomial SymbolicForms::requireFits(Polynomial p, unsigned width) {
  Integer half(1);
  for (unsigned i = 1; i < width; ++i)
    half *= 2;
  Interval r = range(p);
  if (r.lo >= -half && r.hi < half)
    return p;
  MaybeNode lo = bound(p, false), hi = bound(p, true);
  if (!lo || !hi)
    return std::nullopt;
  for (unsigned node : {*lo, *hi}) {
    if (bounds.nodes[node].op == BoundOp::Constant) {
      Integer value(bounds.nodes[node].imm);
      if (value < -half || value >= half)
        return std::nullopt;
      continue;
    }
    MaybeNode fits = bounds.make(BoundOp::FitsS, node, 0, 0, width);
    if (!fits)
      return std::nullopt;
    p.obligations.insert(*fits);
  }
  return p;
}

bool SymbolicForms::requireNotNegative(const Polynomial &p,
                                       std::set<unsigned> &to) {
  to.insert(p.obligations.begin(), p.obligations.end());
  if (range(p).lo >= 0)
    return true;
  MaybeNode lo = bound(p, false);
  if (!lo)
    return false;
  if (bounds.nodes[*lo].op == BoundOp::Constant)
    return bounds.nodes[*lo].imm >= 0;
  MaybeNode checked = bounds.make(BoundOp::NotNegative, *lo, 0, 0, 0);
  if (!checked)
    return false;
  to.insert(*checked);
  return true;
}
