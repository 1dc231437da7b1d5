// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Devices/Sim/ResolveTiming.h"
#include "Devices/Sim/Transfers.h"

namespace loom::rt {

bool resolveTiming(const TargetInfo &target, const LoadedRegion &region,
                   RegionTiming &out, uint32_t &missingActor) {
  out.queueCapacity = target.queueCapacity;
  // The memory that the accesses of the graph reach.
  bool local = movesMemory(target);
  out.ports = local ? target.localPorts : target.ports;
  out.bandwidth = local ? target.localBytes : target.memoryBytes;
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

bool contends(const LoadedRegion &region, const RegionTiming &timing) {
  uint64_t accesses = 0, bytes = 0;
  for (const ActorInfo &actor : region.actors) {
    if (actor.kind != Kind::Load && actor.kind != Kind::Store)
      continue;
    ++accesses;
    bytes += typeBytes(actor.type);
  }
  return (timing.ports && accesses > timing.ports) ||
         (timing.bandwidth && bytes > timing.bandwidth);
}

} // namespace loom::rt
