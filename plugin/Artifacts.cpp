// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Artifacts.h"
#include "Options.h"
#include "loom/Artifact/Store.h"
#include "loom/Artifact/StructuredProgram.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using loom::KeptArtifact;

static llvm::Expected<std::string> keep(ModuleOp program) {
  llvm::Expected<loom::FinalizedProgram> finalized =
      loom::finalizeProgram(program);
  if (!finalized)
    return finalized.takeError();
  loom::ArtifactStore store(loom::PluginOptions::get().storeDir);
  llvm::Expected<loom::ArtifactIdentity> identity =
      store.put(finalized->candidate->semanticBytes());
  if (!identity)
    return identity.takeError();
  return identity->hex();
}

KeptArtifact loom::keepProgram(ModuleOp program) {
  KeptArtifact result;
  if (PluginOptions::get().storeDir.empty())
    return result;
  if (llvm::Expected<std::string> identity = keep(program))
    result.identity = std::move(*identity);
  else
    result.error = toString(identity.takeError());
  return result;
}

/// Copies the members of `source` that `module` mentions and does not have.
static void copyMentioned(ModuleOp source, ModuleOp module) {
  SmallVector<Operation *> work;
  for (Operation &op : *module.getBody())
    work.push_back(&op);
  while (!work.empty()) {
    auto uses = SymbolTable::getSymbolUses(work.pop_back_val());
    if (!uses)
      continue;
    for (const SymbolTable::SymbolUse &use : *uses) {
      StringAttr name = use.getSymbolRef().getRootReference();
      Operation *member = source.lookupSymbol(name);
      if (!member || module.lookupSymbol(name))
        continue;
      Operation *copy = member->clone();
      module.push_back(copy);
      work.push_back(copy);
    }
  }
}

KeptArtifact loom::keepRegion(LLVM::LLVMFuncOp envelope) {
  if (PluginOptions::get().storeDir.empty())
    return {};
  OwningOpRef<ModuleOp> alone = ModuleOp::create(envelope.getLoc());
  auto program = envelope->getParentOfType<ModuleOp>();
  for (StringRef name :
       {StringRef("dlti.dl_spec"), LLVM::LLVMDialect::getDataLayoutAttrName(),
        LLVM::LLVMDialect::getTargetTripleAttrName()})
    if (Attribute attr = program->getAttr(name))
      (*alone)->setAttr(name, attr);
  LLVM::LLVMFuncOp copy = envelope.clone();
  // Its name is the outliner's; nobody outside refers to it.
  copy.setLinkage(LLVM::Linkage::Private);
  alone->push_back(copy);
  copyMentioned(program, *alone);
  return keepProgram(*alone);
}
