// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 4 of the writer: everything that has a free spelling gets its canonical
// one.

#include "Canonical.h"
#include "loom/Structured/IR/Loom.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace loom;
using llvm::Error;
using loom::artifact::SymbolOrder;

/// Identified structs become literal ones: the name of a struct has no meaning
/// in LLVM IR, and the importer makes it unique within its context.
static Error nameNoStructs(ModuleOp module) {
  llvm::DenseSet<Type> open;
  bool recursive = false;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](LLVM::LLVMStructType type)
                              -> std::optional<std::pair<Type, WalkResult>> {
    if (!type.isIdentified())
      return std::nullopt;
    if (type.isOpaque())
      return std::make_pair(type, WalkResult::skip());
    if (!open.insert(type).second) {
      recursive = true;
      return std::make_pair(type, WalkResult::skip());
    }
    SmallVector<Type> body;
    for (Type element : type.getBody())
      body.push_back(replacer.replace(element));
    open.erase(type);
    return std::make_pair(LLVM::LLVMStructType::getLiteral(
                              type.getContext(), body, type.isPacked()),
                          WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return recursive ? artifactError(ArtifactFault::RecursiveType)
                   : Error::success();
}

/// The entries of a data layout are a set.
static void sortDataLayouts(ModuleOp module) {
  auto keyOf = [](DataLayoutEntryInterface entry) {
    std::string key;
    llvm::raw_string_ostream stream(key);
    if (auto type = dyn_cast<Type>(entry.getKey()))
      stream << 't' << type;
    else
      stream << 's' << cast<StringAttr>(entry.getKey()).getValue();
    return key;
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DataLayoutSpecAttr spec) -> Attribute {
    SmallVector<std::pair<std::string, DataLayoutEntryInterface>> entries;
    for (DataLayoutEntryInterface entry : spec.getEntries())
      entries.push_back({keyOf(entry), entry});
    llvm::stable_sort(entries, llvm::less_first());
    SmallVector<DataLayoutEntryInterface> sorted;
    for (auto &[key, entry] : entries)
      sorted.push_back(entry);
    return DataLayoutSpecAttr::get(spec.getContext(), sorted);
  });
  replacer.replaceElementsIn(module);
}

static void orderMembers(ModuleOp module, const SymbolOrder &order) {
  Block *body = module.getBody();
  for (Operation *member : order.members)
    member->moveBefore(body, body->end());
  for (auto comdats : module.getOps<LLVM::ComdatOp>()) {
    SmallVector<LLVM::ComdatSelectorOp> selectors(
        comdats.getBody().getOps<LLVM::ComdatSelectorOp>());
    llvm::stable_sort(selectors, [](auto a, auto b) {
      return a.getSymName() < b.getSymName();
    });
    for (LLVM::ComdatSelectorOp selector : selectors)
      selector->moveBefore(&comdats.getBody().front(),
                           comdats.getBody().front().end());
  }
}

/// Labels of regions: unique, so that graphs made of them are.
static void nameRegions(ModuleOp module) {
  unsigned next = 0;
  module->walk<WalkOrder::PreOrder>([&](SpatialRegionOp region) {
    region.setRegionName(("r" + Twine(next++)).str());
  });
}

/// Tags of address-taken blocks, by function.
static DenseMap<std::pair<Attribute, Attribute>, Attribute>
renumberedTags(ModuleOp module) {
  DenseMap<std::pair<Attribute, Attribute>, Attribute> result;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    unsigned next = 0;
    function->walk<WalkOrder::PreOrder>([&](LLVM::BlockTagOp op) {
      Attribute &fresh = result[{function.getSymNameAttr(), op.getTag()}];
      if (!fresh)
        fresh = LLVM::BlockTagAttr::get(module.getContext(), next++);
    });
    function->walk([&](LLVM::BlockTagOp op) {
      op.setTagAttr(cast<LLVM::BlockTagAttr>(
          result.lookup({function.getSymNameAttr(), op.getTag()})));
    });
  }
  return result;
}

static constexpr StringLiteral distinctPrefix = "loom.distinct.";

/// A distinct attribute carries nothing, or the payload of an earlier run.
static bool isPlainDistinct(DistinctAttr attr) {
  Attribute payload = attr.getReferencedAttr();
  auto text = dyn_cast<StringAttr>(payload);
  return isa<UnitAttr>(payload) ||
         (text && text.getValue().starts_with(distinctPrefix));
}

/// New names for symbols, tags and distinct attributes, the last in the order
/// in which the canonical module mentions them.
static Error rename(ModuleOp module, const SymbolOrder &order) {
  MLIRContext *context = module.getContext();
  auto tags = renumberedTags(module);
  DenseMap<DistinctAttr, DistinctAttr> distinct;
  Error error = Error::success();
  auto fresh = [&](StringAttr name) {
    auto it = order.renamed.find(name);
    return it == order.renamed.end() ? name : it->second;
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](SymbolRefAttr symbol)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        return std::make_pair(
            SymbolRefAttr::get(fresh(symbol.getRootReference()),
                               symbol.getNestedReferences()),
            WalkResult::skip());
      });
  replacer.addReplacement(
      [&](LLVM::BlockAddressAttr address)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        StringAttr function = address.getFunction().getAttr();
        Attribute tag = tags.lookup({function, address.getTag()});
        return std::make_pair(
            LLVM::BlockAddressAttr::get(
                context, FlatSymbolRefAttr::get(fresh(function)),
                tag ? cast<LLVM::BlockTagAttr>(tag) : address.getTag()),
            WalkResult::skip());
      });
  replacer.addReplacement(
      [&](DistinctAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!isPlainDistinct(attr) && !error)
          error = artifactError(ArtifactFault::DistinctPayload);
        DistinctAttr &known = distinct[attr];
        if (!known)
          known = DistinctAttr::create(StringAttr::get(
              context, distinctPrefix + Twine(distinct.size() - 1)));
        return std::make_pair(known, WalkResult::skip());
      });
  module->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { replacer.replaceElementsIn(op); });
  for (Operation *member : order.members)
    if (auto symbol = dyn_cast<SymbolOpInterface>(member))
      symbol.setName(fresh(symbol.getNameAttr()));
  return error;
}

void loom::artifact::uniteDistinct(ModuleOp module) {
  DenseMap<Attribute, DistinctAttr> known;
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](DistinctAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        auto payload = dyn_cast<StringAttr>(attr.getReferencedAttr());
        if (!payload || !payload.getValue().starts_with(distinctPrefix))
          return std::make_pair(attr, WalkResult::skip());
        return std::make_pair(known.try_emplace(payload, attr).first->second,
                              WalkResult::skip());
      });
  module->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { replacer.replaceElementsIn(op); });
}

Error loom::artifact::normalise(ModuleOp module) {
  if (Error error = nameNoStructs(module))
    return error;
  sortDataLayouts(module);
  // Before the symbols: their order follows that of their first uses.
  orderConstants(module);
  llvm::Expected<SymbolOrder> order = orderSymbols(module);
  if (!order)
    return order.takeError();
  orderMembers(module, *order);
  if (Error error = rename(module, *order))
    return error;
  nameRegions(module);
  sortUses(module);
  return Error::success();
}
