// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tools beside this one. What is done with text of an image, which comes
// from outside, is done in a process of its own, with bounds on its time and
// memory.

#ifndef LOOM_DRIVER_TOOL_BESIDE_H
#define LOOM_DRIVER_TOOL_BESIDE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace loom::tool {

/// Where the tool is; an error when it can't be run.
llvm::Expected<llvm::SmallString<128>> pathBeside(llvm::StringRef tool);

/// The exit code, as llvm::sys::ExecuteAndWait gives it, and what was said.
struct Finished {
  int code = 0;
  std::string out, err;
};

/// Runs `tool` with the words, and waits.
llvm::Expected<Finished> runBeside(llvm::StringRef tool,
                                   llvm::ArrayRef<llvm::StringRef> words);

constexpr unsigned besideSeconds = 120;
constexpr unsigned besideMegabytes = 4096;

} // namespace loom::tool

#endif
