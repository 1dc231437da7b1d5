// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the rewrites.

#include "loom/Dataflow/Rewrite/Rewrite.h"
#include "Rewrites.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

namespace {
struct Entry {
  StringRef name;
  rewrite::Rewrite run;
  bool inPipeline; // else part of another
};
} // namespace

// First what makes values equal, then the merging, then what profits from it.
static constexpr Entry entries[] = {
    {"dead", rewrite::removeDead, true},
    {"reads", rewrite::releaseReads, true},
    {"arithmetic", rewrite::simplifyArithmetic, true},
    {"constants", rewrite::foldConstants, true},
    {"retrigger", rewrite::retriggerConstants, true},
    {"mux-constants", rewrite::foldMuxConstants, true},
    {"equal", rewrite::mergeEqual, true},
    {"equal-actors", rewrite::mergeActors, false},
    {"identity-rings", rewrite::dropIdentityRings, false},
    {"passing-selections", rewrite::dropPassingLanes, false},
    {"tail-rings", rewrite::mergeTailRings, true},
    {"syncs", rewrite::reduceSyncs, true},
    {"offsets", rewrite::gatherOffsets, true},
    {"hoist", rewrite::hoistInvariants, true},
    {"streams", rewrite::scaleStreams, true},
    {"rebase", rewrite::rebaseStreams, true},
};

ArrayRef<StringRef> loom::rewriteNames() {
  static constexpr auto names = [] {
    std::array<StringRef, std::size(entries)> names;
    for (size_t i = 0; i < std::size(entries); ++i)
      names[i] = entries[i].name;
    return names;
  }();
  return names;
}

/// Whether a read is left whose completion nothing waits for.
static bool hasReleasedReads(GraphOp graph) {
  for (Operation &op : graph.getBlock())
    if (auto load = dyn_cast<LoadOp>(op))
      if (load.getDone().use_empty())
        return true;
  return false;
}

/// The start token alone says nothing about accesses. If it is all that is left
/// to wait for, the reads are waited for by the results: the completion comes
/// with the first one.
static void publish(rewrite::Context &context) {
  GraphReturnOp end = context.graph.getReturn();
  Value start = context.graph.getStart();
  bool onlyStart = llvm::all_of(end.getComplete(),
                                [&](Value token) { return token == start; });
  if (!onlyStart || end.getValues().empty() ||
      llvm::none_of(context.block,
                    [](Operation &op) { return isa<LoadOp, StoreOp>(op); }))
    return;
  context.b.setInsertionPoint(end);
  auto sync = SyncOp::create(context.b, end.getLoc(),
                             ValueRange{start, end.getValues().front()});
  end.getCompleteMutable().assign(sync.getResult(0));
  end.getValuesMutable().slice(0, 1).assign(sync.getResult(1));
}

void loom::rewriteGraph(GraphOp graph, ArrayRef<StringRef> only) {
  rewrite::Context context(graph);
  if (!rewrite::sortActors(context))
    return; // not a graph that passes the phase verifier
  bool onlySome = !only.empty();
  bool changed = true;
  for (unsigned round = 0; changed && round < maxRewriteRounds; ++round) {
    changed = false;
    for (const Entry &entry : entries) {
      if (onlySome ? !llvm::is_contained(only, entry.name) : !entry.inPipeline)
        continue;
      context.hasReleasedReads = hasReleasedReads(graph);
      if (!entry.run(context))
        continue;
      changed = true;
      if (!onlySome)
        rewrite::removeDead(context); // the next sees only what counts
    }
  }
  publish(context);
}
