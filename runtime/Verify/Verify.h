// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LOOM_VERIFY: the device runs first, its effects are kept aside and taken
// back, the host runs, and the two are compared.

#ifndef LOOM_RUNTIME_VERIFY_VERIFY_H
#define LOOM_RUNTIME_VERIFY_VERIFY_H

#include "Capture/Recording.h"
#include "Core/Regions.h"

namespace loom::rt {

/// Bytes of a footprint as they were before the launch; pages of their own,
/// since a footprint may cover the heap.
struct Snapshot {
  uint32_t memory;
  uint64_t begin;
  uint64_t size;
  uint8_t *bytes;
};

/// What a launch left for loom_rt_check; one per thread.
struct Pending {
  loom_rt_region *region; // null: nothing pending
  RegionState *state;
  DeviceKind device; // that ran it
  Bench *bench; // null when nothing is to be compared (capture on the host)
  Vec<uint64_t> in;
  Vec<uint64_t> out;
  Vec<uint8_t> now;    // 64 bytes a line: after the device
  Vec<uint8_t> before; // 64 bytes a line: before, bytes the device left alone
  Vec<uint8_t> whole;  // one flag a line: `before` counts
  Vec<Snapshot> snapshots;
  uint64_t captureNumber; // 0: not captured
  uint64_t firings;
  Recording recording; // of a launch that only the host runs
};

/// The pending state of this thread, made at the first call; null: no memory.
Pending *pendingOfThread();
/// The same, but null when there is none yet.
Pending *existingPending();
/// Back to "nothing pending".
void clearPending(Pending &pending);

/// After the roll-back, before the host runs: snapshots of the
/// known footprints that the region may write. A footprint is an upper bound:
/// it may cover memory that is not mapped, or the heap of this runtime.
void snapshotFootprints(Pending &pending, const RegionState &state,
                        const uint64_t *in);

/// After a successful run: keeps the device's bytes, rolls back.
bool keepAndRollBack(Pending &pending);

/// The last thing before the host runs: what surrounds the written bytes. Later
/// the runtime may change bytes of its own that share a line with the program's
/// (a counter, an entry of the global offset table).
void keepLines(Pending &pending);

/// Compares with what the host left. True: equal.
bool compareWithHost(Pending &pending, const uint64_t *hostOut);

/// Equal bits, or both NaN.
bool sameValue(uint64_t a, uint64_t b, Ty type);

} // namespace loom::rt

#endif
