// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moving the memory of a launch costs on a target that works on copies.

#ifndef LOOM_RUNTIME_DEVICES_SIM_TRANSFERS_H
#define LOOM_RUNTIME_DEVICES_SIM_TRANSFERS_H

#include "Core/Error.h"
#include "Devices/Sim/TouchedLines.h"
#include "Image/Target.h"

namespace loom::rt {

/// Whether launches work on local memory, which holds copies while they run.
inline bool movesMemory(const TargetInfo &target) {
  return target.transferCycles != 0;
}

/// The cycles for a number of lines: the target's for each, and no fewer than
/// the bandwidth of the memory that they come from or go to allows.
uint64_t transferCycles(const TargetInfo &target, uint64_t lines);

/// All lines are moved in before the graph begins, and out after its end.
Transfers transfersOf(const TargetInfo &target, const TouchedLines &touched);

} // namespace loom::rt

#endif
