// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host side of the functional gate: an outlined nest as a function that can
// be called, compiled in process.

#ifndef LOOM_PLUGIN_GATEHOST_H
#define LOOM_PLUGIN_GATEHOST_H

#include "GateInputs.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace loom {

/// Bitcode of a module with `name` of `nests` and a function
///   void loom.gate(const uint64_t *in, uint64_t *out, uint8_t *broken)
/// that runs it: slots in, exit selector and live-outs out, and whether an
/// assumption of the code does not hold for the input.
llvm::Expected<llvm::SmallVector<char, 0>>
gateBitcode(const llvm::Module &nests, llvm::StringRef name);

/// What the arguments of the outlined function promise.
std::vector<GateSlot> gateFacts(const llvm::Module &nests,
                                llvm::StringRef name);

using GateFunction = void (*)(const uint64_t *in, uint64_t *out,
                              uint8_t *broken);

/// Compiles it. What it needs stays for the rest of the process.
llvm::Expected<GateFunction> gateCompile(llvm::ArrayRef<char> bitcode);

} // namespace loom

#endif
