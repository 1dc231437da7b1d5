// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structured program of a whole module (S0), and how much of the module has
// structure. Asked for by LOOM_S0=DIR.

#ifndef LOOM_PLUGIN_PROGRAM_H
#define LOOM_PLUGIN_PROGRAM_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace loom {

/// Works on a clone of `module`: prepares it, gives counted loops a canonical
/// induction variable, imports and structures it, and writes
/// `directory`/<module>.<hash>.s0.mlir and <module>.<hash>.coverage.json, where
/// <hash> is that of both. What can't be written is said on standard error; the
/// module is never touched.
void writeStructuredProgram(const llvm::Module &module,
                            llvm::StringRef directory);

} // namespace loom

#endif
