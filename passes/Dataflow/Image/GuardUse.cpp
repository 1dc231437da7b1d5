// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a second graph is worth its place in the image.

#include "loom/Dataflow/Image/ImageWriter.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

namespace {

constexpr size_t maxGuardedActors = 2048;

/// How a graph uses its memories, by launch slot: 1 loads, 2 stores, 3 both.
std::map<int32_t, unsigned> memoryKinds(GraphOp graph) {
  std::map<int32_t, unsigned> kinds;
  for (auto [slot, memory] :
       llvm::zip(graph.getSlots().drop_front(graph.getNumValueInputs()),
                 graph.getMemories()))
    for (Operation *user : memory.getUsers())
      kinds[slot] |= isa<StoreOp>(user) ? 2 : 1;
  return kinds;
}

/// The text without name, signature and partitions.
std::string bodyText(GraphOp graph) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  graph->print(stream, OpPrintingFlags().useLocalScope());
  return text.substr(std::min(text.size(), text.find("{\n")));
}

} // namespace

bool loom::isGuardUseful(GraphOp graph, const ImageGuard &guard) {
  GraphOp apart = guard.graph;
  if (apart.getBlock().getOperations().size() > maxGuardedActors)
    return false;
  std::map<int32_t, unsigned> kinds = memoryKinds(graph);
  for (auto [slot, apartKinds] : memoryKinds(apart))
    if (apartKinds & ~kinds[slot])
      return false;
  bool anyPair = llvm::any_of(guard.plan.pairs, [&](auto pair) {
    return kinds[guard.plan.ranges[pair.first].argument] &&
           kinds[guard.plan.ranges[pair.second].argument];
  });
  return anyPair && bodyText(graph) != bodyText(apart);
}
