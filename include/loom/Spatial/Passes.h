// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the Spatial room, for loom-opt:
//   --loom-print-footprints   one line per root to stdout
//   --loom-derive-spatial     replaces each region by its spatial.app
//   --loom-emit-spatial       prints the Scala text of each region to stdout

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
