// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LOOM_STATS and LOOM_INFO.

#ifndef LOOM_RUNTIME_STATS_STATS_H
#define LOOM_RUNTIME_STATS_STATS_H

#include "Core/Regions.h"
#include "Support/Text.h"

namespace loom::rt {

/// One JSON object and a newline.
void appendStats(Text &text, const RegionState &state, DeviceKind kind);

/// A quotient with three decimals.
void appendShare(Text &text, uint64_t part, uint64_t whole);
/// ","usage":..." of the launches that were simulated and timed.
void appendUsage(Text &text, const Usage &usage);
/// ", memory 19.6 % busy, ..."; nothing when no launch was timed.
void appendUsageText(Text &text, const Usage &usage);
/// The model of the launches on a device, or null.
const RegionModel *modelFor(const RegionState &state, DeviceKind kind);
/// ","model":...,"unmodelled":..." of a device that has a clock.
void appendModelError(Text &text, const RegionState &state, DeviceKind kind);
/// Null, or why the cycles of the region are not to be relied on.
const char *unmodelledReason(const RegionState &state, DeviceKind kind);
/// Adds one launch to sums that others add to.
void addUsage(Usage &sums, const Usage &launch);
Usage readUsage(const Usage &sums);

/// Writes statistics and summary, and sets the counters to zero, so that what
/// comes later is reported once too. Runs at exit.
void reportAll();

/// "region saxpy.0 (saxpy, a.c:12)"
void appendPlace(Text &text, const RegionState &state);

} // namespace loom::rt

#endif
