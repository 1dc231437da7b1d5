// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A timed launch in words. Equal launches give equal bytes.

#ifndef LOOM_DRIVER_TOOL_EXPLANATION_H
#define LOOM_DRIVER_TOOL_EXPLANATION_H

#include "Devices/Sim/Critical.h"
#include "llvm/Support/raw_ostream.h"

namespace loom::tool {

/// A launch that ended well, with its causes.
struct TimedLaunch {
  const rt::LoadedRegion &region;
  const rt::RegionTiming &timing;
  const rt::EventResult &result;
  const rt::Critical &critical;
};

/// "actor 7, addf : f64, line 12"
std::string actorText(const TimedLaunch &launch, uint32_t actor);

/// The share of `part` in `whole` or the quotient, with one digit.
std::string percent(uint64_t part, uint64_t whole);
std::string quotient(uint64_t part, uint64_t whole);

/// "16 bytes a cycle"
std::string bandwidthText(const TimedLaunch &launch);

/// Occupancy by class, and the busiest actors.
void writeOccupancy(llvm::raw_ostream &out, const TimedLaunch &launch);

/// What limits the launch: its kind, the actors, the cycles; what to do.
void writeLimit(llvm::raw_ostream &out, const TimedLaunch &launch);
void writeAdvice(llvm::raw_ostream &out, const TimedLaunch &launch);

/// What intervals, ports and bandwidth alone would allow.
void writeBound(llvm::raw_ostream &out, const TimedLaunch &launch);

} // namespace loom::tool

#endif
