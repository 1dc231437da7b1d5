// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch guards: which roots of a region may be ordered apart, and which byte
// ranges have to be disjoint for that.

#ifndef LOOM_DATAFLOW_LOWER_GUARD_H
#define LOOM_DATAFLOW_LOWER_GUARD_H

#include "loom/Structured/Views/SymbolicFootprint.h"
#include <optional>
#include <string>
#include <utility>

namespace loom {

struct LaunchGuard {
  struct Range {
    unsigned argument = 0; ///< the root, that is launch slot
    unsigned lo = 0, hi = 0;
    bool reads = false, writes = false;
  };
  /// Per region argument: the order partition when the guard holds, -1 for
  /// everything but pointers.
  llvm::SmallVector<int32_t> partitions;
  std::vector<BoundNode> nodes;
  std::vector<Range> ranges;
  /// Ranges of two roots, one of them written, that must be disjoint.
  std::vector<std::pair<unsigned, unsigned>> pairs;
};

/// Separates the roots of each order partition of `region` as far as their
/// ranges are known: two roots of which one is written stay together when a
/// range of theirs is unknown. No guard when nothing gets separated, when an
/// access has no root, or when there would be too much to evaluate.
std::optional<LaunchGuard> planGuard(SpatialRegionOp region,
                                     const SymbolicFootprints &footprints);

/// For developers and tests.
std::string printGuard(const LaunchGuard &guard);

} // namespace loom

#endif
