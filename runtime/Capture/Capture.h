// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LOOM_CAPTURE: inputs and results of launches as files.

#ifndef LOOM_RUNTIME_CAPTURE_CAPTURE_H
#define LOOM_RUNTIME_CAPTURE_CAPTURE_H

#include "Core/Regions.h"

namespace loom::rt {

/// Writes slots and memories before a launch. True: `number` was given to the
/// launch and captureAfter is to be called.
bool captureBefore(RegionState &state, const uint64_t *in, uint64_t &number);

/// Writes memories and outputs after it.
void captureAfter(RegionState &state, const uint64_t *in, const uint64_t *out,
                  uint64_t number);

} // namespace loom::rt

#endif
