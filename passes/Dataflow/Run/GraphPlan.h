// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph as queues: one for every use of a value.

#ifndef LOOM_DATAFLOW_RUN_GRAPHPLAN_H
#define LOOM_DATAFLOW_RUN_GRAPHPLAN_H

#include "loom/Dataflow/IR/Dataflow.h"
#include <vector>

namespace loom::run {

struct GraphPlan {
  explicit GraphPlan(dataflow::GraphOp graph);

  /// A use: the queue of an operand. Actor `actors.size()` is the return.
  struct Use {
    unsigned actor, operand;
  };
  struct ActorPlan {
    mlir::Operation *op = nullptr;
    unsigned firstQueue = 0;
    std::vector<std::vector<Use>> uses; // of each result
    /// The number of the stream input that an operand is; -1.
    std::vector<int> stream;
    int memory = -1; // number of the memory input of an access
  };

  dataflow::GraphOp graph;
  unsigned firstStream; ///< the number of its block argument
  std::vector<ActorPlan> actors;
  ActorPlan end;                        // the return
  std::vector<std::vector<Use>> inputs; // of each block argument
  unsigned numQueues = 0;
};

} // namespace loom::run

#endif
