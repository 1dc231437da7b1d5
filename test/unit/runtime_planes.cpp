// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every computation of every type on all three engines, bit for bit, with its
// operands wherever the code of a plan can find them.

#include "runtime_op_graph.h"

using namespace rttest;

namespace {

/// Tuples of operands.
std::vector<std::vector<U>> tuples(const Shape &shape, uint64_t seed) {
  Dice dice(seed);
  std::vector<std::vector<U>> all;
  size_t arity = shape.from.size();
  auto pick = [&](size_t k) {
    std::vector<U> some = edges(shape.from[k]);
    return dice.once(3) ? dice.next() & maskOf(shape.from[k])
                        : some[dice.below(unsigned(some.size()))];
  };
  if (arity <= 2) {
    for (U a : edges(shape.from[0])) {
      if (arity == 1)
        all.push_back({a});
      else
        for (U b : edges(shape.from[1]))
          all.push_back({a, b});
    }
  }
  for (int i = 0; i < 60; ++i) {
    std::vector<U> tuple;
    for (size_t k = 0; k < arity; ++k)
      tuple.push_back(pick(k));
    all.push_back(tuple);
  }
  return all;
}

bool trapping(const Shape &shape, U a, U b) {
  bool isSigned = shape.op == Op::DivSI || shape.op == Op::RemSI;
  U mask = maskOf(shape.type);
  return shape.divides() &&
         (b == 0 || (isSigned && b == mask && a == (mask >> 1) + 1));
}

struct Runner {
  const Shape &shape;
  std::vector<U> memory; // a, b, c, r
  size_t rows;
  explicit Runner(const Shape &shape, size_t rows) : shape(shape), rows(rows) {
    memory.assign(4 * (rows + 1), 0);
  }
  U address(unsigned k) {
    return reinterpret_cast<U>(memory.data() + k * (rows + 1));
  }
  void run(Machine &machine, const std::vector<std::vector<U>> &list,
           const std::vector<U> &inputs, Place place) {
    ASSERT_LE(list.size(), rows);
    for (U &word : memory)
      word = 0xa5a5a5a5a5a5a5a5;
    for (size_t i = 0; i < list.size(); ++i)
      for (size_t k = 0; k < list[i].size(); ++k)
        memory[k * (rows + 1) + i] = list[i][k];
    std::vector<U> in = {list.size(), address(0), address(1), address(2),
                         address(3)};
    in.insert(in.end(), inputs.begin(), inputs.end());
    std::string text =
        disagreement(machine, in, reinterpret_cast<uint8_t *>(memory.data()),
                     memory.size() * 8);
    EXPECT_EQ(text, "") << shape.name() << " place " << int(place) << " inputs "
                        << (inputs.empty() ? 0 : inputs[0]) << " rows "
                        << list.size();
    EXPECT_TRUE(hasPlan(machine));
  }
};

/// One computation in every place.
void check(const Shape &shape) {
  std::vector<std::vector<U>> all = tuples(shape, 7), good, bad;
  for (const std::vector<U> &tuple : all)
    (tuple.size() == 2 && trapping(shape, tuple[0], tuple[1]) ? bad : good)
        .push_back(tuple);
  if (bad.size() > 6)
    bad.resize(6);
  size_t arity = shape.from.size();
  bool sameType = true;
  for (T operand : shape.from)
    sameType &=
        operand.type == shape.type.type && operand.width == shape.type.width;
  Runner runner(shape, all.size());
  bool before = testing::Test::HasFailure();
  for (unsigned p = 0; p < unsigned(Place::Count); ++p) {
    if (testing::Test::HasFailure() && !before)
      return; // one failure a computation is enough
    Place place = Place(p);
    unsigned number = place >= Place::Constant0 && place <= Place::Constant2
                          ? p - unsigned(Place::Constant0)
                      : place >= Place::Captured0 && place <= Place::Captured2
                          ? p - unsigned(Place::Captured0)
                          : 0;
    if (number >= arity)
      continue;
    bool carries = place >= Place::CarryFirst && place <= Place::CarryCapture;
    if ((carries && !sameType) || (arity == 1 && place > Place::CarryFirst &&
                                   place <= Place::CarryCapture))
      continue;
    if (place == Place::Branches && shape.type.type != Type::I1)
      continue;
    if (place == Place::Root || carries ||
        (place >= Place::Captured0 && place <= Place::Captured2)) {
      OpGraph graph(shape, place, 0);
      Machine machine(graph.b);
      Dice dice(p);
      for (int i = 0; i < (place == Place::Root ? 60 : 10); ++i) {
        const std::vector<U> &tuple = all[dice.below(unsigned(all.size()))];
        std::vector<std::vector<U>> rows = good;
        if (carries) {
          rows.assign(1 + dice.below(6), {});
          for (std::vector<U> &row : rows)
            row = all[dice.below(unsigned(all.size()))];
        }
        runner.run(machine, rows, tuple, place);
      }
      continue;
    }
    bool constant = (place >= Place::Constant0 && place <= Place::Constant2) ||
                    place == Place::CrowdedConst;
    if (place == Place::CrowdedConst)
      number = unsigned(arity - 1);
    std::vector<U> constants = {0};
    if (constant) {
      constants = {1,
                   5,
                   maskOf(shape.from[number]),
                   0x123456789abcdef1,
                   0x80000000,
                   0x7fffffff,
                   0};
      if (isFloat(shape.from[number]))
        constants = {0, 0x3ff8000000000000, 0x3fc00000,
                     shape.from[number].type == Type::F64 ? 0xfff8000000001234
                                                          : 0xffc01234};
      if (place == Place::CrowdedConst)
        constants.resize(2);
    }
    for (U bits : constants) {
      OpGraph graph(shape, place, bits);
      Machine machine(graph.b);
      std::vector<std::vector<U>> rows;
      std::vector<U> none(arity, 0);
      for (std::vector<U> tuple : good) {
        if (constant)
          tuple[number] = bits & maskOf(shape.from[number]);
        if (tuple.size() < 2 || !trapping(shape, tuple[0], tuple[1]))
          rows.push_back(tuple);
      }
      runner.run(machine, rows, none, place);
      for (const std::vector<U> &tuple : bad)
        runner.run(machine, {tuple}, none, place);
    }
  }
}

const unsigned widths[] = {1, 7, 8, 16, 24, 32, 33, 64};

TEST(Planes, IntegerOps) {
  for (unsigned width : widths) {
    T type = intType(width);
    for (Op op : {Op::AddI,   Op::SubI,  Op::MulI,    Op::DivSI,   Op::DivUI,
                  Op::RemSI,  Op::RemUI, Op::AndI,    Op::OrI,     Op::XorI,
                  Op::ShlI,   Op::ShrSI, Op::ShrUI,   Op::MinSI,   Op::MaxSI,
                  Op::MinUI,  Op::MaxUI, Op::AddSatS, Op::AddSatU, Op::SubSatS,
                  Op::SubSatU})
      check({op, type, {type, type}});
    for (Op op :
         {Op::AbsI, Op::CtPop, Op::CtLz, Op::CtTz, Op::BitReverse, Op::Copy})
      check({op, type, {type}});
    if (width % 16 == 0)
      check({Op::BSwap, type, {type}});
    check({Op::FShl, type, {type, type, type}});
    check({Op::FShr, type, {type, type, type}});
    check({Op::Select, type, {intType(1), type, type}});
  }
}

TEST(Planes, Comparisons) {
  for (unsigned width : widths)
    for (unsigned pred = 0; pred < 10; ++pred)
      check({Op::CmpI,
             Type::I1,
             {intType(width), intType(width)},
             pred,
             intType(width)});
  for (unsigned pred = 0; pred < 10; ++pred)
    check({Op::CmpI, Type::I1, {ptr, ptr}, pred, ptr});
  for (T type : {f32, f64})
    for (unsigned pred = 0; pred < 16; ++pred)
      check({Op::CmpF, Type::I1, {type, type}, pred, type});
}

TEST(Planes, FloatOps) {
  for (T type : {f32, f64}) {
    for (Op op :
         {Op::AddF, Op::SubF, Op::MulF, Op::DivF, Op::RemF, Op::CopySign,
          Op::MinNumF, Op::MaxNumF, Op::MinimumF, Op::MaximumF})
      check({op, type, {type, type}});
    for (Op op : {Op::NegF, Op::AbsF, Op::Sqrt, Op::Floor, Op::Ceil, Op::TruncF,
                  Op::Round, Op::RoundEven, Op::Copy})
      check({op, type, {type}});
    check({Op::Fma, type, {type, type, type}});
    check({Op::Select, type, {intType(1), type, type}});
  }
}

TEST(Planes, Conversions) {
  for (unsigned from : widths)
    for (unsigned to : widths) {
      if (from < to) {
        check({Op::ExtSI, intType(to), {intType(from)}, 0, intType(from)});
        check({Op::ExtUI, intType(to), {intType(from)}, 0, intType(from)});
      } else if (from > to) {
        check({Op::TruncI, intType(to), {intType(from)}, 0, intType(from)});
      }
    }
  for (unsigned width : widths) {
    T type = intType(width);
    for (T real : {f32, f64}) {
      check({Op::SIToFP, real, {type}, 0, type});
      check({Op::UIToFP, real, {type}, 0, type});
      check({Op::FPToSI, type, {real}, 0, real});
      check({Op::FPToUI, type, {real}, 0, real});
    }
    check({Op::PtrToInt, type, {ptr}, 0, ptr});
    check({Op::IntToPtr, ptr, {type}, 0, type});
  }
  check({Op::ExtF, f64, {f32}, 0, f32});
  check({Op::DemoteF, f32, {f64}, 0, f64});
  check({Op::Bitcast, f32, {intType(32)}, 0, intType(32)});
  check({Op::Bitcast, intType(32), {f32}, 0, f32});
  check({Op::Bitcast, f64, {i64}, 0, i64});
  check({Op::Bitcast, i64, {f64}, 0, f64});
  check({Op::Bitcast, f32, {f32}, 0, f32});
  check({Op::PtrAdd, ptr, {ptr, i64}});
  check({Op::Copy, ptr, {ptr}});
  check({Op::Select, ptr, {intType(1), ptr, ptr}});
}

} // namespace
