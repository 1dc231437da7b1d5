// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch guards: every operation at its limits, the comparison of ranges, each
// rule of the format, damaged guards.

#include "Guard/Guard.h"
#include "runtime_harness.h"
#include "runtime_kernels.h"
#include <functional>
#include <random>
#include <set>

using namespace rttest;
using image::GuardOp;
using loom::rt::evaluateGuard;
using loom::rt::GuardVerdict;
using loom::rt::ImageError;

namespace {

constexpr uint64_t top = ~uint64_t(0);

/// Two pointer slots (0 and 1), two 64-bit slots (2 and 3), an i32 (4), an i24
/// (5). The ranges are [lo, hi) of both memories; the second one is written.
struct Guarded {
  RegionBuilder b;
  std::shared_ptr<GuardBuilder> guard = std::make_shared<GuardBuilder>();

  Guarded() {
    for (Type type :
         {Type::Ptr, Type::Ptr, Type::I64, Type::I64, Type::I32, Type::I32})
      b.slot(type);
    b.memory({0, 0, Type::None, true, false});
    b.memory({1, 0, Type::None, true, true});
    b.exitZero();
    b.complete(RegionBuilder::start);
    guard->graph = std::make_shared<RegionBuilder>(b);
    guard->partitions = {0, 1};
    b.guard = guard;
  }

