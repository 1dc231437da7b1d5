// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands that run a capture in simulated time share.

#ifndef LOOM_DRIVER_TOOL_SIMOPTIONS_H
#define LOOM_DRIVER_TOOL_SIMOPTIONS_H

#include "CaptureFile.h"
#include "Commands.h"

namespace loom::tool {

/// A figure that wasn't given.
constexpr uint64_t asTarget = ~uint64_t(0);

struct SimOptions {
  llvm::StringRef path, image, trace;
  uint64_t budget = 0;
  uint64_t events = 200000;
  uint64_t latency = asTarget;
  uint64_t memoryLatency = asTarget;
  uint64_t queue = asTarget;
  uint64_t ports = asTarget;
  uint64_t bandwidth = asTarget;
};

/// Null: fits. Otherwise what does not. `traces`: there are --trace and
/// --events.
const char *parseSim(Words words, bool traces, SimOptions &options);

/// The target's figures, and those of the command line in their place. False:
/// an actor has no cost.
bool timingOf(const rt::TargetInfo &target, const rt::LoadedRegion &region,
              const SimOptions &options, rt::RegionTiming &timing,
              uint32_t &missing);

} // namespace loom::tool

#endif
