// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of a region's graphs: equal for equal interface, actors and
// edges, whatever the image around them, names and source lines.

#ifndef LOOM_RUNTIME_CAPTURE_IDENTITY_H
#define LOOM_RUNTIME_CAPTURE_IDENTITY_H

#include "Image/Region.h"

namespace loom::rt {

struct RegionIdentity {
  uint64_t lo = 0;
  uint64_t hi = 0;
  bool operator==(const RegionIdentity &other) const {
    return lo == other.lo && hi == other.hi;
  }
};

/// False: no memory.
bool regionIdentity(const LoadedRegion &region, RegionIdentity &identity);

} // namespace loom::rt

#endif
