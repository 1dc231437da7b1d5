// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LOOM_STORE=DIR: structured programs of a link go into an artifact store.

#ifndef LOOM_PLUGIN_ARTIFACTS_H
#define LOOM_PLUGIN_ARTIFACTS_H

#include <string>

namespace mlir {
class ModuleOp;
namespace LLVM {
class LLVMFuncOp;
} // namespace LLVM
} // namespace mlir

namespace loom {

/// What became of one program: its identity, or why it has none.
struct KeptArtifact {
  std::string identity;
  std::string error;
};

/// Finalises a module, which is not changed, and puts it into the store. Does
/// nothing without LOOM_STORE.
KeptArtifact keepProgram(mlir::ModuleOp program);

/// The same for one region: its envelope as a private function in a module of
/// its own, with the data layout and the triple of the program and whatever
/// symbols it mentions.
KeptArtifact keepRegion(mlir::LLVM::LLVMFuncOp envelope);

} // namespace loom

#endif
