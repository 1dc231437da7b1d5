// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StructuredOperationSourceProvenance: where the operations of a candidate came
// from. A sidecar: beside the artifact, never in its identity.

#ifndef LOOM_ARTIFACT_PROVENANCE_H
#define LOOM_ARTIFACT_PROVENANCE_H

#include "loom/Artifact/Identity.h"
#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace loom {

/// A source file as the debug information spells it.
struct SourceFile {
  std::string directory; ///< empty when only a location named the file
  std::string name;
  bool operator==(const SourceFile &o) const {
    return directory == o.directory && name == o.name;
  }
};

struct SourceFrame {
  uint32_t file = 0; ///< index into the inventory
  uint32_t line = 0;
  uint32_t column = 0;
  bool operator==(const SourceFrame &o) const {
    return file == o.file && line == o.line && column == o.column;
  }
};

/// From the location of the operation outward through the inline call sites.
using CallSitePath = std::vector<SourceFrame>;

struct SourceProvenance {
  ArtifactIdentity candidate;
  /// Every file that a location or a debug scope names, sorted.
  std::vector<SourceFile> files;
  /// By operation ordinal, the distinct paths of that operation.
  std::vector<std::vector<CallSitePath>> operations;

  std::string bytes() const;
  /// BadProvenance for anything but what `bytes` writes.
  static llvm::Expected<SourceProvenance> fromBytes(llvm::StringRef bytes);

  /// Gives every operation of `clone`, a clone of the candidate's module, its
  /// location back. BadProvenance when it has another number of operations.
  llvm::Error applyTo(mlir::ModuleOp clone) const;
};

/// Collects provenance from locations.
class ProvenanceBuilder {
public:
  /// The paths of `loc`; its files go into the inventory.
  void add(mlir::Location loc);
  /// Only the files, e.g. of an operation that will be dropped.
  void addFiles(mlir::Attribute attr);
  SourceProvenance finish(const ArtifactIdentity &candidate);

private:
  std::vector<CallSitePath> paths(mlir::Location loc);
  uint32_t fileIndex(llvm::StringRef directory, llvm::StringRef name);
  SourceProvenance result;
  llvm::StringMap<uint32_t> index;
  llvm::DenseMap<mlir::Attribute, std::vector<CallSitePath>> known;
  llvm::DenseSet<mlir::Attribute> scanned;
};

} // namespace loom

#endif
