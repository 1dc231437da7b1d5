// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the Spatial room, for loom-opt:
//   --loom-print-footprints   one line per root to stdout
//   --loom-derive-spatial     adds the spatial.app of each region to the module
//   --loom-emit-spatial       prints the Scala text of each region to stdout
//                             (=check=true: the self-checking form)

#ifndef LOOM_SPATIAL_PASSES_H
#define LOOM_SPATIAL_PASSES_H

namespace mlir {
class DialectRegistry;
}

namespace loom {

/// Registers the passes above.
void registerSpatialPasses();

/// Adds the dialects a derived app may use.
void registerSpatialDialects(mlir::DialectRegistry &registry);

} // namespace loom

#endif
