// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a second graph is worth its place in the image.

#include "loom/Dataflow/Image/ImageWriter.h"
#include "llvm/ADT/DenseMap.h"
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

/// Whether the same actors stand in the same order with the same edges. The
/// lowering is deterministic, so that equal graphs look equal.
bool haveSameActors(GraphOp graph, GraphOp other) {
  Block &a = graph.getBlock(), &b = other.getBlock();
  if (a.getArgumentTypes() != b.getArgumentTypes() ||
      graph.getSlots() != other.getSlots() ||
      a.getOperations().size() != b.getOperations().size())
    return false;
  DenseMap<Value, Value> same;
  for (auto [x, y] : llvm::zip(a.getArguments(), b.getArguments()))
    same[x] = y;
  for (auto [x, y] : llvm::zip(a, b)) {
    if (x.getName() != y.getName() ||
        x.getResultTypes() != y.getResultTypes() ||
        x.getAttrDictionary() != y.getAttrDictionary())
      return false;
    for (auto [from, to] : llvm::zip(x.getResults(), y.getResults()))
      same[from] = to;
  }
  for (auto [x, y] : llvm::zip(a, b)) { // operands may be results of later ones
    if (x.getNumOperands() != y.getNumOperands())
      return false;
    for (auto [from, to] : llvm::zip(x.getOperands(), y.getOperands()))
      if (same.lookup(from) != to)
        return false;
  }
  return true;
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
  return anyPair && !haveSameActors(graph, apart);
}
