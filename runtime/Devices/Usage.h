// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a timed launch kept busy, and what no schedule of its graph can
// undercut (docs/simulator.md, "What limits a launch").

#ifndef LOOM_RUNTIME_DEVICES_USAGE_H
#define LOOM_RUNTIME_DEVICES_USAGE_H

#include <stdint.h>

namespace loom::rt {

/// What can bound a launch from below. The order is that of preference where
/// two are as good as equal.
enum class Bound : uint8_t {
  Memory,    // accesses, by their interval or by the shared ports
  Bandwidth, // their bytes, by the bandwidth of the memory
  Compute,   // a computation, by its interval
  Value,     // a ring of values: a recurrence
  Order,     // a ring of tokens without data
  Control,   // an actor of loops and routing, by its interval
  Count
};
constexpr unsigned boundKinds = unsigned(Bound::Count);

/// One launch, or with sums the launches of a region. `launch` and `transfers`
/// are parts of `cycles` and of `bound`; a busy actor can't take the next
/// token; room is what busy would be if it never could.
struct Usage {
  uint64_t launches = 0;
  uint64_t cycles = 0;
  uint64_t launch = 0;
  uint64_t transfers = 0; // cycles of the lines
  uint64_t moved = 0;     // launches whose target copies memory
  uint64_t linesIn = 0;
  uint64_t linesOut = 0;
  uint64_t exceeded = 0; // launches that don't fit the local memory
  uint64_t accesses = 0;
  uint64_t memoryBusy = 0;
  uint64_t memoryRoom = 0;
  uint64_t bytesBusy = 0; // of the bandwidth, where there is one
  uint64_t bytesRoom = 0;
  uint64_t computeBusy = 0;
  uint64_t computeRoom = 0;
  uint64_t bounds[boundKinds] = {};
  uint64_t bound = 0; // the greatest of a launch
};

/// What limits: a bound by name, "launch", "transfers", or "latency" when the
/// bounds leave more than a quarter of the cycles open.
const char *limitName(const Usage &usage);
const char *boundName(Bound bound);

} // namespace loom::rt

#endif
