// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of graph launches and waits.

#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace loom::dataflow;

LogicalResult GraphLaunchOp::verify() {
  if (failed(verifyInThread(*this)))
    return failure();
  auto thread = (*this)->getParentOfType<ThreadOp>();
  ArrayAttr maps = getSourceMapsAttr();
  size_t count = maps ? maps.size() : 0;
  if (count != getStreams().size())
    return emitOpError("expected one source map per stream (")
           << getStreams().size() << "), got " << count;
  for (auto [index, map] :
       llvm::enumerate(maps ? maps.getValue() : ArrayRef<Attribute>())) {
    std::string why =
        whyNoSourceMap(cast<AffineMapAttr>(map).getValue(), thread.getRank());
    if (!why.empty())
      return emitOpError("source map ") << index << " " << why;
  }
  return success();
}

LogicalResult GraphLaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto graph = symbols.lookupNearestSymbolFrom<GraphOp>(*this, getCalleeAttr());
  if (!graph)
    return emitOpError("expected a dataflow.graph named ") << getCalleeAttr();
  if (graph.isRegion())
    return emitOpError("must not launch a region of an image: ")
           << getCalleeAttr();
  auto payloads = [](OperandRange channels) {
    return llvm::map_to_vector(channels, [](Value channel) {
      return cast<ChannelType>(channel.getType()).getPayload();
    });
  };
  auto check = [&](StringRef what, TypeRange expected,
                   TypeRange got) -> LogicalResult {
    if (expected == got)
      return success();
    return emitOpError("expected ")
           << what << " of types (" << expected << "), got (" << got << ")";
  };
  TypeRange inputs = graph.getFunctionType().getInputs();
  TypeRange results = graph.getFunctionType().getResults();
  Segments in = graph.getInputCounts(), out = graph.getResultCounts();
  return failure(
      failed(check("values", inputs.take_front(in.values),
                   getValues().getTypes())) ||
      failed(check("streams", inputs.slice(in.values, in.streams),
                   payloads(getStreams()))) ||
      failed(check("memories", inputs.take_back(in.memories),
                   getMemories().getTypes())) ||
      failed(check("stream results", results.slice(out.values, out.streams),
                   payloads(getOutputs()))) ||
      failed(check("results", results.take_front(out.values),
                   getValueResults().getTypes())) ||
      failed(check("memory results", results.take_back(out.memories),
                   getMemoryResults().getTypes())));
}

LogicalResult GraphWaitOp::verify() {
  if (getEvents().empty())
    return emitOpError("expected at least one event");
  return verifyInThread(*this);
}
