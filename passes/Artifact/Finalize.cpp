// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finalisation and in-process import: one path through fresh context, verifier
// and writer for both.

#include "Canonical.h"
#include "Isolate.h"
#include "loom/Artifact/StructuredProgram.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace loom;
using namespace loom::artifact;
using llvm::Error;
using llvm::Expected;

static Expected<OwningOpRef<ModuleOp>> parse(StringRef bytecode,
                                             MLIRContext &context) {
  std::string first;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (first.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      first = diagnostic.str();
    return success();
  });
  // A copy is aligned as the reader wants it.
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      llvm::MemoryBuffer::getMemBufferCopy(bytecode, "artifact");
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  Block block;
  bool isModule = isBytecode(*buffer) &&
                  succeeded(readBytecodeFile(*buffer, &block, config)) &&
                  llvm::hasSingleElement(block) && isa<ModuleOp>(block.front());
  if (!isModule)
    return artifactError(ArtifactFault::Unreadable,
                         StringRef(first).take_front(300));
  auto module = cast<ModuleOp>(block.front());
  module->remove();
  return OwningOpRef<ModuleOp>(module);
}

/// The candidate of these bytes, if they are what the writer makes of it.
static Expected<std::unique_ptr<StructuredProgramCandidate>>
reconstruct(StringRef bytecode, ArtifactFault onDifference) {
  FreshContext context;
  Expected<OwningOpRef<ModuleOp>> module = parse(bytecode, context.get());
  if (!module)
    return module.takeError();
  uniteDistinct(**module);
  if (Error error = verifyModule(**module))
    return error;
  OwningOpRef<ModuleOp> clone = (*module)->clone();
  if (Error error = canonicalise(*clone))
    return error;
  if (encode(*clone) != bytecode)
    return artifactError(onDifference);
  return std::make_unique<StructuredProgramCandidate>(
      context.release(), std::move(*module), semanticBytes(bytecode));
}

Expected<FinalizedProgram> loom::finalizeProgram(ModuleOp module) {
  if (Error error = verifyModule(module))
    return error;
  OwningOpRef<ModuleOp> clone = module.clone();
  // Locations, before the writer removes them.
  DenseMap<Operation *, Location> locations;
  ProvenanceBuilder provenance;
  clone->walk([&](Operation *op) {
    locations.try_emplace(op, op->getLoc());
    provenance.addFiles(op->getLoc());
  });
  if (Error error = canonicalise(*clone))
    return error;
  std::string bytecode = encode(*clone);
  if (bytecode.empty() || bytecode.size() > maxArtifactBytes)
    return artifactError(ArtifactFault::TooLarge,
                         llvm::Twine(bytecode.size()) + " bytes");
  clone->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { provenance.add(locations.at(op)); });
  Expected<std::unique_ptr<StructuredProgramCandidate>> candidate =
      reconstruct(bytecode, ArtifactFault::NotReproducible);
  if (!candidate)
    return candidate.takeError();
  FinalizedProgram result;
  result.provenance = provenance.finish((*candidate)->identity());
  result.candidate = std::move(*candidate);
  return result;
}

Expected<std::unique_ptr<StructuredProgramCandidate>>
loom::importProgram(StringRef semantic, ImportMode mode) {
  Expected<StringRef> bytecode = bytecodeOf(semantic);
  if (!bytecode)
    return bytecode.takeError();
  if (mode == ImportMode::Isolated)
    if (Error error = rehearse([&] {
          return reconstruct(*bytecode, ArtifactFault::NonCanonical)
              .takeError();
        }))
      return error;
  return reconstruct(*bytecode, ArtifactFault::NonCanonical);
}

Expected<std::unique_ptr<StructuredProgramCandidate>>
loom::importObject(StringRef object, ImportMode mode) {
  Expected<SealedObject> sealed = openObject(object);
  if (!sealed)
    return sealed.takeError();
  return importProgram(sealed->semantic, mode);
}
