// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiled planes of one region: what runs a launch when the graph has a
// plan.

#ifndef LOOM_RUNTIME_DEVICES_SIM_FAST_H
#define LOOM_RUNTIME_DEVICES_SIM_FAST_H

#include "Devices/Sim/Jit.h"
#include "Devices/Sim/Plan.h"
#include "Devices/Sim/Program.h"
#include "Devices/Sim/Replay.h"
#include "Devices/Sim/UsageModel.h"

namespace loom::rt {

struct Fast {
  Plan plan;
  Program program;
  Machine machine; // empty: interpreted
  // The timing plane; null when the target lacks a cost, or nobody asks.
  Replay *replay = nullptr;
  Vec<uint32_t> trace;
  UsageModel usage; // with `replay`

  /// Null when the graph has no plan.
  static Fast *make(const LoadedRegion &region, bool timed);
  static void destroy(Fast *fast);
  Outcome run(const LoadedRegion &region, const LaunchContext &context);
};

} // namespace loom::rt

#endif
