// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing plane against the event queue: the same cycles and, where every
// firing is looked at, the same last firing of every actor. Random structured
// graphs, random costs. LOOM_REPLAY_SEEDS=first:count chooses a larger range.

#include "Devices/Sim/EventQueue.h"
#include "Devices/Sim/Fast.h"
#include "Devices/Sim/ResolveTiming.h"
#include "Image/Target.h"
#include "runtime_graph_generator.h"
#include "runtime_kernels.h"

using namespace rttest;
using loom::rt::Cycle;
using loom::rt::Kind;
using loom::rt::TargetInfo;
using loom::rt::Ty;

namespace {

const Seeds::Range given("LOOM_REPLAY_SEEDS");

/// A target that costs every kind of actor something else.
struct RandomTarget {
  TargetInfo target;
  explicit RandomTarget(Dice &dice) {
    static const unsigned latencies[] = {1, 2, 4, 9, 40};
    unsigned most = latencies[dice.below(5)];
    for (unsigned kind = 0; kind <= unsigned(Kind::Compute); ++kind)
      target.rows.push({uint16_t(dice.below(most + 1)),
                        uint16_t(1 + (dice.once(3) ? dice.below(4) : 0)),
                        Kind(kind), 0, Ty::None});
    target.queueCapacity = 1 + (dice.once(2) ? dice.below(2) : dice.below(9));
  }
  ~RandomTarget() { target.release(); }
};

struct Times {
  uint64_t cycles;
  std::vector<Cycle> last; // by actor; empty: not known
};

/// One launch on the compiled planes.
Times onPlan(Machine &machine, bool memoise, const std::vector<uint64_t> &in,
             uint64_t budget) {
  OnEngine on(memoise ? SimEngine::Plan : SimEngine::Interpreter);
  std::vector<uint64_t> out;
  if (machine.engine.fast && machine.engine.fast->replay)
    machine.engine.fast->replay->warmUp = 0;
  Outcome outcome = machine.run(in, out, budget);
  EXPECT_EQ(outcome.reason, Reason::None) << outcome.detail;
  Times times = {outcome.cycles, {}};
  if (memoise || !machine.engine.fast || !machine.engine.fast->replay)
    return times;
  const loom::rt::Replay &replay = *machine.engine.fast->replay;
  for (uint32_t position : replay.positions)
    times.last.push_back(replay.fired[position]);
  return times;
}

TEST(TimingReplay, RandomGraphs) {
  const Seeds seeds(given, 800);
  constexpr uint64_t budget = 100000;
  uint64_t compared = 0, skipped = 0, hits = 0;
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    SCOPED_TRACE(seed);
    GraphGenerator graph(seed, false);
    Dice dice(seed * 77);
    RandomTarget costs(dice);
    Machine machine(graph.b);
    ASSERT_TRUE(machine.loaded.verdict.ok());
    machine.loaded.region.target = &costs.target;
    loom::rt::RegionTiming timing;
    uint32_t missing = 0;
    ASSERT_TRUE(
        resolveTiming(costs.target, machine.loaded.region, timing, missing));
    alignas(64) uint8_t memory[GraphGenerator::memoryBytes];
    for (int launch = 0; launch < 3; ++launch) {
      for (uint8_t &byte : memory)
        byte = dice.once(3) ? uint8_t(dice.below(9)) : uint8_t(dice.next());
      Bytes initial(memory, memory + sizeof(memory));
      std::vector<uint64_t> in =
          graph.inputs(reinterpret_cast<uint64_t>(memory), dice);
      std::vector<uint64_t> out(machine.loaded.region.outputInfos.size);
      loom::rt::UndoLog undo;
      loom::rt::EventResult result;
      loom::rt::LaunchContext context = {in.data(), out.data(), budget, &undo};
      Outcome outcome =
          runEventQueue(machine.loaded.region, timing, context, result);
      undo.release();
      memcpy(memory, initial.data(), sizeof(memory));
      if (outcome.reason != Reason::None) {
        EXPECT_TRUE(outcome.reason == Reason::Budget ||
                    outcome.reason == Reason::Trap ||
                    outcome.reason == Reason::Internal)
            << loom::rt::reasonName(outcome.reason);
        ++skipped;
        result.release();
        continue;
      }
      Times memoised = onPlan(machine, true, in, budget);
      memcpy(memory, initial.data(), sizeof(memory));
      Times whole = onPlan(machine, false, in, budget);
      ASSERT_EQ(whole.cycles, result.cycles) << "launch " << launch;
      ASSERT_EQ(memoised.cycles, result.cycles) << "launch " << launch;
      ASSERT_EQ(whole.last.size(), result.actors.size);
      for (size_t a = 0; a < whole.last.size(); ++a)
        if (result.actors[a].count)
          ASSERT_EQ(uint64_t(whole.last[a]), result.actors[a].last)
              << "actor " << a << " launch " << launch;
      ++compared;
      result.release();
    }
    if (machine.engine.fast && machine.engine.fast->replay)
      for (const loom::rt::TimedLoop &loop : machine.engine.fast->replay->loops)
        hits += loop.memo.hits;
    timing.costs.release();
  }
  EXPECT_GT(compared, seeds.count);
  EXPECT_GT(hits, seeds.count); // the automaton has been at work
  RecordProperty("compared", int(compared));
  RecordProperty("skipped", int(skipped));
}

