// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets that copy memory for a launch: which lines move, what that costs,
// and that every engine with a clock says the same.

#include "Devices/Sim/EventQueue.h"
#include "Devices/Sim/Fast.h"
#include "Devices/Sim/ResolveTiming.h"
#include "Devices/Sim/Transfers.h"
#include "runtime_graph_generator.h"
#include "runtime_kernels.h"
#include "runtime_planes.h"

using namespace rttest;
using loom::rt::Kind;
using loom::rt::TargetInfo;
using loom::rt::TouchedLines;
using loom::rt::Transfers;
using loom::rt::Usage;

namespace {

struct Lines : TouchedLines {
  ~Lines() { release(); }
  /// Lines in, lines out, lines.
  std::vector<uint64_t> all() const { return {readIn(), writtenOut(), size()}; }
};
using Counts = std::vector<uint64_t>;

TEST(Transfers, ALineIsReadBeforeItIsWritten) {
  Lines lines;
  lines.store(0x1000, 8);
  lines.load(0x1000, 8); // stored before
  EXPECT_EQ(lines.all(), (Counts{0, 1, 1}));
  lines.load(0x1004, 8); // half of it was not
  EXPECT_EQ(lines.all(), (Counts{1, 1, 1}));
  lines.load(0x1020, 4); // the line is there already
  EXPECT_EQ(lines.all(), (Counts{1, 1, 1}));
  lines.load(0x1040, 1);
  lines.store(0x1041, 1);
  EXPECT_EQ(lines.all(), (Counts{2, 2, 2}));
  lines.store(0x1080, 1);
  EXPECT_EQ(lines.all(), (Counts{2, 3, 3}));
}

TEST(Transfers, AnAccessOfTwoLines) {
  Lines lines;
  lines.load(0x103c, 8);
  EXPECT_EQ(lines.all(), (Counts{2, 0, 2}));
  lines.store(0x107f, 2); // its second byte is in a third line
  EXPECT_EQ(lines.all(), (Counts{2, 2, 3}));
  lines.load(0x1080, 1);
  EXPECT_EQ(lines.all(), (Counts{2, 2, 3}));
  lines.load(0x1081, 1);
  EXPECT_EQ(lines.all(), (Counts{3, 2, 3}));
}

TEST(Transfers, ManyLinesAndTheirEnd) {
  Lines lines;
  for (uint64_t i = 0; i < 5000; ++i) {
    lines.load(i * 192, 8);
    lines.store(i * 192 + 64, 8);
  }
  EXPECT_EQ(lines.all(), (Counts{5000, 5000, 10000}));
  lines.clear();
  EXPECT_EQ(lines.all(), (Counts{0, 0, 0}));
  lines.limitLines = 3;
  for (uint64_t i = 0; i < 3; ++i)
    lines.load(i * 64, 8);
  EXPECT_FALSE(lines.full());
  lines.load(64, 8);
  EXPECT_FALSE(lines.full());
  lines.load(3 * 64, 8);
  EXPECT_TRUE(lines.full());
  lines.clear();
  EXPECT_FALSE(lines.full());
}

/// Every actor costs 1; a line 3 cycles.
struct Copying {
  TargetInfo target;
  Copying() {
    for (unsigned kind = 0; kind <= unsigned(Kind::Compute); ++kind)
      target.rows.push({1, 1, Kind(kind), 0, loom::rt::Ty::None});
    target.transferCycles = 3;
  }
  ~Copying() { target.release(); }
};

// Ten lines at 3 cycles each are 30. 640 bytes at 16 a cycle are 40, at 51
// 12.5 and so 13, at 21 30.5.
TEST(Transfers, CyclesOfLines) {
  Copying copying;
  auto cycles = [&](uint32_t bytes, uint64_t lines) {
    copying.target.memoryBytes = bytes;
    return transferCycles(copying.target, lines);
  };
  EXPECT_EQ(cycles(0, 10), 30u);
  EXPECT_EQ(cycles(51, 10), 30u);
  EXPECT_EQ(cycles(21, 10), 31u);
  EXPECT_EQ(cycles(16, 10), 40u);
  EXPECT_EQ(cycles(16, 0), 0u);
  copying.target.transferCycles = 1;
  EXPECT_EQ(cycles(51, 10), 13u);
  copying.target.transferCycles = 0xffffffffu;
  EXPECT_EQ(cycles(0, uint64_t(1) << 31), (uint64_t(1) << 31) * 0xffffffffu);
}

/// saxpy of 40: 160 bytes of x, the same of y, at the begin of a line each.
struct Saxpy {
  alignas(64) uint32_t x[64] = {};
  alignas(64) uint32_t y[64] = {};
  std::vector<uint64_t> in() const {
    return {40, 0x3FC00000, reinterpret_cast<uint64_t>(x),
            reinterpret_cast<uint64_t>(y)};
  }
};

Outcome launch(Machine &machine, const std::vector<uint64_t> &in,
               SimEngine engine, Usage *usage = nullptr) {
  OnEngine on(engine);
  std::vector<uint64_t> out(machine.loaded.region.outputInfos.size);
  loom::rt::LaunchContext context = {in.data(), out.data(), uint64_t(1) << 40,
                                     &machine.undo};
  context.usage = usage;
  Outcome outcome = machine.engine.run(machine.loaded.region, context);
  machine.undo.clear();
  return outcome;
}

// Three lines of x and three of y come in; those of y are written: 9 lines of
// 3 cycles, 6 of them at once in local memory.
TEST(Transfers, ALaunch) {
  Copying copying;
  Saxpy data;
  Machine copied(saxpy()), direct(saxpy());
  copied.loaded.region.target = &copying.target;
  TargetInfo other = copying.target;
  other.transferCycles = 0;
  direct.loaded.region.target = &other;
  for (SimEngine engine : {SimEngine::Plan, SimEngine::Interpreter}) {
    Outcome outcome = launch(copied, data.in(), engine);
    ASSERT_EQ(outcome.reason, Reason::None);
    EXPECT_TRUE(outcome.transfers.measured);
    EXPECT_EQ(outcome.transfers.linesIn, 6u);
    EXPECT_EQ(outcome.transfers.linesOut, 3u);
    EXPECT_EQ(outcome.transfers.lines, 6u);
    EXPECT_EQ(outcome.transfers.cycles, 27u);
    EXPECT_FALSE(outcome.transfers.exceeds);
    Outcome without = launch(direct, data.in(), engine);
    EXPECT_EQ(outcome.cycles, without.cycles); // of the graph
    EXPECT_FALSE(without.transfers.measured);
    EXPECT_EQ(without.transfers.cycles, 0u);
  }
}

// Six lines are 384 bytes.
TEST(Transfers, TheLocalMemoryMayBeTooSmall) {
  Copying copying;
  Saxpy data;
  Machine machine(saxpy());
  machine.loaded.region.target = &copying.target;
  for (auto [capacity, exceeds] :
       {std::pair<uint64_t, bool>{0, false}, {384, false}, {383, true}}) {
    copying.target.localCapacity = capacity;
    EXPECT_EQ(launch(machine, data.in(), SimEngine::Plan).transfers.exceeds,
              exceeds);
  }
}

// The accesses reach local memory: the ports and bytes of the system's memory
// are those of the copies.
TEST(Transfers, AccessesReachLocalMemory) {
  Copying copying;
  Loaded loaded(saxpy());
  copying.target.ports = 1;
  copying.target.memoryBytes = 2;
  copying.target.localPorts = 7;
  copying.target.localBytes = 70;
  loom::rt::RegionTiming timing;
  uint32_t missing = 0;
  ASSERT_TRUE(resolveTiming(copying.target, loaded.region, timing, missing));
  EXPECT_EQ(timing.ports, 7u);
  EXPECT_EQ(timing.bandwidth, 70u);
  copying.target.transferCycles = 0;
  ASSERT_TRUE(resolveTiming(copying.target, loaded.region, timing, missing));
  EXPECT_EQ(timing.ports, 1u);
  EXPECT_EQ(timing.bandwidth, 2u);
  timing.costs.release();
}

// More lines than can be kept: no cycles, and no usage.
TEST(Transfers, TooManyLinesAreUntimed) {
  Copying copying;
  Saxpy data;
  Machine machine(saxpy());
  machine.loaded.region.target = &copying.target;
  machine.engine.touched.limitLines = 5;
  Usage usage;
  Outcome outcome = launch(machine, data.in(), SimEngine::Plan, &usage);
  EXPECT_EQ(outcome.reason, Reason::None);
  EXPECT_EQ(outcome.cycles, loom::rt::noCycles);
  EXPECT_FALSE(outcome.transfers.measured);
  EXPECT_EQ(usage.launches, 0u);
}

/// The lines of a launch on the event queue and on the plan, of graphs that
/// load and store at random.
TEST(Transfers, TheEnginesAgree) {
  uint64_t compared = 0, in = 0, out = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    GraphGenerator graph(seed, false);
    Dice dice(seed * 13);
    Copying copying;
    Machine machine(graph.b);
    ASSERT_TRUE(machine.loaded.verdict.ok());
    const loom::rt::LoadedRegion &region = machine.loaded.region;
    machine.loaded.region.target = &copying.target;
    loom::rt::RegionTiming timing;
    uint32_t missing = 0;
    ASSERT_TRUE(resolveTiming(copying.target, region, timing, missing));
    alignas(64) uint8_t memory[GraphGenerator::memoryBytes];
    for (int round = 0; round < 3; ++round) {
      for (uint8_t &byte : memory)
        byte = dice.once(3) ? uint8_t(dice.below(9)) : uint8_t(dice.next());
      Bytes initial(memory, memory + sizeof(memory));
      std::vector<uint64_t> slots =
          graph.inputs(reinterpret_cast<uint64_t>(memory), dice);
      std::vector<uint64_t> outputs(region.outputInfos.size);
      loom::rt::UndoLog undo;
      loom::rt::EventResult result;
      Lines lines;
      loom::rt::LaunchContext context = {slots.data(), outputs.data(), 100000,
                                         &undo};
      context.touched = &lines;
      Outcome outcome = runEventQueue(region, timing, context, result);
      result.release();
      undo.release();
      memcpy(memory, initial.data(), sizeof(memory));
      if (outcome.reason != Reason::None)
        continue;
      for (SimEngine engine : {SimEngine::Plan, SimEngine::Interpreter}) {
        Transfers found = launch(machine, slots, engine).transfers;
        memcpy(memory, initial.data(), sizeof(memory));
        ASSERT_TRUE(found.measured);
        ASSERT_EQ((Counts{found.linesIn, found.linesOut, found.lines}),
                  lines.all());
      }
      ++compared;
      in += lines.readIn();
      out += lines.writtenOut();
    }
    timing.costs.release();
  }
  EXPECT_GT(compared, 300u);
  EXPECT_GT(in, 300u);
  EXPECT_GT(out, 300u);
}

} // namespace
