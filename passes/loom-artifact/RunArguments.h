// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of `loom-artifact run`, from text.

#ifndef LOOM_ARTIFACT_TOOL_RUNARGUMENTS_H
#define LOOM_ARTIFACT_TOOL_RUNARGUMENTS_H

#include "loom/Dataflow/Run/Run.h"
#include "llvm/Support/Error.h"

namespace loom::tool {

llvm::Error runError(run::RunFault fault, const llvm::Twine &detail);

/// `--arg N=TEXT` and the like.
struct ArgumentText {
  enum Kind { Value, Stream, Memory } kind;
  unsigned input;
  std::string text;
};

/// A value: lanes with commas between them, each a number or `poison`; or
/// `@M+OFFSET`, an address in the memory of input M. A stream: values with
/// semicolons between them. A memory: a number of zero bytes, `hex:DIGITS`, a
/// file of hexadecimal digits, or `@M+OFFSET`.
llvm::Expected<std::vector<run::RunArgument>>
readArguments(mlir::Operation *entry, llvm::ArrayRef<ArgumentText> texts);

} // namespace loom::tool

#endif
