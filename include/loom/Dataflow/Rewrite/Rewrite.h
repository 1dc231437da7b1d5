// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exact rewrites of a dataflow graph (D0 to D*). docs/dataflow.md has the
// catalogue; each rewrite's argument is at the top of its file.

#ifndef LOOM_DATAFLOW_REWRITE_REWRITE_H
#define LOOM_DATAFLOW_REWRITE_REWRITE_H

#include "loom/Dataflow/IR/Dataflow.h"

namespace loom {

/// Rounds after which the rewrites stop, whether or not another would change
/// something.
constexpr unsigned maxRewriteRounds = 8;

/// The names of the rewrites, in their order.
llvm::ArrayRef<llvm::StringRef> rewriteNames();

/// Runs all rewrites in a fixed order, again until none changes the graph, at
/// most `maxRewriteRounds` times; or only those in `only`. The graph must pass
/// the verifier and `verifyPhases`, and does so afterwards: the caller checks.
/// Every conflicting pair of accesses must be ordered and every access be
/// waited for by the completion, as the lowering sees to.
void rewriteGraph(dataflow::GraphOp graph,
                  llvm::ArrayRef<llvm::StringRef> only = {});

/// Registers the pass `loom-rewrite-dataflow` (passes/loom-opt).
void registerRewritePass();

} // namespace loom

#endif
