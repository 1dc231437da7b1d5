// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raising: an outlined nest as an LLVM-dialect function becomes a
// loom.spatial_region (S0). Mechanical; no choice is made here.

#ifndef LOOM_STRUCTURED_RAISE_RAISE_H
#define LOOM_STRUCTURED_RAISE_RAISE_H

#include "loom/Structured/IR/Loom.h"
#include "loom/Support/Refusal.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace loom {

/// The folding patterns that clean up after structuring. Building them costs
/// milliseconds, so a caller with many nests keeps one set.
mlir::FrozenRewritePatternSet cleanUpPatterns(mlir::MLIRContext &context);

/// Loads every dialect that raising creates operations of.
void loadRaiseDialects(mlir::MLIRContext &context);

/// Imports a module of outlined nests; null when LLVM IR in it has no MLIR
/// form. Diagnostics go to the handlers of `context`.
mlir::OwningOpRef<mlir::ModuleOp>
importNests(std::unique_ptr<llvm::Module> module, mlir::MLIRContext &context);

/// Raises one outlined nest in place: the function returns nothing and has one
/// call of `loom.yield.*` before its return. Afterwards its body is one
/// loom.spatial_region, one input per argument. `partitions` and `exits` become
/// the attributes of the region. On failure a refusal is added and the function
/// must not be used any more.
mlir::FailureOr<SpatialRegionOp>
raiseNest(mlir::LLVM::LLVMFuncOp function, llvm::StringRef name,
          llvm::ArrayRef<int32_t> partitions, llvm::ArrayRef<int32_t> exits,
          const mlir::FrozenRewritePatternSet &patterns,
          llvm::SmallVectorImpl<Refused> &refusals);

// The steps of raiseNest, in order.

/// LLVM-dialect computations to arith, math and ub; branches to cf; addresses
/// to byte form. Fails, with refusals, on operations without a canonical
/// spelling.
mlir::LogicalResult spellCanonically(mlir::LLVM::LLVMFuncOp function,
                                     llvm::SmallVectorImpl<Refused> &refusals);

/// The same on the surface of a whole module: what has no standard spelling is
/// preserved, nothing is refused. With `keepBranches` the LLVM branches stay.
void spellTolerantly(mlir::LLVM::LLVMFuncOp function, bool keepBranches);

/// cf to scf, and folds what that leaves behind.
mlir::LogicalResult
structureControlFlow(mlir::LLVM::LLVMFuncOp function,
                     const mlir::FrozenRewritePatternSet &patterns,
                     llvm::SmallVectorImpl<Refused> &refusals);

} // namespace loom

#endif
