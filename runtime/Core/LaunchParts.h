// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ways to launch a region have in common.

#ifndef LOOM_RUNTIME_CORE_LAUNCHPARTS_H
#define LOOM_RUNTIME_CORE_LAUNCHPARTS_H

#include "Core/Regions.h"
#include "Verify/Verify.h"

namespace loom::rt {

/// Counts a fallback, tells whoever asked, and ends a mandatory program. `ran`
/// is the graph that the outcome is about.
int32_t fallBack(loom_rt_region *region, RegionState &state,
                 const LoadedRegion &ran, const Outcome &outcome);

/// What a launch costs on the device: the graph's cycles, those of the memory
/// that is moved, and the target's launch.
uint64_t launchCycles(const RegionState &state, const Outcome &outcome);

/// The same of what a launch used, into the counters.
void countUsage(const RegionState &state, const Outcome &outcome,
                Counters &counters, Usage &usage);

/// LOOM_INFO=launch. `guard` and `usage` may be null; `said`: by the model.
void sayLaunch(const RegionState &state, const char *device, uint64_t firings,
               uint64_t cycles, const char *guard, const Usage *usage,
               uint64_t said = noCycles);

/// Sets the pending state up for this launch; null: no memory.
Pending *openPending(loom_rt_region *region, RegionState &state,
                     const uint64_t *in);

/// From now on the guard asks whether to check; before LOOM_RT_CHECK.
void announceCheck(loom_rt_region *region);

/// LOOM_DEVICE=auto and model: the host runs the launch; its cycles are what
/// the model knows. The first launches of a region come this way.
int32_t launchModelled(loom_rt_region *region, RegionState &state,
                       const uint64_t *in);

/// The same of a launch that was counted: the one of this number in its class.
int32_t launchCounted(loom_rt_region *region, RegionState &state,
                      const uint64_t *in, RegionModel &model, LaunchClass *of,
                      uint64_t number);

} // namespace loom::rt

#endif
