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

} // namespace loom::rt
