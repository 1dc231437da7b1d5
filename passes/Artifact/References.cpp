// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "References.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace loom::artifact;

static bool isLocal(LLVM::Linkage linkage) {
  return linkage == LLVM::Linkage::Private ||
         linkage == LLVM::Linkage::Internal;
}

/// Whether the linker can't see the name of `op`.
static bool hasHiddenName(SymbolOpInterface op) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(*op))
    return isLocal(function.getLinkage()) && !function.isExternal();
  if (auto global = dyn_cast<LLVM::GlobalOp>(*op))
    return isLocal(global.getLinkage());
  if (auto alias = dyn_cast<LLVM::AliasOp>(*op))
    return isLocal(alias.getLinkage());
  if (auto ifunc = dyn_cast<LLVM::IFuncOp>(*op))
    return isLocal(ifunc.getLinkage());
  // The container of the COMDATs; the COMDATs themselves are visible.
  if (isa<LLVM::ComdatOp>(*op))
    return true;
  return op.isPrivate() && !op.isDeclaration();
}

Privacy::Privacy(ModuleOp module) {
  for (auto symbol : module.getOps<SymbolOpInterface>())
    if (hasHiddenName(symbol))
      symbols[symbol.getNameAttr()] = symbol;
  keepUsed(module);
  keepNamedInAssembly(module);
}

/// What `llvm.used` and `llvm.compiler.used` list may be looked up by name.
void Privacy::keepUsed(ModuleOp module) {
  for (StringRef list : {"llvm.used", "llvm.compiler.used"})
    if (Operation *op = module.lookupSymbol(list))
      op->walk([&](LLVM::AddressOfOp address) {
        symbols.erase(address.getGlobalNameAttr().getAttr());
      });
}

void Privacy::keepNamedInAssembly(ModuleOp module) {
  SmallVector<StringRef> texts;
  if (auto lines = module->getAttrOfType<ArrayAttr>(
          LLVM::LLVMDialect::getModuleLevelAsmAttrName()))
    for (auto line : lines.getAsRange<StringAttr>())
      texts.push_back(line);
  module->walk(
      [&](LLVM::InlineAsmOp op) { texts.push_back(op.getAsmString()); });
  constexpr StringLiteral word = "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
  for (StringRef text : texts)
    while (!text.empty()) {
      text = text.drop_front(std::min(text.size(), text.find_first_of(word)));
      size_t size = std::min(text.size(), text.find_first_not_of(word));
      if (size)
        symbols.erase(
            StringAttr::get(module.getContext(), text.take_front(size)));
      text = text.drop_front(size);
    }
}

const SmallVector<Attribute> &ReferenceCollector::in(Attribute attr) {
  if (auto it = cache.find(attr); it != cache.end())
    return it->second;
  llvm::SetVector<Attribute> found;
  if (auto symbol = dyn_cast<SymbolRefAttr>(attr)) {
    if (privacy.isPrivate(symbol.getRootReference()))
      found.insert(symbol.getRootReference());
  } else if (isa<DistinctAttr>(attr)) {
    found.insert(attr);
  } else {
    attr.walkImmediateSubElements(
        [&](Attribute inner) {
          if (inner)
            found.insert_range(in(inner));
        },
        [](Type) {});
  }
  // After the recursion, which may have moved the table.
  return cache[attr] = found.takeVector();
}

ArrayRef<Attribute> ReferenceCollector::of(Operation *member) {
  if (auto it = members.find(member); it != members.end())
    return it->second;
  llvm::SetVector<Attribute> found;
  member->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (NamedAttribute attr : op->getAttrDictionary())
      found.insert_range(in(attr.getValue()));
  });
  return members[member] = SmallVector<Attribute>(found.begin(), found.end());
}

std::string loom::artifact::anonymousText(Operation *member,
                                          const Privacy &privacy,
                                          ArrayRef<Attribute> references) {
  DenseMap<Attribute, unsigned> position;
  for (auto [index, reference] : llvm::enumerate(references))
    position[reference] = index;
  MLIRContext *context = member->getContext();
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](SymbolRefAttr symbol)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        StringAttr root = symbol.getRootReference();
        if (!privacy.isPrivate(root))
          return std::make_pair(symbol, WalkResult::skip());
        StringAttr blank =
            StringAttr::get(context, "\1" + Twine(position.lookup(root)));
        return std::make_pair(
            SymbolRefAttr::get(blank, symbol.getNestedReferences()),
            WalkResult::skip());
      });
  Operation *copy = member->clone();
  replacer.recursivelyReplaceElementsIn(copy);
  if (auto symbol = dyn_cast<SymbolOpInterface>(copy))
    symbol.setName(StringAttr::get(context, "\1"));
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream, OpPrintingFlags().useLocalScope().printGenericOpForm());
  copy->erase();
  return text;
}