  uint32_t constant(int64_t value) {
    return guard->node(GuardOp::Constant, 0, 0, value);
  }
  uint32_t slot(uint32_t number, unsigned width = 64, bool isSigned = true) {
    return guard->node(isSigned ? GuardOp::SlotS : GuardOp::SlotU, number, 0, 0,
                       width);
  }
  void ranges(uint32_t loX, uint32_t hiX, uint32_t loY, uint32_t hiY) {
    guard->disjoint(guard->range(0, loX, hiX, 1), guard->range(1, loY, hiY, 3));
  }
  GuardVerdict operator()(std::vector<uint64_t> in) {
    Loaded loaded(b);
    EXPECT_STREQ(loom::rt::imageErrorName(loaded.verdict.error), "none");
    if (!loaded.verdict.ok())
      return GuardVerdict::Count;
    in.resize(6);
    return evaluateGuard(loaded.region, in.data());
  }
};

TEST(Guard, Ranges) {
  auto verdict = [](uint64_t x, uint64_t y, int64_t loX, int64_t hiX,
                    int64_t loY, int64_t hiY) {
    Guarded g;
    g.ranges(g.constant(loX), g.constant(hiX), g.constant(loY),
             g.constant(hiY));
    return g({x, y});
  };
  EXPECT_EQ(verdict(1000, 1000, 0, 4, 0, 4), GuardVerdict::Alias); // one root
  EXPECT_EQ(verdict(1000, 1000, 0, 4, 4, 8), GuardVerdict::NoAlias);
  EXPECT_EQ(verdict(1000, 1004, 0, 4, 0, 4), GuardVerdict::NoAlias); // adjacent
  EXPECT_EQ(verdict(1004, 1000, 0, 4, 0, 4), GuardVerdict::NoAlias);
  EXPECT_EQ(verdict(1000, 1003, 0, 4, 0, 4), GuardVerdict::Alias); // one byte
  EXPECT_EQ(verdict(1003, 1000, 0, 4, 0, 4), GuardVerdict::Alias);
  EXPECT_EQ(verdict(1000, 2000, -10, 999, 0, 1), GuardVerdict::NoAlias);
  EXPECT_EQ(verdict(1000, 2000, -10, 1001, 0, 1), GuardVerdict::Alias);
  EXPECT_EQ(verdict(1000, 1100, 0, 1000, 50, 60),
            GuardVerdict::Alias); // inside
  // Nothing is touched.
  EXPECT_EQ(verdict(1000, 1000, 0, 0, 0, 4), GuardVerdict::NoAlias);
  EXPECT_EQ(verdict(1000, 1000, 0, 4, 8, -8), GuardVerdict::NoAlias);
  EXPECT_EQ(verdict(0, 0, 0, -8, 0, -8), GuardVerdict::NoAlias);
  // The ends of the address space, and beyond.
  EXPECT_EQ(verdict(top - 3, 0, 0, 4, 0, 4), GuardVerdict::NoAlias);
  EXPECT_EQ(verdict(top - 2, 0, 0, 4, 0, 4), GuardVerdict::Unknown);
  EXPECT_EQ(verdict(1000, 0, 0, 4, -1, 4), GuardVerdict::Unknown);
  EXPECT_EQ(verdict(0, 1000, 0, INT64_MAX, 0, 4), GuardVerdict::Alias);
  EXPECT_EQ(verdict(top / 2 + 2, 0, 0, INT64_MAX, 0, 4), GuardVerdict::NoAlias);
  EXPECT_EQ(verdict(top / 2 + 3, 0, 0, INT64_MAX, 0, 4), GuardVerdict::Unknown);
}

/// Whether the value of the last node equals `expected`: the write is at
/// address 2^62 + value, the read just below and just above it.
void expectValue(const std::function<uint32_t(Guarded &)> &build,
                 const std::vector<uint64_t> &in, int64_t expected) {
  for (int shift : {-1, 0, 1}) {
    Guarded g;
    uint32_t node = build(g);
    uint32_t end = g.guard->node(GuardOp::AddC, node, 0, 1);
    uint32_t lo = g.constant(0), hi = g.constant(1);
    g.ranges(lo, hi, node, end);
    std::vector<uint64_t> slots = in;
    slots.resize(6);
    slots[1] = uint64_t(1) << 62;
    slots[0] = slots[1] + uint64_t(expected) + uint64_t(shift);
    EXPECT_EQ(g(slots), shift ? GuardVerdict::NoAlias : GuardVerdict::Alias)
        << "expected " << expected << " " << shift;
  }
}

void expectUnknown(const std::function<uint32_t(Guarded &)> &build,
                   const std::vector<uint64_t> &in) {
  Guarded g;
  build(g);
  uint32_t zero = g.constant(0), one = g.constant(1);
  g.ranges(zero, one, zero, one);
  std::vector<uint64_t> slots = in;
  slots.resize(6);
  slots[0] = 1000;
  slots[1] = 2000;
  EXPECT_EQ(g(slots), GuardVerdict::Unknown);
}

std::function<uint32_t(Guarded &)> unary(GuardOp op, int64_t imm,
                                         unsigned width = 0) {
  return
      [=](Guarded &g) { return g.guard->node(op, g.slot(2), 0, imm, width); };
}
std::function<uint32_t(Guarded &)> binary(GuardOp op) {
  return [=](Guarded &g) {
    uint32_t a = g.slot(2), b = g.slot(3);
    return g.guard->node(op, a, b);
  };
}
std::vector<uint64_t> with(int64_t a, int64_t b = 0) {
  return {0, 0, uint64_t(a), uint64_t(b)};
}

TEST(Guard, Slots) {
  auto slot = [](uint32_t number, unsigned width, bool isSigned) {
    return [=](Guarded &g) { return g.slot(number, width, isSigned); };
  };
  expectValue(slot(4, 32, true), {0, 0, 0, 0, 0xfffffffe}, -2);
  expectValue(slot(4, 32, false), {0, 0, 0, 0, 0xfffffffe}, 0xfffffffe);
  expectValue(slot(5, 24, true), {0, 0, 0, 0, 0, 0x800000}, -0x800000);
  expectValue(slot(5, 24, false), {0, 0, 0, 0, 0, 0x800000}, 0x800000);
  expectValue(slot(2, 64, true), with(-5), -5);
  // 2^64 - 5 as a distance is out of the address space.
  Guarded g;
  uint32_t far = g.slot(2, 64, false), zero = g.constant(0);
  g.ranges(zero, far, zero, far);
  EXPECT_EQ(g({1000, 2000, top - 4}), GuardVerdict::Unknown);
}

TEST(Guard, Operations) {
  expectValue(binary(GuardOp::Add), with(3, -10), -7);
  expectValue(binary(GuardOp::Mul), with(-3, 7), -21);
  expectValue(unary(GuardOp::AddC, -4), with(3), -1);
  expectValue(unary(GuardOp::MulC, -4), with(3), -12); // a negative stride
  expectValue(binary(GuardOp::Min), with(3, -10), -10);
  expectValue(binary(GuardOp::Max), with(3, -10), 3);
  expectValue(unary(GuardOp::FloorDiv, 4), with(7), 1);
  expectValue(unary(GuardOp::FloorDiv, 4), with(-7), -2);
  expectValue(unary(GuardOp::FloorDiv, 4), with(-8), -2);
  expectValue(unary(GuardOp::FloorDiv, INT64_MAX), with(INT64_MIN), -2);
  expectValue(unary(GuardOp::WrapS, 0, 8), with(200), -56);
  expectValue(unary(GuardOp::WrapU, 0, 8), with(-56), 200);
  expectValue(unary(GuardOp::WrapS, 0, 1), with(1), -1);
  expectValue(unary(GuardOp::FitsS, 0, 8), with(-128), -128);
  expectValue(unary(GuardOp::NotNegative, 0), with(0), 0);
  // 2^64 - 7, shifted to the right.
  expectValue(
      [](Guarded &g) {
        uint32_t u = g.guard->node(GuardOp::WrapU, g.slot(2), 0, 0, 64);
        return g.guard->node(GuardOp::FloorDiv, u, 0, int64_t(1) << 60);
      },
      with(-7), 15);
  // Sums are exact beyond 64 bits, and wrap only where they are told to.
  expectValue(
      [](Guarded &g) {
        uint32_t a = g.slot(2), sum = g.guard->node(GuardOp::Add, a, a);
        return g.guard->node(GuardOp::WrapS, sum, 0, 0, 64);
      },
      with(INT64_MAX), -2);
}

TEST(Guard, Overflow) {
  expectUnknown(unary(GuardOp::FitsS, 0, 8), with(128));
  expectUnknown(unary(GuardOp::FitsS, 0, 8), with(-129));
  expectUnknown(unary(GuardOp::NotNegative, 0), with(-1));
  // A sum of 65 bits is no factor.
  auto product = [](GuardOp op) {
    return [=](Guarded &g) {
      uint32_t a = g.slot(2), sum = g.guard->node(GuardOp::Add, a, a);
      return op == GuardOp::Mul ? g.guard->node(op, a, sum)
                                : g.guard->node(op, sum, 0, 2);
    };
  };
  expectUnknown(product(GuardOp::Mul), with(INT64_MAX));
  expectUnknown(product(GuardOp::MulC), with(INT64_MIN));
  // 2^126 is one too many, -2^126 is not.
  expectUnknown(binary(GuardOp::Mul), with(INT64_MIN, INT64_MIN));
  expectUnknown(
      [](Guarded &g) {
        uint32_t a = g.slot(2), b = g.slot(3);
        uint32_t p = g.guard->node(GuardOp::Mul, a, b);
        return g.guard->node(GuardOp::Add, p, p);
      },
      with(INT64_MAX, INT64_MAX));
  expectUnknown(
      [](Guarded &g) {
        uint32_t a = g.slot(2), sum = g.guard->node(GuardOp::Add, a, a);
        return g.guard->node(GuardOp::FloorDiv, sum, 0, 2);
      },
      with(INT64_MIN));
}

/// The short cut in 64 bits says what the wide integers say, on random guards
/// over numbers near every limit.
TEST(Guard, NarrowAgreesWithWide) {
  std::mt19937_64 random(5);
  auto number = [&]() -> int64_t {
    switch (random() % 4) {
    case 0:
      return int64_t(random() % 64) - 32;
    case 1:
      return int64_t(random() >> random() % 64);
    case 2:
      return INT64_MAX - int64_t(random() % 4);
    default:
      return INT64_MIN + int64_t(random() % 4);
    }
  };
  unsigned counts[3] = {};
  for (int i = 0; i < 4000; ++i) {
    Guarded g;
    for (uint32_t s = 2; s < 4; ++s) {
      uint32_t slot = g.slot(s, 64, random() % 2);
      g.guard->node(GuardOp::MulC, slot, 0, int64_t(random() % 9));
    }
    for (int n = 0; n < 8; ++n) {
      auto op = GuardOp(random() % 14);
      auto any = [&] { return uint32_t(random() % g.guard->nodes.size()); };
      bool two = op == GuardOp::Add || op == GuardOp::Mul ||
                 op == GuardOp::Min || op == GuardOp::Max;
      bool wide =
          op == GuardOp::WrapS || op == GuardOp::WrapU || op == GuardOp::FitsS;
      if (op == GuardOp::SlotS || op == GuardOp::SlotU)
        g.slot(2, 64, op == GuardOp::SlotS);
      else if (op == GuardOp::Constant)
        g.constant(number());
      else if (op == GuardOp::FloorDiv)
        g.guard->node(op, any(), 0, int64_t(1 + random() % 9));
      else
        g.guard->node(op, any(), two ? any() : 0,
                      op == GuardOp::AddC || op == GuardOp::MulC ? number() : 0,
                      wide ? unsigned(1 + random() % 64) : 0);
    }
    uint32_t last = uint32_t(g.guard->nodes.size()) - 1;
    g.ranges(last, last - 1, last - 2, last - 3);
    Loaded loaded(g.b);
    ASSERT_TRUE(loaded.verdict.ok());
    for (int launch = 0; launch < 8; ++launch) {
      uint64_t in[6] = {random() >> 8,
                        random() >> 8,
                        uint64_t(number()),
                        uint64_t(number()),
                        0,
                        0};
      GuardVerdict wide = loom::rt::evaluateGuardWide(loaded.region, in);
      EXPECT_EQ(evaluateGuard(loaded.region, in), wide);
      ++counts[unsigned(wide)];
    }
  }
  for (unsigned count : counts)
    EXPECT_GT(count, 100u);
}

ImageError
after(const std::function<void(RegionBuilder &, GuardBuilder &)> &f) {
  RegionBuilder b = guardedSaxpy();
  f(b, *b.guard);
  return Loaded(b).verdict.error;
}

TEST(Guard, EachRuleByName) {
  using B = RegionBuilder;
  using G = GuardBuilder;
  EXPECT_EQ(after([](B &, G &) {}), ImageError::None);
  auto node = [](GuardOp op, uint32_t a, uint32_t b, int64_t imm,
                 unsigned width) {
    return after([=](B &, G &g) { g.node(op, a, b, imm, width); });
  };
  const ImageError bad = ImageError::GuardNodes, none = ImageError::None;
  EXPECT_EQ(node(GuardOp(14), 0, 0, 0, 0), bad);
  EXPECT_EQ(node(GuardOp::Add, 2, 1, 0, 0), none);
  EXPECT_EQ(node(GuardOp::Add, 3, 1, 0, 0), bad); // itself
  EXPECT_EQ(node(GuardOp::Add, 1, 3, 0, 0), bad);
  EXPECT_EQ(node(GuardOp::NotNegative, 0xffffffff, 0, 0, 0), bad);
  EXPECT_EQ(node(GuardOp::Add, 2, 1, 7, 0), bad); // not used
  EXPECT_EQ(node(GuardOp::Constant, 1, 0, 7, 0), bad);
  EXPECT_EQ(node(GuardOp::Constant, 0, 1, 7, 0), bad);
  EXPECT_EQ(node(GuardOp::Constant, 0, 0, 7, 1), bad);
  EXPECT_EQ(node(GuardOp::SlotS, 0, 0, 0, 64), none);
  EXPECT_EQ(node(GuardOp::SlotS, 0, 0, 0, 32), bad);  // the slot is an i64
  EXPECT_EQ(node(GuardOp::SlotS, 1, 0, 0, 32), bad);  // a float
  EXPECT_EQ(node(GuardOp::SlotU, 2, 0, 0, 64), none); // a pointer
  EXPECT_EQ(node(GuardOp::SlotU, 2, 0, 0, 48), bad);
  EXPECT_EQ(node(GuardOp::SlotU, 4, 0, 0, 64), bad); // there is none
  EXPECT_EQ(node(GuardOp::WrapS, 0, 0, 0, 0), bad);
  EXPECT_EQ(node(GuardOp::WrapS, 0, 0, 0, 65), bad);
  EXPECT_EQ(node(GuardOp::FloorDiv, 0, 0, 0, 0), bad);
  EXPECT_EQ(node(GuardOp::FloorDiv, 0, 0, -2, 0), bad);
  EXPECT_EQ(after([](B &, G &g) {
              for (int i = 0; i < 254; ++i)
                g.node(GuardOp::Constant, 0, 0, i);
            }),
            bad);
  EXPECT_EQ(after([](B &, G &g) {
              g.nodes[1] =
                  image::GuardNode(0, 0, 0, GuardOp::Constant, 0, 1, 0);
            }),
            ImageError::Reserved);

  auto range = [](uint32_t memory, uint32_t lo, uint32_t hi, uint32_t kinds) {
    return after([=](B &, G &g) { g.range(memory, lo, hi, kinds); });
  };
  EXPECT_EQ(range(1, 0, 2, 3), none);
  EXPECT_EQ(range(2, 0, 2, 3), ImageError::GuardRanges);
  EXPECT_EQ(range(1, 3, 2, 3), ImageError::GuardRanges);
  EXPECT_EQ(range(1, 0, 3, 3), ImageError::GuardRanges);
  EXPECT_EQ(range(1, 0, 2, 0), ImageError::GuardRanges);
  EXPECT_EQ(range(1, 0, 2, 4), ImageError::GuardRanges);

  const ImageError pairs = ImageError::GuardPairs;
  EXPECT_EQ(after([](B &, G &g) { g.pairs.clear(); }), pairs);
  EXPECT_EQ(after([](B &, G &g) { g.disjoint(0, 2); }), pairs);
  EXPECT_EQ(after([](B &, G &g) { g.disjoint(2, 0); }), pairs);
  EXPECT_EQ(after([](B &, G &g) { g.disjoint(1, 1); }), pairs); // one memory
  EXPECT_EQ(after([](B &, G &g) { g.disjoint(0, g.range(1, 0, 2, 1)); }),
            pairs); // loads only
  EXPECT_EQ(after([](B &, G &g) {
              g.ranges[1] = image::GuardRange(1, 0, 2, 1);
              g.ranges[0] = image::GuardRange(0, 0, 2, 3);
            }),
            pairs); // the stores to y are not covered
  EXPECT_EQ(after([](B &, G &g) { g.pairs.resize(1025, g.pairs[0]); }), pairs);
  EXPECT_EQ(after([](B &b, G &) { b.memories[0].writes = true; }), pairs);

  const ImageError partitions = ImageError::GuardPartitions;
  EXPECT_EQ(after([](B &, G &g) { g.partitions = {0}; }), partitions);
  EXPECT_EQ(after([](B &, G &g) { g.partitions = {0, 1, 2}; }), partitions);
  EXPECT_EQ(after([](B &, G &g) { g.partitions = {5, 5}; }), none);
  EXPECT_EQ(after([](B &b, G &g) {
              b.memories[1].partition = 1;
              g.partitions = {5, 5};
            }),
            partitions); // not a refinement

  EXPECT_EQ(after([](B &, G &g) { g.graph = nullptr; }),
            ImageError::GraphMissing);
  EXPECT_EQ(after([](B &, G &g) { g.graph->values += 1; }),
            ImageError::ValueNumbering);
  EXPECT_EQ(after([](B &, G &g) { g.graph->inputs[0].slot = 77; }),
            ImageError::RegionInputs);
  EXPECT_EQ(after([](B &, G &g) { g.graph->completes.clear(); }),
            ImageError::GraphCompletes);
}

TEST(Guard, PointerAccess) {
  for (bool inGuard : {false, true}) {
    RegionBuilder b = guardedSaxpy();
    RegionBuilder other;
    other.slots = b.slots;
    Value p = other.input(2, Type::Ptr);
    Value v = other.load(rttest::noMemory, p, RegionBuilder::start, Type::F32);
    other.exitZero();
    other.complete(v + 1);
    if (inGuard) {
      *b.guard->graph = other;
    } else {
      other.memories = b.memories;
      other.guard = b.guard;
      b = other;
    }
    EXPECT_EQ(Loaded(b).verdict.error, ImageError::GuardAccess);
  }
}

/// Damaged bytes with a right hash: refused or evaluated, never a crash. The
/// damage is dense around the guard's tables.
TEST(Guard, ResealedMutations) {
  RegionBuilder b = guardedSaxpy();
  const Bytes good = seal({&b});
  RegionBuilder without = saxpy();
  size_t guardBytes = good.size() - seal({&without}).size();
  ASSERT_GT(guardBytes, 100u);
  std::mt19937_64 random(3);
  std::map<std::string, unsigned> verdicts;
  unsigned evaluated = 0;
  for (int i = 0; i < 20000; ++i) {
    Bytes bytes = good;
    for (unsigned changes = 1 + random() % 3; changes; --changes) {
      size_t at = LOOM_IMAGE_HEADER_SIZE +
                  random() % (bytes.size() - LOOM_IMAGE_HEADER_SIZE);
      bytes[at] = random() % 2 ? uint8_t(bytes[at] ^ (1u << random() % 8))
                               : uint8_t(random() % 6);
    }
    reseal(bytes);
    // An exact copy, so that a sanitizer sees a read past the end.
    auto *copy = static_cast<uint8_t *>(
        aligned_alloc(16, (bytes.size() + 31) & ~size_t(15)));
    memcpy(copy, bytes.data(), bytes.size());
    loom::rt::ImageVerdict verdict = loom::rt::checkSeal(copy, bytes.size());
    loom::rt::LoadedRegion region;
    if (verdict.ok())
      verdict = loom::rt::loadRegion(copy, 0, region);
    free(copy);
    ++verdicts[imageErrorName(verdict.error)];
    if (!verdict.ok() || !region.apart || region.slots.size > 64) {
      region.release();
      continue;
    }
    uint64_t in[64];
    for (uint64_t &slot : in)
      slot = random() >> random() % 64;
    evaluated += unsigned(evaluateGuard(region, in)) < 3;
    loom::rt::Engine engine;
    engine.build(*region.apart);
    engine.release();
    region.release();
  }
  EXPECT_GT(evaluated, 1000u);
  for (const char *name :
       {"guard-nodes", "guard-ranges", "guard-pairs", "guard-partitions"})
    EXPECT_GT(verdicts[name], 0u) << name;
}

} // namespace
