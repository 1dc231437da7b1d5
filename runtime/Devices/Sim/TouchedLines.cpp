// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Devices/Sim/TouchedLines.h"

namespace loom::rt {

static size_t slotOf(uint64_t address, const Vec<uint32_t> &table) {
  uint64_t x = (address >> 6) * 0x9E3779B97F4A7C15ull;
  return static_cast<size_t>(x >> 32) & (table.size - 1);
}

bool TouchedLines::grow() {
  Vec<uint32_t> grown;
  if (!grown.assignZero(table.size ? table.size * 2 : 256))
    return false;
  for (size_t i = 0; i < lines.size; ++i) {
    size_t at = slotOf(lines[i].address, grown);
    while (grown[at] != 0)
      at = (at + 1) & (grown.size - 1);
    grown[at] = static_cast<uint32_t>(i + 1);
  }
  table.release();
  table = grown;
  return true;
}

/// The line of an address, a new one if need be; null: lost.
TouchedLines::Line *TouchedLines::find(uint64_t address) {
  if ((lines.size + 1) * 2 > table.size && !grow()) {
    lost = true;
    return nullptr;
  }
  size_t at = slotOf(address, table);
  for (; table[at] != 0; at = (at + 1) & (table.size - 1))
    if (lines[table[at] - 1].address == address) {
      last = table[at] - 1;
      return &lines[last];
    }
  if (lines.size >= limitLines || !lines.push({address, 0, false})) {
    lost = true;
    return nullptr;
  }
  last = lines.size - 1;
  table[at] = static_cast<uint32_t>(lines.size);
  return &lines[last];
}

void TouchedLines::clear() {
  if (lines.size)
    memset(table.data, 0, table.size * sizeof(uint32_t));
  // A table that one large launch grew is not worth clearing for small ones.
  if (table.size > 4096 && lines.size * 16 < table.size)
    table.release();
  lines.clear();
  last = 0;
  in = out = 0;
  lost = false;
}

void TouchedLines::release() {
  lines.release();
  table.release();
  clear();
}

} // namespace loom::rt
