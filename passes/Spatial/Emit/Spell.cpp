// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Spell.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <optional>

using namespace mlir;

namespace {

using Text = std::string;

unsigned widthOf(Type type) { return type.getIntOrFloatBitWidth(); }

/// The unsigned counterpart of an integer type.
Text unsignedName(Type type) { return "U" + std::to_string(widthOf(type)); }

Text number(unsigned value) { return std::to_string(value); }

std::optional<APInt> constantOf(Value value) {
  APInt bits;
  if (matchPattern(value, m_ConstantInt(&bits)))
    return bits;
  return std::nullopt;
}

/// One operation with its operands as text.
struct Speller {
  Operation *op;
  Type type; ///< of the result
  unsigned width;
  Text x, y;
  std::optional<APInt> c, left; ///< second and first operand if constant

  Text lit(int64_t value) const {
    return loom::spatial::literal(type,
                                  APInt(64, uint64_t(value)).trunc(width));
  }
  Text asUnsigned(const Text &t) const {
    return t + ".as[" + unsignedName(type) + "]";
  }
  Text back(const Text &t) const {
    return "(" + t + ").as[" + loom::spatial::typeName(type) + "]";
  }

  /// Truncating division.
  Text quotient() const {
    if (!c)
      return x + " / " + y;
    if (c->isMinSignedValue())
      return "mux((" + x + " === " + y + "), " + lit(1) + ", " + lit(0) + ")";
    bool negative = c->isNegative();
    APInt size = c->abs();
    if (!size.isPowerOf2())
      return x + " / " + y;
    unsigned k = size.logBase2();
    Text q = x;
    if (k > 0) // a plain division would round down
      q = "(" + x + " + ((" + x + " >> " + number(width - 1) + ") >>> " +
          number(width - k) + ")) >> " + number(k);
    return negative ? "-(" + q + ")" : q;
  }

  Text remainder() const {
    if (c && c->isMinSignedValue())
      return x + " - (" + quotient() + " << " + number(width - 1) + ")";
    if (c && !c->isNegative() && c->isPowerOf2() && !c->isOne())
      return x + " - ((" + quotient() + ") << " + number(c->logBase2()) + ")";
    return x + " - (" + quotient() + ") * " + y;
  }

  Text unsignedQuotient() const {
    if (c && c->isPowerOf2())
      return c->isOne() ? x : x + " >>> " + number(c->logBase2());
    return back(asUnsigned(x) + " / " + asUnsigned(y));
  }

  Text unsignedRemainder() const {
    if (c && c->isPowerOf2())
      return x + " & " + loom::spatial::literal(type, *c - 1);
    Text u = asUnsigned(x), v = asUnsigned(y);
    return back(u + " - (" + u + " / " + v + ") * " + v);
  }

  Text shift(const Text &sign) const {
    if (c) {
      unsigned amount = unsigned(c->getLimitedValue(width));
      if (amount >= width) // undefined in the source
        return sign == ">>" ? x + " >> " + number(width - 1) : lit(0);
      return amount ? x + " " + sign + " " + number(amount) : x;
    }
    return x + " " + sign + " (" + y + " & " + lit(width - 1) + ").to[I16]";
  }

  Text product() const {
    Text other = x;
    std::optional<APInt> factor = c;
    if (left && !factor) {
      factor = left;
      other = y;
    }
    if (factor && factor->isPowerOf2() &&
        (factor->isMinSignedValue() || !factor->isSignedIntN(32)))
      return other + " << " + number(factor->logBase2());
    return x + " * " + y;
  }

  Text difference() const {
    if (!left)
      return x + " - " + y;
    // `C - (x - D)` is rewritten with the wrong sign.
    return left->isZero() ? "-" + y : "(-" + y + ") + " + x;
  }

  Text exclusiveOr() const {
    bool bits = width == 1;
    if (c && c->isAllOnes())
      return (bits ? "!" : "~") + x;
    if (left && left->isAllOnes())
      return (bits ? "!" : "~") + y;
    return x + " ^ " + y;
  }

