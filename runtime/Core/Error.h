// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed errors: the reasons why a launch ends on the host. The names are those
// of the statistics and of docs/runtime-abi.md.

#ifndef LOOM_RUNTIME_CORE_ERROR_H
#define LOOM_RUNTIME_CORE_ERROR_H

#include <stdint.h>

namespace loom::rt {

enum class Reason : uint8_t {
  None,
  Budget,   // the firing budget of the process is spent
  Deadlock, // nothing can fire and an output is missing
  Residue,  // tokens or open state are left at the end
  BadImage, // the image fails a check
  Trap,     // the host code would trap here
  Errno,    // the host code would set errno here
  Memory,   // a limit of the engine, or malloc failed
  Internal, // a rule of the runtime itself is broken
  Count
};

inline const char *reasonName(Reason reason) {
  static const char *const names[] = {"none",    "budget",    "deadlock",
                                      "residue", "bad-image", "trap",
                                      "errno",   "memory",    "internal"};
  unsigned index = static_cast<unsigned>(reason);
  return index < static_cast<unsigned>(Reason::Count) ? names[index] : "?";
}

/// The cycles of a launch that nobody timed.
constexpr uint64_t noCycles = ~uint64_t(0);

/// The memory that was copied for a launch, in lines of 64 bytes.
struct Transfers {
  uint64_t linesIn = 0;  // before it
  uint64_t linesOut = 0; // after it
  uint64_t lines = 0;    // that local memory has to hold
  uint64_t cycles = 0;   // of both ways
  bool measured = false; // the target copies, and the launch was timed
  bool exceeds = false;  // more than the local memory holds
};

/// What a device reports. `detail` is a constant string, `where` an actor
/// number or -1.
struct Outcome {
  Reason reason = Reason::None;
  const char *detail = "";
  int64_t where = -1;
  uint64_t firings = 0;
  uint64_t cycles = noCycles; // of the graph
  Transfers transfers = {};
};

} // namespace loom::rt

#endif
