// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This tool knows nothing of MLIR; the loom-opt beside it does.

#ifndef LOOM_DRIVER_TOOL_LOOMOPT_H
#define LOOM_DRIVER_TOOL_LOOMOPT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace loom::tool {

/// Runs `loom-opt PASS` on `mlir`, with what it writes in file `output`. The
/// text in an image comes from outside: whatever is done with it is done in a
/// process of its own, with bounds on its time and memory.
llvm::Error runLoomOpt(llvm::StringRef pass, llvm::StringRef mlir,
                       llvm::StringRef output);

} // namespace loom::tool

#endif
