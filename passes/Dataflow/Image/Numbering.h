// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of actors and the numbers of values in an image.

#ifndef LOOM_DATAFLOW_IMAGE_NUMBERING_H
#define LOOM_DATAFLOW_IMAGE_NUMBERING_H

#include "loom/Dataflow/IR/Dataflow.h"
#include "llvm/ADT/DenseMap.h"

namespace loom {

/// Actors in the order in which a device sweeps them: producers before
/// consumers, except for the feedback and phase operands of carries and
/// invariants, and as in the text otherwise. Values are numbered as
/// loom_image.fbs says.
struct Numbering {
  explicit Numbering(dataflow::GraphOp graph);

  std::vector<mlir::Operation *> actors;
  llvm::DenseMap<mlir::Value, unsigned> values;
  unsigned numValues = 0;
};

} // namespace loom

#endif
