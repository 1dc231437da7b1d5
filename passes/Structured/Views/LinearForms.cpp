// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction of linear forms. The transfer functions give, for each
// operation, either an exact form or a fresh variable with a range that holds
// for every input.

#include "loom/Structured/Views/LinearForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <algorithm>

using namespace mlir;
using namespace loom;

namespace {

constexpr unsigned MaxDepth = 400; // of the recursion over operands
constexpr unsigned MaxTerms = 16;

Integer power(unsigned exponent) {
  Integer result(1);
  for (unsigned i = 0; i < exponent; ++i)
    result *= 2;
  return result;
}

Interval signedRange(unsigned width) {
  return {-power(width - 1), power(width - 1) - 1};
}

bool within(const Interval &inner, const Interval &outer) {
  return inner.lo >= outer.lo && inner.hi <= outer.hi;
}

/// The smallest 2^n - 1 that is not below `value` (>= 0).
Integer ones(const Integer &value) {
  Integer result(0);
  while (result < value)
    result = result * 2 + 1;
  return result;
}

unsigned widthOf(Value value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  return type && type.getWidth() >= 1 && type.getWidth() <= 64 ? type.getWidth()
                                                               : 0;
}

} // namespace

LinearForm LinearForm::of(Integer constant) {
  LinearForm form;
  form.constant = constant;
  return form;
}

LinearForm LinearForm::variable(unsigned number) {
  LinearForm form;
  form.terms.emplace(number, Integer(1));
  return form;
}

LinearForm LinearForm::operator+(const LinearForm &other) const {
  LinearForm sum = *this;
  sum.constant += other.constant;
  for (const auto &[number, factor] : other.terms) {
    Integer &mine = sum.terms[number];
    mine += factor;
    if (mine == 0)
      sum.terms.erase(number);
  }
  return sum;
}

LinearForm LinearForm::operator*(const Integer &factor) const {
  LinearForm product;
  if (factor == 0)
    return product;
  product.constant = constant * factor;
  for (const auto &[number, mine] : terms)
    product.terms.emplace(number, mine * factor);
  return product;
}

LinearForm LinearForm::operator-(const LinearForm &other) const {
  return *this + other * Integer(-1);
}

Interval LinearForms::range(const LinearForm &form) const {
  Interval result{form.constant, form.constant};
  for (const auto &[number, factor] : form.terms) {
    const Interval &r = variables[number].range;
    result.lo += factor * (factor > 0 ? r.lo : r.hi);
    result.hi += factor * (factor > 0 ? r.hi : r.lo);
  }
  return result;
}

Integer LinearForms::stride(const LinearForm &form) const {
  Integer result(0);
  for (const auto &[number, factor] : form.terms)
    result = llvm::gcd(result, llvm::abs(factor * variables[number].divisor));
  return result;
}

Integer LinearForms::divisor(const LinearForm &form) const {
  return llvm::gcd(stride(form), llvm::abs(form.constant));
}

LinearForm LinearForms::fresh(Interval range, Integer divisor) {
  variables.push_back({range, divisor, {}});
  return LinearForm::variable(variables.size() - 1);
}

LinearForm LinearForms::opaque(Value value) {
  unsigned width = widthOf(value);
  return fresh(signedRange(width ? width : 64));
}

/// `form` if it is the value of `value` for certain, that is if it can't leave
/// the range of the type; else a variable.
LinearForm LinearForms::fitting(LinearForm form, Value value) {
  if (!within(range(form), signedRange(widthOf(value)))) {
    // What wraps keeps its low zero bits.
    Integer d = divisor(form), low(1);
    for (unsigned bit = 1; bit < widthOf(value) && d % (low * 2) == 0; ++bit)
      low *= 2;
    return fresh(signedRange(widthOf(value)), low);
  }
  if (form.terms.size() > MaxTerms)
    return fresh(range(form), std::max(divisor(form), Integer(1)));
  return form;
}

void LinearForms::fact(const LinearForm &variable, LinearForm atLeastZero) {
  if (variable.terms.size() == 1 && atLeastZero.terms.size() <= MaxTerms)
    variables[variable.terms.begin()->first].atLeastZero.push_back(
        std::move(atLeastZero));
}

