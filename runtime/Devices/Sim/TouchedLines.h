// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of memory that a launch touches, for targets that work on copies:
// what has to be there before the launch, and what goes back after it.

#ifndef LOOM_RUNTIME_DEVICES_SIM_TOUCHEDLINES_H
#define LOOM_RUNTIME_DEVICES_SIM_TOUCHEDLINES_H

#include "Devices/Sim/LineTable.h"

namespace loom::rt {

struct TouchedLine {
  uint64_t address;
  uint64_t stored; // bytes
  bool read;
  void start() {
    stored = 0;
    read = false;
  }
};

/// A line of 64 bytes is read in when the launch loads a byte of it that it has
/// not stored before, and written out when it stores a byte of it. Of a load
/// and a store of one byte the graph says which comes first, so that the lines
/// don't depend on the engine.
class TouchedLines : private LineTable<TouchedLine> {
public:
  using LineTable::limitLines;

  TouchedLines() : LineTable(size_t(8) << 20) {}

  /// 1, 2, 4 or 8 bytes at an address that may be any.
  void load(uint64_t address, unsigned bytes) { touch(address, bytes, false); }
  void store(uint64_t address, unsigned bytes) { touch(address, bytes, true); }

  uint64_t readIn() const { return in; }
  uint64_t writtenOut() const { return out; }
  /// Lines that are one of the two or both.
  uint64_t size() const { return lines.size; }
  /// There were more than can be kept.
  bool full() const { return lost; }

  void clear() {
    LineTable::clear();
    in = out = 0;
    lost = false;
  }
  void release() {
    clear();
    LineTable::release();
  }

private:
  void touch(uint64_t address, unsigned bytes, bool stores) {
    unsigned offset = address & 63;
    unsigned here = offset + bytes > 64 ? 64 - offset : bytes;
    mark(address & ~uint64_t(63), offset, here, stores);
    if (here != bytes)
      mark((address & ~uint64_t(63)) + 64, 0, bytes - here, stores);
  }
  void mark(uint64_t address, unsigned offset, unsigned bytes, bool stores) {
    TouchedLine *line = find(address);
    if (!line) {
      lost = true;
      return;
    }
    uint64_t mask = ((uint64_t(2) << (bytes - 1)) - 1) << offset;
    if (stores) {
      out += line->stored == 0;
      line->stored |= mask;
    } else if (!line->read && (line->stored & mask) != mask) {
      line->read = true;
      ++in;
    }
  }

  uint64_t in = 0, out = 0;
  bool lost = false;
};

} // namespace loom::rt

#endif
