// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module pass: the flow of Loom from LLVM IR to the spliced module.

#ifndef LOOM_PLUGIN_PASS_H
#define LOOM_PLUGIN_PASS_H

#include "llvm/IR/PassManager.h"

namespace loom {

/// Finds nests, raises and lowers them on clones, and splices those that
/// became regions. Leaves the module untouched when none did.
struct LoomPass : llvm::PassInfoMixin<LoomPass> {
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// A ThinLTO link sees one module at a time: says so once and changes nothing.
struct ThinLTONotice : llvm::PassInfoMixin<ThinLTONotice> {
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace loom

#endif
