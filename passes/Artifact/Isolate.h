// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs something in a forked process under limits, for its error only.

#ifndef LOOM_ARTIFACT_ISOLATE_H
#define LOOM_ARTIFACT_ISOLATE_H

#include "loom/Artifact/ArtifactError.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace loom::artifact {

/// What `work` returned in the child, or ReaderCrash when the child died or
/// exceeded a limit (8 GiB of address space above what is in use, 120 s of
/// processor time).
llvm::Error rehearse(llvm::function_ref<llvm::Error()> work);

} // namespace loom::artifact

#endif
