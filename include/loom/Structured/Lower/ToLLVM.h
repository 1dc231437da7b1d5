// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S0 back to LLVM: the second half of the round trip, which tests raising by
// running what was raised. Nothing else depends on it.

#ifndef LOOM_STRUCTURED_LOWER_TOLLVM_H
#define LOOM_STRUCTURED_LOWER_TOLLVM_H

#include "loom/Structured/IR/Loom.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace loom {

/// A deliberate defect of the lowering: proof that the tests which use it can
/// fail.
enum class LoweringDefect {
  None,
  LowerBound, ///< counted loops begin one step late
};

/// Adds a copy of `envelope`, in the LLVM dialect only, to `target`. The copy
/// takes the inputs of the region and returns its outputs as one struct. On
/// failure nothing is added, and the context's diagnostics say why.
mlir::FailureOr<mlir::LLVM::LLVMFuncOp>
lowerToLLVMDialect(mlir::LLVM::LLVMFuncOp envelope, llvm::StringRef name,
                   mlir::ModuleOp target, LoweringDefect defect);

/// LLVM IR of a module of such functions; null on failure. Loads what the
/// translation needs into the module's context.
std::unique_ptr<llvm::Module> translateToLLVM(mlir::ModuleOp module,
                                              llvm::LLVMContext &context);

} // namespace loom

#endif
