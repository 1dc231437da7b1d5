// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime keeps for each region that was reached: the decoded region,
// idle engines, counters.

#ifndef LOOM_RUNTIME_CORE_REGIONS_H
#define LOOM_RUNTIME_CORE_REGIONS_H

#include "Core/Error.h"
#include "Core/Options.h"
#include "Devices/Device.h"
#include "Devices/Model/Model.h"
#include "Guard/Guard.h"
#include "Image/Reader.h"
#include "loom/Runtime/loom_rt.h"

namespace loom::rt {

/// An engine with its undo log; used by one launch at a time.
struct Bench {
  Bench *next;
  const LoadedRegion *region; // the graph that the engine runs
  Engine *engine;
  UndoLog undo;
  ReadLog reads; // of a launch that is captured
};

/// Updated with relaxed atomics.
struct Counters {
  uint64_t launches; // completed on the device
  uint64_t firings;  // those of launches that were rolled back included
  uint64_t cycles;   // of the launches that were timed
  uint64_t untimed;  // launches that were not
  uint64_t sampled;  // launches of a modelled device that were simulated
  uint64_t fallbacks[unsigned(Reason::Count)];
  uint64_t mismatches;
  uint64_t exceeded; // timed launches that don't fit the local memory
  uint64_t guards[unsigned(GuardVerdict::Count)];
  Usage usage; // of the timed simulations
};

struct RegionState {
  RegionState *next;
  LoadedRegion region; // empty when the image is bad; knows its target
  ImageVerdict verdict;
  uint32_t index;
  uint64_t captureLaunches; // counted for LOOM_CAPTURE
  uint32_t captureSaid;
  uint32_t mismatchSaid;
  RegionModel *model; // made when it is first wanted
  Bench *idle[2];     // under the lock; of `region` and of `region.apart`
  Counters counters[deviceKinds];

  bool usable() const { return verdict.ok(); }
  const char *name() const { return region.name ? region.name : "?"; }
  Counters &of(DeviceKind kind) { return counters[unsigned(kind)]; }
  /// Everything was told: what comes is counted from zero.
  void forget() {
    for (Counters &each : counters)
      each = Counters();
    if (model)
      model->forget();
  }
};

inline void count(uint64_t &counter, uint64_t amount = 1) {
  __atomic_fetch_add(&counter, amount, __ATOMIC_RELAXED);
}
inline uint64_t counted(const uint64_t &counter) {
  return __atomic_load_n(&counter, __ATOMIC_RELAXED);
}

/// The state of a region, made at the first call. Null: no memory.
RegionState *stateOf(loom_rt_region *region);

/// The model of a region; null: no memory.
RegionModel *modelOf(RegionState &state);

/// All states, in the order of their first launch reversed.
RegionState *allStates();

/// A bench for `state.region` or, `apart`, for the guarded graph.
Bench *takeBench(RegionState &state, bool apart);
void giveBench(RegionState &state, Bench *bench);

/// The one lock of the runtime, for everything that is rare.
void lockRuntime();
void unlockRuntime();

/// Budget of the process.
uint64_t budgetLeft();
void spendBudget(uint64_t firings);

} // namespace loom::rt

#endif
