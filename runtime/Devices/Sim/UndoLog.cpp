// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The undo log.

#include "Devices/Sim/UndoLog.h"

namespace loom::rt {

bool UndoLog::noteSplit(uint64_t address, unsigned bytes) {
  // Byte by byte: `note` takes powers of two only.
  for (unsigned i = 0; i < bytes; ++i)
    if (!note(address + i, 1))
      return false;
  return true;
}

void UndoLog::noteRest(UndoLine &line, unsigned offset, unsigned bytes) {
  for (unsigned i = offset; i < offset + bytes; ++i)
    if (!(line.mask >> i & 1))
      memcpy(line.old + i, pointer(line.address + i), 1);
}

bool UndoLog::growTable() {
  Vec<uint32_t> grown;
  if (!grown.assignZero(table.size ? table.size * 2 : 256))
    return false;
  for (size_t i = 0; i < lines.size; ++i) {
    size_t at = hash(lines[i].address) & (grown.size - 1);
    while (grown[at] != 0)
      at = (at + 1) & (grown.size - 1);
    grown[at] = static_cast<uint32_t>(i + 1);
  }
  table.release();
  table = grown;
  return true;
}

UndoLine *UndoLog::insert(uint64_t address) {
  if (lines.size >= limitLines)
    return nullptr;
  if ((lines.size + 1) * 2 > table.size && !growTable())
    return nullptr;
  if (!lines.reserve(lines.size + 1))
    return nullptr;
  size_t at = hash(address) & (table.size - 1);
  while (table[at] != 0)
    at = (at + 1) & (table.size - 1);
  UndoLine &line = lines.data[lines.size++];
  line.address = address;
  line.mask = 0;
  table[at] = static_cast<uint32_t>(lines.size);
  last = lines.size - 1;
  return &line;
}

void UndoLog::rollBack() {
  for (const UndoLine &line : lines) {
    if (line.mask == ~uint64_t(0)) {
      memcpy(pointer(line.address), line.old, 64);
      continue;
    }
    for (unsigned i = 0; i < 64; ++i)
      if (line.mask >> i & 1)
        memcpy(pointer(line.address + i), line.old + i, 1);
  }
}

void UndoLog::clear() {
  if (lines.size)
    memset(table.data, 0, table.size * sizeof(uint32_t));
  // A table that one large launch grew is not worth clearing for small ones.
  if (table.size > 4096 && lines.size * 16 < table.size)
    table.release();
  lines.clear();
  last = 0;
}

void UndoLog::release() {
  lines.release();
  table.release();
  last = 0;
}

} // namespace loom::rt
