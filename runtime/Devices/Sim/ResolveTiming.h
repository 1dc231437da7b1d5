// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the rows of a target to the costs of the actors of a region.

#ifndef LOOM_RUNTIME_DEVICES_SIM_RESOLVETIMING_H
#define LOOM_RUNTIME_DEVICES_SIM_RESOLVETIMING_H

#include "Devices/Sim/Timing.h"
#include "Image/Target.h"

namespace loom::rt {

constexpr uint32_t noActor = 0xffffffffu;

/// Fills `out` by the most specific row of each actor. False: the region is
/// unmodelled, `missingActor` being the first actor without a row, or noActor
/// when there is no memory. `out` is empty then.
bool resolveTiming(const TargetInfo &target, const LoadedRegion &region,
                   RegionTiming &out, uint32_t &missingActor);

/// Whether the accesses of the region can come to more than the ports or the
/// bandwidth in a cycle. An actor fires once in a cycle at most: if all of them
/// together fit, nobody ever waits, and the limits are as good as none.
bool contends(const LoadedRegion &region, const RegionTiming &timing);

} // namespace loom::rt

#endif
