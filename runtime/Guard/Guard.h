// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch guards: may the graph whose roots are ordered apart run a launch?

#ifndef LOOM_RUNTIME_GUARD_GUARD_H
#define LOOM_RUNTIME_GUARD_GUARD_H

#include "Image/Region.h"

namespace loom::rt {

enum class GuardVerdict : uint8_t {
  NoAlias, // every pair of ranges is disjoint
  Alias,   // some pair overlaps, or its bounds do
  Unknown, // a bound can't be computed for this launch
  Count
};

/// The names in LOOM_STATS and LOOM_INFO.
inline const char *guardVerdictName(GuardVerdict verdict) {
  static const char *const names[] = {"noalias", "alias", "unknown"};
  return names[unsigned(verdict) % 3];
}

/// Evaluates the guard of a checked region that has one.
GuardVerdict evaluateGuard(const LoadedRegion &region, const uint64_t *in);

/// The same without the short cut for small integers.
GuardVerdict evaluateGuardWide(const LoadedRegion &region, const uint64_t *in);

} // namespace loom::rt

#endif
