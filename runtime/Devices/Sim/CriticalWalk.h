// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inside of findCritical.

#ifndef LOOM_RUNTIME_DEVICES_SIM_CRITICALWALK_H
#define LOOM_RUNTIME_DEVICES_SIM_CRITICALWALK_H

#include "Devices/Sim/Critical.h"

namespace loom::rt {

class CriticalWalk {
public:
  CriticalWalk(const LoadedRegion &region, const RegionTiming &timing,
               const EventResult &result, Critical &critical)
      : region(region), timing(timing), result(result), critical(critical) {}

  bool run();

private:
  const LoadedRegion &region;
  const RegionTiming &timing;
  const EventResult &result;
  Critical &critical;
  Vec<CriticalStep> causes;  // all that occurred
  Vec<CriticalStep> longest; // by actor

  // Critical.cpp
  bool findCauses();
  bool follow(Vec<uint32_t> &place);
  void arrange(bool ring);
  void measure(bool ring);
  Limit limitOf() const;

  // CriticalQueue.cpp
  struct Search;
  bool lookBehindQueue();
  bool findRing(Search &search);
};

} // namespace loom::rt

#endif
