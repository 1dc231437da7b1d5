// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code for a program. There is a translator for x86-64 ELF systems;
// elsewhere, or where the system forbids executable memory, programs are
// interpreted. Code pages are written first and made executable (and no longer
// writable) afterwards.

#ifndef LOOM_RUNTIME_DEVICES_SIM_JIT_H
#define LOOM_RUNTIME_DEVICES_SIM_JIT_H

#include "Devices/Sim/Program.h"

namespace loom::rt {

/// Code of one program, or `entry` null. It refers to the program's
/// instructions, constants and caches, which must stay where they are.
struct Machine {
  uint32_t (*entry)(Run *run) =
      nullptr; // instruction that stopped it, `nothing`
  void *pages = nullptr;
  size_t size = 0;

  bool translate(const Program &program);
  void release();
  /// Runs; the same as interpret().
  void run(const Program &program, Run &run) const;
};

} // namespace loom::rt

#endif
