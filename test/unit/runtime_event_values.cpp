// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every computation of the event queue against that of the token engine, which
// runtime_ops.cpp checks on its own.

#include "Devices/Sim/EventSim.h"
#include "Image/Signature.h"
#include "runtime_harness.h"

using namespace rttest;
using loom::rt::Form;
using loom::rt::Reason;

namespace {

uint64_t maskOf(T type) {
  unsigned bits = type.type == Type::F32 ? 32 : type.width ? type.width : 64;
  return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

/// Edge values of a type, for floats of both kinds as bits.
std::vector<uint64_t> edges(T type) {
  std::vector<uint64_t> values = {0, 1, 2, 3, 7, 0x0123456789ABCDEFull};
  const uint64_t mask = maskOf(type);
  for (uint64_t v : {mask, mask - 1, mask >> 1, (mask >> 1) + 1})
    values.push_back(v);
  if (type.type == Type::F32)
    for (uint64_t v : {0x3F800000u, 0xBFC00000u, 0x40200000u, 0x7F800000u,
                       0xFF800000u, 0x7FC00001u, 0xCF000001u, 0x5F000000u})
      values.push_back(v);
  if (type.type == Type::F64)
    for (uint64_t v :
         {0x3FF0000000000000ull, 0xBFF8000000000000ull, 0x4004000000000000ull,
          0x7FF0000000000000ull, 0xFFF0000000000000ull, 0x7FF8000000000001ull,
          0xC1E0000000000001ull, 0x43E0000000000000ull})
      values.push_back(v);
  for (uint64_t &v : values)
    v &= mask;
  return values;
}

struct Shape {
  std::vector<T> operands;
  T type;
  T from;
  unsigned predicates;
};

std::vector<Shape> shapesOf(Op op) {
  const T boolean = Type::I1, f32 = Type::F32, f64 = Type::F64;
  const T pointer = Type::Ptr, none = Type::None;
  const std::vector<unsigned> widths = {1, 7, 8, 16, 24, 32, 33, 48, 64};
  loom::rt::Signature signature = loom::rt::signatureOf(uint8_t(op));
  auto same = [&](T type) { return std::vector<T>(signature.operands, type); };
  std::vector<Shape> shapes;
  switch (signature.form) {
  case Form::None:
    break;
  case Form::Int:
    for (unsigned w : widths)
      if (op != Op::BSwap || w % 16 == 0)
        shapes.push_back({same(intType(w)), intType(w), none, 1});
    break;
  case Form::CompareInt:
    for (unsigned w : widths)
      shapes.push_back({same(intType(w)), boolean, intType(w), 10});
    shapes.push_back({same(pointer), boolean, pointer, 10});
    break;
  case Form::Select:
    for (T type : {intType(33), f32, f64, pointer})
      shapes.push_back({{boolean, type, type}, type, none, 1});
    break;
  case Form::Widen:
  case Form::Narrow:
    for (unsigned w : widths)
      for (unsigned v : widths)
        if (signature.form == Form::Widen ? w < v : w > v)
          shapes.push_back({{intType(w)}, intType(v), intType(w), 1});
    break;
  case Form::Float:
    for (T type : {f32, f64})
      shapes.push_back({same(type), type, none, 1});
    break;
  case Form::CompareFloat:
    for (T type : {f32, f64})
      shapes.push_back({same(type), boolean, type, 16});
    break;
  case Form::IntToFloat:
  case Form::FloatToInt:
    for (unsigned w : widths)
      for (T type : {f32, f64}) {
        bool toFloat = signature.form == Form::IntToFloat;
        T from = toFloat ? intType(w) : type;
        shapes.push_back({{from}, toFloat ? type : intType(w), from, 1});
      }
    break;
  case Form::WidenFloat:
    shapes.push_back({{f32}, f64, f32, 1});
    break;
  case Form::NarrowFloat:
    shapes.push_back({{f64}, f32, f64, 1});
    break;
  case Form::Bitcast:
    shapes.push_back({{f32}, intType(32), f32, 1});
    shapes.push_back({{intType(64)}, f64, intType(64), 1});
    break;
  case Form::PointerAdd:
    shapes.push_back({{pointer, intType(64)}, pointer, none, 1});
    break;
  case Form::PointerToInt:
    shapes.push_back({{pointer}, intType(64), pointer, 1});
    break;
  case Form::IntToPointer:
    shapes.push_back({{intType(64)}, pointer, intType(64), 1});
    break;
  case Form::Copy:
    for (T type : {boolean, intType(24), f32, pointer})
      shapes.push_back({{type}, type, none, 1});
    break;
  }
  return shapes;
}

bool isNaN(T type, uint64_t bits) {
  return type.type == Type::F32 ? (bits & 0x7FFFFFFF) > 0x7F800000
         : type.type == Type::F64
             ? (bits & (~uint64_t(0) >> 1)) > uint64_t(0x7FF) << 52
             : false;
}

/// More than one operand is a NaN.
bool areNaNs(const Shape &shape, const uint64_t *in) {
  unsigned count = 0;
  for (size_t k = 0; k < shape.operands.size(); ++k)
    count += isNaN(shape.operands[k], in[k]);
  return count > 1;
}

TEST(EventValues, AreThoseOfTheTokenEngine) {
  unsigned compared = 0;
  for (unsigned number = 1; number <= unsigned(Op::Copy); ++number)
    for (const Shape &shape : shapesOf(Op(number)))
      for (unsigned pred = 0; pred < shape.predicates; ++pred) {
        OneActor actor(ActorKind::Compute, shape.operands, {shape.type},
                       shape.type, Op(number), pred, shape.from);
        const loom::rt::ActorInfo &info = actor.info();
        const std::vector<uint64_t> none = {0};
        size_t count = shape.operands.size();
        for (uint64_t x : edges(shape.operands[0]))
          for (uint64_t y : count > 1 ? edges(shape.operands[1]) : none)
            for (uint64_t z : count > 2 ? edges(shape.operands[2]) : none) {
              const uint64_t in[3] = {x, y, z};
              for (size_t k = 0; k < count; ++k)
                actor.feed(k, {in[k]});
              ASSERT_EQ(actor.fire(), 1u);
              Tokens expected = actor.take(0);
              uint64_t value = 0;
              bool good = loom::rt::eventValue(info, x, y, z, value);
              EXPECT_EQ(good, actor.fault() == Reason::None);
              actor.clearFault();
              // Of two NaNs, either may be handed on.
              if (good && !(areNaNs(shape, in) && isNaN(shape.type, value) &&
                            isNaN(shape.type, expected[0])))
                EXPECT_EQ(Tokens{value}, expected)
                    << image::EnumNameOp(Op(number)) << " pred " << pred << " "
                    << x << " " << y << " " << z;
              ++compared;
            }
      }
  EXPECT_GT(compared, 80000u);
}

} // namespace
