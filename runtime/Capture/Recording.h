// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A capture in the making: the touched lines of a launch, and its bytes in the
// format of Format.h.

#ifndef LOOM_RUNTIME_CAPTURE_RECORDING_H
#define LOOM_RUNTIME_CAPTURE_RECORDING_H

#include "Devices/Sim/Watch.h"
#include "Image/Region.h"

namespace loom::rt {

struct RecordedLine {
  uint64_t address;
  uint64_t known;
  uint64_t written;
  uint8_t before[64];
  uint8_t after[64];
};

/// The most lines that can fit into a capture.
constexpr size_t maxRecordedLines = (size_t(64) << 20) / 25;

struct Recording {
  Vec<RecordedLine> lines; // addresses rising
  uint64_t launch = 0;
  uint64_t firings = 0;
  uint32_t flags = 0; // CaptureFlags
  const char *program = "";

  /// The lines of both logs. Memory holds the results now.
  bool addTouched(const UndoLog &undo, const ReadLog &reads);

  /// The bytes [begin, begin + size) before the launch. False when they can't
  /// be read.
  bool addRange(uint64_t begin, uint64_t size);
  /// Sorts and joins lines of ranges.
  void joinRanges();
  /// The bytes [begin, begin + size) after the launch.
  bool finishRange(uint64_t begin, uint64_t size);

  /// The file. Empty: too large, or no memory.
  Vec<uint8_t> encode(const LoadedRegion &region, const uint64_t *in,
                      const uint64_t *out) const;

  void release() { lines.release(); }
};

} // namespace loom::rt

#endif
