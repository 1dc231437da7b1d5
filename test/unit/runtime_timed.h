// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs graphs on the event queue, and pieces of the graphs that its tests are
// made of.

#ifndef LOOM_TEST_UNIT_RUNTIME_TIMED_H
#define LOOM_TEST_UNIT_RUNTIME_TIMED_H

#include "Devices/Sim/EventQueue.h"
#include "runtime_harness.h"
#include "runtime_kernels.h"

namespace rttest {

/// A loaded region with costs: 1 cycle of latency and interval for every actor
/// that gets no other.
struct Timed {
  Loaded loaded;
  loom::rt::RegionTiming timing;
  loom::rt::EventResult result;
  loom::rt::UndoLog undo;
  std::vector<uint64_t> out;

  explicit Timed(const RegionBuilder &builder, uint32_t capacity = 4,
                 uint32_t ports = 0)
      : loaded(builder) {
    EXPECT_STREQ(loom::rt::imageErrorName(loaded.verdict.error), "none")
        << "at " << loaded.verdict.where;
    for (size_t a = 0; a < loaded.region.actors.size; ++a)
      timing.costs.push({1, 1});
    timing.queueCapacity = capacity;
    timing.ports = ports;
  }
  ~Timed() {
    timing.costs.release();
    result.release();
    undo.release();
  }
  Timed(const Timed &) = delete;
  Timed &operator=(const Timed &) = delete;

  size_t actorOf(Value value) const {
    for (size_t a = 0; a < loaded.region.actors.size; ++a) {
      const loom::rt::ActorInfo &info = loaded.region.actors[a];
      if (value >= info.firstResult &&
          value < info.firstResult + info.numResults)
        return a;
    }
    ADD_FAILURE() << "value " << value << " has no actor";
    return 0;
  }
  /// Sets the cost of the actor that makes a value.
  void cost(Value value, unsigned latency, unsigned interval = 1) {
    timing.costs[actorOf(value)] = {uint16_t(latency), uint16_t(interval)};
  }

  loom::rt::Outcome launch(const std::vector<uint64_t> &in,
                           uint64_t budget = uint64_t(1) << 32) {
    out.assign(loaded.region.outputInfos.size, 0xdeadull);
    loom::rt::LaunchContext context = {in.data(), out.data(), budget, &undo};
    loom::rt::Outcome outcome =
        runEventQueue(loaded.region, timing, context, result);
    EXPECT_EQ(outcome.firings, result.firings);
    if (outcome.reason != loom::rt::Reason::None)
      undo.rollBack();
    undo.clear();
    return outcome;
  }

  /// The cycles of a launch that succeeds.
  uint64_t cycles(const std::vector<uint64_t> &in) {
    loom::rt::Outcome outcome = launch(in);
    EXPECT_STREQ(loom::rt::reasonName(outcome.reason), "none")
        << outcome.detail << " at " << outcome.where;
    return result.cycles;
  }
  uint64_t first(Value value) const {
    return result.actors[actorOf(value)].first;
  }
  uint64_t last(Value value) const {
    return result.actors[actorOf(value)].last;
  }
  uint64_t count(Value value) const {
    return result.actors[actorOf(value)].count;
  }
};

/// A counting loop by three inputs, so that nothing is before its first firing.
/// Launch slots: init, limit, step.
struct Counter {
  Value iv;
  Value phase;
};
inline Counter counter(RegionBuilder &b) {
  Value init = b.input(Type::I64);
  Value limit = b.input(Type::I64);
  Value step = b.input(Type::I64);
  Value iv = b.stream(init, limit, step);
  return {iv, iv + 1};
}

/// The false of a phase as an output: one token, one actor after the phase.
inline Value falseOf(RegionBuilder &b, Value phase) {
  Value lanes = b.demux(phase, phase, Type::I1);
  b.output(lanes, Type::I1);
  return lanes;
}

/// Completes when every token of `value`, one per iteration, has arrived. With
/// latency 0 it adds nothing to their arrival when they are at least a cycle
/// apart and the capacity lets the phase run ahead.
struct Collector {
  Value ring, lanes, join;
};
inline Collector collect(RegionBuilder &b, Value phase, Value value) {
  Value next = b.later();
  Value ring = b.carry(phase, RegionBuilder::start, next, ctlType);
  Value lanes = b.demux(phase, ring, ctlType);
  Value join = b.sync({lanes + 1, value});
  b.bind(next, join);
  b.complete(lanes);
  return {ring, lanes, join};
}
inline void free(Timed &timed, const Collector &c) {
  timed.cost(c.ring, 0);
  timed.cost(c.lanes, 0);
  timed.cost(c.join, 0);
}

} // namespace rttest

#endif
