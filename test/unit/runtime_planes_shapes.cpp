// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single shapes: graphs without a plan, and what once went wrong.

#include "runtime_kernels.h"
#include "runtime_planes.h"

using namespace rttest;

namespace {

const T i64 = Type::I64;
const Value start = RegionBuilder::start;

std::string onAll(Machine &machine, const std::vector<uint64_t> &in) {
  Reason reason;
  std::string text = disagreement(machine, in, nullptr, 0, &reason);
  EXPECT_EQ(reason, Reason::None);
  return text;
}

TEST(PlaneShapes, AGateHasNoPlan) {
  RegionBuilder b;
  Value value = b.input(i64);
  Value gated = b.gate(b.constant(start, Type::I1, 0), value, i64);
  (void)gated;
  b.exitZero();
  b.complete(start);
  Machine machine(b);
  EXPECT_EQ(onAll(machine, {5}), "");
  EXPECT_FALSE(hasPlan(machine));
}

/// Loops in loops, each with one trip and `value` carried through.
RegionBuilder nest(unsigned depth) {
  RegionBuilder b;
  Value value = b.input(i64), ctl = start;
  Value zero = b.constant(start, i64, 0), one = b.constant(start, i64, 1);
  std::vector<Value> nexts, exits;
  for (unsigned k = 0; k < depth; ++k) {
    Value phase = b.stream(zero, one, one) + 1;
    Value next = b.later();
    Value lanes = b.demux(phase, b.carry(phase, value, next, i64), i64);
    nexts.push_back(next);
    exits.push_back(lanes);
    value = lanes + 1;
    ctl = capture(b, phase, ctl, ctlType);
    zero = capture(b, phase, zero, i64);
    one = capture(b, phase, one, i64);
  }
  Value result = b.compute(Op::AddI, {value, one}, i64);
  for (unsigned k = depth; k-- > 0;) {
    b.bind(nexts[k], result);
    result = exits[k];
  }
  b.exitZero();
  b.output(result, i64);
  b.complete(start);
  return b;
}

TEST(PlaneShapes, NestsBeyondTheLimitHaveNoPlan) {
  for (unsigned depth : {1u, 20u, 64u, 65u, 200u}) {
    Machine machine(nest(depth));
    EXPECT_EQ(onAll(machine, {41}), "") << depth;
    EXPECT_EQ(hasPlan(machine), depth <= loom::rt::maxPlanDepth) << depth;
  }
}

/// n values that go round, in steps of `by`; all are outputs.
RegionBuilder rotation(unsigned n, unsigned by) {
  RegionBuilder b;
  Value trips = b.input(i64);
  Value at = b.input(Type::Ptr);
  Value zero = b.constant(start, i64, 0), one = b.constant(start, i64, 1);
  Value phase = b.stream(zero, trips, one) + 1;
  std::vector<Value> nexts, lanes;
  for (unsigned k = 0; k < n; ++k) {
    nexts.push_back(b.later());
    Value init = b.constant(start, i64, 100 + k);
    lanes.push_back(b.demux(phase, b.carry(phase, init, nexts[k], i64), i64));
  }
  for (unsigned k = 0; k < n; ++k)
    b.bind(nexts[k], lanes[(k + by) % n] + 1);
  b.exitZero();
  for (unsigned k = 0; k < n; ++k)
    b.output(lanes[k], i64);
  // An address without a memory, after values were parked.
  b.complete(b.store(noMemory, at, lanes[0], start, i64));
  return b;
}

TEST(PlaneShapes, ValuesGoRoundAndAPointerFollows) {
  for (unsigned n : {2u, 3u, 6u, 12u, 40u})
    for (unsigned by : {1u, 2u, n - 1}) {
      Machine machine(rotation(n, by));
      uint64_t word = 0;
      for (uint64_t trips : {0u, 1u, 2u, 7u, 40u}) {
        Reason reason;
        EXPECT_EQ(disagreement(machine,
                               {trips, reinterpret_cast<uint64_t>(&word)},
                               reinterpret_cast<uint8_t *>(&word), 8, &reason),
                  "")
            << n << " by " << by;
        EXPECT_EQ(reason, Reason::None);
        EXPECT_EQ(word, 100 + trips * by % n);
      }
      EXPECT_TRUE(hasPlan(machine));
    }
}

TEST(PlaneShapes, LoopsThatCarryTooMuchHaveNoPlan) {
  for (unsigned n : {4000u, 5000u}) {
    Machine machine(rotation(n, 7));
    uint64_t word = 0;
    EXPECT_EQ(onAll(machine, {2, reinterpret_cast<uint64_t>(&word)}), "");
    EXPECT_EQ(hasPlan(machine), n <= loom::rt::maxPlanRings);
  }
}

} // namespace
