// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canonical order of the members of a module and the canonical names of its
// private symbols. Neither depends on the old names or the old order.
//
// Roots are the members that something outside the module tells apart: visible
// symbols by their names, members without a symbol by their place. What they
// reach is numbered in the order of a breadth-first traversal, which the
// content of the members fixes. What is left nobody outside can reach; its
// connected components are labelled one by one (Components.cpp).

#include "Canonical.h"
#include "Components.h"
#include "References.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace loom;
using namespace loom::artifact;

/// Members of one section are laid out in order, which a program may observe.
static StringRef sectionOf(Operation *op) {
  auto section = op->getAttrOfType<StringAttr>("section");
  return section ? section.getValue() : StringRef();
}

static SmallVector<Operation *> orderedRoots(ModuleOp module,
                                             const Privacy &privacy) {
  SmallVector<Operation *> plain, sectioned, visible;
  for (Operation &op : *module.getBody()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol)
      plain.push_back(&op);
    else if (!sectionOf(&op).empty())
      sectioned.push_back(&op);
    else if (!privacy.isPrivate(symbol.getNameAttr()))
      visible.push_back(&op);
  }
  // Values tie members together; then their order stays as it is.
  if (llvm::none_of(plain, [](Operation *op) {
        return op->getNumOperands() || op->getNumResults();
      }))
    llvm::stable_sort(plain, [](Operation *a, Operation *b) {
      return a->getName().getStringRef() < b->getName().getStringRef();
    });
  llvm::stable_sort(sectioned, [](Operation *a, Operation *b) {
    return sectionOf(a) < sectionOf(b);
  });
  llvm::sort(visible, [](Operation *a, Operation *b) {
    return cast<SymbolOpInterface>(a).getName() <
           cast<SymbolOpInterface>(b).getName();
  });
  SmallVector<Operation *> roots = std::move(plain);
  llvm::append_range(roots, sectioned);
  llvm::append_range(roots, visible);
  return roots;
}

/// No kept name starts with the prefix, so no canonical name collides; and '#'
/// is in no word of an assembly text.
static std::string freePrefix(ModuleOp module, const Privacy &privacy) {
  std::string prefix = "#";
  for (bool again = true; again;) {
    again = false;
    for (auto symbol : module.getOps<SymbolOpInterface>())
      if (!privacy.isPrivate(symbol.getNameAttr()) &&
          symbol.getName().starts_with(prefix))
        again = true;
    if (again)
      prefix += '#';
  }
  return prefix;
}

llvm::Expected<SymbolOrder> loom::artifact::orderSymbols(ModuleOp module) {
  Privacy privacy(module);
  ReferenceCollector references(privacy);
  SymbolOrder order;
  order.members = orderedRoots(module, privacy);
  // Private symbols and distinct attributes by number.
  DenseMap<Attribute, unsigned> numbers;
  for (Operation *member : order.members)
    if (auto symbol = dyn_cast<SymbolOpInterface>(member);
        symbol && privacy.isPrivate(symbol.getNameAttr()))
      numbers.try_emplace(symbol.getNameAttr(), numbers.size());
  auto follow = [&](size_t next) {
    for (; next < order.members.size(); ++next)
      for (Attribute reference : references.of(order.members[next]))
        if (numbers.try_emplace(reference, numbers.size()).second)
          if (auto name = dyn_cast<StringAttr>(reference))
            order.members.push_back(privacy.definition(name));
  };
  follow(0);

  SmallVector<Operation *> rest;
  for (auto symbol : module.getOps<SymbolOpInterface>())
    if (privacy.isPrivate(symbol.getNameAttr()) &&
        !numbers.contains(symbol.getNameAttr()))
      rest.push_back(symbol);
  llvm::Expected<SmallVector<Operation *>> labelled =
      orderUnreachable(rest, privacy, references, numbers);
  if (!labelled)
    return labelled.takeError();
  for (Operation *member : *labelled) {
    numbers.try_emplace(cast<SymbolOpInterface>(member).getNameAttr(),
                        numbers.size());
    order.members.push_back(member);
  }

  std::string prefix = freePrefix(module, privacy);
  unsigned next = 0;
  for (Operation *member : order.members)
    if (auto symbol = dyn_cast<SymbolOpInterface>(member);
        symbol && privacy.isPrivate(symbol.getNameAttr()))
      order.renamed[symbol.getNameAttr()] =
          StringAttr::get(module.getContext(), prefix + Twine(next++));
  return order;
}
