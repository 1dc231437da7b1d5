// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations to paths and back.

#include "loom/Artifact/Provenance.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace loom;

/// Fused locations inside call sites multiply; a path beyond these bounds is
/// left out.
static constexpr size_t maxPaths = 64, maxFrames = 512;

uint32_t ProvenanceBuilder::fileIndex(llvm::StringRef directory,
                                      llvm::StringRef name) {
  auto [it, isNew] = index.try_emplace(
      (directory + llvm::Twine('\0') + name).str(), result.files.size());
  if (isNew)
    result.files.push_back({directory.str(), name.str()});
  return it->second;
}

void ProvenanceBuilder::addFiles(Attribute attr) {
  if (!attr || !scanned.insert(attr).second)
    return;
  if (auto file = dyn_cast<LLVM::DIFileAttr>(attr))
    fileIndex(file.getDirectory(), file.getName());
  else if (auto range = dyn_cast<FileLineColRange>(attr))
    fileIndex("", range.getFilename());
  attr.walkImmediateSubElements([&](Attribute inner) { addFiles(inner); },
                                [](Type) {});
}

std::vector<CallSitePath> ProvenanceBuilder::paths(Location loc) {
  if (auto it = known.find(loc); it != known.end())
    return it->second;
  std::vector<CallSitePath> found;
  auto add = [&](CallSitePath path) {
    if (found.size() < maxPaths && path.size() <= maxFrames &&
        !llvm::is_contained(found, path))
      found.push_back(std::move(path));
  };
  if (auto range = dyn_cast<FileLineColRange>(loc)) {
    add({{fileIndex("", range.getFilename()), range.getStartLine(),
          range.getStartColumn()}});
  } else if (auto name = dyn_cast<NameLoc>(loc)) {
    found = paths(name.getChildLoc());
  } else if (auto opaque = dyn_cast<OpaqueLoc>(loc)) {
    found = paths(opaque.getFallbackLocation());
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location inner : fused.getLocations())
      for (CallSitePath &path : paths(inner))
        add(std::move(path));
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    std::vector<CallSitePath> callers = paths(call.getCaller());
    for (const CallSitePath &callee : paths(call.getCallee())) {
      if (callers.empty())
        add(callee);
      for (const CallSitePath &caller : callers) {
        CallSitePath path = callee;
        llvm::append_range(path, caller);
        add(std::move(path));
      }
    }
  }
  return known[loc] = found;
}

void ProvenanceBuilder::add(Location loc) {
  addFiles(loc);
  result.operations.push_back(paths(loc));
}

SourceProvenance ProvenanceBuilder::finish(const ArtifactIdentity &candidate) {
  result.candidate = candidate;
  // The order of the inventory is that of the names.
  std::vector<uint32_t> order(result.files.size()), place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    const SourceFile &left = result.files[a], &right = result.files[b];
    return std::tie(left.directory, left.name) <
           std::tie(right.directory, right.name);
  });
  std::vector<SourceFile> sorted;
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(result.files[order[i]]);
  }
  result.files = std::move(sorted);
  for (std::vector<CallSitePath> &operation : result.operations)
    for (CallSitePath &path : operation)
      for (SourceFrame &frame : path)
        frame.file = place[frame.file];
  return std::move(result);
}

llvm::Error SourceProvenance::applyTo(ModuleOp clone) const {
  MLIRContext *context = clone.getContext();
  std::vector<StringAttr> names;
  for (const SourceFile &file : files)
    names.push_back(StringAttr::get(context, file.name));
  auto locate = [&](const CallSitePath &path) -> Location {
    Location loc = UnknownLoc::get(context);
    for (size_t i = path.size(); i-- > 0;) {
      Location frame = FileLineColLoc::get(names[path[i].file], path[i].line,
                                           path[i].column);
      loc = i + 1 == path.size() ? frame : CallSiteLoc::get(frame, loc);
    }
    return loc;
  };
  std::vector<Operation *> all;
  clone->walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  if (all.size() != operations.size())
    return artifactError(ArtifactFault::BadProvenance,
                         llvm::Twine(operations.size()) + " operations, not " +
                             llvm::Twine(all.size()));
  for (auto [op, paths] : llvm::zip(all, operations)) {
    SmallVector<Location> locations;
    for (const CallSitePath &path : paths)
      locations.push_back(locate(path));
    op->setLoc(FusedLoc::get(context, locations));
  }
  return llvm::Error::success();
}
