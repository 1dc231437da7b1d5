// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sealed view of a candidate and the resolver of its references.

#include "loom/Artifact/StructuredProgram.h"

using namespace mlir;
using namespace loom;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

StructuredProgramCandidate::StructuredProgramCandidate(
    std::unique_ptr<MLIRContext> context, OwningOpRef<ModuleOp> module,
    std::string semantic)
    : context(std::move(context)), root(std::move(module)),
      semantic(std::move(semantic)), id(ArtifactIdentity::of(this->semantic)),
      index(*root) {}

template <typename T>
static StructuredEntityRef makeRef(const StructuredProgramCandidate &candidate,
                                   StructuredEntityKind kind, T entity) {
  std::optional<uint64_t> ordinal = candidate.entities().find(entity);
  assert(ordinal && "an entity of another module");
  // An entity of elsewhere gets a reference that no resolver takes.
  return {candidate.identity(), kind, ordinal.value_or(UINT64_MAX)};
}

StructuredEntityRef StructuredProgramCandidate::refTo(Operation *op) const {
  return makeRef(*this, StructuredEntityKind::Operation, op);
}
StructuredEntityRef StructuredProgramCandidate::refTo(Region *region) const {
  return makeRef(*this, StructuredEntityKind::Region, region);
}
StructuredEntityRef StructuredProgramCandidate::refTo(Block *block) const {
  return makeRef(*this, StructuredEntityKind::Block, block);
}
StructuredEntityRef StructuredProgramCandidate::refTo(Value value) const {
  return makeRef(*this, StructuredEntityKind::Value, value);
}

Error StructuredProgramCandidate::check(
    const StructuredEntityRef &ref,
    ArrayRef<ArtifactIdentity> ancestors) const {
  if (ref.parent != id)
    return artifactError(llvm::is_contained(ancestors, ref.parent)
                             ? ArtifactFault::RefStale
                             : ArtifactFault::RefParent,
                         ref.parent.hex());
  if (ref.kind > StructuredEntityKind::Value)
    return artifactError(ArtifactFault::RefKind,
                         Twine(static_cast<uint32_t>(ref.kind)));
  if (ref.ordinal >= index.count(ref.kind))
    return artifactError(ArtifactFault::RefRange,
                         Twine(ref.ordinal) + " of " +
                             Twine(index.count(ref.kind)));
  return Error::success();
}

Error StructuredProgramCandidate::expect(
    const StructuredEntityRef &ref, StructuredEntityKind kind,
    ArrayRef<ArtifactIdentity> ancestors) const {
  if (Error error = check(ref, ancestors))
    return error;
  if (ref.kind != kind)
    return artifactError(ArtifactFault::RefKind,
                         "kind " + Twine(static_cast<uint32_t>(ref.kind)) +
                             ", not " + Twine(static_cast<uint32_t>(kind)));
  return Error::success();
}

Expected<Operation *> StructuredProgramCandidate::resolveOperation(
    const StructuredEntityRef &ref,
    ArrayRef<ArtifactIdentity> ancestors) const {
  if (Error error = expect(ref, StructuredEntityKind::Operation, ancestors))
    return error;
  return index.operation(ref.ordinal);
}

Expected<Region *> StructuredProgramCandidate::resolveRegion(
    const StructuredEntityRef &ref,
    ArrayRef<ArtifactIdentity> ancestors) const {
  if (Error error = expect(ref, StructuredEntityKind::Region, ancestors))
    return error;
  return index.region(ref.ordinal);
}

Expected<Block *> StructuredProgramCandidate::resolveBlock(
    const StructuredEntityRef &ref,
    ArrayRef<ArtifactIdentity> ancestors) const {
  if (Error error = expect(ref, StructuredEntityKind::Block, ancestors))
    return error;
  return index.block(ref.ordinal);
}

Expected<Value> StructuredProgramCandidate::resolveValue(
    const StructuredEntityRef &ref,
    ArrayRef<ArtifactIdentity> ancestors) const {
  if (Error error = expect(ref, StructuredEntityKind::Value, ancestors))
    return error;
  return index.value(ref.ordinal);
}
