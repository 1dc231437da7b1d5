// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watched launches: those whose memory accesses somebody looks at. A capture
// wants to know every byte that a launch reads; a replay has the launch work on
// recorded bytes in place of memory. The token engine takes these paths only
// when one of the two is asked for.

#ifndef LOOM_RUNTIME_DEVICES_SIM_WATCH_H
#define LOOM_RUNTIME_DEVICES_SIM_WATCH_H

#include "Devices/Sim/UndoLog.h"

namespace loom::rt {

/// The bytes that a launch read, as they were when it first did. For a byte
/// that it had written before, the undo log knows the value of the start.
struct ReadLog : UndoLog {
  bool full = false; // something is missing

  void read(uint64_t address, unsigned bytes) {
    if (!full && !note(address, bytes))
      full = true;
  }
  void forget() {
    clear();
    full = false;
  }
};

/// Bytes that stand for memory. The addresses are those of the program that was
/// recorded and name bytes here; nothing else can be reached.
struct OverlayLine {
  uint64_t address; // a multiple of 64
  uint64_t known;   // bytes that may be accessed
  uint64_t written; // bytes that the launch wrote
  uint8_t bytes[64];
};

class Overlay {
public:
  Vec<OverlayLine> lines; // addresses rising

  /// False when a byte is not there.
  bool load(uint64_t address, unsigned bytes, uint64_t &value);
  bool store(uint64_t address, unsigned bytes, uint64_t value);
  void release() { lines.release(); }

private:
  OverlayLine *find(uint64_t address);
  size_t last = 0;
};

} // namespace loom::rt

#endif
