// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials of quotients, masks and remainders.

#include "SymbolicForms.h"
#include "SymbolicIntegers.h"

using namespace mlir;
using namespace loom;
using namespace loom::symbolic;

/// Quotients by a positive constant, rounded down, and what masks make of them.
MaybePolynomial SymbolicForms::computeQuotient(Operation *op, Value value) {
  std::optional<Integer> by = constantOf(op->getOperand(1)), divisor;
  unsigned width = widthOf(value);
  if (!by)
    return std::nullopt;
  if (isa<arith::DivUIOp, arith::DivSIOp>(op))
    divisor = by;
  else if (isa<arith::AndIOp>(op))
    divisor = *by < 0 ? -*by : *by + 1;
  else if (*by >= 0 && *by < Integer(width) && *by < Integer(62))
    divisor = power(unsigned(int64_t(*by)));
  if (!divisor || *divisor <= 1 || *divisor > power(61))
    return std::nullopt;
  if (isa<arith::AndIOp>(op) &&
      llvm::popcount(uint64_t(int64_t(*divisor))) != 1)
    return std::nullopt;
  MaybePolynomial a = exact(op->getOperand(0));
  if (!a)
    return std::nullopt;
  Polynomial dividend = *a;
  if (linear.range(op->getOperand(0)).lo < 0) {
    if (isa<arith::ShRUIOp, arith::DivUIOp>(op))
      a = asUnsigned(*a, width);
    else if (isa<arith::DivSIOp>(op) &&
             !requireNotNegative(dividend, a->obligations))
      return std::nullopt;
    if (!a)
      return std::nullopt;
    dividend = *a;
  }
  bool isExact = isInvariant(dividend);
  auto quotient = [&](bool upper) -> MaybePolynomial {
    Interval r = range(dividend);
    MaybeNode node = bound(dividend, upper);
    if (node)
      node = bounds.make(BoundOp::FloorDiv, *node, 0, int64_t(*divisor), 0);
    return symbol(node,
                  isExact ? Interval{llvm::floorDiv(r.lo, *divisor),
                                     llvm::floorDiv(r.hi, *divisor)}
                          : anywhere(),
                  dividend.obligations);
  };
  MaybePolynomial lo = quotient(false), hi = quotient(true);
  if (!lo || !hi)
    return std::nullopt;
  if (isa<arith::AndIOp>(op)) {
    if (!isExact)
      return std::nullopt;
    return *by < 0 ? *hi * *divisor : dividend - *hi * *divisor;
  }
  if (isExact)
    return hi;
  return bounded(signedRange(width), {*lo}, {*hi}, dividend.obligations);
}

/// A remainder of something that is not negative.
MaybePolynomial SymbolicForms::computeRemainder(Operation *op, Value value) {
  unsigned width = widthOf(value);
  if (isa<arith::RemSIOp>(op) && linear.range(op->getOperand(0)).lo < 0)
    return std::nullopt;
  MaybePolynomial b = exact(op->getOperand(1));
  if (b && isa<arith::RemUIOp>(op) && linear.range(op->getOperand(1)).lo < 0)
    b = asUnsigned(*b, width);
  // A divisor of zero traps; of a signed one the magnitude counts.
  if (!b || (isa<arith::RemSIOp>(op) && linear.range(op->getOperand(1)).lo < 0))
    return std::nullopt;
  // The signed reading of the remainder is the remainder where it is below
  // half of the range: so much is to be known of the divisor.
  MaybePolynomial most = requireFits(*b - Polynomial::of(Integer(1)), width);
  if (!most)
    return std::nullopt;
  return bounded({Integer(0), power(width - 1) - 1},
                 {Polynomial::of(Integer(0))}, {*most}, {});
}
