// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reads: what waits for the completion of a read that conflicts with no store
// waits for the permission of the read instead, if the completion waits for the
// data anyway. The order rings of partitions that are only read lose their
// purpose, and identity-rings removes them.
//
// `done` has as many tokens as `ctrl`, and happens after it: the sequences are
// the same and a `none` token that loses the read keeps all other events. No
// store of the graph touches the partition, so the read needs no order against
// any. The completion waits for the read by its data (Cover.h); mayRelease
// keeps it so.

#include "Cover.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

bool rewrite::releaseReads(Context &context) {
  GraphOp graph = context.graph;
  DenseMap<Value, int32_t> partitionOf;
  for (auto [memory, partition] :
       llvm::zip(graph.getMemories(), graph.getPartitions()))
    partitionOf[memory] = partition;
  DenseSet<int32_t> written;
  bool anyStore = false, storesAnywhere = false;
  for (Operation &op : context.block)
    if (auto store = dyn_cast<StoreOp>(op)) {
      anyStore = true;
      if (Value memory = store.getMemory())
        written.insert(partitionOf.lookup(memory));
      else
        storesAnywhere = true;
    }
  if (storesAnywhere)
    return false;
  bool changed = false;
  Cover cover;
  for (Operation &op : context.block) {
    auto load = dyn_cast<LoadOp>(op);
    if (!load || load.getDone().use_empty())
      continue;
    Value memory = load.getMemory();
    if (memory ? written.contains(partitionOf.lookup(memory)) : anyStore)
      continue;
    if (!cover.isCovered(load.getData()))
      continue;
    load.getDone().replaceAllUsesWith(load.getCtrl());
    changed = context.hasReleasedReads = true;
    cover = Cover(); // what it knows may rest on this read
  }
  return changed;
}
