// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a structured region to the program of a Spatial app.

#ifndef LOOM_SPATIAL_DERIVE_DERIVE_H
#define LOOM_SPATIAL_DERIVE_DERIVE_H

#include "loom/Spatial/IR/Spatial.h"
#include "loom/Structured/IR/Loom.h"
#include "loom/Structured/Views/Footprint.h"
#include "loom/Support/Refusal.h"
#include "mlir/IR/Builders.h"

namespace loom::spatial {

/// Builds a `spatial.app` for `region` at the insertion point of `builder`.
/// The region is left alone. On failure nothing remains at the insertion point
/// and `refusals` says why.
mlir::FailureOr<AppOp> deriveApp(mlir::OpBuilder &builder,
                                 SpatialRegionOp region,
                                 llvm::ArrayRef<RootFootprint> footprints,
                                 llvm::SmallVectorImpl<Refused> &refusals);

/// A region name as a Scala object name: letters, digits and underscores.
std::string objectName(llvm::StringRef regionName);

} // namespace loom::spatial

#endif
