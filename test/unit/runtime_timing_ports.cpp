// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing model where accesses share ports; notation as in
// runtime_timing.cpp. A firing takes its port for one cycle.

#include "runtime_timed.h"

using namespace rttest;

namespace {

const Value start = RegionBuilder::start;

/// Memory, and the address 0 as an input: slots are base, offset.
struct Cell {
  uint64_t bytes = 0;
  std::vector<uint64_t> in() { return {reinterpret_cast<uint64_t>(&bytes), 0}; }
};
struct Access {
  RegionBuilder b;
  uint32_t memory;
  Value offset;
  Access() {
    memory = b.memory({b.slot(Type::Ptr)});
    offset = b.input(Type::I64);
  }
  Value load(Value ctrl) { return b.load(memory, offset, ctrl, Type::I64); }
};

// Both could at 0. One port: x (the lower number) 0 -> 4, y 1 -> 11. The other
// way round it would be y 0 -> 10, x 1 -> 5. Two ports, or one each: 0 -> 10.
TEST(TimingPorts, TheLowerNumberGoesFirst) {
  Access g;
  Value x = g.load(start);
  Value y = g.load(start);
  g.b.exitZero();
  g.b.complete(x + 1);
  g.b.complete(y + 1);
  Cell cell;
  for (auto [ports, expected, yAt] :
       {std::array<unsigned, 3>{1, 11, 1}, {2, 10, 0}, {0, 10, 0}}) {
    Timed t(g.b, 4, ports);
    t.cost(x, 4);
    t.cost(y, 10);
    EXPECT_EQ(t.cycles(cell.in()), expected);
    EXPECT_EQ(t.first(x), 0u);
    EXPECT_EQ(t.first(y), yAt);
  }
}

// x has the lowest number but could at 1 only; y and z could at 0. One port:
// y 0, z 1 (it could before x), x 2 -> 5.
TEST(TimingPorts, WhoCouldFirstGoesFirst) {
  Access g;
  Value later = g.b.later();
  Value x = g.load(later);
  Value y = g.load(start);
  Value z = g.load(start);
  g.b.bind(later, g.b.sync({start}));
  g.b.exitZero();
  g.b.complete(x + 1);
  g.b.complete(y + 1);
  g.b.complete(z + 1);
  Timed t(g.b, 4, 1);
  t.cost(x, 3);
  Cell cell;
  EXPECT_EQ(t.cycles(cell.in()), 5u);
  EXPECT_EQ(t.first(y), 0u);
  EXPECT_EQ(t.first(z), 1u);
  EXPECT_EQ(t.first(x), 2u);
}

// Five loads at once, latency 4. Two ports: 0 0 1 1 2 -> 6; one: 4 -> 8.
TEST(TimingPorts, PortsPerCycle) {
  Access g;
  Value last = 0;
  for (int i = 0; i < 5; ++i) {
    last = g.load(start);
    g.b.complete(last + 1);
  }
  g.b.exitZero();
  Cell cell;
  for (auto [ports, expected] :
       {std::array<unsigned, 2>{1, 8}, {2, 6}, {3, 5}, {5, 4}, {0, 4}}) {
    Timed t(g.b, 4, ports);
    for (size_t a = 0; a < 5; ++a)
      t.timing.costs[a] = {4, 1};
    EXPECT_EQ(t.cycles(cell.in()), expected);
    EXPECT_EQ(t.first(last), expected - 4);
  }
}

// Stores take ports as loads do: store 0 -> 1, load 1 -> 2.
TEST(TimingPorts, StoresTakePorts) {
  Access g;
  Value x = g.b.store(g.memory, g.offset, g.offset, start, Type::I64);
  uint32_t other = g.b.memory({g.b.slot(Type::Ptr), 1});
  Value y = g.b.load(other, g.offset, start, Type::I64);
  g.b.exitZero();
  g.b.complete(x);
  g.b.complete(y + 1);
  Cell cell, second;
  std::vector<uint64_t> in = {cell.in()[0], 0, second.in()[0]};
  for (auto [ports, expected] : {std::array<unsigned, 2>{1, 2}, {2, 1}}) {
    Timed t(g.b, 4, ports);
    EXPECT_EQ(t.cycles(in), expected);
    EXPECT_EQ(t.first(y), expected - 1);
  }
}

// Chains x1 x2 x3 and y1 y2 y3 of dependent loads, numbers in this order. One
// port: x1 0; at 1 y1 (since 0) before x2 (since 1); at 2 x2 before y2 (since
// 2); and so on: x 0 2 4, y 1 3 5 -> 6. Two ports: 0 1 2 -> 3.
TEST(TimingPorts, TwoIndependentChainsContend) {
  Access g;
  Value x = start, y = start;
  for (int i = 0; i < 3; ++i)
    x = g.load(x) + 1;
  for (int i = 0; i < 3; ++i)
    y = g.load(y) + 1;
  g.b.exitZero();
  g.b.complete(x);
  g.b.complete(y);
  Cell cell;
  for (auto [ports, expected, xAt] :
       {std::array<unsigned, 3>{1, 6, 4}, {2, 3, 2}}) {
    Timed t(g.b, 4, ports);
    EXPECT_EQ(t.cycles(cell.in()), expected);
    EXPECT_EQ(t.first(x), xAt);
    EXPECT_EQ(t.first(y), expected - 1);
  }
}

// Two loads x, y in a body, latency 4, K = 3. Control n + 2, as in
// ReadOnlyLoadsPipeline. One port: x_0 2 and y_0 3 (since 2); at 4 x_1 (since
// 3) before y_1 (since y_0 + 1 = 4); y_1 5; x_2 6, y_2 7 -> 11. Two: 2 3 4
// -> 8.
TEST(TimingPorts, LoadsOfALoopTakeTurns) {
  RegionBuilder b;
  Counter loop = counter(b);
  uint32_t p = b.memory({b.slot(Type::Ptr)});
  Value e = capture(b, loop.phase, start, ctlType);
  Value x = b.load(p, loop.iv, e, Type::I8);
  Value y = b.load(p, loop.iv, e, Type::I8);
  Collector c = collect(b, loop.phase, y);
  b.exitZero();
  uint8_t bytes[4] = {};
  for (auto [ports, expected, xLast, yLast] :
       {std::array<unsigned, 4>{1, 11, 6, 7}, {2, 8, 4, 4}}) {
    Timed t(b, 16, ports);
    free(t, c);
    t.cost(x, 4);
    t.cost(y, 4);
    EXPECT_EQ(t.cycles({0, 3, 1, reinterpret_cast<uint64_t>(bytes)}), expected);
    EXPECT_EQ(t.last(x), xLast);
    EXPECT_EQ(t.last(y), yLast);
  }
}

// The interval still counts: x of interval 4 in a loop, one port, alone.
// x 2 6 10 -> 11, K = 3; the collector adds nothing.
TEST(TimingPorts, IntervalsStillCount) {
  RegionBuilder b;
  Counter loop = counter(b);
  uint32_t p = b.memory({b.slot(Type::Ptr)});
  Value e = capture(b, loop.phase, start, ctlType);
  Value x = b.load(p, loop.iv, e, Type::I8);
  Collector c = collect(b, loop.phase, x);
  b.exitZero();
  uint8_t bytes[4] = {};
  Timed t(b, 16, 1);
  free(t, c);
  t.cost(x, 1, 4);
  EXPECT_EQ(t.cycles({0, 3, 1, reinterpret_cast<uint64_t>(bytes)}), 11u);
  EXPECT_EQ(t.last(x), 10u);
}

// Without latency a grant may enable another access in the same cycle, which
// then takes part in the choice: x has the lowest number and follows y at once.
// Two ports: y 0, x 0 before z; z 1 -> 4.
TEST(TimingPorts, AGrantCountsInTheSameCycle) {
  Access g;
  Value later = g.b.later();
  Value x = g.load(later);
  Value y = g.load(start);
  Value z = g.load(start);
  g.b.bind(later, y + 1);
  g.b.exitZero();
  g.b.complete(x + 1);
  g.b.complete(z + 1);
  Timed t(g.b, 4, 2);
  t.cost(y, 0);
  t.cost(z, 3);
  Cell cell;
  EXPECT_EQ(t.cycles(cell.in()), 4u);
  EXPECT_EQ(t.first(x), 0u);
  EXPECT_EQ(t.first(z), 1u);
}

} // namespace
