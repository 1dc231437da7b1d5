// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every computation at edge values. Integer expectations come from 128-bit
// arithmetic or bit-by-bit loops, float expectations from literal bit patterns.

#include "runtime_harness.h"
#include <functional>

using namespace rttest;
using loom::rt::Reason;

namespace {

using U = uint64_t;
using Wide = __int128;

constexpr U trapped = 0x7247AED7247AEDull;

U maskOf(unsigned width) { return width == 64 ? ~U(0) : (U(1) << width) - 1; }
Wide asSigned(U a, unsigned width) {
  return (a >> (width - 1) & 1) ? Wide(a) - (Wide(1) << width) : Wide(a);
}

/// Edge values of a width.
std::vector<U> edges(unsigned width) {
  std::vector<U> values;
  for (Wide v : {Wide(0), Wide(1), Wide(2), Wide(3), Wide(7), Wide(-1),
                 Wide(-2), (Wide(1) << (width - 1)) - 1, Wide(1) << (width - 1),
                 (Wide(1) << (width - 1)) + 1, Wide(width), Wide(width - 1),
                 Wide(0x0123456789ABCDEFull), Wide(0xA5A5A5A55A5A5A5Aull)})
    values.push_back(U(v) & maskOf(width));
  return values;
}

using Oracle = std::function<U(U, U, unsigned)>;

void checkBinary(Op op, const Oracle &oracle,
                 std::vector<unsigned> widths = {1, 7, 8, 16, 24, 32, 33, 64}) {
  for (unsigned width : widths) {
    T type = intType(width);
    OneActor actor(ActorKind::Compute, {type, type}, {type}, type, op);
    for (U a : edges(width))
      for (U b : edges(width)) {
        actor.feed(0, {a});
        actor.feed(1, {b});
        ASSERT_EQ(actor.fire(), 1u);
        U expected = oracle(a, b, width);
        Tokens got = actor.take(0);
        if (expected == trapped) {
          EXPECT_EQ(actor.fault(), Reason::Trap)
              << image::EnumNameOp(op) << " " << a << " " << b;
          actor.clearFault();
          continue;
        }
        EXPECT_EQ(actor.fault(), Reason::None);
        EXPECT_EQ(got, Tokens{expected & maskOf(width)})
            << image::EnumNameOp(op) << " i" << width << " " << a << " " << b;
      }
  }
}

Oracle onSigned(Wide (*f)(Wide, Wide)) {
  return [f](U a, U b, unsigned w) {
    return U(f(asSigned(a, w), asSigned(b, w)));
  };
}
Oracle onUnsigned(Wide (*f)(Wide, Wide)) {
  return [f](U a, U b, unsigned) { return U(f(Wide(a), Wide(b))); };
}

TEST(Ops, IntegerArithmetic) {
  checkBinary(Op::AddI, onUnsigned([](Wide a, Wide b) { return a + b; }));
  checkBinary(Op::SubI, onSigned([](Wide a, Wide b) { return a - b; }));
  checkBinary(Op::MulI, [](U a, U b, unsigned) {
    U product = 0; // shift and add
    for (unsigned i = 0; i < 64; ++i)
      if (b >> i & 1)
        product += a << i;
    return product;
  });
  checkBinary(Op::AndI, [](U a, U b, unsigned w) {
    U r = 0;
    for (unsigned i = 0; i < w; ++i)
      r |= U((a >> i & 1) && (b >> i & 1)) << i;
    return r;
  });
  checkBinary(Op::OrI, [](U a, U b, unsigned w) {
    U r = 0;
    for (unsigned i = 0; i < w; ++i)
      r |= U((a >> i & 1) || (b >> i & 1)) << i;
    return r;
  });
  checkBinary(Op::XorI, [](U a, U b, unsigned w) {
    U r = 0;
    for (unsigned i = 0; i < w; ++i)
      r |= U((a >> i & 1) != (b >> i & 1)) << i;
    return r;
  });
}

TEST(Ops, IntegerDivision) {
  auto divides = [](bool quotient) {
    return [quotient](U a, U b, unsigned w) -> U {
      Wide x = asSigned(a, w), y = asSigned(b, w);
      if (y == 0 || (y == -1 && x == -(Wide(1) << (w - 1))))
        return trapped;
      return U(quotient ? x / y : x % y);
    };
  };
  checkBinary(Op::DivSI, divides(true));
  checkBinary(Op::RemSI, divides(false));
  checkBinary(Op::DivUI, [](U a, U b, unsigned) {
    return b ? U(Wide(a) / Wide(b)) : trapped;
  });
  checkBinary(Op::RemUI, [](U a, U b, unsigned) {
    return b ? U(Wide(a) % Wide(b)) : trapped;
  });
}

TEST(Ops, Shifts) {
  // An amount of the width or more is poison: 0 by definition here.
  checkBinary(Op::ShlI, [](U a, U b, unsigned w) {
    for (U i = 0; i < b && i < w; ++i)
      a *= 2;
    return b >= w ? 0 : a;
  });
  checkBinary(Op::ShrUI, [](U a, U b, unsigned w) {
    for (U i = 0; i < b && i < w; ++i)
      a /= 2;
    return b >= w ? 0 : a;
  });
  checkBinary(Op::ShrSI, [](U a, U b, unsigned w) {
    Wide x = asSigned(a, w);
    for (U i = 0; i < b && i < w; ++i)
      x = x < 0 ? (x - 1) / 2 : x / 2; // floor
    return b >= w ? 0 : U(x);
  });
}

TEST(Ops, MinMaxSaturation) {
  checkBinary(Op::MinSI,
              onSigned([](Wide a, Wide b) { return a < b ? a : b; }));
  checkBinary(Op::MaxSI,
              onSigned([](Wide a, Wide b) { return a < b ? b : a; }));
  checkBinary(Op::MinUI,
              onUnsigned([](Wide a, Wide b) { return a < b ? a : b; }));
  checkBinary(Op::MaxUI,
              onUnsigned([](Wide a, Wide b) { return a < b ? b : a; }));
  auto clampSigned = [](Wide v, unsigned w) {
    Wide top = (Wide(1) << (w - 1)) - 1;
    return U(v > top ? top : v < -top - 1 ? -top - 1 : v);
  };
  checkBinary(Op::AddSatS, [=](U a, U b, unsigned w) {
    return clampSigned(asSigned(a, w) + asSigned(b, w), w);
  });
  checkBinary(Op::SubSatS, [=](U a, U b, unsigned w) {
    return clampSigned(asSigned(a, w) - asSigned(b, w), w);
  });
  checkBinary(Op::AddSatU, [](U a, U b, unsigned w) {
    Wide sum = Wide(a) + Wide(b);
    return sum > Wide(maskOf(w)) ? maskOf(w) : U(sum);
  });
  checkBinary(Op::SubSatU, [](U a, U b, unsigned) {
    return Wide(a) - Wide(b) < 0 ? 0 : a - b;
  });
}

void checkUnary(Op op, const std::function<U(U, unsigned)> &oracle,
                std::vector<unsigned> widths = {1, 7, 8, 16, 24, 32, 33, 64}) {
  for (unsigned width : widths) {
    T type = intType(width);
    OneActor actor(ActorKind::Compute, {type}, {type}, type, op);
    for (U a : edges(width)) {
      actor.feed(0, {a});
      actor.fire();
      EXPECT_EQ(actor.take(0), Tokens{oracle(a, width) & maskOf(width)})
          << image::EnumNameOp(op) << " i" << width << " " << a;
    }
  }
}

TEST(Ops, BitCounting) {
  checkUnary(Op::CtPop, [](U a, unsigned w) {
    U n = 0;
    for (unsigned i = 0; i < w; ++i)
      n += a >> i & 1;
    return n;
  });
  checkUnary(Op::CtLz, [](U a, unsigned w) {
    U n = 0;
    while (n < w && !(a >> (w - 1 - n) & 1))
      ++n;
    return n;
  });
  checkUnary(Op::CtTz, [](U a, unsigned w) {
    U n = 0;
    while (n < w && !(a >> n & 1))
      ++n;
    return n;
  });
  checkUnary(Op::BitReverse, [](U a, unsigned w) {
    U r = 0;
    for (unsigned i = 0; i < w; ++i)
      r |= (a >> i & 1) << (w - 1 - i);
    return r;
  });
  checkUnary(Op::BSwap,
             [](U a, unsigned w) {
               U r = 0;
               for (unsigned i = 0; i < w / 8; ++i)
                 r |= (a >> 8 * i & 0xFF) << (w - 8 - 8 * i);
               return r;
             },
             {16, 32, 48, 64});
  checkUnary(Op::AbsI, [](U a, unsigned w) {
    Wide v = asSigned(a, w);
    return U(v < 0 ? -v : v);
  });
}

TEST(Ops, FunnelShifts) {
  for (unsigned width : {7u, 8u, 32u, 64u})
    for (bool left : {true, false}) {
      T type = intType(width);
      OneActor actor(ActorKind::Compute, {type, type, type}, {type}, type,
                     left ? Op::FShl : Op::FShr);
      for (U a : edges(width))
        for (U b : edges(width))
          for (U c : edges(width)) {
            // Bits of a:b, moved one at a time.
            U high = a, low = b;
            for (U i = 0; i < c % width; ++i) {
              if (left) {
                high = (high << 1 | low >> (width - 1)) & maskOf(width);
                low = low << 1 & maskOf(width);
              } else {
                low = low >> 1 | (high & 1) << (width - 1);
                high >>= 1;
              }
            }
            actor.feed(0, {a});
            actor.feed(1, {b});
            actor.feed(2, {c});
            actor.fire();
            EXPECT_EQ(actor.take(0), Tokens{left ? high : low})
                << left << " " << width << " " << a << " " << b << " " << c;
          }
    }
}

TEST(Ops, IntegerComparison) {
  for (unsigned width : {1u, 7u, 8u, 32u, 33u, 64u})
    for (unsigned pred = 0; pred < 10; ++pred) {
      T type = intType(width);
      OneActor actor(ActorKind::Compute, {type, type}, {Type::I1}, Type::I1,
                     Op::CmpI, pred, type);
      for (U a : edges(width))
        for (U b : edges(width)) {
          Wide x = pred >= 2 && pred <= 5 ? asSigned(a, width) : Wide(a);
          Wide y = pred >= 2 && pred <= 5 ? asSigned(b, width) : Wide(b);
          int order = x < y ? -1 : x > y;
          bool expected[] = {order == 0, order != 0, order < 0, order <= 0,
                             order > 0,  order >= 0, order < 0, order <= 0,
                             order > 0,  order >= 0};
          actor.feed(0, {a});
          actor.feed(1, {b});
          actor.fire();
          EXPECT_EQ(actor.take(0), Tokens{expected[pred]})
              << width << " " << pred << " " << a << " " << b;
        }
    }
}

U convert(Op op, T to, T from, U bits) {
  OneActor actor(ActorKind::Compute, {from}, {to}, to, op, 0, from);
  actor.feed(0, {bits});
  actor.fire();
  return actor.take(0).at(0);
}

TEST(Ops, IntegerConversion) {
  for (auto [from, to] : std::vector<std::pair<unsigned, unsigned>>{
           {1, 8}, {1, 64}, {7, 8}, {8, 32}, {24, 33}, {32, 64}, {33, 64}})
    for (U a : edges(from)) {
      EXPECT_EQ(convert(Op::ExtSI, intType(to), intType(from), a),
                U(asSigned(a, from)) & maskOf(to));
      EXPECT_EQ(convert(Op::ExtUI, intType(to), intType(from), a), a);
    }
  for (auto [from, to] : std::vector<std::pair<unsigned, unsigned>>{
           {64, 1}, {64, 32}, {32, 24}, {16, 7}, {8, 1}})
    for (U a : edges(from))
      EXPECT_EQ(convert(Op::TruncI, intType(to), intType(from), a),
                a & maskOf(to));
}

constexpr U nan32 = 0x7FC00000, inf32 = 0x7F800000, ninf32 = 0xFF800000;
constexpr U nan64 = 0x7FF8000000000000, inf64 = 0x7FF0000000000000;
constexpr U nzero32 = 0x80000000, nzero64 = 0x8000000000000000;

bool isNan(U bits, bool wide) {
  return wide ? (bits << 1) > (inf64 << 1) : (bits & 0x7FFFFFFF) > inf32;
}

struct FloatCase {
  Op op;
  bool wide;
  std::vector<U> operands;
  U result;
};

TEST(Ops, FloatArithmetic) {
  const FloatCase cases[] = {
      {Op::AddF, false, {0x3F800000, 0x33800000}, 0x3F800000}, // tie to even
      {Op::AddF, false, {0x3F800001, 0x33800000}, 0x3F800002},
      {Op::AddF, false, {nzero32, 0}, 0},
      {Op::AddF, false, {nzero32, nzero32}, nzero32},
      {Op::AddF, false, {inf32, ninf32}, nan32},
      {Op::AddF, false, {1, 1}, 2}, // denormals stay
      {Op::AddF,
       true,
       {0x3FB999999999999A, 0x3FC999999999999A},
       0x3FD3333333333334}, // 0.1 + 0.2
      {Op::SubF, false, {0x3F800000, 0x3F800000}, 0},
      {Op::SubF, true, {0, nzero64}, 0},
      {Op::MulF, false, {0x7F000000, 0x40000000}, inf32},
      {Op::MulF, false, {0x00800000, 0x3F000000}, 0x00400000},
      {Op::MulF, false, {inf32, 0}, nan32},
      {Op::MulF, true, {nzero64, 0x3FF0000000000000}, nzero64},
      {Op::DivF, false, {0x3F800000, 0}, inf32},
      {Op::DivF, false, {0x3F800000, nzero32}, ninf32},
      {Op::DivF, false, {0, 0}, nan32},
      {Op::DivF, false, {0x3F800000, 0x40400000}, 0x3EAAAAAB},
      {Op::DivF,
       true,
       {0x3FF0000000000000, 0x4008000000000000},
       0x3FD5555555555555},
      {Op::RemF, false, {0x40F00000, 0x40000000}, 0x3FC00000}, // 7.5 % 2
      {Op::RemF, false, {0xC0F00000, 0x40000000}, 0xBFC00000},
      {Op::RemF, false, {0x3F800000, 0}, nan32},
      {Op::RemF,
       true,
       {0x401E000000000000, 0xC000000000000000},
       0x3FF8000000000000},
      {Op::NegF, false, {0x7FC00001}, 0xFFC00001}, // NaN bits stay
      {Op::NegF, true, {0}, nzero64},
      {Op::AbsF, false, {0xFFC12345}, 0x7FC12345},
      {Op::AbsF, true, {nzero64}, 0},
      {Op::CopySign, false, {0x3F800000, nzero32}, 0xBF800000},
      {Op::CopySign, true, {0xBFF0000000000000, 0}, 0x3FF0000000000000},
      {Op::Sqrt, false, {0x40000000}, 0x3FB504F3},
      {Op::Sqrt, false, {nzero32}, nzero32},
      {Op::Sqrt, false, {0xBF800000}, nan32},
      {Op::Sqrt, true, {0x4000000000000000}, 0x3FF6A09E667F3BCD},
      // fma keeps what mul and add round away: (1+u)(1-u)-1 = -u*u.
      {Op::Fma, false, {0x3F800001, 0x3F7FFFFE, 0xBF800000}, 0xA8800000},
      {Op::Fma,
       true,
       {0x3FF0000000000001, 0x3FEFFFFFFFFFFFFE, 0xBFF0000000000000},
       0xB970000000000000},
  };
  for (const FloatCase &c : cases) {
    T type = c.wide ? Type::F64 : Type::F32;
    OneActor actor(ActorKind::Compute, std::vector<T>(c.operands.size(), type),
                   {type}, type, c.op);
    for (size_t i = 0; i < c.operands.size(); ++i)
      actor.feed(i, {c.operands[i]});
    actor.fire();
    U got = actor.take(0).at(0);
    if (isNan(c.result, c.wide) && c.op != Op::NegF && c.op != Op::AbsF)
      EXPECT_TRUE(isNan(got, c.wide)) << image::EnumNameOp(c.op);
    else
      EXPECT_EQ(got, c.result) << image::EnumNameOp(c.op) << std::hex << " "
                               << got << " for " << c.operands[0];
  }
}

TEST(Ops, FloatRounding) {
  // Inputs: 2.5 -2.5 1.5 0.5 -0.5 0.49999997 -0 8388609 inf
  const U in[] = {0x40200000, 0xC0200000, 0x3FC00000, 0x3F000000, 0xBF000000,
                  0x3EFFFFFF, nzero32,    0x4B000001, inf32};
  const struct {
    Op op;
    U out[9];
  } cases[] = {
      {Op::Floor,
       {0x40000000, 0xC0400000, 0x3F800000, 0, 0xBF800000, 0, nzero32,
        0x4B000001, inf32}},
      {Op::Ceil,
       {0x40400000, 0xC0000000, 0x40000000, 0x3F800000, nzero32, 0x3F800000,
        nzero32, 0x4B000001, inf32}},
      {Op::TruncF,
       {0x40000000, 0xC0000000, 0x3F800000, 0, nzero32, 0, nzero32, 0x4B000001,
        inf32}},
      {Op::Round,
       {0x40400000, 0xC0400000, 0x40000000, 0x3F800000, 0xBF800000, 0, nzero32,
        0x4B000001, inf32}},
      {Op::RoundEven,
       {0x40000000, 0xC0000000, 0x40000000, 0, nzero32, 0, nzero32, 0x4B000001,
        inf32}},
  };
  for (const auto &c : cases)
    for (unsigned i = 0; i < 9; ++i) {
      OneActor narrow(ActorKind::Compute, {Type::F32}, {Type::F32}, Type::F32,
                      c.op);
      narrow.feed(0, {in[i]});
      narrow.fire();
      EXPECT_EQ(narrow.take(0), Tokens{c.out[i]})
          << image::EnumNameOp(c.op) << " " << i;
      // The same in f64, through exact conversions.
      OneActor wide(ActorKind::Compute, {Type::F64}, {Type::F64}, Type::F64,
                    c.op);
      wide.feed(0, {convert(Op::ExtF, Type::F64, Type::F32, in[i])});
      wide.fire();
      EXPECT_EQ(convert(Op::DemoteF, Type::F32, Type::F64, wide.take(0).at(0)),
                c.out[i]);
    }
}

TEST(Ops, FloatMinMax) {
  const U one = 0x3F800000, two = 0x40000000;
  const FloatCase cases[] = {
      {Op::MinNumF, false, {one, two}, one},
      {Op::MinNumF, false, {two, one}, one},
      {Op::MinNumF, false, {nan32, two}, two},
      {Op::MinNumF, false, {two, nan32}, two},
      {Op::MaxNumF, false, {one, two}, two},
      {Op::MaxNumF, false, {nan32, two}, two},
      {Op::MaxNumF, false, {two, nan32}, two},
      {Op::MinNumF, false, {nan32, nan32}, nan32},
      {Op::MinimumF, false, {one, two}, one},
      {Op::MinimumF, false, {nan32, two}, nan32},
      {Op::MinimumF, false, {two, nan32}, nan32},
      {Op::MinimumF, false, {0, nzero32}, nzero32},
      {Op::MinimumF, false, {nzero32, 0}, nzero32},
      {Op::MaximumF, false, {0, nzero32}, 0},
      {Op::MaximumF, false, {nzero32, 0}, 0},
      {Op::MaximumF, false, {one, nan32}, nan32},
      {Op::MaximumF, false, {ninf32, inf32}, inf32},
      {Op::MinimumF, true, {nzero64, 0}, nzero64},
      {Op::MaximumF, true, {nan64, 0}, nan64},
      {Op::MaxNumF, true, {nan64, nzero64}, nzero64},
  };
  for (const FloatCase &c : cases) {
    T type = c.wide ? Type::F64 : Type::F32;
    OneActor actor(ActorKind::Compute, {type, type}, {type}, type, c.op);
    actor.feed(0, {c.operands[0]});
    actor.feed(1, {c.operands[1]});
    actor.fire();
    U got = actor.take(0).at(0);
    if (isNan(c.result, c.wide))
      EXPECT_TRUE(isNan(got, c.wide)) << image::EnumNameOp(c.op);
    else
      EXPECT_EQ(got, c.result)
          << image::EnumNameOp(c.op) << std::hex << c.operands[0];
  }
}

TEST(Ops, FloatComparison) {
  // Rows: less, equal, greater, unordered; by arith.cmpf number.
  const bool table[16][4] = {
      {0, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 1, 1, 0},
      {1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 0},
      {0, 1, 0, 1}, {0, 0, 1, 1}, {0, 1, 1, 1}, {1, 0, 0, 1},
      {1, 1, 0, 1}, {1, 0, 1, 1}, {0, 0, 0, 1}, {1, 1, 1, 1}};
  const U pairs[4][2] = {{0x3F800000, 0x40000000},
                         {nzero32, 0},
                         {inf32, 0x3F800000},
                         {nan32, nan32}};
  for (unsigned pred = 0; pred < 16; ++pred)
    for (bool wide : {false, true})
      for (unsigned row = 0; row < 4; ++row) {
        T type = wide ? Type::F64 : Type::F32;
        OneActor actor(ActorKind::Compute, {type, type}, {Type::I1}, Type::I1,
                       Op::CmpF, pred, type);
        for (unsigned i = 0; i < 2; ++i)
          actor.feed(
              i, {wide ? convert(Op::ExtF, Type::F64, Type::F32, pairs[row][i])
                       : pairs[row][i]});
        actor.fire();
        EXPECT_EQ(actor.take(0), Tokens{table[pred][row]})
            << pred << " " << row << " " << wide;
      }
}

TEST(Ops, FloatConversion) {
  const T f32 = Type::F32, f64 = Type::F64, i64 = Type::I64, i32 = Type::I32;
  EXPECT_EQ(convert(Op::SIToFP, f32, intType(7), 0x7F), 0xBF800000u); // -1
  EXPECT_EQ(convert(Op::SIToFP, f32, Type::I1, 1), 0xBF800000u);
  EXPECT_EQ(convert(Op::UIToFP, f32, Type::I1, 1), 0x3F800000u);
  EXPECT_EQ(convert(Op::UIToFP, f32, intType(7), 0x7F), 0x42FE0000u); // 127
  EXPECT_EQ(convert(Op::SIToFP, f32, i32, 16777217), 0x4B800000u);    // even
  EXPECT_EQ(convert(Op::UIToFP, f32, i64, ~U(0)), 0x5F800000u);       // 2^64
  EXPECT_EQ(convert(Op::UIToFP, f64, i64, U(1) << 63), 0x43E0000000000000u);
  EXPECT_EQ(convert(Op::SIToFP, f64, i64, U(1) << 63), 0xC3E0000000000000u);
  EXPECT_EQ(convert(Op::FPToSI, i32, f32, 0xC0200000), 0xFFFFFFFEu); // -2.5
  EXPECT_EQ(convert(Op::FPToSI, Type::I8, f32, 0xC3000000), 0x80u);  // -128
  EXPECT_EQ(convert(Op::FPToSI, i64, f64, 0xC3E0000000000000),
            0x8000000000000000u);
  EXPECT_EQ(convert(Op::FPToUI, i64, f64, 0x43E0000000000000),
            0x8000000000000000u);
  EXPECT_EQ(convert(Op::FPToUI, i32, f64, 0x41EFFFFFFFE00000), 0xFFFFFFFFu);
  EXPECT_EQ(convert(Op::FPToUI, Type::I16, f32, 0x477FFF00), 0xFFFFu);
  // Out of range: any value, but no trap.
  for (U bits : {nan32, inf32, ninf32, U(0x7F7FFFFF), U(0xBF800000)})
    for (T to : {T(Type::I8), i32, i64, intType(33)}) {
      EXPECT_LE(convert(Op::FPToSI, to, f32, bits), maskOf(to.width));
      EXPECT_LE(convert(Op::FPToUI, to, f32, bits), maskOf(to.width));
    }
  EXPECT_EQ(convert(Op::FPToSI, i32, f32, nan32), 0x80000000u);
  EXPECT_EQ(convert(Op::FPToSI, i64, f32, inf32), 0x8000000000000000u);
  EXPECT_EQ(convert(Op::ExtF, f64, f32, 1), 0x36A0000000000000u);
  EXPECT_EQ(convert(Op::DemoteF, f32, f64, 0x3FF0000010000000), 0x3F800000u);
  EXPECT_EQ(convert(Op::DemoteF, f32, f64, 0x7FEFFFFFFFFFFFFF), inf32);
  EXPECT_EQ(convert(Op::Bitcast, i32, f32, 0xDEADBEEF), 0xDEADBEEFu);
  EXPECT_EQ(convert(Op::Bitcast, f64, i64, 0x0123456789ABCDEF),
            0x0123456789ABCDEFu);
}

TEST(Ops, Pointers) {
  OneActor add(ActorKind::Compute, {Type::Ptr, Type::I64}, {Type::Ptr},
               Type::Ptr, Op::PtrAdd);
  add.feed(0, {0x1000});
  add.feed(1, {U(-8)});
  add.fire();
  EXPECT_EQ(add.take(0), Tokens{0xFF8});
  EXPECT_EQ(convert(Op::PtrToInt, Type::I64, Type::Ptr, ~U(1)), ~U(1));
  EXPECT_EQ(convert(Op::IntToPtr, Type::Ptr, Type::I64, ~U(1)), ~U(1));
  EXPECT_EQ(convert(Op::Copy, intType(24), intType(24), 0xABCDEF), 0xABCDEFu);
}

/// No operation of the schema is unknown to the runtime.
TEST(Ops, EveryOpHasASignature) {
  for (Op op : image::EnumValuesOp())
    if (op != Op::None) {
      RegionBuilder b; // an actor without operands: arity, not "no such op"
      b.compute(op, {}, Type::I32);
      b.exitZero();
      b.complete(RegionBuilder::start);
      Loaded loaded(b);
      EXPECT_EQ(loaded.verdict.error, loom::rt::ImageError::ActorArity)
          << image::EnumNameOp(op);
    }
}

} // namespace
