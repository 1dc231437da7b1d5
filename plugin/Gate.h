// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functional gate (LOOM_GATE=1): before a region is taken, its graph runs
// in the compiler, on the simulator that the runtime uses, against the code
// that it was raised from. It never breaks a build: host code and graph run in
// child processes with limits, and what can't be tried is "not tested".

#ifndef LOOM_PLUGIN_GATE_H
#define LOOM_PLUGIN_GATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace loom {

struct GateResult {
  bool different = false; ///< on some input; `detail` has the first difference
  std::string detail; ///< "gate: equal on 6 inputs", "gate: not tested: ..."
};

/// Is it asked for?
bool gateWanted();

/// Compares the region of `image`, the sealed bytes of one region, with the
/// function `name` of `nests`, as it was outlined.
GateResult runGate(const llvm::Module &nests, llvm::StringRef name,
                   llvm::ArrayRef<uint8_t> image);

} // namespace loom

#endif
