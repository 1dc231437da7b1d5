// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LOOM_CAPTURE: launches as files that `loom replay` runs again.

#ifndef LOOM_RUNTIME_CAPTURE_CAPTURE_H
#define LOOM_RUNTIME_CAPTURE_CAPTURE_H

#include "Capture/Recording.h"
#include "Core/Regions.h"

namespace loom::rt {

/// Counts a launch of the region; 0 when it isn't one to capture, or else its
/// number. The first launches are, and then every one whose number is a power
/// of two.
uint64_t captureNumber(RegionState &state);

/// A simulated launch: its touched bytes. Memory and `out` are the results now;
/// `flags` says of whom.
void captureTouched(loom_rt_region *region, RegionState &state,
                    const Bench &bench, uint64_t number, uint64_t firings,
                    const uint64_t *in, const uint64_t *out, uint32_t flags);

/// A launch that the host code will run: the bytes of the footprints, which
/// must be known for all memories. False: nothing is captured, and one line
/// said why.
bool captureFootprints(RegionState &state, const uint64_t *in, uint64_t number,
                       Recording &recording);

/// Afterwards.
void finishFootprints(loom_rt_region *region, RegionState &state,
                      const uint64_t *in, const uint64_t *out,
                      Recording &recording);

} // namespace loom::rt

#endif
