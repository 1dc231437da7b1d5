// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Devices/Sim/Transfers.h"

namespace loom::rt {

uint64_t transferCycles(const TargetInfo &target, uint64_t lines) {
  // There are fewer than 2^32 lines.
  uint64_t cycles = lines * target.transferCycles;
  if (target.memoryBytes == 0)
    return cycles;
  uint64_t least = (lines * 64 + target.memoryBytes - 1) / target.memoryBytes;
  return cycles > least ? cycles : least;
}

Transfers transfersOf(const TargetInfo &target, const TouchedLines &touched) {
  Transfers transfers;
  transfers.linesIn = touched.readIn();
  transfers.linesOut = touched.writtenOut();
  transfers.cycles = transferCycles(target, transfers.linesIn) +
                     transferCycles(target, transfers.linesOut);
  transfers.lines = touched.size();
  transfers.measured = true;
  transfers.exceeds =
      target.localCapacity && transfers.lines * 64 > target.localCapacity;
  return transfers;
}

} // namespace loom::rt
