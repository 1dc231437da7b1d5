// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that Spatial does not have, in terms of those it has.

#include "Deriver.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace loom;
using namespace loom::spatial;

namespace {

/// Two-operand integer arithmetic at one place.
struct Arithmetic {
  OpBuilder &b;
  Location loc;
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value either(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
  Value differ(Value x, Value y) { return arith::XOrIOp::create(b, loc, x, y); }
  Value left(Value x, Value n) { return arith::ShLIOp::create(b, loc, x, n); }
  Value right(Value x, Value n) { return arith::ShRUIOp::create(b, loc, x, n); }
  Value choose(Value c, Value x, Value y) {
    return arith::SelectOp::create(b, loc, c, x, y);
  }
  Value compare(arith::CmpIPredicate p, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, p, x, y);
  }
};

/// `byte` in every byte.
int64_t everyByte(uint8_t byte) {
  return int64_t(uint64_t(byte) * 0x0101010101010101ull);
}

} // namespace

Value Deriver::popCount(Value x, Location loc) {
  Type type = x.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Arithmetic a{b, loc};
  auto c = [&](int64_t v) { return constant(type, v, loc); };
  x = a.sub(x, a.both(a.right(x, c(1)), c(everyByte(0x55))));
  x = a.add(a.both(x, c(everyByte(0x33))),
            a.both(a.right(x, c(2)), c(everyByte(0x33))));
  x = a.both(a.add(x, a.right(x, c(4))), c(everyByte(0x0f)));
  for (unsigned shift = 8; shift < width; shift *= 2)
    x = a.add(x, a.right(x, c(shift)));
  return a.both(x, c(0x7f));
}

Value Deriver::swapBytes(Value x, Location loc) {
  Type type = x.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Arithmetic a{b, loc};
  Value result;
  for (unsigned byte = 0; byte < width / 8; ++byte) {
    unsigned target = width - 8 - 8 * byte;
    Value part = x;
    if (byte)
      part = a.right(part, constant(type, 8 * byte, loc));
    part = a.both(part, constant(type, 0xff, loc));
    if (target)
      part = a.left(part, constant(type, target, loc));
    result = result ? a.either(result, part) : part;
  }
  return result;
}

/// Integer operations; null if there is no expansion.
Value Deriver::expand(Operation *op) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Arithmetic a{b, loc};
  auto c = [&](int64_t v) { return constant(type, v, loc); };
  Value x = get(op->getOperand(0));
  if (x.getType() != type || width < 8)
    return Value();
  if (isa<math::CtPopOp>(op))
    return popCount(x, loc);
  if (isa<math::CountLeadingZerosOp>(op)) {
    for (unsigned shift = 1; shift < width; shift *= 2)
      x = a.either(x, a.right(x, c(shift)));
    return a.sub(c(width), popCount(x, loc));
  }
  if (isa<math::CountTrailingZerosOp>(op))
    return popCount(a.both(a.differ(x, c(-1)), a.sub(x, c(1))), loc);
  if (isa<LLVM::ByteSwapOp>(op))
    return width > 8 ? swapBytes(x, loc) : Value();
  if (isa<LLVM::BitReverseOp>(op)) {
    const std::pair<unsigned, uint8_t> steps[] = {
        {1, 0x55}, {2, 0x33}, {4, 0x0f}};
    for (auto [shift, mask] : steps) {
      Value low = a.both(x, c(everyByte(mask)));
      Value high = a.both(a.right(x, c(shift)), c(everyByte(mask)));
      x = a.either(a.left(low, c(shift)), high);
    }
    return width > 8 ? swapBytes(x, loc) : x;
  }
  if (isa<LLVM::FshlOp, LLVM::FshrOp>(op)) {
    // Both halves are shifted in two steps, so that no amount reaches the
    // width.
    Value y = get(op->getOperand(1));
    Value n = a.both(get(op->getOperand(2)), c(width - 1));
    Value rest = a.differ(n, c(width - 1));
    if (isa<LLVM::FshlOp>(op))
      return a.either(a.left(x, n), a.right(a.right(y, c(1)), rest));
    return a.either(a.left(a.left(x, c(1)), rest), a.right(y, n));
  }
  using P = arith::CmpIPredicate;
  if (isa<LLVM::UAddSat>(op)) {
    Value sum = a.add(x, get(op->getOperand(1)));
    return a.choose(a.compare(P::ult, sum, x), c(-1), sum);
  }
  if (isa<LLVM::USubSat>(op)) {
    Value y = get(op->getOperand(1));
    return a.choose(a.compare(P::ult, x, y), c(0), a.sub(x, y));
  }
  if (isa<LLVM::SAddSat, LLVM::SSubSat>(op)) {
    Value y = get(op->getOperand(1));
    bool adds = isa<LLVM::SAddSat>(op);
    Value wrapped = adds ? a.add(x, y) : a.sub(x, y);
    // It overflowed if the sign is not that of x although x and y (or -y)
    // agreed.
    Value overflow = a.both(a.differ(x, wrapped),
                            adds ? a.differ(y, wrapped) : a.differ(x, y));
    Value sign = arith::ShRSIOp::create(b, loc, wrapped, c(width - 1));
    Value limit = a.differ(sign, c(int64_t(uint64_t(1) << (width - 1))));
    return a.choose(a.compare(P::slt, overflow, c(0)), limit, wrapped);
  }
  return Value();
}

/// `magnitude` with the sign bit of `sign`.
Value Deriver::copySign(Value magnitude, Value sign, Location loc) {
  Type type = magnitude.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Type bits = b.getIntegerType(width);
  Arithmetic a{b, loc};
  int64_t top = int64_t(uint64_t(1) << (width - 1));
  int64_t others = int64_t((uint64_t(1) << (width - 1)) - 1);
  Value m = a.both(arith::BitcastOp::create(b, loc, bits, magnitude),
                   constant(bits, others, loc));
  Value s = a.both(arith::BitcastOp::create(b, loc, bits, sign),
                   constant(bits, top, loc));
  return arith::BitcastOp::create(b, loc, type, a.either(m, s));
}

/// Floating-point operations; null if there is no exact expansion.
Value Deriver::expandFloat(Operation *op) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Arithmetic a{b, loc};
  Value x = get(op->getOperand(0));
  if (isa<math::AbsFOp>(op)) {
    Type bits = b.getIntegerType(width);
    Value m =
        a.both(arith::BitcastOp::create(b, loc, bits, x),
               constant(bits, int64_t((uint64_t(1) << (width - 1)) - 1), loc));
    return arith::BitcastOp::create(b, loc, type, m);
  }
  if (isa<math::CopySignOp>(op))
    return copySign(x, get(op->getOperand(1)), loc);
  if (isa<math::FloorOp, math::CeilOp>(op)) {
    // Spatial loses the sign of a zero result.
    Value rounded = b.clone(*op, values)->getResult(0);
    return copySign(rounded, x, loc);
  }
  if (isa<arith::MinNumFOp, arith::MaxNumFOp>(op)) {
    Value y = get(op->getOperand(1));
    using P = arith::CmpFPredicate;
    auto test = [&](P p, Value u, Value v) -> Value {
      return arith::CmpFOp::create(b, loc, p, u, v);
    };
    P better = isa<arith::MinNumFOp>(op) ? P::OLT : P::OGT;
    Value best = a.choose(test(better, x, y), x, y);
    Value numbers = a.choose(test(P::UNO, y, y), x, best);
    return a.choose(test(P::UNO, x, x), y, numbers);
  }
  return Value();
}
