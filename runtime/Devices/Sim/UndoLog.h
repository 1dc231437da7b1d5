// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The undo log: the bytes that a launch overwrote, by 64-byte line. A launch
// can be rolled back from it, and a verified launch compares from it.

#ifndef LOOM_RUNTIME_DEVICES_SIM_UNDOLOG_H
#define LOOM_RUNTIME_DEVICES_SIM_UNDOLOG_H

#include "Devices/Sim/LineTable.h"

namespace loom::rt {

/// What was written of one line: bit i of `mask` stands for byte i. `old` holds
/// the bytes before the launch.
struct UndoLine {
  uint64_t address; // of the line, a multiple of 64
  uint64_t mask;
  uint8_t old[64];
  void start() { mask = 0; }
};

class UndoLog : private LineTable<UndoLine> {
public:
  using LineTable::clear;
  using LineTable::lastLine; // of the last note that fitted one
  using LineTable::limitLines;
  using LineTable::lines; // in the order of their first write
  using LineTable::release;

  UndoLog() : LineTable((size_t(256) << 20) / (sizeof(UndoLine) + 8)) {}

  /// Notes that `bytes` (1, 2, 4 or 8) bytes at `address` are about to be
  /// written. False when memory runs out; then nothing may be written.
  bool note(uint64_t address, unsigned bytes) {
    unsigned offset = address & 63;
    if (__builtin_expect(offset + bytes > 64, 0))
      return noteSplit(address, bytes);
    UndoLine *line = find(address & ~uint64_t(63));
    if (!line)
      return false;
    uint64_t mask = ((uint64_t(2) << (bytes - 1)) - 1) << offset;
    if ((line->mask & mask) == 0)
      memcpy(line->old + offset, pointer(address), bytes);
    else if ((line->mask & mask) != mask)
      noteRest(*line, offset, bytes);
    line->mask |= mask;
    return true;
  }

  /// Restores every byte.
  void rollBack();

  static void *pointer(uint64_t address) {
    return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
  }

private:
  bool noteSplit(uint64_t address, unsigned bytes);
  static void noteRest(UndoLine &line, unsigned offset, unsigned bytes);
};

} // namespace loom::rt

#endif
