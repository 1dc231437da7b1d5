// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphCheck.h"
#include "Options.h"
#include "loom/Dataflow/Verify/Verify.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

std::optional<Refused> loom::checkGraph(GraphOp graph,
                                        const std::string &lastError) {
  if (failed(mlir::verify(graph)))
    return Refused{RefusalKind::DataflowPhase, lastError};
  return verifyGraph(graph);
}

void loom::plantGraphDefect(GraphOp graph, StringRef stage) {
  StringRef defect = PluginOptions::get().graphDefect;
  if (!defect.consume_front(stage) || !defect.consume_front("-"))
    return;
  GraphReturnOp end = graph.getReturn();
  MutableOperandRange complete = end.getCompleteMutable();
  if (defect == "completion") { // with a copy of the start
    OpBuilder b(end);
    Value start = graph.getStart();
    complete.assign(
        SyncOp::create(b, end.getLoc(), ValueRange{start, start}).getResult(0));
  } else if (defect == "phase") { // with the first thing that a lane permits
    for (Operation &op : graph.getBlock())
      if (auto demux = dyn_cast<DemuxOp>(op))
        if (Value lane = demux.getLanes()[1]; isa<NoneType>(lane.getType()))
          return complete.assign(lane);
  }
}
