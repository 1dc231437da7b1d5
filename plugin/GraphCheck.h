// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph has to pass before a region may have it: a graph that fails is
// refused by name, never shipped.

#ifndef LOOM_PLUGIN_GRAPHCHECK_H
#define LOOM_PLUGIN_GRAPHCHECK_H

#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Support/Refusal.h"
#include <optional>

namespace loom {

/// Checks the operations of a graph, its token counts and its completion.
/// `lastError` has what the context reported last.
std::optional<Refused> checkGraph(dataflow::GraphOp graph,
                                  const std::string &lastError);

/// Plants the defect that LOOM_GRAPH_DEFECT asks for after `stage`: proof that
/// the check notices.
void plantGraphDefect(dataflow::GraphOp graph, llvm::StringRef stage);

} // namespace loom

#endif
