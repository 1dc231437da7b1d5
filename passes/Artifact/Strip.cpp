// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 3 of the writer: what has no meaning for the program is removed.

#include "Attributes.h"
#include "Canonical.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace loom;

/// Debug operations, what exists only for them, and unused constants: whether
/// the importer leaves one behind depends on debug records.
static void eraseDebugOperations(ModuleOp module) {
  SmallVector<Operation *> debug;
  module->walk([&](Operation *op) {
    if (isa<LLVM::DbgValueOp, LLVM::DbgDeclareOp, LLVM::DbgLabelOp>(op))
      debug.push_back(op);
  });
  for (Operation *op : debug) {
    SmallVector<Operation *> maybeDead;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        maybeDead.push_back(source);
    op->erase();
    while (!maybeDead.empty()) {
      Operation *source = maybeDead.pop_back_val();
      if (llvm::is_contained(maybeDead, source) || !isOpTriviallyDead(source))
        continue;
      for (Value operand : source->getOperands())
        if (Operation *next = operand.getDefiningOp())
          maybeDead.push_back(next);
      source->erase();
    }
  }
  module->walk([](Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>() && op->getNumOperands() == 0 &&
        op->getNumRegions() == 0 && isOpTriviallyDead(op))
      op->erase();
  });
}

static bool isDebugFlag(Attribute attr) {
  auto flag = dyn_cast<LLVM::ModuleFlagAttr>(attr);
  return flag && llvm::is_contained({"Debug Info Version", "Dwarf Version",
                                     "DWARF64", "CodeView", "CodeViewGHash",
                                     "debug-info-assignment-tracking"},
                                    flag.getKey().getValue());
}

static void stripModule(ModuleOp module) {
  // The module's own name and the compiler's name say who made it.
  module->removeAttr(SymbolTable::getSymbolAttrName());
  SmallVector<LLVM::ModuleFlagsOp> empty;
  for (auto flags : module.getOps<LLVM::ModuleFlagsOp>()) {
    SmallVector<Attribute> kept;
    for (Attribute flag : flags.getFlags())
      if (!isDebugFlag(flag))
        kept.push_back(flag);
    if (kept.empty())
      empty.push_back(flags);
    else
      flags.setFlagsAttr(ArrayAttr::get(module.getContext(), kept));
  }
  for (LLVM::ModuleFlagsOp flags : empty)
    flags.erase();
}

static void stripOperation(Operation *op, Location unknown) {
  op->setLoc(unknown);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        argument.setLoc(unknown);
  SmallVector<StringAttr> dropped;
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (artifact::attributeUse(attr.getName()) ==
        artifact::AttributeUse::Dropped)
      dropped.push_back(attr.getName());
  for (StringAttr name : dropped)
    op->removeDiscardableAttr(name);
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    global.removeDbgExprsAttr();
}

/// A loop annotation that held only source lines says nothing.
static void dropEmptyAnnotations(ModuleOp module) {
  module->walk([&](Operation *op) {
    // On branches, and on the loops that raising makes of them.
    for (StringRef name : {"loop_annotation", "llvm.loop_annotation"}) {
      auto annotation =
          dyn_cast_or_null<LLVM::LoopAnnotationAttr>(op->getAttr(name));
      // Built only here: a module without LLVM operations may live in a context
      // that has not loaded their dialect.
      if (annotation &&
          annotation == LLVM::LoopAnnotationAttr::get(
                            op->getContext(), nullptr, nullptr, nullptr,
                            nullptr, nullptr, nullptr, nullptr, nullptr,
                            nullptr, nullptr, nullptr, nullptr, nullptr,
                            nullptr, {}))
        op->removeAttr(name);
    }
  });
}

void loom::artifact::strip(ModuleOp module) {
  Location unknown = UnknownLoc::get(module.getContext());
  eraseDebugOperations(module);
  stripModule(module);
  module->walk([&](Operation *op) { stripOperation(op, unknown); });

  // Inside attributes: source lines of loops, descriptions of alias scopes
  // (they name functions and values).
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](LLVM::LoopAnnotationAttr loop) -> Attribute {
    return LLVM::LoopAnnotationAttr::get(
        loop.getContext(), loop.getDisableNonforced(), loop.getVectorize(),
        loop.getInterleave(), loop.getUnroll(), loop.getUnrollAndJam(),
        loop.getLicm(), loop.getDistribute(), loop.getPipeline(),
        loop.getPeeled(), loop.getUnswitch(), loop.getMustProgress(),
        loop.getIsVectorized(), nullptr, nullptr, loop.getParallelAccesses());
  });
  replacer.addReplacement([](LLVM::AliasScopeDomainAttr domain) -> Attribute {
    return LLVM::AliasScopeDomainAttr::get(domain.getContext(), domain.getId(),
                                           StringAttr());
  });
  replacer.addReplacement([](LLVM::AliasScopeAttr scope) -> Attribute {
    return LLVM::AliasScopeAttr::get(scope.getContext(), scope.getId(),
                                     scope.getDomain(), StringAttr());
  });
  replacer.addReplacement([&](LocationAttr) -> Attribute { return unknown; });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true);
  dropEmptyAnnotations(module);
}
