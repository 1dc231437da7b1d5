// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Scala text of a Spatial app (docs/spatial.md has the command lines).

#ifndef LOOM_SPATIAL_EMIT_EMIT_H
#define LOOM_SPATIAL_EMIT_EMIT_H

#include "loom/Spatial/IR/Spatial.h"
#include "loom/Structured/IR/Loom.h"
#include "loom/Structured/Views/Footprint.h"
#include "loom/Support/Refusal.h"
#include <string>

namespace loom {

/// Both forms of the app of one region.
struct SpatialApp {
  std::string object; ///< name of the app object; the check is <object>_check
  std::string source; ///< binary files in, binary files out
  std::string checkSource; ///< compares with the expected files, prints PASS
};

/// The two texts of a derived program.
mlir::FailureOr<SpatialApp>
printSpatialApp(spatial::AppOp app, llvm::SmallVectorImpl<Refused> &refusals);

/// Derives and prints the app of a region. Nothing is changed in the module of
/// the region. `footprints` is what computeFootprints returned for it. The
/// context must have the dialects of `registerSpatialDialects` loaded.
mlir::FailureOr<SpatialApp>
emitSpatialApp(SpatialRegionOp region, llvm::ArrayRef<RootFootprint> footprints,
               llvm::SmallVectorImpl<Refused> &refusals);

} // namespace loom

#endif
