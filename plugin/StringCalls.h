// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C library that are a loop over bytes: the region runs the
// loop, the host keeps its call.

#ifndef LOOM_PLUGIN_STRINGCALLS_H
#define LOOM_PLUGIN_STRINGCALLS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Loop;
class TargetLibraryInfo;
} // namespace llvm

namespace loom {

/// Is the call one of strlen, strnlen, strchr, strrchr, memchr, strcmp,
/// strncmp, memcmp, bcmp, strcpy and stpcpy, and does a loop over bytes give
/// everything that its users see? The C standard fixes no more than the sign of
/// what a comparison returns: its users may look at nothing else.
bool isStringCall(const llvm::CallBase &call,
                  const llvm::TargetLibraryInfo &tli);

/// Is it one of strcmp, strncmp, memcmp and bcmp?
bool isComparisonCall(const llvm::CallBase &call,
                      const llvm::TargetLibraryInfo &tli);

/// Replaces the string calls inside the blocks of `loop` by their loops, and
/// restores the loop form of the function. Returns true if something changed.
bool expandStringCalls(llvm::Function &clone, llvm::Loop &loop,
                       llvm::FunctionAnalysisManager &analyses);

} // namespace loom

#endif
