// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing plane: the firings of a plan in its order, each at the time that
// the model (Timing.h) gives it. Times don't depend on values, only on the
// control trace that the value plane wrote. With private ports the network is
// (max,+) determinate: the order in which firings are looked at has no
// influence on when they happen, so one legal order gives the exact times.
//
// Iterations repeat. When a loop begins an iteration, the part of the state
// that the loop touches is taken relative to the earliest time at which
// anything in it can fire, with what can no longer matter made equal; equal
// states and equal control words give equal next states (Memo.h). A loop that
// has been in a state before takes the whole iteration from the table.

#ifndef LOOM_RUNTIME_DEVICES_SIM_REPLAY_H
#define LOOM_RUNTIME_DEVICES_SIM_REPLAY_H

#include "Devices/Sim/Memo.h"
#include "Devices/Sim/Plan.h"
#include "Devices/Sim/Timing.h"

namespace loom::rt {

using Cycle = int64_t;
constexpr Cycle never = INT64_MIN / 4;

/// One step of the timing plane.
struct TimedStep {
  enum Kind : uint8_t {
    Fire,     // firing `a`
    FireLane, // firing `a` + the lane of selection `b`
    Lane,     // reads the lane of selection `b`; `a`: phase of its lane 0
    Jump,     // to `target`
    JumpLane, // laneTargets[a + the lane of selection `b`]
    Enter,    // loop `b` is entered; `a`, `target`: phases of head and body
    Boundary, // loop `b` begins an iteration
    Go,       // reads whether loop `b` goes on; phases as with Enter
    Stream,   // firing `a` + 2 * (not the first) + (goes on)
    Test,     // loop `b` ends: to `target`
    Again,    // loop `b` has finished an iteration: to `target`
    Leave,    // loop `b` is left
    End
  };
  Kind kind;
  uint32_t a, b, target;
};

/// What one kind of firing of an actor consumes and makes.
struct Firing {
  uint32_t actor;   // position
  uint32_t firstIn; // in Replay::ins
  uint32_t ins;
  uint32_t firstOut; // in Replay::outs: edges
  uint32_t outs;
  uint32_t firstMade; // in Replay::made: values
  uint32_t mades;
};

struct TimedUse {
  uint32_t value;
  uint32_t edge; // `nothing`: it has no capacity
};

/// How early the next iteration of a loop can fire an actor: not before its
/// operands can be there. Operands of a mux: the selector, then the lanes.
struct BoundStep {
  uint32_t actor;   // position
  uint32_t firstIn; // in Replay::boundValues
  uint16_t ins;
  uint16_t mades;
  bool mux;
};

struct Edge {
  uint32_t producer; // position
  uint32_t ringOf;   // loop whose carry or invariant that is; `nothing`
  uint32_t history;  // first slot
  uint32_t capacity;
  uint32_t next; // the slot of the next push, which is that of the next pop
};

struct TimedLoop {
  uint32_t firstActor, lastActor; // positions, with those of inner loops
  uint32_t firstEdge, lastEdge;
  uint32_t firstRing, rings;      // in Replay::ringValues
  uint32_t stream;                // position, `nothing`
  uint32_t firstStep, lastStep;   // from Boundary to Leave
  uint32_t firstBound, lastBound; // in Replay::bounds
  bool plain;
  // While it runs.
  bool first, go;
  uint64_t remaining;
  bool skipping;  // the state is `state` at `base`, not what the arrays say
  uint32_t state; // of the table; `nothing`
  Cycle base;
  uint64_t recordFrom; // word at which the recorded iteration begins
  bool recording;
  Memo memo;
};

struct Replay {
  Vec<TimedStep> steps;
  Vec<uint32_t> laneTargets;
  Vec<Firing> firings;
  Vec<TimedUse> ins;
  Vec<uint32_t> outs;
  Vec<uint32_t> made;
  Vec<uint32_t> positions;         // by actor
  Vec<uint32_t> actorAt;           // by position
  Vec<Cycle> fired;                // by position: the last firing
  Vec<uint16_t> latency, interval; // by position
  Vec<Cycle> arrival;              // by value
  Vec<Edge> edges;
  Vec<Cycle> history;
  Vec<uint32_t> lanes; // by selection
  Vec<uint32_t> laneCounts;
  Vec<TimedLoop> loops;
  Vec<uint32_t> ringValues;
  Vec<uint32_t> sinks; // values
  Vec<BoundStep> bounds;
  Vec<uint32_t> boundValues; // operands, then results
  Vec<Cycle> boundOf;        // by value
  Vec<Cycle> ready, soonest; // by position: operands, next firing
  Vec<uint64_t> phaseCounts; // by phase: how often it came
  bool memoise = true;
  bool counting = false; // somebody wants `phaseCounts`
  /// A loop looks its states up after this many iterations: most loops of a
  /// program are short, and a table costs more than it gives then.
  uint64_t warmUp = 24;
  uint64_t replayed = 0; // firings looked at one by one
  // A launch.
  uint32_t at = 0;
  uint64_t wordsBefore = 0; // words of the launch that are gone
  bool failed = false;

  /// False when memory runs out.
  bool build(const LoadedRegion &region, const Plan &plan,
             const RegionTiming &timing);
  void release();

  void begin();
  /// Reads words of the trace; returns how many it is done with. What is left
  /// must come first the next time.
  size_t read(const uint32_t *words, size_t count);
  /// After the last word: the cycles of the launch, or a negative number when
  /// the trace did not fit.
  Cycle finish() const;
  /// After a launch that was counted: how often each phase of the plan came.
  const uint64_t *counts();

private:
  // ReplayCounts.cpp
  void countTaken(TimedLoop &loop);
  void countWord(uint32_t site, uint32_t word, uint64_t times);
  void takeBack(Memo &memo, uint32_t node, const uint32_t *words, size_t count);
  void sitesOf(const TimedLoop &loop, const uint32_t *words, size_t count,
               uint32_t *sites);

  void fire(const Firing &firing);
  bool skip(TimedLoop &loop, const uint32_t *words, size_t count,
            size_t &cursor, bool &starved);
  Cycle earliest(const TimedLoop &loop) const;
  void bound(const TimedLoop &loop, Cycle base);
  bool normalise(TimedLoop &loop, Cycle base);
  void materialise(TimedLoop &loop);
  void record(TimedLoop &loop, const uint32_t *words, size_t cursor, bool left);
};

} // namespace loom::rt

#endif
