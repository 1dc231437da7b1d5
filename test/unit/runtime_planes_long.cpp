// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long chains: how many steps a plan and its code take, and that there is one.

#include "Devices/Sim/Chains.h"
#include "runtime_kernels.h"
#include "runtime_planes.h"

using namespace rttest;

namespace {

constexpr unsigned length = 20000;

/// Linear: a few steps for each actor and value.
void expectFewSteps(const Machine &machine) {
  ASSERT_TRUE(hasPlan(machine));
  const loom::rt::LoadedRegion &region = machine.loaded.region;
  EXPECT_LE(machine.engine.fast->plan.steps,
            4 * (region.actors.size + region.values));
  EXPECT_LE(machine.engine.fast->program.steps, 2 * uint64_t(region.values));
}

} // namespace

TEST(PlanesLong, Syncs) {
  for (bool backwards : {false, true}) {
    RegionBuilder b;
    Value x = b.input(Type::I64, "x");
    Value y = b.input(Type::I64, "y");
    Value x0 = x, y0 = y;
    if (backwards) { // the last sync has the lowest number
      x = b.later();
      y = b.later();
    }
    Value first = x, second = y;
    for (unsigned i = 0; i < length; ++i) {
      if (!backwards) {
        Value pair = b.sync({x, y});
        x = pair + 1; // they change places
        y = pair;
        continue;
      }
      Value nextX = b.later(), nextY = b.later();
      Value pair = b.sync({nextX, nextY});
      b.bind(x, pair + 1);
      b.bind(y, pair);
      x = nextX;
      y = nextY;
    }
    if (backwards) {
      b.bind(x, x0);
      b.bind(y, y0);
    } else {
      first = x;
      second = y;
    }
    b.exitZero();
    b.complete(RegionBuilder::start);
    b.output(b.compute(Op::SubI, {first, second}, Type::I64), Type::I64);
    Machine machine(b);
    EXPECT_EQ(disagreement(machine, {50, 8}, nullptr, 0), "");
    std::vector<uint64_t> out;
    machine.run({50, 8}, out);
    EXPECT_EQ(out[1], 42u);
    expectFewSteps(machine);
  }
}

/// Loops one after the other: what the first is given goes through invariants
/// and splits of all of them, and each counts on.
TEST(PlanesLong, LoopsInARow) {
  constexpr unsigned loops = length / 5;
  RegionBuilder b;
  Value x = b.input(Type::I64, "x");
  Value sum = b.input(Type::I64, "sum");
  Value zero = b.constant(RegionBuilder::start, Type::I64, 0);
  Value one = b.constant(RegionBuilder::start, Type::I64, 1);
  for (unsigned i = 0; i < loops; ++i) {
    Value phase = b.stream(zero, one, one) + 1;
    Value lanes = b.demux(phase, b.invariant(phase, x, Type::I64), Type::I64);
    x = lanes;
    Value next = b.later();
    Value sums =
        b.demux(phase, b.carry(phase, sum, next, Type::I64), Type::I64);
    b.bind(next, b.compute(Op::AddI, {sums + 1, lanes + 1}, Type::I64));
    sum = sums;
  }
  b.exitZero();
  b.complete(RegionBuilder::start);
  b.output(x, Type::I64);
  b.output(sum, Type::I64);
  Machine machine(b);
  EXPECT_EQ(disagreement(machine, {3, 5}, nullptr, 0), "");
  std::vector<uint64_t> out;
  machine.run({3, 5}, out);
  EXPECT_EQ(out[1], 3u);
  EXPECT_EQ(out[2], 3u * loops + 5);
  ASSERT_TRUE(hasPlan(machine));
  EXPECT_EQ(machine.engine.fast->program.loops.size, loops);
  const loom::rt::LoadedRegion &region = machine.loaded.region;
  EXPECT_LE(machine.engine.fast->plan.steps,
            4 * (region.actors.size + region.values));
  // To merge a move costs more, and ends.
  EXPECT_LE(machine.engine.fast->program.steps, uint64_t(1) << 27);
}

/// Splits that are met before their loops, each loop made by the split before.
TEST(PlanesLong, SplitsBeforeTheirLoops) {
  RegionBuilder b;
  Value x = b.input(Type::I64, "x");
  Value last = x;
  for (unsigned i = 0; i < length / 3; ++i) {
    Value selector = b.constant(RegionBuilder::start, Type::I1, 0);
    b.invariant(selector, last, Type::I64);
    last = b.demux(selector, x, Type::I64);
  }
  b.exitZero();
  b.complete(RegionBuilder::start);
  b.output(last, Type::I64);
  Loaded loaded(b);
  ASSERT_TRUE(loaded.verdict.ok());
  loom::rt::Plan plan;
  const char *why = "";
  EXPECT_FALSE(plan.build(loaded.region, why));
  // Every value has got a phase, and then an invariant stands in its loop.
  EXPECT_STREQ(why, "the phases of an actor do not fit");
  EXPECT_LE(plan.steps, 4 * (loaded.region.actors.size + loaded.region.values));
  plan.release();
}

TEST(PlanesLong, ARing) {
  loom::rt::Vec<uint32_t> found;
  ASSERT_TRUE(found.assignZero(3));
  for (uint32_t &entry : found)
    entry = loom::rt::nothing;
  uint64_t steps = 0;
  EXPECT_FALSE(loom::rt::followChains(
      found, steps, [](uint32_t value) { return (value + 1) % 3; }));
  EXPECT_EQ(steps, 3u);
  found.release();
}
