// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalar table of the device, for what MLIR doesn't fold.

#include "Compute.h"
#include "Devices/Sim/Scalars.h"
#include "loom/Dataflow/IR/Compute.h"
#include "loom/Image/loom_image_generated.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;
using namespace loom::rt;
using Code = image::Op;

namespace {
using U = uint64_t;

/// What the expressions of the table are of.
struct Shape {
  U mask;
  unsigned width, shift, fromShift;
};
} // namespace

// The number of an operation without a check of its form: a scalar copy isn't
// in a graph.
static std::optional<Code> numberOf(Operation *op) {
  std::optional<uint8_t> number =
      dataflow::lookupComputeName(op->getName().getStringRef());
  if (!number || static_cast<Code>(*number) == Code::None)
    return std::nullopt;
  return static_cast<Code>(*number);
}

bool loom::run::inTable(Operation *op) { return numberOf(op).has_value(); }

static bool traps(const Shape &shape, U a, U b, bool isSigned) {
  return b == 0 ||
         (isSigned && b == shape.mask && a == U(1) << (shape.width - 1));
}

/// Integers, and conversions between floats. False: it traps.
static bool computeInteger(Code op, const Shape &shape, U a, U b, U c,
                           U &result) {
  [[maybe_unused]] const U mask = shape.mask;
  const unsigned width = shape.width, shift = shape.shift,
                 fromShift = shape.fromShift;
  switch (op) {
#define LOOM_VALUE(name, operands, expression)                                 \
  case Code::name:                                                             \
    result = (expression);                                                     \
    return true;
#define LOOM_VARIANT(name, operands, expression)
#define LOOM_DIVISION(name, isSigned, expression)                              \
  case Code::name:                                                             \
    if (traps(shape, a, b, isSigned))                                          \
      return false;                                                            \
    result = (expression);                                                     \
    return true;
#include "Devices/Sim/Operations.def"
  default: // truncations, copies, casts of pointers
    result = a;
    return true;
  }
}

template <typename F>
static bool computeFloat(Code op, U x, U y, U z, U &result) {
  [[maybe_unused]] const F a = asFloat<F>(x), b = asFloat<F>(y),
                           c = asFloat<F>(z);
  switch (op) {
#define LOOM_FLOAT(name, operands, expression)                                 \
  case Code::name:                                                             \
    result = bitsOf(static_cast<F>(expression));                               \
    return true;
#include "Devices/Sim/Operations.def"
  default:
    break;
  }
  return false;
}

template <typename F>
static bool computeSign(Code op, U a, U b, U &result) {
  constexpr U sign = U(1) << (8 * sizeof(F) - 1);
  switch (op) {
#define LOOM_SIGN(name, operands, expression)                                  \
  case Code::name:                                                             \
    result = (expression);                                                     \
    return true;
#include "Devices/Sim/Operations.def"
  default:
    return false;
  }
}

static bool compare(unsigned predicate, U a, U b, unsigned fromShift) {
  return compareInt(predicate, a, b, fromShift);
}

/// Between integers and floats.
static bool convert(Code op, const Shape &shape, bool fromF32, bool toF32, U a,
                    U &result) {
  switch (op) {
  case Code::SIToFP:
    result = toF32 ? bitsOf(static_cast<float>(sext(a, shape.fromShift)))
                   : bitsOf(static_cast<double>(sext(a, shape.fromShift)));
    return true;
  case Code::UIToFP:
    result =
        toF32 ? bitsOf(static_cast<float>(a)) : bitsOf(static_cast<double>(a));
    return true;
  case Code::FPToSI:
  case Code::FPToUI: {
    double value = fromF32 ? static_cast<double>(asF32(a)) : asF64(a);
    result = op == Code::FPToSI ? floatToSigned(value, shape.width)
                                : floatToUnsigned(value, shape.width);
    return true;
  }
  default:
    return false;
  }
}

bool loom::run::computeByTable(Operation *scalar, ArrayRef<Lane> operands,
                               Lane &result) {
  Type to = scalar->getResult(0).getType();
  Type from = scalar->getOperand(0).getType();
  const unsigned width = laneWidth(to);
  const Shape shape = {laneMask(width), width, 64 - width,
                       64 - laneWidth(from)};
  auto at = [&](unsigned i) {
    return i < operands.size() ? operands[i].bits : 0;
  };
  U a = at(0), b = at(1), c = at(2), bits = 0;
  Code op = numberOf(scalar).value_or(Code::None);
  bool done = true;
  if (auto cmp = dyn_cast<arith::CmpIOp>(scalar)) {
    bits = compare(unsigned(cmp.getPredicate()), a, b, shape.fromShift);
  } else if (auto cmp = dyn_cast<arith::CmpFOp>(scalar)) {
    unsigned set = compareFloatSet(unsigned(cmp.getPredicate()));
    bits = from.isF32() ? compareFloat<float>(set, asF32(a), asF32(b))
                        : compareFloat<double>(set, asF64(a), asF64(b));
  } else if (convert(op, shape, from.isF32(), to.isF32(), a, bits)) {
  } else if (op == Code::PtrAdd) {
    bits = a + b;
  } else if (to.isF32() && from.isF32() &&
             (computeFloat<float>(op, a, b, c, bits) ||
              computeSign<float>(op, a, b, bits))) {
  } else if (to.isF64() && from.isF64() &&
             (computeFloat<double>(op, a, b, c, bits) ||
              computeSign<double>(op, a, b, bits))) {
  } else {
    done = computeInteger(op, shape, a, b, c, bits);
  }
  result = {bits & shape.mask, false};
  return done;
}
