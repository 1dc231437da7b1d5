// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StructuredProgramCandidate: an immutable snapshot of a whole program in the
// artifact family `loom.structured_program 1.0`, and the only two ways to get
// one: finalisation of a module, import of its bytes.

#ifndef LOOM_ARTIFACT_STRUCTUREDPROGRAM_H
#define LOOM_ARTIFACT_STRUCTUREDPROGRAM_H

#include "loom/Artifact/EntityRef.h"
#include "loom/Artifact/Provenance.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace loom {

class StructuredProgramCandidate {
public:
  StructuredProgramCandidate(std::unique_ptr<mlir::MLIRContext> context,
                             mlir::OwningOpRef<mlir::ModuleOp> module,
                             std::string semantic);

  const ArtifactIdentity &identity() const { return id; }
  /// What the identity is the SHA-256 of.
  llvm::StringRef semanticBytes() const { return semantic; }
  /// The canonical module, parsed back from the bytes. Sealed: whoever wants to
  /// change something clones it.
  mlir::ModuleOp module() const { return *root; }
  const EntityIndex &entities() const { return index; }

  StructuredEntityRef refTo(mlir::Operation *op) const;
  StructuredEntityRef refTo(mlir::Region *region) const;
  StructuredEntityRef refTo(mlir::Block *block) const;
  StructuredEntityRef refTo(mlir::Value value) const;

  /// Resolve a reference of the kind that the caller expects. RefParent when it
  /// points into another candidate (RefStale when that is one of `ancestors`),
  /// RefKind, RefRange.
  llvm::Expected<mlir::Operation *>
  resolveOperation(const StructuredEntityRef &ref,
                   llvm::ArrayRef<ArtifactIdentity> ancestors = {}) const;
  llvm::Expected<mlir::Region *>
  resolveRegion(const StructuredEntityRef &ref,
                llvm::ArrayRef<ArtifactIdentity> ancestors = {}) const;
  llvm::Expected<mlir::Block *>
  resolveBlock(const StructuredEntityRef &ref,
               llvm::ArrayRef<ArtifactIdentity> ancestors = {}) const;
  llvm::Expected<mlir::Value>
  resolveValue(const StructuredEntityRef &ref,
               llvm::ArrayRef<ArtifactIdentity> ancestors = {}) const;
  /// Any kind: checks without resolving.
  llvm::Error check(const StructuredEntityRef &ref,
                    llvm::ArrayRef<ArtifactIdentity> ancestors = {}) const;

private:
  llvm::Error expect(const StructuredEntityRef &ref, StructuredEntityKind kind,
                     llvm::ArrayRef<ArtifactIdentity> ancestors) const;
  std::unique_ptr<mlir::MLIRContext> context; // outlives the module
  mlir::OwningOpRef<mlir::ModuleOp> root;
  std::string semantic;
  ArtifactIdentity id;
  EntityIndex index;
};

struct FinalizedProgram {
  std::unique_ptr<StructuredProgramCandidate> candidate;
  SourceProvenance provenance;
};

/// Finalises a module, which is not changed. All or nothing: the canonical
/// bytes were parsed back in a fresh context, verified and re-encoded to the
/// same bytes.
llvm::Expected<FinalizedProgram> finalizeProgram(mlir::ModuleOp module);

enum class ImportMode {
  /// First in a forked process under limits: MLIR's bytecode reader is not made
  /// for hostile bytes.
  Isolated,
  /// For bytes that this process or its trusted store made.
  InProcess
};

/// Imports semantic bytes: parsed in a fresh context, verified, re-encoded to
/// the same bytes; never repaired.
llvm::Expected<std::unique_ptr<StructuredProgramCandidate>>
importProgram(llvm::StringRef semantic, ImportMode mode = ImportMode::Isolated);

/// Opens an object and imports what is in it.
llvm::Expected<std::unique_ptr<StructuredProgramCandidate>>
importObject(llvm::StringRef object, ImportMode mode = ImportMode::Isolated);

} // namespace loom

#endif
