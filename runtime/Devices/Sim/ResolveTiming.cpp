// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Devices/Sim/ResolveTiming.h"

namespace loom::rt {

bool resolveTiming(const TargetInfo &target, const LoadedRegion &region,
                   RegionTiming &out, uint32_t &missingActor) {
  out.queueCapacity = target.queueCapacity;
  out.ports = target.ports;
  missingActor = noActor;
  if (!out.costs.assignZero(region.actors.size))
    return false;
  for (size_t i = 0; i < region.actors.size; ++i) {
    const TimingRow *row = timingRowOf(target, region.actors[i]);
    if (!row) {
      missingActor = uint32_t(i);
      out.costs.clear();
      return false;
    }
    out.costs[i] = {row->latency, row->interval};
  }
  return true;
}

} // namespace loom::rt