  Text compare(arith::CmpIPredicate p) const {
    using P = arith::CmpIPredicate;
    Type operand = op->getOperand(0).getType();
    Text u = x, v = y;
    if (p == P::ult || p == P::ule || p == P::ugt || p == P::uge) {
      u += ".as[" + unsignedName(operand) + "]";
      v += ".as[" + unsignedName(operand) + "]";
    }
    const char *sign = p == P::eq                   ? "==="
                       : p == P::ne                 ? "!=="
                       : p == P::slt || p == P::ult ? "<"
                       : p == P::sle || p == P::ule ? "<="
                       : p == P::sgt || p == P::ugt ? ">"
                                                    : ">=";
    return "(" + u + " " + sign + " " + v + ")";
  }

  /// Never by equality: Spatial's differs from IEEE for zeros and NaN.
  Text compare(arith::CmpFPredicate p) const {
    using P = arith::CmpFPredicate;
    Text lt = "(" + x + " < " + y + ")", gt = "(" + y + " < " + x + ")";
    Text le = "(" + x + " <= " + y + ")", ge = "(" + y + " <= " + x + ")";
    Text nan = "(" + x + ".isNaN || " + y + ".isNaN)";
    switch (p) {
    case P::OEQ:
      return "(" + le + " && " + ge + ")";
    case P::OGT:
      return gt;
    case P::OGE:
      return ge;
    case P::OLT:
      return lt;
    case P::OLE:
      return le;
    case P::ONE:
      return "(" + lt + " || " + gt + ")";
    case P::ORD:
      return "!" + nan;
    case P::UEQ:
      return "!(" + lt + " || " + gt + ")";
    case P::UGT:
      return "!" + le;
    case P::UGE:
      return "!" + lt;
    case P::ULT:
      return "!" + ge;
    case P::ULE:
      return "!" + gt;
    case P::UNE:
      return "!(" + le + " && " + ge + ")";
    case P::UNO:
      return nan;
    case P::AlwaysFalse:
      return "false.to[Bit]";
    case P::AlwaysTrue:
      return "true.to[Bit]";
    }
    return Text();
  }

  Text convert() const {
    Type from = op->getOperand(0).getType();
    Text to = ".to[" + loom::spatial::typeName(type) + "]";
    Text view = x + ".as[" + unsignedName(from) + "]";
    bool bit = from.isInteger(1);
    if (isa<arith::ExtSIOp>(op))
      return bit ? "mux(" + x + ", " + lit(-1) + ", " + lit(0) + ")" : x + to;
    if (isa<arith::ExtUIOp>(op))
      return bit ? "mux(" + x + ", " + lit(1) + ", " + lit(0) + ")" : view + to;
    if (isa<arith::TruncIOp>(op)) {
      if (!type.isInteger(1))
        return x + to;
      Text one = loom::spatial::literal(from, APInt(widthOf(from), 1)),
           zero = loom::spatial::literal(from, APInt(widthOf(from), 0));
      return "((" + x + " & " + one + ") !== " + zero + ")";
    }
    if (isa<arith::SIToFPOp, arith::FPToSIOp, arith::ExtFOp, arith::TruncFOp>(
            op))
      return x + to;
    if (isa<arith::UIToFPOp>(op))
      return view + to;
    if (isa<arith::FPToUIOp>(op))
      return x + ".to[" + unsignedName(type) + "].as[" +
             loom::spatial::typeName(type) + "]";
    if (isa<arith::BitcastOp>(op))
      return from == type ? x
                          : x + ".as[" + loom::spatial::typeName(type) + "]";
    return Text();
  }

  Text integers() const {
    if (isa<arith::AddIOp>(op))
      return x + " + " + y;
    if (isa<arith::SubIOp>(op))
      return difference();
    if (isa<arith::MulIOp>(op))
      return product();
    if (isa<arith::DivSIOp>(op))
      return quotient();
    if (isa<arith::RemSIOp>(op))
      return remainder();
    if (isa<arith::DivUIOp>(op))
      return unsignedQuotient();
    if (isa<arith::RemUIOp>(op))
      return unsignedRemainder();
    if (isa<arith::AndIOp>(op))
      return x + (width == 1 ? " && " : " & ") + y;
    if (isa<arith::OrIOp>(op))
      return x + (width == 1 ? " || " : " | ") + y;
    if (isa<arith::XOrIOp>(op))
      return exclusiveOr();
    if (isa<arith::ShLIOp>(op))
      return shift("<<");
    if (isa<arith::ShRSIOp>(op))
      return shift(">>");
    if (isa<arith::ShRUIOp>(op))
      return shift(">>>");
    if (isa<arith::MinSIOp>(op))
      return "min(" + x + ", " + y + ")";
    if (isa<arith::MaxSIOp>(op))
      return "max(" + x + ", " + y + ")";
    if (isa<arith::MinUIOp>(op))
      return back("min(" + asUnsigned(x) + ", " + asUnsigned(y) + ")");
    if (isa<arith::MaxUIOp>(op))
      return back("max(" + asUnsigned(x) + ", " + asUnsigned(y) + ")");
    if (isa<math::AbsIOp>(op))
      return "abs(" + x + ")";
    if (auto test = dyn_cast<arith::CmpIOp>(op))
      return compare(test.getPredicate());
    return Text();
  }

