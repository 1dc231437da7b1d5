// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static checks of a dataflow graph that need the whole graph.

#ifndef LOOM_DATAFLOW_VERIFY_VERIFY_H
#define LOOM_DATAFLOW_VERIFY_VERIFY_H

#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Support/Refusal.h"
#include <optional>
#include <string>

namespace loom {

/// Gives every value of the graph its phase (how many tokens it has relative to
/// one launch) and checks that the operands of every actor have the phases its
/// firing rule needs, that what the graph returns has one token per launch, and
/// that every cycle can start (it passes through the feedback or phase operand
/// of a carry or the condition of an invariant). A graph that passes leaves no
/// token behind and cannot wait for itself. On failure `why` (may be null) says
/// which actor and which operands.
mlir::LogicalResult verifyPhases(dataflow::GraphOp graph, std::string *why);

/// Checks the phases (`dataflow-phase`), and that every access and every actor
/// that feeds a stream result comes before one of the tokens that complete the
/// graph (`dataflow-completion`).
std::optional<Refused> verifyGraph(dataflow::GraphOp graph);

/// The checks of a whole program that no operation can make alone: threads,
/// channels, memory bindings, what is reachable, and the graphs as above. Emits
/// an error for everything that it finds.
mlir::LogicalResult verifyFinalized(mlir::ModuleOp module);

} // namespace loom

#endif