/// Long loops: the automaton jumps, and the trace is read in pieces.
TEST(TimingReplay, LongLoops) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    Dice dice(seed);
    RandomTarget costs(dice);
    RegionBuilder b = seed % 2 ? saxpy() : triangle();
    Machine machine(b);
    machine.loaded.region.target = &costs.target;
    uint64_t n = seed % 2 ? 30000 : 170;
    std::vector<uint32_t> x(n, 1), y(n, 2);
    std::vector<uint64_t> in =
        seed % 2 ? std::vector<uint64_t>{n, 0x3FC00000,
                                         reinterpret_cast<uint64_t>(x.data()),
                                         reinterpret_cast<uint64_t>(y.data())}
                 : std::vector<uint64_t>{n, 5};
    loom::rt::RegionTiming timing;
    uint32_t missing = 0;
    ASSERT_TRUE(
        resolveTiming(costs.target, machine.loaded.region, timing, missing));
    std::vector<uint64_t> out(machine.loaded.region.outputInfos.size);
    loom::rt::UndoLog undo;
    loom::rt::EventResult result;
    loom::rt::LaunchContext context = {in.data(), out.data(), uint64_t(1) << 40,
                                       &undo};
    Outcome outcome =
        runEventQueue(machine.loaded.region, timing, context, result);
    ASSERT_EQ(outcome.reason, Reason::None) << outcome.detail;
    EXPECT_EQ(onPlan(machine, true, in, uint64_t(1) << 40).cycles,
              result.cycles);
    EXPECT_EQ(onPlan(machine, true, in, uint64_t(1) << 40).cycles,
              result.cycles);
    EXPECT_EQ(onPlan(machine, false, in, uint64_t(1) << 40).cycles,
              result.cycles);
    undo.release();
    result.release();
    timing.costs.release();
  }
}

/// for i in 0..n: for j in 0..m: for k in 0..2, empty loops in each other. An
/// iteration of the outer one has a word for each j and its end, and two for
/// the trips of k.
RegionBuilder cube() {
  RegionBuilder b;
  Value start = RegionBuilder::start;
  Value n = b.input(Type::I64), m = b.input(Type::I64);
  Value here = start, limit = n;
  std::vector<Value> phases, nexts, exits;
  for (int level = 0; level < 3; ++level) {
    Value zero = b.constant(here, Type::I64, 0);
    Value one = b.constant(here, Type::I64, 1);
    if (level == 1)
      limit = capture(b, phases[0], m, Type::I64);
    if (level == 2)
      limit = b.constant(here, Type::I64, 2);
    Value phase = b.stream(zero, limit, one) + 1;
    Value next = b.later();
    Value lanes = b.demux(phase, b.carry(phase, here, next, ctlType), ctlType);
    phases.push_back(phase);
    nexts.push_back(next);
    exits.push_back(lanes);
    here = lanes + 1;
  }
  b.bind(nexts[2], here);
  b.bind(nexts[1], exits[2]);
  b.bind(nexts[0], exits[1]);
  b.exitZero();
  b.complete(exits[0]);
  return b;
}

