// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Admission of a finished graph by a target: does some row serve every actor?
// After the last transformation, since earlier ones may add and remove actors.

#ifndef LOOM_DATAFLOW_VERIFY_ADMIT_H
#define LOOM_DATAFLOW_VERIFY_ADMIT_H

#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Fabric/Capability/View.h"
#include "loom/Support/Refusal.h"

namespace loom {

/// What an actor asks of the target: one demand, of a sync one for each type.
/// Nothing when a type has no equivalent in any target.
std::optional<llvm::SmallVector<fabric::ActorDemand, 2>>
demandsOf(mlir::Operation *actor);

/// Adds a refusal for the first actor of each kind that is not admitted, and
/// fails then. `targetName` is for the text.
mlir::LogicalResult admitGraph(dataflow::GraphOp graph,
                               const fabric::CapabilityView &view,
                               llvm::StringRef targetName,
                               llvm::SmallVectorImpl<Refused> &refusals);

} // namespace loom

#endif
