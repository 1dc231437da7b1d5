// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing model where accesses share the bandwidth of the memory; notation
// as in runtime_timing_ports.cpp. Unless said otherwise every actor costs 1, so
// that the launch ends a cycle after its last access.

#include "Devices/Sim/Critical.h"
#include "Devices/Sim/Fast.h"
#include "Devices/Sim/ResolveTiming.h"
#include "Image/Target.h"
#include "runtime_planes.h"
#include "runtime_timed.h"

using namespace rttest;
using loom::rt::Bound;
using loom::rt::Kind;
using loom::rt::LowerBound;
using loom::rt::TargetInfo;
using loom::rt::Usage;

namespace {

const Value start = RegionBuilder::start;

/// Loads that all could fire at 0. Slots are base, offset.
struct Loads {
  RegionBuilder b;
  std::vector<Value> all;
  uint64_t bytes = 0;
  explicit Loads(const std::vector<T> &types) {
    uint32_t memory = b.memory({b.slot(Type::Ptr)});
    Value offset = b.input(Type::I64);
    for (T type : types) {
      all.push_back(b.load(memory, offset, start, type));
      b.complete(all.back() + 1);
    }
    b.exitZero();
  }
  std::vector<uint64_t> in() { return {reinterpret_cast<uint64_t>(&bytes), 0}; }
};

/// When each of them fires, and the cycles at the end.
std::vector<uint64_t> times(Loads &g, uint64_t bandwidth, uint32_t ports = 0) {
  Timed t(g.b, 4, ports);
  t.timing.bandwidth = bandwidth;
  uint64_t cycles = t.cycles(g.in());
  std::vector<uint64_t> found;
  for (Value load : g.all)
    found.push_back(t.first(load));
  found.push_back(cycles);
  return found;
}
using Times = std::vector<uint64_t>;

const T i8 = Type::I8, i16 = Type::I16, i32 = Type::I32, i64 = Type::I64;

// Four loads of 8 bytes: 8 bytes a cycle let one start, 16 two, 24 three, 32
// all. Of 15 the seven left over are of no use.
TEST(TimingBandwidth, BytesOfACycle) {
  Loads g({i64, i64, i64, i64});
  EXPECT_EQ(times(g, 8), (Times{0, 1, 2, 3, 4}));
  EXPECT_EQ(times(g, 15), (Times{0, 1, 2, 3, 4}));
  EXPECT_EQ(times(g, 16), (Times{0, 0, 1, 1, 2}));
  EXPECT_EQ(times(g, 24), (Times{0, 0, 0, 1, 2}));
  EXPECT_EQ(times(g, 32), (Times{0, 0, 0, 0, 1}));
  EXPECT_EQ(times(g, 0), (Times{0, 0, 0, 0, 1}));
}

// 8, 1, 1 and 2 bytes at 9 a cycle: 8 + 1, then 1 + 2.
TEST(TimingBandwidth, AccessesOfDifferentWidth) {
  Loads g({i64, i8, i8, i16});
  EXPECT_EQ(times(g, 9), (Times{0, 0, 1, 1, 2}));
}

// 4, 8 and 1 bytes at 8 a cycle: the 8 bytes don't fit beside the 4, and the
// byte that would waits behind them: 0, 1, 2.
TEST(TimingBandwidth, NobodyOvertakes) {
  Loads g({i32, i64, i8});
  EXPECT_EQ(times(g, 8), (Times{0, 1, 2, 3}));
}

// 8 bytes at 3 a cycle take the memory for ceil(8 / 3) = 3 cycles: 0, 3, 6. The
// byte after them comes at 9. At 4 a cycle: two cycles each, 0, 2, 4 and 6.
// The last access counts as one cycle, so that 7 bytes a cycle are no better
// than 4.
TEST(TimingBandwidth, AnAccessOfSeveralCycles) {
  Loads g({i64, i64, i64, i8});
  EXPECT_EQ(times(g, 3), (Times{0, 3, 6, 9, 10}));
  EXPECT_EQ(times(g, 4), (Times{0, 2, 4, 6, 7}));
  EXPECT_EQ(times(g, 7), (Times{0, 2, 4, 6, 7}));
  EXPECT_EQ(times(g, 1), (Times{0, 8, 16, 24, 25}));
}

// A byte first: 8 bytes at 4 a cycle don't share a cycle with it. 0, 1, then
// not before 3.
TEST(TimingBandwidth, ALongAccessBeginsACycle) {
  Loads g({i8, i64, i8});
  EXPECT_EQ(times(g, 4), (Times{0, 1, 3, 4}));
}

// Both limits: two ports and 9 bytes; 8 + 1, then 1 and 1 by the ports, then
// the last byte.
TEST(TimingBandwidth, PortsAndBytes) {
  Loads g({i64, i8, i8, i8, i8});
  EXPECT_EQ(times(g, 9, 2), (Times{0, 0, 1, 1, 2, 3}));
  EXPECT_EQ(times(g, 8, 2), (Times{0, 1, 1, 2, 2, 3}));
  EXPECT_EQ(times(g, 9, 1), (Times{0, 1, 2, 3, 4, 5}));
}

// As with ports: x has the lowest number and could at 1 only; y and z could at
// 0. One at a time: y 0, z 1, x 2.
TEST(TimingBandwidth, WhoCouldFirstGoesFirst) {
  RegionBuilder b;
  uint64_t cell = 0;
  uint32_t memory = b.memory({b.slot(Type::Ptr)});
  Value offset = b.input(Type::I64), later = b.later();
  Value x = b.load(memory, offset, later, Type::I64);
  Value y = b.load(memory, offset, start, Type::I64);
  Value z = b.load(memory, offset, start, Type::I64);
  b.bind(later, b.sync({start}));
  b.exitZero();
  for (Value value : {x, y, z})
    b.complete(value + 1);
  Timed t(b);
  t.timing.bandwidth = 8;
  t.cost(x, 3);
  EXPECT_EQ(t.cycles({reinterpret_cast<uint64_t>(&cell), 0}), 5u);
  EXPECT_EQ(t.first(y), 0u);
  EXPECT_EQ(t.first(z), 1u);
  EXPECT_EQ(t.first(x), 2u);
}

// Three loads of 8 bytes, 8 a cycle, latency 4 each: 0, 1, 2 -> 6. The waits
// are those of the bandwidth: 1 and 2 cycles. With one port they are its own.
TEST(TimingBandwidth, WaitsHaveTheirCause) {
  Loads g({i64, i64, i64});
  for (bool byBytes : {true, false}) {
    Timed t(g.b, 4, byBytes ? 0 : 1);
    t.timing.bandwidth = byBytes ? 8 : 64;
    for (Value load : g.all)
      t.cost(load, 4);
    loom::rt::WaitLog waits;
    t.result.waits = &waits;
    EXPECT_EQ(t.cycles(g.in()), 6u);
    for (size_t i = 0; i < 3; ++i) {
      size_t a = t.actorOf(g.all[i]);
      EXPECT_EQ(waits.bandwidth[a].cycles, byBytes ? i : 0);
      EXPECT_EQ(waits.port[a].cycles, byBytes ? 0 : i);
    }
    loom::rt::Critical critical;
    ASSERT_TRUE(findCritical(t.loaded.region, t.timing, t.result, critical));
    EXPECT_EQ(critical.limit,
              byBytes ? loom::rt::Limit::Bandwidth : loom::rt::Limit::Port);
    critical.release();
    t.result.waits = nullptr;
    waits.release();
  }
}

// Two ports and 8 bytes, 1, 1, 8 and 1: 1 + 1 at 0, where the ports hold the
// others back; 8 at 1, where the bytes hold the last one back, which goes at 2.
TEST(TimingBandwidth, EachCycleHasOneCause) {
  Loads g({i8, i8, i64, i8});
  Timed t(g.b, 4, 2);
  t.timing.bandwidth = 8;
  loom::rt::WaitLog waits;
  t.result.waits = &waits;
  EXPECT_EQ(t.cycles(g.in()), 3u);
  size_t wide = t.actorOf(g.all[2]), last = t.actorOf(g.all[3]);
  EXPECT_EQ(waits.port[wide].cycles, 1u);
  EXPECT_EQ(waits.bandwidth[wide].cycles, 0u);
  EXPECT_EQ(waits.port[last].cycles, 1u);
  EXPECT_EQ(waits.bandwidth[last].cycles, 1u);
  t.result.waits = nullptr;
  waits.release();
}

// 25 bytes at 4 a cycle: three of 8 take 2 cycles each, the byte one: 7. At 3:
// 9 + 1, less the 2 that an access that came last would not need. At 16: 2.
TEST(TimingBandwidth, TheBound) {
  Loads g({i64, i64, i64, i8});
  struct Case {
    uint64_t bandwidth, bound;
  };
  for (Case c : {Case{3, 8}, {4, 6}, {8, 4}, {16, 2}}) {
    Timed t(g.b);
    t.timing.bandwidth = c.bandwidth;
    EXPECT_GE(t.cycles(g.in()), c.bound);
    LowerBound bound = lowerBound(t.loaded.region, t.timing, t.result);
    EXPECT_EQ(bound.cycles, c.bound);
    EXPECT_EQ(bound.by, LowerBound::Bandwidth);
  }
}

/// saxpy of 40 on a target with a bandwidth: two loads and a store of 4 bytes.
struct Saxpy {
  TargetInfo target;
  std::vector<uint32_t> x, y;
  Machine machine;
  Usage usage;
  explicit Saxpy(uint32_t bandwidth, uint32_t ports = 0)
      : x(40, 1), y(40, 2), machine(saxpy()) {
    for (unsigned kind = 0; kind <= unsigned(Kind::Compute); ++kind)
      target.rows.push({1, 1, Kind(kind), 0, loom::rt::Ty::None});
    target.memoryBytes = bandwidth;
    target.ports = ports;
    machine.loaded.region.target = &target;
  }
  ~Saxpy() { target.release(); }
  uint64_t cycles() {
    std::vector<uint64_t> in = {40, 0x3FC00000,
                                reinterpret_cast<uint64_t>(x.data()),
                                reinterpret_cast<uint64_t>(y.data())};
    std::vector<uint64_t> out(machine.loaded.region.outputInfos.size);
    loom::rt::LaunchContext context = {in.data(), out.data(), uint64_t(1) << 40,
                                       &machine.undo};
    context.usage = &usage;
    Outcome outcome = machine.engine.run(machine.loaded.region, context);
    EXPECT_EQ(outcome.reason, Reason::None) << outcome.detail;
    machine.undo.clear();
    return outcome.cycles;
  }
  bool isFast() const { return machine.engine.fast != nullptr; }
};

// Three accesses of 4 bytes are 12 at most: from there on the plan is exact,
// and the cycles are those without a limit. With 11 the event queue runs.
TEST(TimingBandwidth, ThePlanWhereNothingCanWait) {
  Saxpy free(0), enough(12), few(11), ports(0, 3), two(0, 2);
  uint64_t cycles = free.cycles();
  EXPECT_TRUE(free.isFast());
  EXPECT_EQ(enough.cycles(), cycles);
  EXPECT_TRUE(enough.isFast());
  EXPECT_EQ(ports.cycles(), cycles);
  EXPECT_TRUE(ports.isFast());
  EXPECT_GE(few.cycles(), cycles);
  EXPECT_FALSE(few.isFast());
  EXPECT_GE(two.cycles(), cycles);
  EXPECT_FALSE(two.isFast());
}

// 480 bytes. At 4 a cycle they take 120 cycles, less than the 7 of the ring of
// the order, 40 times. At 1 each access takes four of its own, 480 less three;
// what the launch takes beyond that is its begin and its end.
TEST(TimingBandwidth, TheUsage) {
  Saxpy four(4), one(1);
  uint64_t cycles = four.cycles();
  EXPECT_EQ(four.usage.bounds[unsigned(Bound::Bandwidth)], 120u);
  EXPECT_EQ(four.usage.bytesBusy, 480u);
  EXPECT_EQ(four.usage.bytesRoom, cycles * 4);
  EXPECT_EQ(four.usage.bound, 280u);
  EXPECT_STREQ(limitName(four.usage), "order");
  cycles = one.cycles();
  EXPECT_EQ(one.usage.bounds[unsigned(Bound::Bandwidth)], 477u);
  EXPECT_EQ(one.usage.bytesBusy, 480u);
  EXPECT_EQ(one.usage.bound, 477u);
  EXPECT_STREQ(limitName(one.usage), "bandwidth");
  EXPECT_GE(cycles, 477u);
  EXPECT_LT(cycles, 500u);
}

} // namespace
