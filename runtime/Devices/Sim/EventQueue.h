// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The event queue: one launch in real time, cycle by cycle, from the actors of
// a region as they are. Slow, and right by construction: an actor fires in the
// first cycle in which its tokens are there, its queues have room and a port is
// free, so nothing computes when that will be. It is the arbiter where ports
// are shared and what the other timed engines are compared with.

#ifndef LOOM_RUNTIME_DEVICES_SIM_EVENTQUEUE_H
#define LOOM_RUNTIME_DEVICES_SIM_EVENTQUEUE_H

#include "Devices/Device.h"
#include "Devices/Sim/Timing.h"
#include "Devices/Sim/Waits.h"

namespace loom::rt {

/// When one actor fired. `first` and `last` mean nothing when `count` is 0.
struct ActorTimes {
  uint64_t first;
  uint64_t last;
  uint64_t count;
};

struct EventResult {
  uint64_t cycles = 0;
  uint64_t firings = 0;
  Vec<ActorTimes> actors;   // by actor number
  WaitLog *waits = nullptr; // the caller's; filled when it is given

  void release() { actors.release(); }
};

/// Runs one launch under the model of Timing.h. As with a device, outputs are
/// written on success only, memory only after it was noted in the undo log, and
/// the caller rolls back. On an error `result` has what happened before it.
///
/// A wait that nothing can end is Reason::Deadlock, whatever closes it: a token
/// that nobody makes or a queue that is too small. The budget is exact: the
/// firing after the last one allowed is Reason::Budget.
Outcome runEventQueue(const LoadedRegion &region, const RegionTiming &timing,
                      const LaunchContext &context, EventResult &result);

} // namespace loom::rt

#endif
