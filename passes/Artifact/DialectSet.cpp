// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pinned dialect set of the schema.

#include "Canonical.h"
#include "loom/Structured/IR/Loom.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

void loom::artifact::insertPinnedDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, DLTIDialect, func::FuncDialect,
                  LLVM::LLVMDialect, LoomDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect>();
}

bool loom::artifact::isPinnedDialect(StringRef name) {
  static const DialectRegistry registry = [] {
    DialectRegistry registry;
    insertPinnedDialects(registry);
    return registry;
  }();
  return name == "builtin" ||
         llvm::is_contained(registry.getDialectNames(), name);
}

loom::artifact::FreshContext::FreshContext() {
  DialectRegistry registry;
  insertPinnedDialects(registry);
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // The pinned set names every dialect; nothing else may come in.
  context->allowUnregisteredDialects(false);
}

llvm::Error loom::artifact::verifyModule(ModuleOp module) {
  std::string first;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (first.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          first = diagnostic.str();
        return success();
      });
  if (failed(mlir::verify(module)))
    return artifactError(ArtifactFault::Unverified,
                         StringRef(first).take_front(300));
  return llvm::Error::success();
}