/// floor(a / c) for c > 0.
LinearForm LinearForms::quotient(const LinearForm &a, const Integer &c,
                                 Value value) {
  LinearForm exact;
  if (divisor(a) % c == 0) {
    bool divides = a.constant % c == 0;
    for (const auto &[number, factor] : a.terms)
      divides &= factor % c == 0;
    if (divides) {
      exact.constant = a.constant / c;
      for (const auto &[number, factor] : a.terms)
        exact.terms.emplace(number, factor / c);
      return exact;
    }
  }
  Interval r = range(a);
  LinearForm v = fresh({llvm::floorDiv(r.lo, c), llvm::floorDiv(r.hi, c)});
  fact(v, a - v * c);
  fact(v, v * c + LinearForm::of(c - 1) - a);
  return v;
}

LinearForm LinearForms::form(Value value) {
  auto known = cache.find(value);
  if (known != cache.end())
    return known->second;
  ++depth;
  LinearForm result = depth > MaxDepth ? opaque(value) : compute(value);
  --depth;
  cache[value] = result;
  return result;
}

LinearForm LinearForms::compute(Value value) {
  unsigned width = widthOf(value);
  if (!width)
    return opaque(value);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return LinearForm::of(Integer(constant.getSExtValue()));
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeArgument(argument);
  return computeOp(value.getDefiningOp(), value, width);
}

LinearForm LinearForms::computeOp(Operation *op, Value value, unsigned width) {
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    LinearForm a = form(op->getOperand(0)), b = form(op->getOperand(1));
    return fitting(isa<arith::AddIOp>(op) ? a + b : a - b, value);
  }
  if (isa<arith::MulIOp>(op)) {
    LinearForm a = form(op->getOperand(0)), b = form(op->getOperand(1));
    if (b.isConstant())
      return fitting(a * b.constant, value);
    if (a.isConstant())
      return fitting(b * a.constant, value);
    Interval x = range(a), y = range(b);
    Integer p[] = {x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi};
    Interval r{*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
    return within(r, signedRange(width)) ? fresh(r) : opaque(value);
  }
  if (isa<arith::ExtSIOp>(op))
    return form(op->getOperand(0));
  if (isa<arith::ExtUIOp>(op)) {
    LinearForm a = form(op->getOperand(0));
    if (range(a).lo >= 0)
      return a;
    return fresh({Integer(0), power(widthOf(op->getOperand(0))) - 1});
  }
  if (isa<arith::TruncIOp>(op)) {
    LinearForm a = form(op->getOperand(0));
    return fitting(a, value);
  }
  if (isa<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(op)) {
    LinearForm a = form(op->getOperand(0)), b = form(op->getOperand(1));
    Interval x = range(a), y = range(b);
    bool isUnsigned = isa<arith::MinUIOp, arith::MaxUIOp>(op);
    if (isa<arith::MinUIOp>(op) && (x.lo < 0) != (y.lo < 0)) {
      const LinearForm &bound = x.lo >= 0 ? a : b;
      LinearForm v = fresh({Integer(0), std::max(Integer(0), range(bound).hi)});
      fact(v, bound - v);
      return v;
    }
    if (isUnsigned && (x.lo < 0 || y.lo < 0))
      return opaque(value);
    if (isa<arith::MinSIOp, arith::MinUIOp>(op)) {
      LinearForm v = fresh({std::min(x.lo, y.lo), std::min(x.hi, y.hi)});
      fact(v, a - v);
      fact(v, b - v);
      return v;
    }
    LinearForm v = fresh({std::max(x.lo, y.lo), std::max(x.hi, y.hi)});
    fact(v, v - a);
    fact(v, v - b);
    return v;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Interval x = range(select.getTrueValue()),
             y = range(select.getFalseValue());
    return fresh({std::min(x.lo, y.lo), std::max(x.hi, y.hi)});
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    Interval x = range(branch.thenYield().getOperand(index)),
             y = range(branch.elseYield().getOperand(index));
    return fresh({std::min(x.lo, y.lo), std::max(x.hi, y.hi)});
  }
  if (isa<math::CtPopOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp>(
          op) &&
      width >= 8)
    return fresh({Integer(0), Integer(width)});
  if (isa<math::AbsIOp>(op)) {
    LinearForm a = form(op->getOperand(0));
    return range(a).lo >= 0 ? a : opaque(value);
  }
  return computeBits(op, value, width);
}

