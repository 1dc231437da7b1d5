// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a timed launch kept busy and what bounds it: by hand on small graphs,
// and on random ones the counts of the timing plane against the event queue's.

#include "Devices/Sim/EventQueue.h"
#include "Devices/Sim/Fast.h"
#include "Devices/Sim/ResolveTiming.h"
#include "Image/Target.h"
#include "runtime_graph_generator.h"
#include "runtime_kernels.h"

using namespace rttest;
using loom::rt::Bound;
using loom::rt::Kind;
using loom::rt::TargetInfo;
using loom::rt::Ty;
using loom::rt::Usage;
using loom::rt::UsageModel;

namespace {

const Value start = RegionBuilder::start;

/// A target that costs every actor of a kind as much: 1 where nothing is said.
struct FlatTarget {
  TargetInfo target;
  FlatTarget() {
    for (unsigned kind = 0; kind <= unsigned(Kind::Compute); ++kind)
      target.rows.push({1, 1, Kind(kind), 0, Ty::None});
  }
  ~FlatTarget() { target.release(); }
  void cost(Kind kind, uint16_t latency, uint16_t interval = 1) {
    target.rows[size_t(kind)].latency = latency;
    target.rows[size_t(kind)].interval = interval;
  }
};

/// A launch as the runtime starts it.
struct Used {
  Outcome outcome;
  Usage usage;
};
Used launch(Machine &machine, const std::vector<uint64_t> &in,
            SimEngine engine = SimEngine::Plan,
            uint64_t budget = uint64_t(1) << 40) {
  OnEngine on(engine);
  std::vector<uint64_t> out(machine.loaded.region.outputInfos.size);
  Used used;
  loom::rt::LaunchContext context = {in.data(), out.data(), budget,
                                     &machine.undo};
  context.usage = &used.usage;
  used.outcome = machine.engine.run(machine.loaded.region, context);
  EXPECT_EQ(used.outcome.reason, Reason::None) << used.outcome.detail;
  machine.undo.clear();
  return used;
}

uint64_t boundOf(const Usage &usage, Bound bound) {
  return usage.bounds[unsigned(bound)];
}

/// for i in 0..n: s += p[i]; p[i] is a load, the sum an addition.
RegionBuilder sumOfLoads() {
  RegionBuilder b;
  Value n = b.input(Type::I64, "n");
  uint32_t p = b.memory({b.slot(Type::Ptr, "p")});
  Value zero = b.constant(start, Type::I64, 0);
  Value eight = b.constant(start, Type::I64, 8);
  Value iv = b.stream(zero, n, eight);
  Value phase = iv + 1;
  Ring e = identityRing(b, phase, start);
  Value next = b.later();
  Value s = b.carry(phase, zero, next, Type::I64);
  Value lanes = b.demux(phase, s, Type::I64);
  Value x = b.load(p, iv, e.body, Type::I64);
  b.bind(next, b.compute(Op::AddI, {lanes + 1, x}, Type::I64));
  b.exitZero();
  b.output(lanes, Type::I64);
  b.complete(e.exit);
  return b;
}

// 50 iterations. The ring of the sum is carry 1, demux 1, addition 5: 7 cycles;
// that of the order carry 1, demux 1: 2. The load fires 50 times, one access
// port of its own; the addition 50 times, an interval of 3. The carries fire
// most, 52 times.
TEST(Usage, ASumByHand) {
  Machine machine(sumOfLoads());
  FlatTarget target;
  target.cost(Kind::Compute, 5, 3);
  machine.loaded.region.target = &target.target;
  std::vector<uint64_t> p(50, 3);
  for (SimEngine engine : {SimEngine::Plan, SimEngine::Interpreter}) {
    Used used =
        launch(machine, {400, reinterpret_cast<uint64_t>(p.data())}, engine);
    ASSERT_TRUE(hasPlan(machine));
    const Usage &usage = used.usage;
    EXPECT_EQ(usage.launches, 1u);
    EXPECT_EQ(usage.cycles, used.outcome.cycles);
    EXPECT_EQ(usage.accesses, 50u);
    EXPECT_EQ(usage.memoryBusy, 50u);
    EXPECT_EQ(usage.memoryRoom, used.outcome.cycles);
    EXPECT_EQ(usage.computeBusy, 150u);
    EXPECT_EQ(usage.computeRoom, used.outcome.cycles);
    EXPECT_EQ(boundOf(usage, Bound::Memory), 50u);
    EXPECT_EQ(boundOf(usage, Bound::Compute), 49u * 3 + 1);
    EXPECT_EQ(boundOf(usage, Bound::Value), 350u);
    EXPECT_EQ(boundOf(usage, Bound::Order), 100u);
    EXPECT_EQ(boundOf(usage, Bound::Control), 52u);
    EXPECT_EQ(usage.bound, 350u);
    EXPECT_STREQ(limitName(usage), "value");
  }
}

// The same with an addition that is quick and takes a token every 12 cycles.
TEST(Usage, AnIntervalLimits) {
  Machine machine(sumOfLoads());
  FlatTarget target;
  target.cost(Kind::Compute, 1, 12);
  machine.loaded.region.target = &target.target;
  std::vector<uint64_t> p(50, 3);
  Usage usage =
      launch(machine, {400, reinterpret_cast<uint64_t>(p.data())}).usage;
  EXPECT_EQ(usage.bound, 49u * 12 + 1);
  EXPECT_STREQ(limitName(usage), "compute");
}

// Three trips: the load's latency of 200 is most of the launch, and it is on no
// ring.
TEST(Usage, LatencyWhereNothingIsFull) {
  Machine machine(sumOfLoads());
  FlatTarget target;
  target.cost(Kind::Load, 200);
  machine.loaded.region.target = &target.target;
  std::vector<uint64_t> p(3, 3);
  Usage usage =
      launch(machine, {24, reinterpret_cast<uint64_t>(p.data())}).usage;
  EXPECT_GT(usage.cycles, 200u);
  EXPECT_EQ(usage.bound, 3u * 3);
  EXPECT_STREQ(limitName(usage), "latency");
  usage.launch = usage.cycles; // the target's share is half
  usage.cycles *= 2;
  EXPECT_STREQ(limitName(usage), "launch");
}

// saxpy has two loads and a store an iteration; through one port they take 3
// cycles. The event queue counts, not the plan.
TEST(Usage, SharedPorts) {
  Machine machine(saxpy());
  FlatTarget target;
  target.target.ports = 1;
  machine.loaded.region.target = &target.target;
  std::vector<uint32_t> x(40, 1), y(40, 2);
  Used used =
      launch(machine, {40, 0x3FC00000, reinterpret_cast<uint64_t>(x.data()),
                       reinterpret_cast<uint64_t>(y.data())});
  EXPECT_EQ(machine.engine.fast, nullptr);
  EXPECT_EQ(used.usage.accesses, 120u);
  EXPECT_EQ(used.usage.memoryBusy, 120u);
  EXPECT_EQ(used.usage.memoryRoom, used.outcome.cycles);
  EXPECT_EQ(boundOf(used.usage, Bound::Memory), 120u);
}

/// The firings that the rows of a model stand for.
uint64_t firingsOf(const loom::rt::Plan &plan,
                   const loom::rt::LoadedRegion &region,
                   const uint64_t *counts) {
  uint64_t sum = 0;
  for (size_t a = 0; a < region.actors.size; ++a) {
    uint32_t phase = plan.phaseOfActor[a];
    Kind kind = region.actors[a].kind;
    sum += counts[phase];
    if (kind == Kind::Carry || kind == Kind::Invariant)
      sum +=
          counts[phase] - counts[plan.loops[plan.phases[phase].key].bodyPhase];
  }
  return sum;
}

/// What a schedule has to respect holds for the one that there is, and both
/// ways of counting see the same.
TEST(Usage, RandomGraphs) {
  constexpr uint64_t budget = 100000;
  uint64_t compared = 0, rings = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    GraphGenerator graph(seed, false);
    Dice dice(seed * 31);
    FlatTarget target;
    for (loom::rt::TimingRow &row : target.target.rows) {
      row.latency = uint16_t(dice.below(6));
      row.interval = uint16_t(1 + dice.below(3));
    }
    Machine machine(graph.b);
    ASSERT_TRUE(machine.loaded.verdict.ok());
    const loom::rt::LoadedRegion &region = machine.loaded.region;
    machine.loaded.region.target = &target.target;
    loom::rt::RegionTiming timing;
    uint32_t missing = 0;
    ASSERT_TRUE(resolveTiming(target.target, region, timing, missing));
    UsageModel byActor;
    ASSERT_TRUE(byActor.byActor(region, timing));
    alignas(64) uint8_t memory[GraphGenerator::memoryBytes];
    for (int round = 0; round < 3; ++round) {
      for (uint8_t &byte : memory)
        byte = dice.once(3) ? uint8_t(dice.below(9)) : uint8_t(dice.next());
      Bytes initial(memory, memory + sizeof(memory));
      std::vector<uint64_t> in =
          graph.inputs(reinterpret_cast<uint64_t>(memory), dice);
      std::vector<uint64_t> out(region.outputInfos.size);
      loom::rt::UndoLog undo;
      loom::rt::EventResult result;
      loom::rt::LaunchContext context = {in.data(), out.data(), budget, &undo};
      Outcome outcome = runEventQueue(region, timing, context, result);
      undo.release();
      memcpy(memory, initial.data(), sizeof(memory));
      if (outcome.reason != Reason::None) {
        result.release();
        continue;
      }
      std::vector<uint64_t> counts;
      uint64_t end = result.cycles;
      for (const loom::rt::ActorTimes &times : result.actors) {
        counts.push_back(times.count);
        end = times.count && times.last > end ? times.last : end;
      }
      Usage expected = byActor.measure(counts.data(), result.cycles);
      for (const loom::rt::UsageRing &ring : byActor.rings)
        ASSERT_LE(ring.iterations.of(counts.data()) * ring.cycles, end);
      rings += byActor.rings.size;
      for (SimEngine engine : {SimEngine::Plan, SimEngine::Interpreter}) {
        if (machine.engine.fast && machine.engine.fast->replay)
          machine.engine.fast->replay->warmUp = 0;
        Used used = launch(machine, in, engine, budget);
        memcpy(memory, initial.data(), sizeof(memory));
        ASSERT_EQ(used.outcome.cycles, result.cycles);
        ASSERT_TRUE(machine.engine.fast && machine.engine.fast->replay);
        loom::rt::Fast &fast = *machine.engine.fast;
        ASSERT_EQ(firingsOf(fast.plan, region, fast.replay->phaseCounts.data),
                  result.firings);
        const Usage &usage = used.usage;
        ASSERT_EQ(usage.accesses, expected.accesses);
        ASSERT_EQ(usage.memoryBusy, expected.memoryBusy);
        ASSERT_EQ(usage.memoryRoom, expected.memoryRoom);
        ASSERT_EQ(usage.computeBusy, expected.computeBusy);
        ASSERT_EQ(usage.computeRoom, expected.computeRoom);
        for (unsigned b = 0; b < loom::rt::boundKinds; ++b) {
          // Actors alone don't tell the iterations of a ring without a demux.
          bool ring =
              b == unsigned(Bound::Value) || b == unsigned(Bound::Order);
          ASSERT_GE(usage.bounds[b], expected.bounds[b]) << b;
          ASSERT_TRUE(ring || usage.bounds[b] == expected.bounds[b]) << b;
        }
        for (const loom::rt::UsageRing &ring : fast.usage.rings)
          ASSERT_LE(ring.iterations.of(fast.replay->phaseCounts.data) *
                        ring.cycles,
                    end);
        ++compared;
      }
      result.release();
    }
    byActor.release();
    timing.costs.release();
  }
  EXPECT_GT(compared, 600u);
  EXPECT_GT(rings, 600u);
}

} // namespace