  Text floats() const {
    if (isa<arith::AddFOp>(op))
      return x + " + " + y;
    if (isa<arith::SubFOp>(op))
      return x + " - " + y;
    if (isa<arith::MulFOp>(op))
      return x + " * " + y;
    if (isa<arith::DivFOp>(op)) {
      // The reciprocal of a reciprocal is folded away.
      auto isReciprocal = [](Operation *d) {
        return isa_and_nonnull<arith::DivFOp>(d) &&
               matchPattern(d->getOperand(0), m_OneFloat());
      };
      if (isReciprocal(op) && isReciprocal(op->getOperand(1).getDefiningOp()))
        return Text();
      return x + " / " + y;
    }
    if (isa<arith::NegFOp>(op))
      return "-" + x;
    if (isa<math::SqrtOp>(op))
      return "sqrt(" + x + ")";
    if (isa<math::FloorOp>(op))
      return "floor(" + x + ")";
    if (isa<math::CeilOp>(op))
      return "ceil(" + x + ")";
    if (auto test = dyn_cast<arith::CmpFOp>(op))
      return compare(test.getPredicate());
    return Text();
  }
};

} // namespace

std::string loom::spatial::typeName(Type type) {
  if (type.isInteger(1))
    return "Bit";
  if (type.isF32())
    return "Float";
  if (type.isF64())
    return "Double";
  return "I" + std::to_string(widthOf(type));
}

std::string loom::spatial::literal(Type type, const APInt &value) {
  if (type.isInteger(1))
    return value.isZero() ? "false.to[Bit]" : "true.to[Bit]";
  std::string digits = std::to_string(value.getSExtValue());
  if (widthOf(type) == 64)
    digits += "L";
  if (value.isNegative())
    digits = "(" + digits + ")";
  return digits + ".to[" + typeName(type) + "]";
}

std::string loom::spatial::literal(Operation *op) {
  auto constant = cast<arith::ConstantOp>(op);
  Type type = constant.getType();
  if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
    return literal(type, integer.getValue());
  APFloat value = cast<FloatAttr>(constant.getValue()).getValue();
  bool isFloat = type.isF32();
  std::string text;
  if (value.isInfinity()) {
    text = isFloat ? "scala.Float." : "scala.Double.";
    text += value.isNegative() ? "NegativeInfinity" : "PositiveInfinity";
  } else {
    llvm::raw_string_ostream os(text);
    if (isFloat)
      os << llvm::format("%.9g", double(value.convertToFloat()));
    else
      os << llvm::format("%.17g", value.convertToDouble());
    if (text.find_first_of(".e") == std::string::npos)
      text += ".0";
    if (isFloat)
      text += "f";
    if (value.isNegative())
      text = "(" + text + ")";
  }
  return text + ".to[" + typeName(type) + "]";
}

std::string
loom::spatial::spell(Operation *op,
                     llvm::function_ref<std::string(Value)> operandText) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return Text();
  if (isa<arith::SelectOp>(op))
    return "mux(" + operandText(op->getOperand(0)) + ", " +
           operandText(op->getOperand(1)) + ", " +
           operandText(op->getOperand(2)) + ")";
  Speller s;
  s.op = op;
  s.type = op->getResult(0).getType();
  s.width = widthOf(s.type);
  s.x = operandText(op->getOperand(0));
  s.left = constantOf(op->getOperand(0));
  if (op->getNumOperands() > 1) {
    s.y = operandText(op->getOperand(1));
    s.c = constantOf(op->getOperand(1));
    if (s.c && s.left)
      s.left.reset();
  }
  Text text = s.convert();
  if (text.empty())
    text = s.integers();
  return text.empty() ? s.floats() : text;
}
