// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear forms of the results of operations. A narrowing cast, a bound read as
// unsigned and a wrapping product are followed only where a range proof shows
// that the value stays the same.

#include "AffineValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include <algorithm>

using namespace mlir;
using namespace loom;
using namespace loom::views;

namespace {

bool isPoison(Value value) {
  return isa_and_nonnull<ub::PoisonOp, LLVM::PoisonOp>(value.getDefiningOp());
}

bool isNsw(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

/// n where value is 2^n, or -1.
int logOf(const Integer &value) {
  Integer power(1);
  for (int n = 0; n < 63 && power <= value; ++n, power *= 2)
    if (power == value)
      return n;
  return -1;
}

} // namespace

/// floor(a / c) for c > 0: exact, since the facts leave one integer.
LinearForm AffineValues::quotient(const LinearForm &a, const Integer &c,
                                  Value value) {
  bool divides = a.constant % c == 0;
  for (const auto &term : a.terms)
    divides &= term.second % c == 0;
  if (divides) {
    LinearForm exact = LinearForm::of(a.constant / c);
    for (const auto &[number, factor] : a.terms)
      exact.terms.emplace(number, factor / c);
    return exact;
  }
  Variable v;
  v.kind = VariableView::Quotient;
  v.value = value;
  for (const auto &term : a.terms) {
    Operation *scope = variables[term.first].scope;
    if (scope && (!v.scope || v.scope->isAncestor(scope)))
      v.scope = scope;
  }
  Interval r = range(a);
  v.range = {llvm::floorDiv(r.lo, c), llvm::floorDiv(r.hi, c)};
  LinearForm q = LinearForm::variable(fresh(std::move(v)));
  variables.back().atLeastZero = {a - q * c, q * c + LinearForm::of(c - 1) - a};
  return q;
}

/// a - c * floor(a / c): a variable of its own, for its range.
LinearForm AffineValues::remainder(const LinearForm &a, const Integer &c,
                                   Value value) {
  LinearForm form = a - quotient(a, c, value) * c;
  if (form.isConstant())
    return form;
  Variable v;
  v.kind = VariableView::Quotient;
  v.value = value;
  for (const auto &term : form.terms) {
    Operation *scope = variables[term.first].scope;
    if (scope && (!v.scope || v.scope->isAncestor(scope)))
      v.scope = scope;
  }
  v.range = {Integer(0), c - 1};
  LinearForm r = LinearForm::variable(fresh(std::move(v)));
  variables.back().atLeastZero = {form - r, r - form};
  return r;
}

LinearForm AffineValues::product(const LinearForm &a, const LinearForm &b,
                                 Value value) {
  LinearForm v = opaque(value);
  Variable &variable = variables[v.terms.begin()->first];
  Interval x = range(a), y = range(b);
  Integer p[] = {x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi};
  variable.range = {std::max(variable.range.lo, *std::min_element(p, p + 4)),
                    std::min(variable.range.hi, *std::max_element(p, p + 4))};
  variable.factors = {a, b};
  return v;
}

/// One of two values.
LinearForm AffineValues::computeSelection(Value a, Value b, Value value) {
  if (isPoison(a))
    return form(b);
  if (isPoison(b))
    return form(a);
  LinearForm x = form(a), y = form(b);
  LinearForm difference = x - y;
  if (difference.terms.empty() && difference.constant == 0)
    return x;
  return opaque(value);
}

LinearForm AffineValues::computeOp(Operation *op, Value value) {
  auto of = [&](unsigned i) { return form(op->getOperand(i)); };
  const Integer zero(0);
  if (isa<arith::AddIOp>(op))
    return exactOr(of(0) + of(1), value, isNsw(op));
  if (isa<arith::SubIOp>(op))
    return exactOr(of(0) - of(1), value, isNsw(op));
  if (isa<arith::MulIOp>(op)) {
    LinearForm a = of(0), b = of(1);
    if (b.isConstant())
      return exactOr(a * b.constant, value, isNsw(op));
    if (a.isConstant())
      return exactOr(b * a.constant, value, isNsw(op));
    Interval x = range(a), y = range(b);
    Integer most = std::max(llvm::abs(x.lo), llvm::abs(x.hi)) *
                   std::max(llvm::abs(y.lo), llvm::abs(y.hi));
    bool fits = isNsw(op) ||
                most < powerOfTwo(value.getType().getIntOrFloatBitWidth() - 1);
    return fits ? product(a, b, value) : opaque(value);
  }
  if (isa<arith::ShLIOp>(op)) {
    LinearForm a = of(0), b = of(1);
    if (b.isConstant() && b.constant >= 0 && b.constant < 63)
      return exactOr(a * powerOfTwo(int64_t(b.constant)), value, isNsw(op));
    return opaque(value);
  }
  if (isa<arith::ExtSIOp>(op))
    return of(0);
  if (isa<arith::ExtUIOp>(op)) {
    LinearForm a = of(0);
    if (op->getOperand(0).getType().isInteger(1))
      return a * Integer(-1);
    return range(a).lo >= 0 ? a : opaque(value);
  }
  if (isa<arith::TruncIOp>(op))
    return exactOr(of(0), value, isNsw(op));
  if (isa<arith::IndexCastOp>(op))
    return exactOr(of(0), value, false);
  if (isa<arith::IndexCastUIOp>(op)) {
    LinearForm a = of(0);
    return range(a).lo >= 0 ? exactOr(a, value, false) : opaque(value);
  }
  if (isa<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(op)) {
    LinearForm a = of(0), b = of(1);
    if (isa<arith::MinUIOp, arith::MaxUIOp>(op) &&
        (range(a).lo < 0 || range(b).lo < 0))
      return opaque(value);
    LinearForm v = opaque(value);
    Variable &variable = variables[v.terms.begin()->first];
    if (isa<arith::MinSIOp, arith::MinUIOp>(op))
      variable.atLeastZero = {a - v, b - v};
    else
      variable.atLeastZero = {v - a, v - b};
    return v;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return computeSelection(select.getTrueValue(), select.getFalseValue(),
                            value);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    return computeSelection(branch.thenYield().getOperand(index),
                            branch.elseYield().getOperand(index), value);
  }
  if (isa<arith::OrIOp>(op)) {
    // A constant below the lowest bit of the other operand adds.
    LinearForm a = of(0), b = of(1);
    if (b.isConstant() && b.constant >= 0 && !a.isConstant()) {
      Integer d = llvm::abs(a.constant);
      for (const auto &term : a.terms)
        d = llvm::gcd(d, llvm::abs(term.second));
      Integer low(1);
      while (d % (low * 2) == 0 && low <= b.constant)
        low *= 2;
      if (low > b.constant)
        return exactOr(a + b, value, false);
    }
    return opaque(value);
  }
  if (!isa<arith::ShRSIOp, arith::ShRUIOp, arith::DivSIOp, arith::DivUIOp,
           arith::RemSIOp, arith::RemUIOp, arith::AndIOp>(op))
    return opaque(value);
  LinearForm a = of(0), b = of(1);
  if (!b.isConstant())
    return opaque(value);
  bool isNegative = range(a).lo < 0;
  if (isa<arith::ShRSIOp, arith::ShRUIOp>(op)) {
    bool known = b.constant >= 0 && b.constant < 63 &&
                 (isa<arith::ShRSIOp>(op) || !isNegative);
    return known ? quotient(a, powerOfTwo(int64_t(b.constant)), value)
                 : opaque(value);
  }
  if (isa<arith::AndIOp>(op)) {
    // The remainder by a power of two, for negative values too.
    if (int n = logOf(b.constant + 1); n > 0)
      return remainder(a, b.constant + 1, value);
    return opaque(value);
  }
  if (isNegative || b.constant <= zero)
    return opaque(value);
  return isa<arith::DivSIOp, arith::DivUIOp>(op)
             ? quotient(a, b.constant, value)
             : remainder(a, b.constant, value);
}
