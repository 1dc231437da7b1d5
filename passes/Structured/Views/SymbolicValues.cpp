// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials of values: the transfer functions.
//
// Overflow flags are used for exact values only: where an operation with a flag
// would wrap, its result is poison, every operation here hands poison on to the
// address or the loop bound it is for, and the program is undefined. `freeze`
// stops that, and so ends an exact form.

#include "SymbolicForms.h"
#include "SymbolicIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include <algorithm>

using namespace mlir;
using namespace loom;
using namespace loom::symbolic;

namespace {

constexpr unsigned MaxDepth = 200;

/// The factor of a shift to the left by a constant.
std::optional<Integer> shiftFactor(Operation *op) {
  std::optional<Integer> by = constantOf(op->getOperand(1));
  if (!by || *by < 0 || *by >= Integer(62))
    return std::nullopt;
  return power(unsigned(int64_t(*by)));
}

} // namespace

MaybePolynomial SymbolicForms::exact(Value value) {
  auto known = cache.find(value);
  if (known != cache.end())
    return known->second;
  if (depth >= MaxDepth)
    return std::nullopt;
  ++depth;
  cache[value] = std::nullopt; // while it is looked at
  MaybePolynomial result = compute(value);
  --depth;
  cache[value] = result;
  return result;
}

MaybePolynomial SymbolicForms::compute(Value value) {
  if (std::optional<Integer> constant = constantOf(value))
    return Polynomial::of(*constant);
  if (auto block = dyn_cast<BlockArgument>(value)) {
    MaybePolynomial form = argument(block);
    return form ? form : opaque(value);
  }
  Operation *op = value.getDefiningOp();
  MaybePolynomial form;
  if (!widthOf(value))
    return std::nullopt;
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp,
          arith::OrIOp>(op))
    form = computeRing(op, value);
  else if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
               LLVM::PtrToIntOp>(op))
    form = computeResize(op, value);
  else if (isa<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
               op))
    form = computeExtreme(op, value);
  else if (isa<arith::ShRSIOp, arith::ShRUIOp, arith::DivUIOp, arith::DivSIOp,
               arith::AndIOp>(op))
    form = computeQuotient(op, value);
  else if (isa<arith::RemUIOp, arith::RemSIOp>(op))
    form = computeRemainder(op, value);
  else if (isa<LLVM::FreezeOp>(op) && isa<BlockArgument>(op->getOperand(0)) &&
           isa<SpatialRegionOp>(
               op->getOperand(0).getParentBlock()->getParentOp()))
    form = exact(op->getOperand(0)); // bits that are there
  else if (auto select = dyn_cast<arith::SelectOp>(op))
    form = join(value, select.getTrueValue(), select.getFalseValue());
  else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    form = join(value, branch.thenYield().getOperand(index),
                branch.elseYield().getOperand(index));
  }
  return form ? form : opaque(value);
}

/// A value of which nothing but a range of constants is known.
MaybePolynomial SymbolicForms::opaque(Value value) {
  if (!widthOf(value))
    return std::nullopt;
  Interval r = linear.range(value);
  Integer most = power(40);
  if (r.lo < -most || r.hi > most)
    return std::nullopt;
  return bounded(r, {Polynomial::of(r.lo)}, {Polynomial::of(r.hi)}, {});
}

/// `p`, computed modulo 2^width without a flag, as the value itself.
MaybePolynomial SymbolicForms::fitting(Polynomial p, Value value) {
  unsigned width = widthOf(value);
  Interval whole = signedRange(width), r = range(p);
  if (r.lo >= whole.lo && r.hi <= whole.hi)
    return p;
  if (isInvariant(p)) {
    MaybeNode node = emit(p);
    return symbol(node ? bounds.make(BoundOp::WrapS, *node, 0, 0, width) : node,
                  whole, p.obligations);
  }
  return requireFits(std::move(p), width);
}

