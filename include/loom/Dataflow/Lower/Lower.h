// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering of a structured region (S0) to a dataflow graph (D0).

#ifndef LOOM_DATAFLOW_LOWER_LOWER_H
#define LOOM_DATAFLOW_LOWER_LOWER_H

#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Structured/IR/Loom.h"
#include "loom/Support/Refusal.h"
#include "mlir/IR/BuiltinOps.h"

namespace loom {

/// Which graph a region becomes; docs/dataflow.md has both.
enum class LoweringMode {
  /// With the shortcuts: what the plugin makes.
  Short,
  /// D0: the plain algebra of permission and order tokens, nothing left out.
  Mechanical,
};

/// Lowers `region` to a `dataflow.graph` at the end of `scratch`, named after
/// the region (made unique). All or nothing: every operation without an actor
/// is added to `refusals` and nothing is created when there is one. `region` is
/// not changed. The context must have the dialects of `loadLowerDialects`
/// loaded. The caller runs `verifyPhases` on the result.
mlir::FailureOr<dataflow::GraphOp>
lowerRegion(SpatialRegionOp region, mlir::ModuleOp scratch,
            llvm::SmallVectorImpl<Refused> &refusals,
            LoweringMode mode = LoweringMode::Short);

/// The same with other order partitions than those of the region, one per
/// argument.
mlir::FailureOr<dataflow::GraphOp>
lowerRegion(SpatialRegionOp region, llvm::ArrayRef<int32_t> partitions,
            mlir::ModuleOp scratch, llvm::SmallVectorImpl<Refused> &refusals,
            LoweringMode mode = LoweringMode::Short);

/// Loads the dialects that `lowerRegion` creates operations of.
void loadLowerDialects(mlir::MLIRContext &context);

/// Registers the passes `loom-lower-to-dataflow`, `dataflow-verify-phases` and
/// `dataflow-write-image` (passes/loom-opt).
void registerDataflowPasses();

} // namespace loom

#endif
