// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What limits a launch, on graphs where it is known; notation as in
// runtime_timing.cpp.

#include "Devices/Sim/Critical.h"
#include "runtime_timed.h"

using namespace rttest;
using loom::rt::Cause;
using loom::rt::Limit;

namespace {

const Value start = RegionBuilder::start;

/// A launch with its causes.
struct Explained : Timed {
  loom::rt::WaitLog waits;
  loom::rt::Critical critical;
  explicit Explained(const RegionBuilder &b, uint32_t capacity = 4,
                     uint32_t ports = 0)
      : Timed(b, capacity, ports) {
    result.waits = &waits;
  }
  ~Explained() {
    waits.release();
    critical.release();
  }
  void explain(const std::vector<uint64_t> &in) {
    cycles(in);
    critical.release();
    critical = {};
    ASSERT_TRUE(findCritical(loaded.region, timing, result, critical));
  }
  /// The actors of the ring, in its order.
  std::vector<size_t> ring() const {
    std::vector<size_t> list;
    for (const auto &step : critical.steps)
      list.push_back(step.actor);
    return list;
  }
  loom::rt::LowerBound bound() const {
    return lowerBound(loaded.region, timing, result);
  }
};

/// The sum of the iv, by an addition of the given operation.
struct Sum {
  RegionBuilder b;
  Counter loop;
  Value c, d, x, a;
  explicit Sum(Type type = Type::I64) {
    Value init = b.input(type);
    loop = counter(b);
    Value next = b.later();
    c = b.carry(loop.phase, init, next, type);
    d = b.demux(loop.phase, c, type);
    bool isFloat = type == Type::F64;
    x = isFloat ? b.compute(Op::SIToFP, {loop.iv}, type, Type::I64) : loop.iv;
    a = b.compute(isFloat ? Op::AddF : Op::AddI, {d + 1, x}, type);
    b.bind(next, a);
    b.exitZero();
    b.output(d, type);
    b.complete(start);
  }
};

// c, d, a of latencies 1, 1, 4: 6 cycles an iteration; everything else waits
// for them. The carry fires most, 52 times.
TEST(Explain, AFloatReductionIsARing) {
  Sum g(Type::F64);
  Explained t(g.b);
  t.cost(g.a, 4);
  t.explain({0, 0, 50, 1});
  EXPECT_EQ(t.critical.limit, Limit::Value);
  EXPECT_EQ(t.ring(), (std::vector<size_t>{t.actorOf(g.c), t.actorOf(g.d),
                                           t.actorOf(g.a)}));
  EXPECT_EQ(t.critical.around, 6u);
  EXPECT_EQ(t.critical.distance, 1u);
  EXPECT_EQ(t.critical.iterations, 50u);
  EXPECT_EQ(t.critical.measured, 49u * 6);
  // c waits for a: 50 of its firings, 6 cycles each.
  EXPECT_EQ(t.critical.steps[0].other, t.actorOf(g.a));
  EXPECT_EQ(t.critical.steps[0].wait.count, 50u);
  EXPECT_EQ(t.critical.steps[0].wait.cycles, 50u * 6);
  EXPECT_EQ(t.bound().cycles, 52u);
  EXPECT_EQ(t.bound().actor, t.actorOf(g.c));
}

// The addition takes tokens every 8 cycles; its ring would need 3.
TEST(Explain, AnInterval) {
  Sum g;
  Explained t(g.b);
  t.cost(g.a, 1, 8);
  t.explain({0, 0, 40, 1});
  EXPECT_EQ(t.critical.limit, Limit::Interval);
  EXPECT_EQ(t.ring(), std::vector<size_t>{t.actorOf(g.a)});
  EXPECT_EQ(t.critical.around, 8u);
  EXPECT_EQ(t.critical.measured, 39u * 8);
  EXPECT_EQ(t.bound().cycles, 39u * 8 + 1);
  EXPECT_EQ(t.bound().actor, t.actorOf(g.a));
}

// for i: p[0] = p[0] + i, both accesses in the order of a ring.
// w d load add store of latencies 1 1 5 1 3: 11 cycles.
TEST(Explain, AStoreThenALoad) {
  RegionBuilder b;
  uint32_t memory = b.memory({b.slot(Type::Ptr)});
  Value offset = b.input(Type::I64);
  Counter loop = counter(b);
  Value at = capture(b, loop.phase, offset, Type::I64);
  Value next = b.later();
  Value w = b.carry(loop.phase, start, next, ctlType);
  Value lanes = b.demux(loop.phase, w, ctlType);
  Value load = b.load(memory, at, lanes + 1, Type::I64);
  Value add = b.compute(Op::AddI, {load, loop.iv}, Type::I64);
  Value done = b.store(memory, at, add, load + 1, Type::I64);
  b.bind(next, done);
  b.exitZero();
  b.complete(lanes);
  Explained t(b);
  t.cost(load, 5);
  t.cost(done, 3);
  uint64_t cell = 0;
  t.explain({reinterpret_cast<uint64_t>(&cell), 0, 0, 30, 1});
  EXPECT_EQ(cell, 435u);
  EXPECT_EQ(t.critical.limit, Limit::Memory);
  EXPECT_EQ(t.ring(), (std::vector<size_t>{t.actorOf(w), t.actorOf(lanes),
                                           t.actorOf(load), t.actorOf(add),
                                           t.actorOf(done)}));
  EXPECT_EQ(t.critical.around, 11u);
  EXPECT_EQ(t.critical.measured, 29u * 11);
}

// With capacity 1 and no latency an identity ring takes 2 cycles, as in
// TimingLoops.CapacityLimitsARingWithoutLatency; with 2 it is 1.
TEST(Explain, AFullQueue) {
  RegionBuilder b;
  Counter loop = counter(b);
  Ring ring = identityRing(b, loop.phase, start);
  b.exitZero();
  b.complete(ring.exit);
  Explained t(b, 1);
  for (auto &cost : t.timing.costs)
    cost = {0, 1};
  t.explain({0, 40, 1});
  EXPECT_EQ(t.critical.limit, Limit::Queue);
  EXPECT_EQ(t.critical.around, 2 * t.critical.distance);
  EXPECT_EQ(t.critical.measured, 2 * (t.critical.iterations - 1));
  Explained wide(b, 2);
  for (auto &cost : wide.timing.costs)
    cost = {0, 1};
  wide.explain({0, 40, 1});
  EXPECT_EQ(wide.critical.limit, Limit::Interval);
  EXPECT_EQ(wide.critical.around, 1u);
}

// The ring of 5 cycles holds its stream back: the queues of the phase are full,
// but deeper ones would change nothing.
TEST(Explain, ARingBehindAFullQueue) {
  for (uint32_t capacity : {1u, 2u, 4u, 100u}) {
    Sum g;
    Explained t(g.b, capacity);
    t.cost(g.a, 3);
    t.explain({0, 0, 60, 1});
    EXPECT_EQ(t.critical.limit, Limit::Value) << capacity;
    EXPECT_EQ(t.critical.around, 5u);
    EXPECT_EQ(t.critical.distance, 1u);
    EXPECT_EQ(t.ring(), (std::vector<size_t>{t.actorOf(g.c), t.actorOf(g.d),
                                             t.actorOf(g.a)}));
  }
}

// The ring c, d, a takes 3 cycles. Around the queue of the phase it is stream
// 1, x, a 1, and the place a cycle later, for 5 iterations: a place for each of
// capacity 4 and latency 1, of which the carry's is for the next firing, and
// the carry. With x of 12 that is 3 cycles an iteration as well, and x, which
// has the lower number, is what the addition is seen to wait for first.
TEST(Explain, AQueueInStepWithARing) {
  RegionBuilder b;
  Value init = b.input(Type::I64);
  Counter loop = counter(b);
  Value x = b.compute(Op::Copy, {loop.iv}, Type::I64);
  Value next = b.later();
  Value c = b.carry(loop.phase, init, next, Type::I64);
  Value d = b.demux(loop.phase, c, Type::I64);
  Value a = b.compute(Op::AddI, {d + 1, x}, Type::I64);
  b.bind(next, a);
  b.exitZero();
  b.output(d, Type::I64);
  b.complete(start);
  Explained t(b);
  t.cost(x, 12);
  t.explain({0, 0, 100, 1});
  EXPECT_EQ(t.critical.limit, Limit::Value);
  EXPECT_EQ(t.ring(),
            (std::vector<size_t>{t.actorOf(c), t.actorOf(d), t.actorOf(a)}));
  EXPECT_EQ(t.critical.around, 3u);
  EXPECT_EQ(t.critical.measured, 3 * 99u);
  // Slower than the ring: 16 cycles for 5 iterations.
  t.cost(x, 13);
  t.explain({0, 0, 101, 1});
  EXPECT_EQ(t.critical.limit, Limit::Queue);
  EXPECT_EQ(t.critical.around, 16u);
  EXPECT_EQ(t.critical.distance, 5u);
  EXPECT_EQ(t.critical.measured, 16 * 20u);
}

// Three loads an iteration by one port: 3 cycles.
TEST(Explain, SharedPorts) {
  RegionBuilder b;
  uint32_t memory = b.memory({b.slot(Type::Ptr)});
  Value offset = b.input(Type::I64);
  Counter loop = counter(b);
  Value at = capture(b, loop.phase, offset, Type::I64);
  Ring e = identityRing(b, loop.phase, start);
  std::vector<Value> done;
  for (int i = 0; i < 3; ++i)
    done.push_back(b.load(memory, at, e.body, Type::I64) + 1);
  Collector all = collect(b, loop.phase, b.sync(done));
  b.exitZero();
  Explained t(b, 4, 1);
  free(t, all);
  uint64_t cell = 0;
  t.explain({reinterpret_cast<uint64_t>(&cell), 0, 0, 50, 1});
  EXPECT_EQ(t.critical.limit, Limit::Port);
  EXPECT_EQ(t.bound().cycles, 150u);
  EXPECT_EQ(t.bound().by, loom::rt::LowerBound::Ports);
  EXPECT_EQ(t.critical.measured, 3 * (t.critical.iterations - 1));
}

// Without a loop nothing comes around: x 3, y 5.
TEST(Explain, AChain) {
  RegionBuilder b;
  Value in = b.input(Type::I64);
  Value x = b.compute(Op::Copy, {in}, Type::I64);
  Value y = b.compute(Op::AddI, {x, in}, Type::I64);
  b.exitZero();
  b.output(y, Type::I64);
  b.complete(start);
  Explained t(b);
  t.cost(x, 3);
  t.cost(y, 5);
  t.explain({7});
  EXPECT_EQ(t.critical.limit, Limit::Chain);
  EXPECT_EQ(t.ring(), (std::vector<size_t>{t.actorOf(x), t.actorOf(y)}));
  EXPECT_EQ(t.critical.around, 3u);
}

/// The firings of every actor.
struct Firings {
  std::vector<std::vector<uint64_t>> times;
  static void onFire(void *data, uint32_t actor, uint64_t cycle) {
    static_cast<Firings *>(data)->times[actor].push_back(cycle);
  }
};

// A place is waited for when the model's deq(e, n - cap(e)) + 1 is the firing
// time; also when the consumer is a token further by then. deq(n) of the
// carry's phase is its firing n + 1, of the demux's its firing n.
TEST(Explain, RoomAsTheModelSays) {
  RegionBuilder b;
  Counter loop = counter(b);
  Ring ring = identityRing(b, loop.phase, start);
  b.exitZero();
  b.complete(ring.exit);
  for (uint32_t capacity : {1u, 2u, 3u}) {
    Explained t(b, capacity);
    for (auto &cost : t.timing.costs)
      cost = {0, 1};
    Firings firings;
    firings.times.resize(t.loaded.region.actors.size);
    std::vector<uint64_t> in = {0, 50, 1};
    t.out.assign(t.loaded.region.outputInfos.size, 0);
    loom::rt::LaunchContext context = {in.data(), t.out.data(), 1000, &t.undo};
    context.listener = {Firings::onFire, &firings};
    ASSERT_EQ(
        runEventQueue(t.loaded.region, t.timing, context, t.result).reason,
        loom::rt::Reason::None);
    const size_t stream = t.actorOf(loop.iv);
    size_t seen = 0;
    for (const loom::rt::WaitEdge &edge : t.waits.edges) {
      if (edge.producer != stream || edge.result != 1 ||
          edge.consumer >= firings.times.size())
        continue;
      ++seen;
      const auto kind = t.loaded.region.actors[edge.consumer].kind;
      const size_t shift = kind == loom::rt::Kind::Carry ? 1 : 0;
      uint64_t expected = 0;
      const std::vector<uint64_t> &fired = firings.times[stream];
      for (size_t n = capacity; n < fired.size(); ++n)
        expected +=
            firings.times[edge.consumer][n - capacity + shift] + 1 == fired[n];
      EXPECT_EQ(edge.room.count, expected) << capacity;
      EXPECT_TRUE(capacity == 3 || shift == 0 || expected > 40);
    }
    EXPECT_EQ(seen, 2u);
  }
}

// The times do not depend on whether causes are written down.
TEST(Explain, ChangesNothing) {
  Sum g(Type::F64);
  Explained with(g.b, 1);
  Timed without(g.b, 1);
  EXPECT_EQ(with.cycles({0, 0, 33, 1}), without.cycles({0, 0, 33, 1}));
  ASSERT_EQ(with.result.actors.size, without.result.actors.size);
  for (size_t a = 0; a < with.result.actors.size; ++a)
    EXPECT_EQ(with.result.actors[a].last, without.result.actors[a].last);
  EXPECT_EQ(without.result.waits, nullptr);
}

} // namespace
