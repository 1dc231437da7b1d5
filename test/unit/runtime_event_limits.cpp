// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a launch of the event queue ends when it does not succeed: closed waits,
// the budget, residue, traps, wrong costs.

#include "runtime_timed.h"

using namespace rttest;
using loom::rt::Outcome;
using loom::rt::Reason;

namespace {

const Value start = RegionBuilder::start;

/// Outcome::reason by name, for readable failures.
const char *ends(Timed &timed, const std::vector<uint64_t> &in,
                 uint64_t budget = uint64_t(1) << 32) {
  return loom::rt::reasonName(timed.launch(in, budget).reason);
}

// The first loop's iv are read only after it: they fit into 4 + 1 places or
// never. K = 5 runs, with K = 6 the stream waits for room for ever.
TEST(EventLimits, QueuesThatAreTooSmall) {
  RegionBuilder b;
  Value k = b.input(Type::I64);
  Value zero = b.constant(start, Type::I64, 0);
  Value one = b.constant(start, Type::I64, 1);
  Value iv = b.stream(zero, k, one);
  Ring e = identityRing(b, iv + 1, start);
  Value zero2 = b.constant(e.exit, Type::I64, 0);
  Value one2 = b.constant(e.exit, Type::I64, 1);
  Value iv2 = b.stream(zero2, k, one2);
  Value sNext = b.later();
  Value s = b.carry(iv2 + 1, zero2, sNext, Type::I64);
  Value lanes = b.demux(iv2 + 1, s, Type::I64);
  Value sum = b.compute(Op::AddI, {iv, iv2}, Type::I64);
  b.bind(sNext, b.compute(Op::AddI, {lanes + 1, sum}, Type::I64));
  b.exitZero();
  b.output(lanes, Type::I64);
  b.complete(e.exit);
  Timed t(b);
  EXPECT_STREQ(ends(t, {5}), "none");
  EXPECT_EQ(t.out[1], 20u);
  Outcome outcome = t.launch({6});
  EXPECT_EQ(outcome.reason, Reason::Deadlock);
  EXPECT_EQ(outcome.where, int64_t(t.actorOf(iv)));
  EXPECT_EQ(t.out[0], 0xdeadull); // outputs are written on success only
  // Room comes with capacity, and with latency.
  t.timing.queueCapacity = 5;
  EXPECT_STREQ(ends(t, {6}), "none");
  t.timing.queueCapacity = 4;
  t.cost(iv, 2);
  EXPECT_STREQ(ends(t, {6}), "none");
  EXPECT_STREQ(ends(t, {7}), "deadlock");
}

// A carry that hands its own token to itself holds capacity + latency tokens,
// and takes one only when it may push one: with room for one it waits for
// itself.
TEST(EventLimits, ARingThatFillsItself) {
  RegionBuilder b;
  Counter loop = counter(b);
  Value next = b.later();
  Value c = b.carry(loop.phase, start, next, ctlType);
  b.bind(next, c);
  b.exitZero();
  b.complete(start);
  Timed t(b, 1);
  t.cost(c, 0);
  EXPECT_STREQ(ends(t, {0, 1, 1}), "deadlock");
  t.cost(c, 1);
  EXPECT_STREQ(ends(t, {0, 1, 1}), "residue"); // its last token stays
}

// No queue is full here, the token just never comes.
TEST(EventLimits, ATokenThatNobodyMakes) {
  RegionBuilder b;
  Value selector = b.input(Type::I1);
  Value lanes = b.demux(selector, start, ctlType);
  Value both = b.sync({lanes, lanes + 1});
  b.exitZero();
  b.complete(both);
  Timed t(b);
  EXPECT_STREQ(ends(t, {0}), "deadlock");
  EXPECT_STREQ(ends(t, {1}), "deadlock");
}

TEST(EventLimits, AComputationThatWaitsForItself) {
  RegionBuilder b;
  Value x = b.input(Type::I64);
  Value own = b.later();
  Value sum = b.compute(Op::AddI, {x, own}, Type::I64);
  b.bind(own, sum);
  b.exitZero();
  b.output(sum, Type::I64);
  b.complete(start);
  Timed t(b);
  EXPECT_STREQ(ends(t, {1}), "deadlock");
}

// A loop that never ends, with and without a queue that could fill.
TEST(EventLimits, TheBudgetEndsAnEndlessLoop) {
  for (bool ring : {false, true}) {
    RegionBuilder b;
    Counter loop = counter(b);
    b.exitZero();
    b.complete(ring ? identityRing(b, loop.phase, start).exit : start);
    Timed t(b);
    EXPECT_STREQ(ends(t, {0, 1, 0}, 100000), "budget");
    EXPECT_EQ(t.result.firings, 100000u);
  }
}

TEST(EventLimits, TheBudgetIsExact) {
  RegionBuilder b;
  Counter loop = counter(b);
  b.exitZero();
  falseOf(b, loop.phase);
  b.complete(start);
  Timed t(b);
  // K = 3: 4 of the stream, 4 of the demux, the exit constant.
  EXPECT_STREQ(ends(t, {0, 3, 1}, 9), "none");
  EXPECT_STREQ(ends(t, {0, 3, 1}, 8), "budget");
  EXPECT_STREQ(ends(t, {0, 3, 1}, 0), "budget");
  EXPECT_EQ(t.result.firings, 0u);
}

TEST(EventLimits, Residue) {
  { // a lane that is never selected
    RegionBuilder b;
    Value selector = b.input(Type::I1);
    Value x = b.input(Type::I64);
    Value m = b.mux(selector, {x, x}, Type::I64);
    b.exitZero();
    b.output(m, Type::I64);
    b.complete(start);
    Timed t(b);
    EXPECT_STREQ(ends(t, {0, 5}), "residue");
  }
  { // an actor that stays open
    RegionBuilder b;
    Value phase = b.input(Type::I1);
    Value x = b.input(Type::I64);
    Value i = b.invariant(phase, x, Type::I64);
    b.exitZero();
    b.complete(start);
    Timed t(b);
    EXPECT_STREQ(ends(t, {0, 5}), "none");
    Outcome outcome = t.launch({1, 5});
    EXPECT_EQ(outcome.reason, Reason::Residue);
    EXPECT_EQ(outcome.where, int64_t(t.actorOf(i)));
  }
  { // two tokens at an output
    RegionBuilder b;
    Value phase = b.input(Type::I1);
    Value x = b.input(Type::I64);
    Value c = b.carry(phase, x, x, Type::I64);
    b.exitZero();
    b.output(c, Type::I64);
    b.complete(start);
    Timed t(b);
    EXPECT_STREQ(ends(t, {1, 5}), "residue");
  }
}

TEST(EventLimits, SelectorsMustNameALane) {
  for (bool isMux : {true, false}) {
    RegionBuilder b;
    Value selector = b.input(Type::I32);
    Value x = b.input(Type::I64);
    Value m = isMux ? b.mux(selector, {x, x, x}, Type::I64)
                    : b.demux(selector, x, Type::I64, 3);
    b.exitZero();
    b.output(m, Type::I64);
    b.complete(start);
    Timed t(b);
    Outcome outcome = t.launch({3, 0});
    EXPECT_EQ(outcome.reason, Reason::Internal);
    EXPECT_EQ(outcome.where, 0);
  }
}

// The store comes first; the caller finds it in the undo log.
TEST(EventLimits, TrapsAfterAStoreCanBeRolledBack) {
  RegionBuilder b;
  uint32_t p = b.memory({b.slot(Type::Ptr)});
  Value x = b.input(Type::I64);
  Value zero = b.constant(start, Type::I64, 0);
  Value done = b.store(p, zero, x, start, Type::I64);
  Value late = b.constant(done, Type::I64, 1);
  Value q = b.compute(Op::DivUI, {late, x}, Type::I64);
  b.exitZero();
  b.output(q, Type::I64);
  b.complete(done);
  Timed t(b);
  uint64_t cell = 77;
  uint64_t base = reinterpret_cast<uint64_t>(&cell);
  Outcome outcome = t.launch({base, 0});
  EXPECT_EQ(outcome.reason, Reason::Trap);
  EXPECT_EQ(outcome.where, int64_t(t.actorOf(q)));
  EXPECT_EQ(t.count(done), 1u);
  EXPECT_EQ(cell, 77u);
  EXPECT_STREQ(ends(t, {base, 1}), "none");
  EXPECT_EQ(cell, 1u);
}

TEST(EventLimits, TheFootprintIsKept) {
  RegionBuilder b;
  uint32_t p =
      b.memory({b.slot(Type::Ptr), 0, Type::I32, true, true, true, -4, 8});
  Value x = b.input(Type::I64);
  Value data = b.load(p, x, start, Type::I32);
  Value done = b.store(p, x, data, data + 1, Type::I32);
  b.exitZero();
  b.complete(done);
  Timed t(b);
  uint32_t cells[5] = {1, 2, 3, 4, 5};
  uint64_t base = reinterpret_cast<uint64_t>(cells + 2);
  for (int64_t offset : {-4, -1, 0, 4})
    EXPECT_STREQ(ends(t, {base, uint64_t(offset)}), "none") << offset;
  for (int64_t offset : {int64_t(-5), int64_t(5), int64_t(8), INT64_MIN,
                         INT64_MAX, int64_t(1) << 32})
    EXPECT_STREQ(ends(t, {base, uint64_t(offset)}), "internal") << offset;
}

TEST(EventLimits, TheUndoLogIsBounded) {
  RegionBuilder b;
  uint32_t p = b.memory({b.slot(Type::Ptr)});
  Value x = b.input(Type::I64);
  Value done = b.store(p, x, x, start, Type::I64);
  b.exitZero();
  b.complete(done);
  Timed t(b);
  t.undo.limitLines = 0;
  uint64_t cell = 3;
  Outcome outcome = t.launch({reinterpret_cast<uint64_t>(&cell), 0});
  EXPECT_EQ(outcome.reason, Reason::Memory);
  EXPECT_EQ(cell, 3u);
}

TEST(EventLimits, CostsMustBeThoseOfTheRegion) {
  RegionBuilder b;
  b.exitZero();
  b.complete(start);
  Timed t(b);
  EXPECT_STREQ(ends(t, {}), "none");
  t.timing.costs[0] = {1, 0};
  EXPECT_STREQ(ends(t, {}), "internal");
  t.timing.costs[0] = {1, 1};
  t.timing.queueCapacity = 0;
  EXPECT_STREQ(ends(t, {}), "internal");
  t.timing.queueCapacity = UINT32_MAX;
  EXPECT_STREQ(ends(t, {}), "none");
  t.timing.costs.push({1, 1});
  EXPECT_STREQ(ends(t, {}), "internal");
}

} // namespace
