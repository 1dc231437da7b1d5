// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The MLIR half of the structured program.

#ifndef LOOM_PLUGIN_PROGRAMRAISE_H
#define LOOM_PLUGIN_PROGRAMRAISE_H

#include "Artifacts.h"
#include "loom/Structured/Raise/Module.h"
#include <memory>

namespace llvm {
class Module;
class raw_ostream;
} // namespace llvm

namespace loom {

/// Imports `module` and raises it to S0, printed to `text`. A function that
/// can't be imported becomes a declaration and has a row with the reason.
/// False, with a reason in `error`, when there is no S0 at all. `artifact` is
/// what LOOM_STORE made of it.
bool raiseProgram(std::unique_ptr<llvm::Module> module, StructureReport &report,
                  llvm::raw_ostream &text, KeptArtifact &artifact,
                  std::string &error);

} // namespace loom

#endif
