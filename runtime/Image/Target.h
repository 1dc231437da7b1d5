// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target that an image was compiled for, as the timed engines need it.

#ifndef LOOM_RUNTIME_IMAGE_TARGET_H
#define LOOM_RUNTIME_IMAGE_TARGET_H

#include "Image/ImageError.h"
#include "Image/Region.h"

namespace loom::rt {

constexpr uint32_t maxTargetRows = 1024;
constexpr uint32_t maxQueueCapacity = 4096;
constexpr uint32_t maxPorts = 1024;
constexpr uint32_t maxMemoryBytes = 1u << 20;
constexpr uint32_t maxLocalPorts = 1u << 22; // as many as actors
constexpr uint64_t maxLocalBytes = uint64_t(1) << 40;
constexpr uint64_t maxLocalCapacity = uint64_t(1) << 60;
constexpr uint32_t maxClockKHz = 100000000;
constexpr uint32_t maxCores = 4096;

/// The costs of the actors of a kind; `op` and `type` narrow the kind down
/// where they aren't None.
struct TimingRow {
  uint16_t latency;
  uint16_t interval; // at least 1
  Kind kind;
  uint8_t op; // a number of loom::image::Op
  Ty type;
};

struct TargetInfo {
  char name[65] = "default";
  char identity[65] = ""; // hexadecimal; empty: the image names no target
  Vec<TimingRow> rows;    // in ascending order of kind, op, type
  uint32_t queueCapacity = 4;
  uint32_t ports = 0;       // shared by all accesses; 0: one each
  uint32_t memoryBytes = 0; // per cycle, of system memory; 0: unbounded
  uint32_t launchCycles = 0;
  uint32_t transferCycles = 0; // per 64 bytes to or from local memory
  // Of all local memories of a core; 0: unbounded. Launches work on them when
  // transferCycles is not 0.
  uint64_t localCapacity = 0;
  uint32_t localPorts = 0;
  uint64_t localBytes = 0; // per cycle
  uint32_t clockKHz = 1;
  uint32_t cores = 1;

  void release() { rows.release(); }
};

/// The target of an image that passed checkSeal; without one the default. On an
/// error `target` must not be used.
ImageVerdict loadTarget(const void *image, TargetInfo &target);

/// The rules of the schema.
ImageVerdict checkTarget(const TargetInfo &target);

/// The target of images and regions that have none. Its rows are those that the
/// compiler writes for its own target `default`.
const TargetInfo &defaultTarget();

inline const TargetInfo &targetOf(const LoadedRegion &region) {
  return region.target ? *region.target : defaultTarget();
}

/// The most specific row for an actor; null when there is none.
const TimingRow *timingRowOf(const TargetInfo &target, const ActorInfo &actor);

} // namespace loom::rt

#endif
