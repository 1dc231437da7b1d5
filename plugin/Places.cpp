// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Places.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

DebugLoc loom::Places::of(const DebugLoc &location) {
  const DILocation *at = location.get();
  while (at && at->getFile() != file)
    at = at->getInlinedAt();
  if (!at || !file || !at->getLine())
    return DebugLoc();
  LLVMContext &context = at->getContext();
  // A declaration and not distinct: a clone of the module keeps it as it is.
  if (!scope)
    scope = DISubprogram::get(context, file, "", "", file, 0, nullptr, 0,
                              nullptr, 0, 0, DINode::FlagZero,
                              DISubprogram::SPFlagZero, nullptr);
  return DILocation::get(context, at->getLine(), at->getColumn(), scope);
}
