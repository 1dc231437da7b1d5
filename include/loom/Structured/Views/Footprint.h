// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The footprint view of a structured region: what each memory root is used for
// and which bytes, relative to the root, the region may touch.

#ifndef LOOM_STRUCTURED_VIEWS_FOOTPRINT_H
#define LOOM_STRUCTURED_VIEWS_FOOTPRINT_H

#include "loom/Structured/IR/Loom.h"
#include "llvm/ADT/SmallVector.h"

namespace loom {

/// The use of one pointer argument as a memory root.
///
/// `[lo, hi)` is an upper bound: the region touches no byte of the root outside
/// it. Nothing says that every byte inside is touched, or even mapped: whoever
/// copies the range must be able to cope with an unreadable part.
struct RootFootprint {
  unsigned argument = 0;       ///< block argument number, that is launch slot
  bool reads = false;          ///< some rooted load
  bool writes = false;         ///< some rooted store
  bool known = false;          ///< `[lo, hi)` holds
  int64_t lo = 0;              ///< first byte, relative to the pointer
  int64_t hi = 0;              ///< one past the last byte
  mlir::Type element;          ///< the one type of all accesses, or null
  bool elementAligned = false; ///< all addresses are lo + n * sizeof(element)

  bool accessed() const { return reads || writes; }
};

/// One entry per pointer argument of `region`, in argument order; arguments
/// that are no root of any access have `accessed() == false`. When some access
/// has an address that is not `argument + byte offset`, no footprint is known.
llvm::SmallVector<RootFootprint> computeFootprints(SpatialRegionOp region);

/// The block argument at the end of a chain of byte offsets, or null.
mlir::BlockArgument rootOf(SpatialRegionOp region, mlir::Value address);

/// True if some load or store of the region has no root.
bool hasUnrootedAccess(SpatialRegionOp region);

/// Size in bytes of a type that S0 loads and stores; 0 for any other.
unsigned accessSize(mlir::Type type);

} // namespace loom

#endif
