// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be executed, asked before anything runs.

#ifndef LOOM_DATAFLOW_RUN_ADMIT_H
#define LOOM_DATAFLOW_RUN_ADMIT_H

#include "loom/Dataflow/Run/Run.h"

namespace loom::run {

/// Why something that the entry reaches can't be executed.
std::optional<RunFailure> admit(mlir::Operation *entry);

} // namespace loom::run

#endif
