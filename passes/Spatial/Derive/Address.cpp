// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element indices in 32 bits. A byte offset is an exact multiple of the element
// size and the element number is below 2^31, so it is enough to divide term by
// term modulo 2^32: whatever the 64-bit computation dropped by wrapping is a
// multiple of 2^61 elements.

#include "Deriver.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace loom;
using namespace loom::spatial;

namespace {
constexpr unsigned MaxDepth = 64;

bool isConstant(Value value, int64_t &result) {
  APInt bits;
  if (!matchPattern(value, m_ConstantInt(&bits)))
    return false;
  result = bits.getSExtValue();
  return true;
}
} // namespace

/// value / divisor modulo 2^32 for a value that is a multiple of `divisor` (a
/// power of two up to 8); null if that can't be shown.
Value Deriver::divided(Value value, unsigned divisor, Location loc,
                       unsigned depth) {
  Type i32 = b.getI32Type();
  if (forms.divisor(forms.form(value)) % Integer(divisor) != 0)
    return Value();
  int64_t number;
  if (isConstant(value, number))
    return constant(i32, int32_t(uint32_t(uint64_t(number / int64_t(divisor)))),
                    loc);
  if (divisor == 1)
    if (Value iterator = iterators.lookupOrNull(value))
      return iterator;
  Operation *op = depth < MaxDepth ? value.getDefiningOp() : nullptr;
  auto pair = [&](unsigned d, auto build) -> Value {
    Value x = divided(op->getOperand(0), d, loc, depth + 1);
    Value y = x ? divided(op->getOperand(1), d, loc, depth + 1) : Value();
    return x && y ? build(x, y) : Value();
  };
  if (isa_and_nonnull<arith::AddIOp>(op)) {
    if (Value sum = pair(divisor, [&](Value x, Value y) -> Value {
          return arith::AddIOp::create(b, loc, x, y);
        }))
      return sum;
  } else if (isa_and_nonnull<arith::SubIOp>(op)) {
    if (Value sum = pair(divisor, [&](Value x, Value y) -> Value {
          return arith::SubIOp::create(b, loc, x, y);
        }))
      return sum;
  } else if (isa_and_nonnull<arith::OrIOp>(op)) {
    if (Value bits = pair(divisor, [&](Value x, Value y) -> Value {
          return arith::OrIOp::create(b, loc, x, y);
        }))
      return bits;
  } else if (isa_and_nonnull<arith::MulIOp, arith::ShLIOp>(op) &&
             isConstant(op->getOperand(1), number)) {
    if (isa<arith::ShLIOp>(op))
      number = number >= 0 && number < 63 ? int64_t(1) << number : 0;
    unsigned rest = divisor;
    for (; rest > 1 && number != 0 && number % 2 == 0; number /= 2)
      rest /= 2;
    Value factor =
        number ? divided(op->getOperand(0), rest, loc, depth + 1) : Value();
    if (factor && number == 1)
      return factor;
    if (factor)
      return arith::MulIOp::create(
          b, loc, factor,
          constant(i32, int32_t(uint32_t(uint64_t(number))), loc));
  } else if (divisor == 1 && isa_and_nonnull<arith::ExtSIOp>(op) &&
             op->getOperand(0).getType().isInteger(32)) {
    return get(op->getOperand(0));
  } else if (divisor == 1 && isa_and_nonnull<arith::ExtUIOp>(op) &&
             op->getOperand(0).getType().isInteger(32)) {
    return get(op->getOperand(0));
  }
  // Bring the bits down. Both kinds of right shift agree on the low 32 bits.
  Value whole = get(value);
  if (!whole)
    return Value();
  if (!whole.getType().isInteger(64)) {
    if (divisor != 1 || !isa<IntegerType>(whole.getType()))
      return Value();
    return whole.getType().isInteger(32)
               ? whole
               : arith::ExtSIOp::create(b, loc, i32, whole).getResult();
  }
  if (divisor > 1)
    whole = arith::ShRUIOp::create(
        b, loc, whole, constant(b.getI64Type(), llvm::Log2_32(divisor), loc));
  return arith::TruncIOp::create(b, loc, i32, whole);
}

Value Deriver::elementIndex(Value address, const RootFootprint &root,
                            Location loc) {
  unsigned size = accessSize(root.element);
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  SmallVector<Value> offsets;
  int64_t fixed = 0;
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    int32_t raw = gep.getRawConstantIndices().front();
    int64_t number;
    if (raw != LLVM::GEPOp::kDynamicIndex)
      fixed += raw;
    else if (isConstant(gep.getDynamicIndices().front(), number))
      fixed = int64_t(uint64_t(fixed) + uint64_t(number));
    else
      offsets.push_back(gep.getDynamicIndices().front());
    address = gep.getBase();
  }
  fixed = int64_t(uint64_t(fixed) - uint64_t(root.lo));

  Value index;
  auto add = [&](Value term) {
    index =
        index ? arith::AddIOp::create(b, loc, index, term).getResult() : term;
  };
  if (fixed % int64_t(size) == 0) {
    bool all = true;
    for (Value offset : offsets) {
      Value term = divided(offset, size, loc);
      all &= bool(term);
      if (!all)
        break;
      add(term);
    }
    if (all) {
      int32_t rest = int32_t(uint32_t(uint64_t(fixed / int64_t(size))));
      if (rest || !index)
        add(constant(i32, rest, loc));
      return index;
    }
  }
  Value bytes = constant(i64, fixed, loc);
  for (Value offset : offsets)
    bytes = arith::AddIOp::create(b, loc, get(offset), bytes);
  if (size > 1)
    bytes = arith::ShRUIOp::create(b, loc, bytes,
                                   constant(i64, llvm::Log2_32(size), loc));
  return arith::TruncIOp::create(b, loc, i32, bytes);
}