LinearForm LinearForms::computeBits(Operation *op, Value value,
                                    unsigned width) {
  if (!isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
           arith::ShRSIOp, arith::ShRUIOp, arith::DivSIOp, arith::DivUIOp,
           arith::RemSIOp, arith::RemUIOp>(op))
    return opaque(value);
  LinearForm a = form(op->getOperand(0)), b = form(op->getOperand(1));
  Interval x = range(a), y = range(b);
  Interval whole = signedRange(width);
  const Integer zero(0);

  if (isa<arith::AndIOp>(op)) {
    if (a.isConstant()) {
      std::swap(a, b);
      std::swap(x, y);
    }
    if (b.isConstant() && b.constant < 0 &&
        llvm::abs(b.constant) == ones(llvm::abs(b.constant) - 1) + 1) {
      // Clears the low bits: the multiple of m below a.
      Integer m = llvm::abs(b.constant);
      if (divisor(a) % m == 0)
        return a;
      LinearForm v =
          fresh({llvm::floorDiv(x.lo, m) * m, llvm::floorDiv(x.hi, m) * m}, m);
      fact(v, a - v);
      fact(v, v + LinearForm::of(m - 1) - a);
      return v;
    }
    if (x.lo < 0 && y.lo < 0)
      return opaque(value);
    if (b.isConstant() && b.constant == ones(b.constant) && x.lo >= 0 &&
        x.hi <= b.constant)
      return a;
    Integer hi = x.lo < 0 ? y.hi : y.lo < 0 ? x.hi : std::min(x.hi, y.hi);
    Integer low(1);
    if (b.isConstant() && b.constant > 0)
      while (b.constant % (low * 2) == 0)
        low *= 2;
    for (Integer d = divisor(a); low <= hi && d % (low * 2) == 0;)
      low *= 2;
    LinearForm v = fresh({zero, hi}, low);
    if (x.lo >= 0)
      fact(v, a - v);
    if (y.lo >= 0)
      fact(v, b - v);
    return v;
  }
  if (isa<arith::OrIOp, arith::XOrIOp>(op)) {
    // Disjoint bits add.
    auto disjoint = [&](const LinearForm &high, const Interval &low) {
      Integer d = divisor(high);
      if (low.lo < 0)
        return false;
      Integer mask = ones(low.hi) + 1; // 2^n > low.hi
      return d == 0 || d % mask == 0;
    };
    if (disjoint(a, y) || disjoint(b, x))
      return fitting(a + b, value);
    if (isa<arith::XOrIOp>(op) && b.isConstant() && b.constant == -1)
      return fitting(LinearForm::of(Integer(-1)) - a, value);
    if (x.lo < 0 || y.lo < 0)
      return opaque(value);
    return fresh({isa<arith::OrIOp>(op) ? std::max(x.lo, y.lo) : zero,
                  ones(std::max(x.hi, y.hi))});
  }
  if (isa<arith::ShLIOp>(op)) {
    if (y.lo < 0 || y.hi >= Integer(width))
      return opaque(value);
    if (b.isConstant())
      return fitting(a * power(int64_t(b.constant)), value);
    Integer least = power(int64_t(y.lo)), most = power(int64_t(y.hi));
    Interval r{std::min(x.lo * least, x.lo * most),
               std::max(x.hi * least, x.hi * most)};
    return within(r, whole) ? fresh(r, least) : opaque(value);
  }
  if (isa<arith::ShRSIOp, arith::ShRUIOp>(op)) {
    if (y.lo < 0 || y.hi >= Integer(width))
      return opaque(value);
    if (isa<arith::ShRUIOp>(op) && x.lo < 0) {
      if (y.lo == 0)
        return opaque(value);
      return fresh({zero, power(width - int64_t(y.lo)) - 1});
    }
    if (b.isConstant())
      return quotient(a, power(int64_t(b.constant)), value);
    return fresh({std::min(x.lo, zero), std::max(x.hi, zero)});
  }
  // Divisions; a zero divisor is undefined in the source.
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp>(op);
  if (isa<arith::RemUIOp, arith::RemSIOp>(op)) {
    if (y.lo <= 0)
      return opaque(value);
    if (x.lo >= 0 && x.hi < y.lo)
      return a;
    if (x.lo < 0 && !isUnsigned)
      return fresh({-(y.hi - 1), y.hi - 1});
    LinearForm v = fresh({zero, y.hi - 1});
    fact(v, b - LinearForm::of(Integer(1)) - v);
    if (x.lo >= 0)
      fact(v, a - v);
    return v;
  }
  if (y.lo <= 0 || (isUnsigned && x.lo < 0))
    return opaque(value);
  if (b.isConstant() && x.lo >= 0)
    return quotient(a, b.constant, value);
  return fresh({std::min(x.lo, zero), std::max(x.hi, zero)});
}
