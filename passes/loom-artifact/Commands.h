// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands of loom-artifact share.

#ifndef LOOM_ARTIFACT_TOOL_COMMANDS_H
#define LOOM_ARTIFACT_TOOL_COMMANDS_H

#include "loom/Artifact/StructuredProgram.h"
#include "llvm/ADT/SmallVector.h"

namespace loom::tool {

/// The value of an option `name`, removed from `args`.
llvm::StringRef option(llvm::SmallVectorImpl<llvm::StringRef> &args,
                       llvm::StringRef name);

/// The candidate of an object file, imported in isolation.
llvm::Expected<std::unique_ptr<StructuredProgramCandidate>>
load(llvm::StringRef path);

/// Writes where the user asked for it: an object file, a sidecar, a store.
struct Outputs {
  llvm::StringRef object, provenance, store;

  explicit Outputs(llvm::SmallVectorImpl<llvm::StringRef> &args);
  llvm::Error write(const FinalizedProgram &program) const;
};

// Schedules.cpp
llvm::Error listSchedules(llvm::SmallVector<llvm::StringRef> args);
llvm::Error transform(llvm::SmallVector<llvm::StringRef> args);

// Run.cpp
llvm::Error runProgram(llvm::SmallVector<llvm::StringRef> args);

} // namespace loom::tool

#endif
