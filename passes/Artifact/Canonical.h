// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canonical writer of loom.structured_program, step by step. Everything
// here works on a private clone, in place.

#ifndef LOOM_ARTIFACT_CANONICAL_H
#define LOOM_ARTIFACT_CANONICAL_H

#include "loom/Artifact/ArtifactError.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace loom::artifact {

/// The dialects of the schema, and only they.
void insertPinnedDialects(mlir::DialectRegistry &registry);
bool isPinnedDialect(llvm::StringRef name);
/// A context that knows the pinned set and is silent; its last error is kept.
class FreshContext {
public:
  FreshContext();
  mlir::MLIRContext &get() { return *context; }
  std::unique_ptr<mlir::MLIRContext> release() { return std::move(context); }

private:
  std::unique_ptr<mlir::MLIRContext> context;
};

/// Runs MLIR's verifier with its diagnostics caught.
llvm::Error verifyModule(mlir::ModuleOp module);

/// Step 2: what must not be left in a candidate. `admitOperations` before
/// `strip`, `admitAttributes` after it (debug attributes may hold anything).
llvm::Error admitOperations(mlir::ModuleOp module);
llvm::Error admitAttributes(mlir::ModuleOp module);

/// Step 3: locations, debug provenance, consumed hints, labels, derived state.
void strip(mlir::ModuleOp module);

/// Step 4: types without names, private symbols, labels, members, use lists.
llvm::Error normalise(mlir::ModuleOp module);
/// Distinct attributes with equal canonical payloads become one (their sharing
/// is lost in a text, and the bytecode writes some attributes as texts).
void uniteDistinct(mlir::ModuleOp module);

/// Neighbouring constants by their first uses: the importer makes them in the
/// order in which it meets them, debug records included.
void orderConstants(mlir::ModuleOp module);
/// Use lists as the bytecode reader builds them without being told an order.
void sortUses(mlir::ModuleOp module);

/// The members of the module in canonical order, private ones last; their
/// canonical names follow from the order.
struct SymbolOrder {
  llvm::SmallVector<mlir::Operation *> members;
  llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> renamed;
};
llvm::Expected<SymbolOrder> orderSymbols(mlir::ModuleOp module);

/// Steps 1 to 5 on `clone`; the source was verified already.
llvm::Error canonicalise(mlir::ModuleOp clone);
/// Step 6.
std::string encode(mlir::ModuleOp canonical);

} // namespace loom::artifact

#endif
