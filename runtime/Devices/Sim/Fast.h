// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiled planes of one region: what runs a launch when the graph has a
// plan.

#ifndef LOOM_RUNTIME_DEVICES_SIM_FAST_H
#define LOOM_RUNTIME_DEVICES_SIM_FAST_H

#include "Devices/Sim/Jit.h"
#include "Devices/Sim/Plan.h"
#include "Devices/Sim/Program.h"

namespace loom::rt {

struct Fast {
  Plan plan;
  Program program;
  Machine machine; // empty: interpreted

  /// Null when the graph has no plan.
  static Fast *make(const LoadedRegion &region);
  static void destroy(Fast *fast);
  Outcome run(const LoadedRegion &region, const LaunchContext &context);
};

} // namespace loom::rt

#endif
