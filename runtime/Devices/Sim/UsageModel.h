// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From how often things fired to what they kept busy. Made once for a region;
// a launch costs a few operations for each row.

#ifndef LOOM_RUNTIME_DEVICES_SIM_USAGEMODEL_H
#define LOOM_RUNTIME_DEVICES_SIM_USAGEMODEL_H

#include "Devices/Sim/Plan.h"
#include "Devices/Sim/Timing.h"
#include "Devices/Usage.h"

namespace loom::rt {

/// A number of firings: that of a counter, or, with `minus`, twice that less
/// another.
struct Tally {
  uint32_t counter;
  uint32_t minus; // `nothing`: just the counter
  uint64_t of(const uint64_t *counters) const {
    return minus == nothing ? counters[counter]
                            : 2 * counters[counter] - counters[minus];
  }
};

/// Actors that fire equally often.
struct UsageRow {
  Tally tally;
  uint32_t most[3];  // greatest interval: memory, compute, control
  uint32_t sum[2];   // of the intervals: memory, compute
  uint32_t accesses; // actors among them
  uint64_t bytes;    // of the accesses, and
  uint64_t own;      // the cycles that some have for themselves
};

/// A ring that comes back to its head after `cycles` or more, once an
/// iteration.
struct UsageRing {
  Tally iterations;
  uint32_t cycles;
  bool data;
};

struct UsageModel {
  Vec<UsageRow> rows;
  Vec<UsageRing> rings;
  uint32_t memoryActors = 0, computeActors = 0;
  uint32_t ports = 0;
  uint64_t bandwidth = 0, longest = 0; // as in MemoryLoad

  /// Counters are phases of the plan. False: no memory.
  bool byPhase(const LoadedRegion &region, const Plan &plan,
               const RegionTiming &timing);
  /// Counters are actors.
  bool byActor(const LoadedRegion &region, const RegionTiming &timing);
  void release();

  Usage measure(const uint64_t *counters, uint64_t cycles) const;
};

/// Of every actor that is a carry: the fewest cycles between two of its firings
/// in an activation, by the ring through it that is closed once an iteration;
/// 0 where there is none, or the graph is too large. By actor.
bool findRings(const LoadedRegion &region, const RegionTiming &timing,
               Vec<uint32_t> &cycles);

} // namespace loom::rt

#endif
