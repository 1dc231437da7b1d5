// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Dataflow/Run/Token.h"
#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;

unsigned loom::run::laneWidth(Type type) {
  type = laneType(type);
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

uint64_t loom::run::laneMask(unsigned width) {
  return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

Type loom::run::laneType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

std::optional<unsigned> loom::run::laneCount(Type type) {
  if (!dataflow::isTokenType(type) || isa<NoneType>(laneType(type)))
    return isa<NoneType>(type) ? std::optional(0u) : std::nullopt;
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return 1;
  unsigned count = 1;
  for (int64_t size : vector.getShape()) {
    if (size < 0 || uint64_t(size) > maxLanes || count * size > maxLanes)
      return std::nullopt;
    count *= unsigned(size);
  }
  return count;
}

static std::optional<uint64_t> bitsOf(Attribute value, unsigned width) {
  APInt bits;
  if (auto integer = dyn_cast<IntegerAttr>(value))
    bits = integer.getValue();
  else if (auto real = dyn_cast<FloatAttr>(value))
    bits = real.getValue().bitcastToAPInt();
  else
    return std::nullopt;
  if (bits.getBitWidth() != width)
    return std::nullopt;
  return bits.getZExtValue();
}

std::optional<Token> loom::run::tokenOf(Attribute value, Type type) {
  std::optional<unsigned> count = laneCount(type);
  if (!count || *count == 0)
    return std::nullopt;
  Token token;
  unsigned width = laneWidth(type);
  if (!isa<VectorType>(type)) {
    std::optional<uint64_t> bits = bitsOf(value, width);
    if (!bits)
      return std::nullopt;
    token.lanes.push_back({*bits, false});
    return token;
  }
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || elements.getNumElements() != int64_t(*count))
    return std::nullopt;
  for (Attribute element : elements.getValues<Attribute>()) {
    std::optional<uint64_t> bits = bitsOf(element, width);
    if (!bits)
      return std::nullopt;
    token.lanes.push_back({*bits, false});
  }
  return token;
}

TypedAttr loom::run::attributeOf(Lane lane, Type type) {
  if (lane.poison)
    return {};
  if (auto real = dyn_cast<FloatType>(type))
    return FloatAttr::get(real, APFloat(real.getFloatSemantics(),
                                        APInt(real.getWidth(), lane.bits)));
  if (type.isIntOrIndex())
    return IntegerAttr::get(type, APInt(laneWidth(type), lane.bits));
  return {};
}

static void printLane(llvm::raw_ostream &os, Lane lane, Type type) {
  if (lane.poison) {
    os << "poison";
  } else if (auto real = dyn_cast<FloatType>(type)) {
    SmallString<32> text;
    APFloat(real.getFloatSemantics(), APInt(real.getWidth(), lane.bits))
        .toString(text);
    os << text;
  } else if (type.isInteger(1)) {
    os << (lane.bits ? "true" : "false");
  } else if (type.isIntOrIndex()) {
    os << APInt(laneWidth(type), lane.bits).getSExtValue();
  } else {
    os << "0x" << llvm::utohexstr(lane.bits, /*LowerCase=*/true);
  }
}

std::string loom::run::printToken(const Token &token, Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (token.lanes.empty())
    return "none";
  if (!isa<VectorType>(type)) {
    printLane(os, token.lanes.front(), type);
    return text;
  }
  os << "[";
  llvm::interleaveComma(
      token.lanes, os, [&](Lane lane) { printLane(os, lane, laneType(type)); });
  os << "]";
  return text;
}
