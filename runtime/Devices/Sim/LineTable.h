// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of 64 bytes by their address, in the order in which they came.

#ifndef LOOM_RUNTIME_DEVICES_SIM_LINETABLE_H
#define LOOM_RUNTIME_DEVICES_SIM_LINETABLE_H

#include "Support/Vec.h"

namespace loom::rt {

/// `LineT` has `uint64_t address`, a multiple of 64, and `void start()`, which
/// makes an empty line of it. Running out of memory or past `limitLines` is an
/// answer, not a failure.
template <typename LineT>
class LineTable {
public:
  Vec<LineT> lines;
  size_t limitLines;

  explicit LineTable(size_t limitLines) : limitLines(limitLines) {}

  /// The line, a new one if need be; null when it can't be kept.
  LineT *find(uint64_t address) {
    if (last < lines.size && lines[last].address == address)
      return &lines[last];
    if (table.size != 0)
      for (size_t at = slot(address, table);; at = next(at, table)) {
        uint32_t number = table[at];
        if (number == 0)
          break;
        if (lines[number - 1].address == address) {
          last = number - 1;
          return &lines[last];
        }
      }
    return insert(address);
  }

  /// The line of the last `find`.
  const LineT *lastLine() const { return &lines[last]; }

  /// Forgets the lines, keeps the memory.
  void clear() {
    if (lines.size)
      memset(table.data, 0, table.size * sizeof(uint32_t));
    // A table that one large launch grew is not worth clearing for small ones.
    if (table.size > 4096 && lines.size * 16 < table.size)
      table.release();
    lines.clear();
    last = 0;
  }

  void release() {
    lines.release();
    table.release();
    last = 0;
  }

private:
  static size_t slot(uint64_t address, const Vec<uint32_t> &table) {
    uint64_t x = (address >> 6) * 0x9E3779B97F4A7C15ull;
    return static_cast<size_t>(x >> 32) & (table.size - 1);
  }
  static size_t next(size_t at, const Vec<uint32_t> &table) {
    return (at + 1) & (table.size - 1);
  }
  static void enter(uint64_t address, size_t number, Vec<uint32_t> &table) {
    size_t at = slot(address, table);
    while (table[at] != 0)
      at = next(at, table);
    table[at] = static_cast<uint32_t>(number);
  }

  __attribute__((noinline)) LineT *insert(uint64_t address) {
    if (lines.size >= limitLines ||
        ((lines.size + 1) * 2 > table.size && !grow()) ||
        !lines.reserve(lines.size + 1))
      return nullptr;
    LineT &line = lines.data[lines.size++];
    line.address = address;
    line.start();
    enter(address, lines.size, table);
    last = lines.size - 1;
    return &line;
  }

  bool grow() {
    Vec<uint32_t> grown;
    if (!grown.assignZero(table.size ? table.size * 2 : 256))
      return false;
    for (size_t i = 0; i < lines.size; ++i)
      enter(lines[i].address, i + 1, grown);
    table.release();
    table = grown;
    return true;
  }

  Vec<uint32_t> table; // open addressing, number of the line + 1; 2^n places
  size_t last = 0;
};

} // namespace loom::rt

#endif
