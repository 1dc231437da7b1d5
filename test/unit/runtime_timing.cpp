// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing model on small graphs: every number is derived by hand beside it.
// "0 -> 2" is a firing at 0 whose tokens arrive at 2; x_n is firing n of x.
// Unless said otherwise all latencies and intervals are 1, the capacity of a
// queue is 4 + 1, and exitZero is a constant that fires at 0.

#include "runtime_timed.h"

using namespace rttest;

namespace {

const Value start = RegionBuilder::start;

// The exit constant alone: 0 -> 7. The start token as a completion is at 0.
TEST(Timing, OneActor) {
  RegionBuilder b;
  b.exitZero();
  b.complete(start);
  Timed t(b);
  t.timing.costs[0] = {7, 1};
  EXPECT_EQ(t.cycles({}), 7u);
  t.timing.costs[0] = {0, 1};
  EXPECT_EQ(t.cycles({}), 0u);
  EXPECT_EQ(t.result.firings, 1u);
}

// x 0 -> 2, y 2 -> 5, z 5 -> 10.
TEST(Timing, Chain) {
  RegionBuilder b;
  Value x = b.sync({start});
  Value y = b.sync({x});
  Value z = b.sync({y});
  b.exitZero();
  b.complete(z);
  Timed t(b);
  t.cost(x, 2);
  t.cost(y, 3);
  t.cost(z, 5);
  EXPECT_EQ(t.cycles({}), 10u);
  EXPECT_EQ(t.first(z), 5u);
}

// A launch lasts until its outputs and completions have arrived, here an input
// (0) and a sync (0 -> 2). The chain behind it fires 2 -> 102, 102 -> 202, but
// nobody waits for that.
TEST(Timing, WhatComesAfterTheOutputsDoesNotCount) {
  RegionBuilder b;
  Value input = b.input(Type::I64);
  Value x = b.sync({start});
  Value tail = b.sync({b.sync({x})});
  b.exitZero();
  b.output(input, Type::I64);
  b.complete(x);
  Timed t(b);
  t.cost(x, 2);
  t.timing.costs[1] = {100, 1};
  t.cost(tail, 100);
  EXPECT_EQ(t.cycles({5}), 2u);
  EXPECT_EQ(t.out[1], 5u);
  EXPECT_EQ(t.first(tail), 102u);
}

// Latency 0: x, y and z fire at 0 all the same; only the exit constant costs.
TEST(Timing, ChainWithoutLatency) {
  RegionBuilder b;
  Value x = b.sync({start});
  Value y = b.sync({x});
  Value z = b.sync({y});
  b.exitZero();
  b.complete(z);
  Timed t(b);
  t.cost(x, 0);
  t.cost(y, 0);
  t.cost(z, 0);
  EXPECT_EQ(t.cycles({}), 1u);
  EXPECT_EQ(t.last(z), 0u);
}

// a 0 -> 1; upper 1 -> 5; lower 1 -> 2, lower2 2 -> 3; join 5 -> 6.
TEST(Timing, FanOutAndJoinOfUnequalDepth) {
  RegionBuilder b;
  Value a = b.sync({start});
  Value upper = b.sync({a});
  Value lower = b.sync({a});
  Value lower2 = b.sync({lower});
  Value join = b.sync({upper, lower2});
  b.exitZero();
  b.complete(join);
  Timed t(b);
  t.cost(upper, 4);
  EXPECT_EQ(t.cycles({}), 6u);
  EXPECT_EQ(t.first(lower2), 2u);
  EXPECT_EQ(t.first(join), 5u);
}

// s_n = n for n = 0..K, its phase arrives at n + 1; the demux fires at n + 1.
// The false: demux K+1 -> K+2.
TEST(Timing, StreamOfKIterations) {
  RegionBuilder b;
  Counter loop = counter(b);
  b.exitZero();
  Value out = falseOf(b, loop.phase);
  b.complete(start);
  Timed t(b);
  for (uint64_t k : {0, 1, 5, 40}) {
    EXPECT_EQ(t.cycles({0, k, 1}), k + 2);
    EXPECT_EQ(t.count(loop.iv), k + 1);
    EXPECT_EQ(t.last(loop.iv), k);
    EXPECT_EQ(t.count(out), k + 1);
  }
}

// The constants 0 -> 1 and 0 -> 3: the stream begins at 3, and with K = 2 it
// ends at 5; demux 6 -> 7.
TEST(Timing, StreamWaitsForItsOperands) {
  RegionBuilder b;
  Value zero = b.constant(start, Type::I64, 0);
  Value limit = b.constant(start, Type::I64, 2);
  Value one = b.constant(start, Type::I64, 1);
  Value iv = b.stream(zero, limit, one);
  b.exitZero();
  falseOf(b, iv + 1);
  b.complete(start);
  Timed t(b);
  t.cost(limit, 3);
  EXPECT_EQ(t.cycles({}), 7u);
  EXPECT_EQ(t.first(iv), 3u);
}

// Stream of interval 3 and K = 4: 0 3 6 9 12; the last phase at 13; demux
// 13 -> 14.
TEST(Timing, IntervalOfTheProducer) {
  RegionBuilder b;
  Counter loop = counter(b);
  b.exitZero();
  falseOf(b, loop.phase);
  b.complete(start);
  Timed t(b);
  t.cost(loop.iv, 1, 3);
  EXPECT_EQ(t.cycles({0, 4, 1}), 14u);
  EXPECT_EQ(t.last(loop.iv), 12u);
}

// Demux of interval 3 and queues of 16: the stream is through at 4, the demux
// fires at 1 4 7 10 13; 13 -> 14.
TEST(Timing, IntervalOfTheConsumer) {
  RegionBuilder b;
  Counter loop = counter(b);
  b.exitZero();
  Value out = falseOf(b, loop.phase);
  b.complete(start);
  Timed t(b, 16);
  t.cost(out, 1, 3);
  EXPECT_EQ(t.cycles({0, 4, 1}), 14u);
  EXPECT_EQ(t.last(loop.iv), 4u);
}

// Capacity 1 + 1, K = 4. d_n = 1 + 3n is the demux. s_0 = 0, s_1 = 1;
// s_2 = d_0 + 1 = 2; s_3 = d_1 + 1 = 5; s_4 = d_2 + 1 = 8. d_4 = 13 -> 14.
TEST(Timing, FullQueueOfOneStallsItsProducer) {
  RegionBuilder b;
  Counter loop = counter(b);
  b.exitZero();
  Value out = falseOf(b, loop.phase);
  b.complete(start);
  Timed t(b, 1);
  t.cost(out, 1, 3);
  EXPECT_EQ(t.cycles({0, 4, 1}), 14u);
  EXPECT_EQ(t.last(loop.iv), 8u);
}

// Capacity 4 + 1, K = 7. d_n = 1 + 3n. s_n = n up to 6 (s_5 >= d_0 + 1 = 2,
// s_6 >= d_1 + 1 = 5); s_7 = d_2 + 1 = 8. d_7 = 22 -> 23.
TEST(Timing, FullQueueOfFourStallsItsProducer) {
  RegionBuilder b;
  Counter loop = counter(b);
  b.exitZero();
  Value out = falseOf(b, loop.phase);
  b.complete(start);
  Timed t(b, 4);
  t.cost(out, 1, 3);
  EXPECT_EQ(t.cycles({0, 7, 1}), 23u);
  EXPECT_EQ(t.last(loop.iv), 8u);
}

// The short way to a join fills while the long one is under way. Copy c of
// latency 8: c_n = s_n + 1, join j_n = c_n + 8 = s_n + 9. With capacity 1 the
// short edge holds 2: s_0 = 0, s_1 = 1, s_2 = j_0 + 1 = 10, s_3 = j_1 + 1 = 11,
// s_4 = j_2 + 1 = 20. j_4 = 29 -> 30. With capacity 16: j_4 = 13 -> 14.
TEST(Timing, UnbalancedJoinNeedsRoom) {
  RegionBuilder b;
  Counter loop = counter(b);
  Value slow = b.compute(Op::Copy, {loop.phase}, Type::I1);
  Value lanes = b.demux(loop.phase, slow, Type::I1);
  b.exitZero();
  b.output(lanes, Type::I1);
  b.complete(start);
  for (auto [capacity, expected, last] :
       {std::array<unsigned, 3>{1, 30, 20}, {16, 14, 4}}) {
    Timed t(b, capacity);
    t.cost(slow, 8);
    EXPECT_EQ(t.cycles({0, 4, 1}), expected);
    EXPECT_EQ(t.last(loop.iv), last);
  }
}

// Latency counts as room: the copy has latency 8 and capacity 1 + 8, so the
// demux behind it, at one token a cycle, never stops it. s_n = n, c_n = n + 1,
// d_n = n + 9; K = 20: d_20 = 29 -> 30.
TEST(Timing, TokensInFlightDoNotFillTheQueue) {
  RegionBuilder b;
  Counter loop = counter(b);
  Value slow = b.compute(Op::Copy, {loop.phase}, Type::I1);
  Value lanes = b.demux(slow, slow, Type::I1);
  b.exitZero();
  b.output(lanes, Type::I1);
  b.complete(start);
  Timed t(b, 1);
  t.cost(slow, 8);
  EXPECT_EQ(t.cycles({0, 20, 1}), 30u);
  EXPECT_EQ(t.last(loop.iv), 20u);
}

// Each use is a queue of its own. Two demuxes at the phase, one of interval 5
// (e_n = 1 + 5n), capacity 1 + 1, K = 3: s_2 = e_0 + 1 = 2, s_3 = e_1 + 1 = 7.
// The fast one is not before its tokens: 1 2 3 8 -> 9. The slow one: 16 -> 17.
TEST(Timing, TheSlowestUseHoldsTheOthers) {
  RegionBuilder b;
  Counter loop = counter(b);
  b.exitZero();
  Value fast = falseOf(b, loop.phase);
  Value slow = falseOf(b, loop.phase);
  b.complete(start);
  Timed t(b, 1);
  t.cost(slow, 1, 5);
  EXPECT_EQ(t.cycles({0, 3, 1}), 17u);
  EXPECT_EQ(t.last(loop.iv), 7u);
  EXPECT_EQ(t.last(fast), 8u);
}

// Streams p (interval 1) and q (latency 3, interval 2), K = 3: q 0 2 4 6
// -> 3 5 7 9. The sync fires at 3 5 7 9 -> 10; demux 10 -> 11.
TEST(Timing, Sync) {
  RegionBuilder b;
  Value init = b.input(Type::I64);
  Value limit = b.input(Type::I64);
  Value step = b.input(Type::I64);
  Value p = b.stream(init, limit, step);
  Value q = b.stream(init, limit, step);
  Value both = b.sync({p + 1, q + 1});
  Value lanes = b.demux(both, both + 1, Type::I1);
  b.exitZero();
  b.output(lanes, Type::I1);
  b.complete(start);
  Timed t(b);
  t.cost(q, 3, 2);
  EXPECT_EQ(t.cycles({0, 3, 1}), 11u);
  EXPECT_EQ(t.first(both), 3u);
  EXPECT_EQ(t.last(both), 9u);
  EXPECT_EQ(t.last(p), 3u);
}

// demux 0 -> 1. Lane 0: f 1 -> 3, mux 3 -> 4. Lane 1: g 1 -> 8, mux 8 -> 9.
TEST(Timing, MuxAndDemuxOnEitherLane) {
  RegionBuilder b;
  Value selector = b.input(Type::I1);
  Value lanes = b.demux(selector, start, ctlType);
  Value f = b.sync({lanes});
  Value g = b.sync({lanes + 1});
  Value merged = b.mux(selector, {f, g}, ctlType);
  b.exitZero();
  b.complete(merged);
  Timed t(b);
  t.cost(f, 2);
  t.cost(g, 7);
  EXPECT_EQ(t.cycles({0}), 4u);
  EXPECT_EQ(t.count(g), 0u);
  EXPECT_EQ(t.cycles({1}), 9u);
  EXPECT_EQ(t.count(f), 0u);
}

// K = 4, selector = low bit of iv, queues of 16. s_n = n; bit_n = n + 1; demux
// n + 2 -> n + 3. f (latency 2) 3 5 -> 5 7; g (latency 7) 4 6 -> 11 13. The mux
// takes f g f g: 5, 11, max(12, 7), max(13, 13) -> 6 12 13 14. The collector
// has latency 0 and is through at 14.
TEST(Timing, MuxAndDemuxAlternate) {
  RegionBuilder b;
  Counter loop = counter(b);
  Value bit = b.compute(Op::TruncI, {loop.iv}, Type::I1, Type::I64);
  Value lanes = b.demux(bit, loop.iv, Type::I64);
  Value f = b.compute(Op::Copy, {lanes}, Type::I64);
  Value g = b.compute(Op::Copy, {lanes + 1}, Type::I64);
  Value merged = b.mux(bit, {f, g}, Type::I64);
  Collector c = collect(b, loop.phase, merged);
  b.exitZero();
  Timed t(b, 16);
  free(t, c);
  t.cost(f, 2);
  t.cost(g, 7);
  EXPECT_EQ(t.cycles({0, 4, 1}), 14u);
  EXPECT_EQ(t.first(merged), 5u);
  EXPECT_EQ(t.last(merged), 13u);
  EXPECT_EQ(t.last(g), 6u);
}

} // namespace
