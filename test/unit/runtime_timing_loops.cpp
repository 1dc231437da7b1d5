// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing model on rings and loops; notation as in runtime_timing.cpp.
// Without capacity limits a counting loop has s_n = n, its phase p_n and its iv
// arrive at n + 1.

#include "runtime_timed.h"

using namespace rttest;

namespace {

const Value start = RegionBuilder::start;

// The sum of the iv: carry c, demux d, add a of latency 3. c_0 = 0, d_0 = 1,
// a_0 = 2 -> 5 = c_1: the ring takes 5 cycles. c_n = 5n, d_K = 5K+1 -> 5K+2.
// The carry takes the false at c_K + 1.
TEST(TimingLoops, RecurrenceLimitsACarryRing) {
  RegionBuilder b;
  Value init = b.input(Type::I64);
  Counter loop = counter(b);
  Value next = b.later();
  Value c = b.carry(loop.phase, init, next, Type::I64);
  Value d = b.demux(loop.phase, c, Type::I64);
  Value a = b.compute(Op::AddI, {d + 1, loop.iv}, Type::I64);
  b.bind(next, a);
  b.exitZero();
  b.output(d, Type::I64);
  b.complete(start);
  Timed t(b);
  t.cost(a, 3);
  for (uint64_t k : {0, 1, 4, 30}) {
    EXPECT_EQ(t.cycles({100, 0, k, 1}), 5 * k + 2);
    EXPECT_EQ(t.out[1], 100 + k * (k - 1) / 2);
    EXPECT_EQ(t.count(c), k + 2);
    EXPECT_EQ(t.last(c), 5 * k + 1);
  }
}

// The same ring, and the stream far ahead of it: with capacity 1 the queues of
// its phase hold 2. s_n waits for the carry to take p_(n-2): c_(n-1) + 1 =
// 5n - 4. That is before d_n = 5n + 1 needs it, so the ring is as fast. K = 4:
// s_4 = 16, d_4 = 21 -> 22.
TEST(TimingLoops, ARingHoldsItsStreamBack) {
  RegionBuilder b;
  Value init = b.input(Type::I64);
  Counter loop = counter(b);
  Value next = b.later();
  Value c = b.carry(loop.phase, init, next, Type::I64);
  Value d = b.demux(loop.phase, c, Type::I64);
  Value a = b.compute(Op::AddI, {d + 1, loop.iv}, Type::I64);
  b.bind(next, a);
  b.exitZero();
  b.output(d, Type::I64);
  b.complete(start);
  Timed t(b, 1);
  t.cost(a, 3);
  EXPECT_EQ(t.cycles({0, 0, 4, 1}), 22u);
  EXPECT_EQ(t.last(loop.iv), 16u);
}

// An identity ring without latency. Capacity 1: c_0 = d_0 = s_0 = 0. c_1 = 1
// takes p_0, so s_1 = 2 and d_1 = 2; c_2 needs the place that d_1 leaves: 3,
// s_2 = 4 = d_2. d_n = 2n. Capacity 2: s_1 = c_1 = d_1 = 1, s_2 = c_2 = d_2 =
// 2: d_n = n. K = 4.
TEST(TimingLoops, CapacityLimitsARingWithoutLatency) {
  RegionBuilder b;
  Counter loop = counter(b);
  Ring ring = identityRing(b, loop.phase, start);
  b.exitZero();
  b.complete(ring.exit);
  for (auto [capacity, expected] : {std::array<unsigned, 2>{1, 8}, {2, 4}}) {
    Timed t(b, capacity);
    for (auto &cost : t.timing.costs)
      cost = {0, 1};
    EXPECT_EQ(t.cycles({0, 4, 1}), expected);
    EXPECT_EQ(t.last(ring.exit), expected);
  }
}

// Invariant i_n = n (i_n takes p_(n-1), there at n), demux n + 1. K = 5:
// demux 6 -> 7; i_6 takes the false at 6.
TEST(TimingLoops, Invariant) {
  RegionBuilder b;
  Value kept = b.input(Type::I64);
  Counter loop = counter(b);
  Value i = b.invariant(loop.phase, kept, Type::I64);
  Value d = b.demux(loop.phase, i, Type::I64);
  b.exitZero();
  b.output(d, Type::I64);
  b.complete(start);
  Timed t(b);
  EXPECT_EQ(t.cycles({77, 0, 5, 1}), 7u);
  EXPECT_EQ(t.out[1], 77u);
  EXPECT_EQ(t.count(i), 7u);
  EXPECT_EQ(t.last(i), 6u);
}

// Its value comes late: copy 0 -> 10. i_n = 10 + n, d_n = 11 + n. The phase
// queues hold 5: p_0 is taken at i_1 = d_0 = 11, so s_5 = 12 and p_5 is there
// at 13, before d_5 = 16 -> 17.
TEST(TimingLoops, InvariantThatWaits) {
  RegionBuilder b;
  Value kept = b.input(Type::I64);
  Counter loop = counter(b);
  Value copy = b.compute(Op::Copy, {kept}, Type::I64);
  Value i = b.invariant(loop.phase, copy, Type::I64);
  Value d = b.demux(loop.phase, i, Type::I64);
  b.exitZero();
  b.output(d, Type::I64);
  b.complete(start);
  Timed t(b);
  t.cost(copy, 10);
  EXPECT_EQ(t.cycles({77, 0, 5, 1}), 17u);
  EXPECT_EQ(t.last(loop.iv), 12u);
  EXPECT_EQ(t.last(i), 16u);
}

// Gate g_n = n + 1 takes p_n and invariant n. It emits value n at g_n, cond n
// at g_(n+1) -> n + 3. The demux of these: n + 3, the false of n = K - 1: K+2
// -> K+3.
TEST(TimingLoops, Gate) {
  RegionBuilder b;
  Value kept = b.input(Type::I64);
  Counter loop = counter(b);
  Value i = b.invariant(loop.phase, kept, Type::I64);
  Value g = b.gate(loop.phase, i, Type::I64);
  Value lanes = b.demux(g, g + 1, Type::I64);
  b.exitZero();
  b.output(lanes, Type::I64);
  b.complete(start);
  Timed t(b);
  for (uint64_t k : {1, 3, 4}) {
    EXPECT_EQ(t.cycles({5, 0, k, 1}), k + 3);
    EXPECT_EQ(t.count(g), k + 1);
    EXPECT_EQ(t.first(g), 1u);
    EXPECT_EQ(t.last(g), k + 1);
    EXPECT_EQ(t.first(lanes), 3u);
  }
}

// while (n != 0) n -= 1, subtraction of latency 2. c_0 = 0, cmp 1, demux 2,
// sub 3 -> 5 = c_1: 5 cycles a trip. n = 3: cmp_3 = 16 -> 17, demux 17 -> 18;
// the carry takes the false at 17.
TEST(TimingLoops, While) {
  RegionBuilder b;
  Value n = b.input(Type::I64);
  Value zero = b.input(Type::I64);
  Value one = b.input(Type::I64);
  Value phase = b.later(), next = b.later();
  Value c = b.carry(phase, n, next, Type::I64);
  Value z = b.invariant(phase, zero, Type::I64);
  Value o = b.invariant(phase, one, Type::I64);
  Value more = b.compute(Op::CmpI, {c, z}, Type::I1, Type::I64, 1);
  b.bind(phase, more);
  Value d = b.demux(more, c, Type::I64);
  Value oneBody = b.demux(more, o, Type::I64) + 1;
  Value sub = b.compute(Op::SubI, {d + 1, oneBody}, Type::I64);
  b.bind(next, sub);
  b.exitZero();
  b.output(d, Type::I64);
  b.complete(start);
  Timed t(b);
  t.cost(sub, 2);
  EXPECT_EQ(t.cycles({3, 0, 1}), 18u);
  EXPECT_EQ(t.out[1], 0u);
  EXPECT_EQ(t.count(c), 5u);
  EXPECT_EQ(t.last(c), 17u);
  EXPECT_EQ(t.cycles({0, 0, 1}), 3u); // cmp 1 -> 2, demux 2 -> 3
}

// p[0] += iv: w ring carry -> demux -> (address constant) -> load -> add ->
// store -> carry. w_0 = 0, d_0 = 1, constant 2 -> 3, load 3 -> 7, add 7 -> 8,
// store 8 -> 10 = w_1. d_K = 10K+1 -> 10K+2.
TEST(TimingLoops, StoreToLoadThroughMemoryOrder) {
  RegionBuilder b;
  Counter loop = counter(b);
  uint32_t p = b.memory({b.slot(Type::Ptr)});
  Value next = b.later();
  Value w = b.carry(loop.phase, start, next, ctlType);
  Value d = b.demux(loop.phase, w, ctlType);
  Value address = b.constant(d + 1, Type::I64, 0);
  Value old = b.load(p, address, d + 1, Type::I64);
  Value sum = b.compute(Op::AddI, {old, loop.iv}, Type::I64);
  Value done = b.store(p, address, sum, old + 1, Type::I64);
  b.bind(next, done);
  b.exitZero();
  b.complete(d);
  Timed t(b);
  t.cost(old, 4);
  t.cost(done, 2);
  uint64_t cell = 1000;
  EXPECT_EQ(t.cycles({0, 4, 1, reinterpret_cast<uint64_t>(&cell)}), 42u);
  EXPECT_EQ(cell, 1006u);
  EXPECT_EQ(t.last(done), 38u);
}

// Loads that nothing orders: the control of the body is invariant n, demux
// n + 1 -> n + 2; load n + 2 -> n + 8. K = 6: the last data at 13; the
// collector has no latency.
TEST(TimingLoops, ReadOnlyLoadsPipeline) {
  RegionBuilder b;
  Counter loop = counter(b);
  uint32_t p = b.memory({b.slot(Type::Ptr)});
  Value e = capture(b, loop.phase, start, ctlType);
  Value data = b.load(p, loop.iv, e, Type::I8);
  Collector c = collect(b, loop.phase, data);
  b.exitZero();
  Timed t(b, 16);
  free(t, c);
  t.cost(data, 6);
  uint8_t bytes[8] = {};
  EXPECT_EQ(t.cycles({0, 6, 1, reinterpret_cast<uint64_t>(bytes)}), 13u);
  EXPECT_EQ(t.first(data), 2u);
  EXPECT_EQ(t.last(data), 7u);
}

// The same with capacity 1, K = 4. The queues of the phase hold 2, those inside
// the collector (carry r, demux x, join y) 1. Loads 2 3 -> 8 9. y_0 = 8 = r_1;
// x_1 needs the place that y_0 leaves: 9 = y_1; r_2 that of x_1: 10.
// s_2 = r_1 + 1 = 9, s_3 = r_2 + 1 = 11. Control of the body: demux 10 -> 11
// and 12 -> 13; loads 11 13 -> 17 19. y_2 = 17 = r_3, x_3 = 18; s_4 = r_3 + 1 =
// 18, the false at 19; y_3 = 19 = r_4 = x_4, the exit at 19.
TEST(TimingLoops, SmallQueuesStopThePipeline) {
  RegionBuilder b;
  Counter loop = counter(b);
  uint32_t p = b.memory({b.slot(Type::Ptr)});
  Value e = capture(b, loop.phase, start, ctlType);
  Value data = b.load(p, loop.iv, e, Type::I8);
  Collector c = collect(b, loop.phase, data);
  b.exitZero();
  Timed t(b, 1);
  free(t, c);
  t.cost(data, 6);
  uint8_t bytes[8] = {};
  EXPECT_EQ(t.cycles({0, 4, 1, reinterpret_cast<uint64_t>(bytes)}), 19u);
  EXPECT_EQ(t.last(data), 13u);
  EXPECT_EQ(t.last(loop.iv), 18u);
}

/// for i in 0..n: for j in 0..m, and a token that every inner iteration hands
/// on. `byOuter`: m is i. Slots: zero, m, one, outer init, limit, step.
struct Nest {
  Value outer, inner, exit, ring;
};
Nest nest(RegionBuilder &b, bool byOuter) {
  Value zero = b.input(Type::I64);
  Value m = b.input(Type::I64);
  Value one = b.input(Type::I64);
  Counter loop = counter(b);
  Value zeroBody = capture(b, loop.phase, zero, Type::I64);
  Value mBody = byOuter ? loop.iv : capture(b, loop.phase, m, Type::I64);
  Value oneBody = capture(b, loop.phase, one, Type::I64);
  Value next = b.later();
  Value e = b.carry(loop.phase, start, next, ctlType);
  Value d = b.demux(loop.phase, e, ctlType);
  Value inner = b.stream(zeroBody, mBody, oneBody);
  Ring ring = identityRing(b, inner + 1, d + 1);
  b.bind(next, ring.exit);
  b.exitZero();
  b.complete(d);
  return {loop.iv, inner, d, ring.exit};
}

// Captures: invariant n, demux n + 1 -> n + 2. Two outer iterations of three
// inner ones. Inner stream 2 3 4 5, phases at 3..6. Outer e_0 = 0, d_0 = 1
// -> 2. Inner ring: carry 2, demux 3, carry 4, demux 5, carry 6, demux 7, carry
// 8, demux 9 (false) -> 10 = e_1. The second activation of the stream follows
// at 6 and is ahead of the ring, so that is the first one 10 cycles later: e_2
// = 20, d_2 = 21 -> 22.
TEST(TimingLoops, NestedLoop) {
  RegionBuilder b;
  Nest n = nest(b, false);
  Timed t(b);
  EXPECT_EQ(t.cycles({0, 3, 1, 0, 2, 1}), 22u);
  EXPECT_EQ(t.count(n.inner), 8u);
  EXPECT_EQ(t.first(n.inner), 2u);
  // The phase queues hold 5. s_5 waits for p_0 (the carry takes it at 4): 7 is
  // later; s_6 for p_1 (6), s_7 for p_2 (8): 9, as it would be anyway.
  EXPECT_EQ(t.last(n.inner), 9u);
  EXPECT_EQ(t.last(n.ring), 19u);
}

// Inner loops of 0 and 1 iterations. Inner stream: 2 (false, at 3); 3 (true, at
// 4), 4 (false, at 5). Ring: carry 2, demux 3 (false) -> 4 = e_1, the carry
// takes the false at 3. d_1 = 5 -> 6; carry 6, demux 7 (true) -> 8, carry 8,
// demux 9 (false) -> 10 = e_2, d_2 = 11 -> 12.
TEST(TimingLoops, TwoActivationsOfAnInnerLoop) {
  RegionBuilder b;
  Nest n = nest(b, true);
  Timed t(b);
  EXPECT_EQ(t.cycles({0, 0, 1, 0, 2, 1}), 12u);
  EXPECT_EQ(t.count(n.inner), 3u);
  EXPECT_EQ(t.last(n.inner), 4u);
  EXPECT_EQ(t.count(n.ring), 3u);
}

} // namespace
