// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the file of a capture. Its bytes are outside bytes: nothing of it is
// handed out before all of it was checked.

#ifndef LOOM_RUNTIME_CAPTURE_READ_H
#define LOOM_RUNTIME_CAPTURE_READ_H

#include "Capture/Format.h"
#include "Capture/Identity.h"
#include "Capture/Recording.h"
#include "Image/Region.h"

namespace loom::rt {

#define LOOM_CAPTURE_ERRORS(X)                                                 \
  X(None, "none")                                                              \
  X(NoMemory, "no-memory")                                                     \
  X(Truncated, "truncated")                                                    \
  X(Magic, "magic")                                                            \
  X(Version, "version")                                                        \
  X(HeaderSize, "header-size")                                                 \
  X(Reserved, "reserved")                                                      \
  X(Size, "size")                                                              \
  X(Hash, "hash")                                                              \
  X(Counts, "counts")                                                          \
  X(Flags, "flags")                                                            \
  X(Text, "text")                                                              \
  X(SlotValue, "slot-value")                                                   \
  X(OutputValue, "output-value")                                               \
  X(Memory, "memory")                                                          \
  X(LineAddress, "line-address")                                               \
  X(LineMask, "line-mask")                                                     \
  X(LineBytes, "line-bytes")

enum class CaptureError : uint8_t {
#define X(name, text) name,
  LOOM_CAPTURE_ERRORS(X)
#undef X
};

const char *captureErrorName(CaptureError error);

struct CapturedValue {
  ValueType type;
  int32_t exit;
  uint64_t bits;
};

/// A capture in memory, independent of the file's bytes.
struct Capture {
  CaptureHead head = {};
  char *name = nullptr;
  char *function = nullptr;
  char *file = nullptr;
  char *program = nullptr;
  Vec<CapturedValue> slots;
  Vec<CapturedValue> outputs;
  Vec<CaptureMemory> memories;
  Vec<RecordedLine> lines;

  RegionIdentity identity() const { return {head.graphLo, head.graphHi}; }
  void release();
};

/// On an error `capture` is left empty.
CaptureError readCapture(const uint8_t *data, uint64_t size, Capture &capture);

} // namespace loom::rt

#endif
