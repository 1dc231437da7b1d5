// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 2 of the writer: what must not be left in a candidate.

#include "Attributes.h"
#include "Canonical.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace loom;
using llvm::Error;
using llvm::Twine;

template <typename T>
static std::string text(T thing) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  thing.print(stream);
  return StringRef(out).take_front(200).str();
}

/// `where` names the operation in the error.
static Error admitName(StringRef name, StringRef where) {
  std::string detail = ("'" + name + "' on " + where).str();
  switch (artifact::attributeUse(name)) {
  case artifact::AttributeUse::Hint:
    return artifactError(ArtifactFault::UnresolvedHint, detail);
  case artifact::AttributeUse::Plan:
    return artifactError(ArtifactFault::UnresolvedPlan, detail);
  case artifact::AttributeUse::Target:
    return artifactError(ArtifactFault::TargetAnnotation, detail);
  case artifact::AttributeUse::Placeholder:
    return artifactError(ArtifactFault::Placeholder, detail);
  case artifact::AttributeUse::Semantic:
  case artifact::AttributeUse::Dropped:
    break;
  }
  return Error::success();
}

/// An attribute without a dialect belongs to nobody: no rule says what it
/// means. Except the weights that raising moves from a branch to the structured
/// operation in its place, under LLVM's name.
static Error admitOwner(StringRef name, StringRef where) {
  if (name == "branch_weights")
    return Error::success();
  StringRef dialect = name.split('.').first;
  if (dialect == name || !artifact::isPinnedDialect(dialect))
    return artifactError(ArtifactFault::UnownedAttribute,
                         "'" + name + "' on " + where);
  return Error::success();
}

/// The attribute dictionaries of arguments and results.
static Error admitDictionaries(Attribute list, StringRef where) {
  auto array = dyn_cast_or_null<ArrayAttr>(list);
  if (!array)
    return Error::success();
  for (Attribute entry : array)
    if (auto dictionary = dyn_cast<DictionaryAttr>(entry))
      for (NamedAttribute attr : dictionary)
        if (Error error = admitName(attr.getName(), where))
          return error;
  return Error::success();
}

static Error admit(Operation *op, ModuleOp root) {
  StringRef name = op->getName().getStringRef();
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "transform")
    return artifactError(ArtifactFault::UnresolvedPlan, name);
  if (artifact::isTargetDialect(dialect))
    return artifactError(ArtifactFault::TargetAnnotation, name);
  if (!artifact::isPinnedDialect(dialect) || !op->isRegistered())
    return artifactError(ArtifactFault::UnpinnedDialect, name);
  if (isa<UnrealizedConversionCastOp>(op))
    return artifactError(ArtifactFault::Placeholder, name);
  if (op != root && op->hasTrait<OpTrait::SymbolTable>() &&
      !isa<LLVM::ComdatOp>(op))
    return artifactError(ArtifactFault::NestedSymbols, name);
  for (NamedAttribute attr : op->getDiscardableAttrs()) {
    if (Error error = admitName(attr.getName(), name))
      return error;
    // Symbols have an attribute that every operation may carry.
    if (artifact::attributeUse(attr.getName()) ==
            artifact::AttributeUse::Semantic &&
        attr.getName() != SymbolTable::getVisibilityAttrName())
      if (Error error = admitOwner(attr.getName(), name))
        return error;
  }
  for (StringRef list : {"arg_attrs", "res_attrs"})
    if (Error error = admitDictionaries(op->getAttr(list), name))
      return error;
  return Error::success();
}

Error loom::artifact::admitOperations(ModuleOp module) {
  Error error = Error::success();
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (Error found = admit(op, module)) {
      error = std::move(found);
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return error;
}

namespace {

/// Looks at each attribute and type once, however often it is used.
class Inspector {
public:
  explicit Inspector(ModuleOp module) : symbols(module) {
    walker.addWalk([this](Attribute attr) { return inspect(attr); });
    walker.addWalk([this](Type type) { return inspect(type); });
  }

  Error run(ModuleOp module) {
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool stop = walk(op->getAttrDictionary());
      for (Type type : op->getResultTypes())
        stop |= walk(type);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Type type : block.getArgumentTypes())
            stop |= walk(type);
      if (stop && detail.empty())
        detail = op->getName().getStringRef().str();
      return stop ? WalkResult::interrupt() : WalkResult::advance();
    });
    return stopped ? artifactError(fault, detail) : Error::success();
  }

private:
  template <typename T>
  bool walk(T thing) {
    return walker.walk<WalkOrder::PreOrder>(thing).wasInterrupted();
  }
  WalkResult stop(ArtifactFault why, const Twine &what) {
    stopped = true;
    fault = why;
    detail = what.str();
    return WalkResult::interrupt();
  }
  WalkResult inspect(Attribute attr) {
    if (isa<OpaqueAttr>(attr))
      return stop(ArtifactFault::Placeholder, text(attr));
    if (StringRef name = attr.getDialect().getNamespace(); !isPinned(name))
      return stop(isTargetDialect(name) ? ArtifactFault::TargetAnnotation
                                        : ArtifactFault::UnpinnedDialect,
                  text(attr));
    if (isa<DenseResourceElementsAttr>(attr))
      return stop(ArtifactFault::ExternalResource,
                  text(attr.getAbstractAttribute().getName().str()));
    if (auto symbol = dyn_cast<SymbolRefAttr>(attr); symbol && !resolve(symbol))
      return stop(ArtifactFault::UnresolvedSymbol, text(attr));
    return WalkResult::advance();
  }
  WalkResult inspect(Type type) {
    if (isa<OpaqueType>(type))
      return stop(ArtifactFault::Placeholder, text(type));
    if (StringRef name = type.getDialect().getNamespace(); !isPinned(name))
      return stop(isTargetDialect(name) ? ArtifactFault::TargetAnnotation
                                        : ArtifactFault::UnpinnedDialect,
                  text(type));
    return WalkResult::advance();
  }
  static std::string text(const std::string &name) { return name; }
  template <typename T>
  static std::string text(T thing) {
    return ::text(thing);
  }
  static bool isPinned(StringRef name) {
    return artifact::isPinnedDialect(name);
  }
  static bool isTargetDialect(StringRef name) {
    return artifact::isTargetDialect(name);
  }
  bool resolve(SymbolRefAttr symbol) {
    Operation *op = symbols.lookup(symbol.getRootReference());
    for (FlatSymbolRefAttr nested : symbol.getNestedReferences())
      op = op && op->hasTrait<OpTrait::SymbolTable>()
               ? SymbolTable::lookupSymbolIn(op, nested)
               : nullptr;
    return op;
  }

  SymbolTable symbols;
  AttrTypeWalker walker;
  bool stopped = false;
  ArtifactFault fault = ArtifactFault::Placeholder;
  std::string detail;
};

} // namespace

Error loom::artifact::admitAttributes(ModuleOp module) {
  return Inspector(module).run(module);
}
