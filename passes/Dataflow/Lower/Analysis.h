// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lowering has to know about a region before it makes actors: memory
// roots, order partitions, and which accesses a structured operation holds.

#ifndef LOOM_DATAFLOW_LOWER_ANALYSIS_H
#define LOOM_DATAFLOW_LOWER_ANALYSIS_H

#include "loom/Structured/IR/Loom.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace loom::lower {

/// What happens inside a structured operation, by order partition.
struct Effects {
  llvm::BitVector reads;  // partitions with reads that something waits for
  llvm::BitVector writes; // partitions with writes
  bool hasWhile = false;  // a loop that may not end
  bool touches(unsigned partition) const {
    return reads[partition] || writes[partition];
  }
};

class Analysis {
public:
  /// `mechanical`: nothing is left out (docs/dataflow.md, "D0").
  Analysis(SpatialRegionOp region, llvm::ArrayRef<int32_t> partitions,
           bool mechanical);

  /// The region argument a pointer is computed from by byte offsets alone, or
  /// null.
  static mlir::BlockArgument rootOf(mlir::Value pointer);

  /// Dense numbers of the order partitions, from 0.
  unsigned numPartitions() const { return partitionCount; }
  /// The partitions that a load or store touches.
  llvm::ArrayRef<unsigned> partitionsOf(mlir::Operation *access) const;
  /// Whether the completion of a load is waited for. It isn't when nothing ever
  /// writes what it reads and the completion waits for its data on every path.
  bool isTracked(mlir::Operation *load) const { return tracked.contains(load); }
  /// Effects of an `scf` operation.
  const Effects &effects(mlir::Operation *op) const;
  /// Whether a pointer is used other than as the root or the link of rooted
  /// addresses.
  bool isPointerData(mlir::Value pointer) const {
    return pointerData.contains(pointer);
  }
  /// Whether one order token serves as both the write and the read tail of the
  /// partition around the loop: every iteration ends with a write.
  bool hasMergedRing(mlir::Operation *loop, unsigned partition) const;

private:
  void findPartitions(SpatialRegionOp region, llvm::ArrayRef<int32_t> ids);
  void findEffects(SpatialRegionOp region);
  void findPointerData(SpatialRegionOp region);
  bool isCovered(mlir::Value data, unsigned depth);
  bool isReached(mlir::Value data, mlir::Operation *user,
                 llvm::DenseSet<mlir::Region *> &regions) const;
  bool isUseCovered(mlir::OpOperand &use, unsigned depth);
  bool endsMerged(mlir::Block &block, unsigned partition, bool merged) const;
  bool endsMerged(mlir::Operation &op, unsigned partition, bool merged) const;

  bool mechanical;
  unsigned partitionCount = 0;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 1>> partitions;
  llvm::BitVector written;
  llvm::DenseSet<mlir::Operation *> tracked;
  llvm::DenseMap<mlir::Operation *, Effects> effectsOf;
  llvm::DenseSet<mlir::Value> pointerData;
  llvm::DenseMap<mlir::Value, bool> covered;
  mutable llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, bool>
      mergedRings;
};

} // namespace loom::lower

#endif