/// 181 words of a middle loop: the outer loop's automaton takes them.
TEST(TimingReplay, LongIterations) {
  RegionBuilder b = cube();
  Machine machine(b);
  std::vector<uint64_t> in = {400, 60};
  std::vector<uint64_t> out(machine.loaded.region.outputInfos.size);
  loom::rt::RegionTiming timing;
  uint32_t missing = 0;
  ASSERT_TRUE(resolveTiming(loom::rt::defaultTarget(), machine.loaded.region,
                            timing, missing));
  loom::rt::UndoLog undo;
  loom::rt::EventResult result;
  loom::rt::LaunchContext context = {in.data(), out.data(), uint64_t(1) << 40,
                                     &undo};
  ASSERT_EQ(
      runEventQueue(machine.loaded.region, timing, context, result).reason,
      Reason::None);
  EXPECT_EQ(onPlan(machine, true, in, uint64_t(1) << 40).cycles, result.cycles);
  ASSERT_TRUE(machine.engine.fast && machine.engine.fast->replay);
  uint64_t most = 0;
  for (const loom::rt::TimedLoop &loop : machine.engine.fast->replay->loops)
    if (loop.lastActor - loop.firstActor > most) {
      most = loop.lastActor - loop.firstActor;
      // All but those that it warms up and learns with.
      EXPECT_GT(loop.memo.hits, 300u);
    }
  undo.release();
  result.release();
  timing.costs.release();
}

/// No iteration of the outer loop is like one before, so its automaton is given
/// up. Tried again after a while it finds the iterations of the launch before.
TEST(TimingReplay, ATableIsTriedAgain) {
  Machine machine(triangle());
  const std::vector<uint64_t> in = {560, 5};
  std::vector<uint64_t> out(machine.loaded.region.outputInfos.size);
  loom::rt::RegionTiming timing;
  uint32_t missing = 0;
  ASSERT_TRUE(resolveTiming(loom::rt::defaultTarget(), machine.loaded.region,
                            timing, missing));
  loom::rt::UndoLog undo;
  loom::rt::EventResult result;
  loom::rt::LaunchContext context = {in.data(), out.data(), uint64_t(1) << 40,
                                     &undo};
  ASSERT_EQ(
      runEventQueue(machine.loaded.region, timing, context, result).reason,
      Reason::None);
  uint64_t givenUp = 0, again = 0, replayed = 0;
  for (int launch = 0; launch < 40; ++launch) {
    ASSERT_EQ(onPlan(machine, true, in, uint64_t(1) << 40).cycles,
              result.cycles)
        << "launch " << launch;
    ASSERT_TRUE(machine.engine.fast && machine.engine.fast->replay);
    const loom::rt::Replay &replay = *machine.engine.fast->replay;
    const loom::rt::Memo &outer = replay.loops[0].memo;
    givenUp += outer.off;
    again += !outer.off && outer.patience > loom::rt::Memo::firstPatience;
    if (launch == 38)
      replayed = replay.replayed;
    else if (launch == 39) // a launch from the table replays next to nothing
      EXPECT_LT(replay.replayed - replayed, 400u);
  }
  EXPECT_GT(givenUp, 5u);
  EXPECT_GT(again, 5u);
  undo.release();
  result.release();
  timing.costs.release();
}

} // namespace
