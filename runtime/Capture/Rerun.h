// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a captured launch again, without its program: the graph works on the
// recorded bytes under their old addresses and can't reach anything else, so
// that neither a capture nor an image has to be trusted.

#ifndef LOOM_RUNTIME_CAPTURE_RERUN_H
#define LOOM_RUNTIME_CAPTURE_RERUN_H

#include "Capture/Read.h"
#include "Core/Error.h"
#include "Devices/Device.h"
#include "Devices/Sim/EventQueue.h"

namespace loom::rt {

/// Why a region can't run a capture.
enum class RerunRefusal : uint8_t {
  None,
  Slots,   // other launch slots
  Outputs, // other outputs
  Graph,   // no graph for disjoint roots
  Memory,  // malloc failed
};
const char *rerunRefusalText(RerunRefusal refusal);

/// The first difference between record and replay.
struct RerunDifference {
  bool found = false;
  int64_t output = -1; // number of the output, -1: memory
  uint64_t address = 0;
  uint64_t recorded = 0;
  uint64_t replayed = 0;
};

struct RerunResult {
  RerunRefusal refusal = RerunRefusal::None;
  Outcome outcome; // of the device
  RerunDifference difference;
  uint64_t writtenBytes = 0;
  bool equal() const {
    return refusal == RerunRefusal::None && outcome.reason == Reason::None &&
           !difference.found;
  }
};

/// How to run. With `timing`, which is of the graph chosen, on the event queue:
/// `times` is filled then, and `listener` is told of firings.
struct RerunRequest {
  bool apart = false; // on the graph for disjoint roots
  uint64_t budget = 0;
  const RegionTiming *timing = nullptr;
  EventResult *times = nullptr;
  FireListener listener = {};
  TouchedLines *touched = nullptr; // filled, with `timing`
};
RerunResult rerunCapture(const Capture &capture, const LoadedRegion &region,
                         const RerunRequest &request);

/// Whether the guard of the region finds the captured roots disjoint.
bool rerunIsApart(const Capture &capture, const LoadedRegion &region);

/// Firings that a replay may take when nobody says otherwise.
uint64_t rerunBudget(const Capture &capture);

/// The root that an address most likely belongs to, -1: none.
int64_t rootOfAddress(const Capture &capture, uint64_t address);

} // namespace loom::rt

#endif
