// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of a region become scalars, exactly; the host code keeps its vectors.

#ifndef LOOM_PLUGIN_SCALARIZE_H
#define LOOM_PLUGIN_SCALARIZE_H

#include "llvm/IR/PassManager.h"

namespace loom {

/// Turns the vectors of an outlined nest into scalars. False when some are left
/// (the function is then of no use).
bool scalarize(llvm::Function &outlined,
               llvm::FunctionAnalysisManager &analyses);

} // namespace loom

#endif