/// What linear forms prove without flags needs no obligation.
bool SymbolicForms::provenToFit(Operation *op, unsigned width) {
  LinearForm x = linear.form(op->getOperand(0)),
             y = linear.form(op->getOperand(1));
  Interval r;
  if (isa<arith::AddIOp, arith::OrIOp>(op)) {
    r = linear.range(x + y);
  } else if (isa<arith::SubIOp>(op)) {
    r = linear.range(x - y);
  } else {
    Interval a = linear.range(x), b = linear.range(y);
    if (isa<arith::ShLIOp>(op))
      b.lo = b.hi = *shiftFactor(op);
    Integer ends[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    r = {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
  }
  Interval whole = signedRange(width);
  return r.lo >= whole.lo && r.hi <= whole.hi;
}

MaybePolynomial SymbolicForms::computeRing(Operation *op, Value value) {
  MaybePolynomial a = exact(op->getOperand(0)), b = exact(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  Polynomial p;
  if (isa<arith::AddIOp>(op)) {
    p = *a + *b;
  } else if (isa<arith::SubIOp>(op)) {
    p = *a - *b;
  } else if (isa<arith::MulIOp>(op)) {
    p = *a * *b;
  } else if (isa<arith::ShLIOp>(op)) {
    std::optional<Integer> factor = shiftFactor(op);
    if (!factor)
      return std::nullopt;
    p = *a * *factor;
  } else {
    // An or of disjoint bits is a sum; the linear forms know low zero bits.
    LinearForm x = linear.form(op->getOperand(0)),
               y = linear.form(op->getOperand(1));
    auto disjoint = [&](const LinearForm &high, const LinearForm &low) {
      Interval r = linear.range(low);
      Integer mask(1);
      while (mask <= r.hi)
        mask *= 2;
      return r.lo >= 0 && linear.divisor(high) % mask == 0;
    };
    if (!disjoint(x, y) && !disjoint(y, x))
      return std::nullopt;
    p = *a + *b;
  }
  if (hasSignedFlag(op) || provenToFit(op, widthOf(value)))
    return p;
  return fitting(std::move(p), value);
}

/// The unsigned reading of a signed value.
MaybePolynomial SymbolicForms::asUnsigned(const Polynomial &p, unsigned width) {
  if (range(p).lo >= 0)
    return p;
  if (isInvariant(p)) {
    MaybeNode node = emit(p);
    return symbol(node ? bounds.make(BoundOp::WrapU, *node, 0, 0, width) : node,
                  unsignedRange(width), p.obligations);
  }
  Polynomial result = p;
  if (!requireNotNegative(p, result.obligations))
    return std::nullopt;
  return result;
}

MaybePolynomial SymbolicForms::computeResize(Operation *op, Value value) {
  Value from = op->getOperand(0);
  if (isa<LLVM::PtrToIntOp>(op)) {
    auto root = dyn_cast<BlockArgument>(from);
    if (!root || !isa<SpatialRegionOp>(root.getOwner()->getParentOp()) ||
        widthOf(value) != 64)
      return std::nullopt;
    return symbol(bounds.make(BoundOp::SlotS, root.getArgNumber(), 0, 0, 64),
                  signedRange(64), {});
  }
  if (from.getType().isInteger(1)) {
    Interval r{Integer(isa<arith::ExtSIOp>(op) ? -1 : 0),
               Integer(isa<arith::ExtSIOp>(op) ? 0 : 1)};
    return bounded(r, {Polynomial::of(r.lo)}, {Polynomial::of(r.hi)}, {});
  }
  MaybePolynomial a = exact(from);
  if (!a)
    return std::nullopt;
  if (isa<arith::ExtSIOp>(op))
    return a;
  if (isa<arith::ExtUIOp>(op)) {
    if (linear.range(from).lo >= 0)
      return a;
    if (MaybePolynomial same = asUnsigned(*a, widthOf(from)))
      return same;
    Interval r = unsignedRange(widthOf(from));
    return bounded(r, {Polynomial::of(r.lo)}, {Polynomial::of(r.hi)}, {});
  }
  Interval r = linear.range(from), whole = signedRange(widthOf(value));
  if ((r.lo >= whole.lo && r.hi <= whole.hi) || hasSignedFlag(op))
    return a;
  return fitting(*a, value);
}

MaybePolynomial SymbolicForms::computeExtreme(Operation *op, Value value) {
  bool greatest = isa<arith::MaxSIOp, arith::MaxUIOp>(op);
  unsigned width = widthOf(value);
  MaybePolynomial a = exact(op->getOperand(0)), b = exact(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::MinUIOp, arith::MaxUIOp>(op)) {
    if (linear.range(op->getOperand(0)).lo < 0)
      a = asUnsigned(*a, width);
    if (linear.range(op->getOperand(1)).lo < 0)
      b = asUnsigned(*b, width);
    if (!a || !b)
      return std::nullopt;
  }
  std::set<unsigned> obligations = a->obligations;
  obligations.insert(b->obligations.begin(), b->obligations.end());
  auto node = [&](bool upper) -> MaybeNode {
    MaybeNode x = bound(*a, upper), y = bound(*b, upper);
    return x && y ? bounds.least(*x, *y, greatest) : std::nullopt;
  };
  Interval whole = signedRange(width);
  if (isInvariant(*a) && isInvariant(*b)) {
    Interval x = range(*a), y = range(*b);
    Interval r = greatest
                     ? Interval{std::max(x.lo, y.lo), std::max(x.hi, y.hi)}
                     : Interval{std::min(x.lo, y.lo), std::min(x.hi, y.hi)};
    MaybePolynomial both = symbol(node(true), r, obligations);
    // The unsigned extreme may be above the signed range.
    return both && isa<arith::MinUIOp, arith::MaxUIOp>(op)
               ? fitting(*both, value)
               : both;
  }
  // One side is bounded by both, the other by the bounds of both.
  MaybePolynomial far = symbol(node(greatest), anywhere(), {});
  std::vector<Polynomial> near{*a, *b}, other;
  if (far)
    other.push_back(*far);
  if (greatest)
    return bounded(whole, near, other, obligations);
  return bounded(whole, other, near, obligations);
}

/// One of two values.
MaybePolynomial SymbolicForms::join(Value value, Value first, Value second) {
  MaybePolynomial a = exact(first), b = exact(second);
  if (!a || !b)
    return std::nullopt;
  std::set<unsigned> obligations = a->obligations;
  obligations.insert(b->obligations.begin(), b->obligations.end());
  Interval whole = signedRange(widthOf(value));
  std::vector<Polynomial> ends[2];
  for (bool upper : {false, true}) {
    MaybeNode x = bound(*a, upper), y = bound(*b, upper);
    MaybePolynomial end = symbol(
        x && y ? bounds.least(*x, *y, upper) : std::nullopt, anywhere(), {});
    if (!end)
      return std::nullopt;
    ends[upper].push_back(*end);
  }
  return bounded(whole, ends[0], ends[1], obligations);
}

MaybePolynomial SymbolicForms::modular(Value value) {
  if (!value.getType().isInteger(64) || depth >= MaxDepth)
    return exact(value);
  Operation *op = value.getDefiningOp();
  Integer whole = power(64);
  ++depth;
  MaybePolynomial result, a, b;
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
    a = modular(op->getOperand(0));
    b = modular(op->getOperand(1));
    if (a && b)
      result = isa<arith::AddIOp>(op)   ? *a + *b
               : isa<arith::SubIOp>(op) ? *a - *b
                                        : *a * *b;
  } else if (isa_and_nonnull<arith::ShLIOp>(op) && shiftFactor(op)) {
    a = modular(op->getOperand(0));
    if (a)
      result = *a * *shiftFactor(op);
  }
  --depth;
  if (!result)
    result = exact(value);
  if (!result)
    return std::nullopt;
  // The coefficients of least magnitude.
  Polynomial reduced;
  reduced.obligations = result->obligations;
  for (const auto &[monomial, factor] : result->terms) {
    Integer rest = llvm::mod(factor, whole);
    reduced.add(monomial, rest * 2 >= whole ? rest - whole : rest);
  }
  return reduced;
}
