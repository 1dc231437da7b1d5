// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocations that come by an out-parameter: `posix_memalign(&p, ...)`. LLVM
// knows no result of them, so that `p` would be a pointer from anywhere.

#ifndef LOOM_PLUGIN_OUTPARAMETERS_H
#define LOOM_PLUGIN_OUTPARAMETERS_H

namespace llvm {
class DominatorTree;
class Function;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace loom {

/// Replaces the loads of every slot that only such a call writes by one load
/// after the call. True if there were some.
bool forwardOutParameters(llvm::Function &function,
                          const llvm::TargetLibraryInfo &tli,
                          const llvm::DominatorTree &dominators);

/// Is the value what such a call has allocated, as `forwardOutParameters`
/// leaves it?
bool isOutParameter(const llvm::Value *value,
                    const llvm::TargetLibraryInfo &tli);

/// Do the objects of two pointers differ because one of them is such an
/// allocation? False: not known.
bool areApart(const llvm::Value *a, const llvm::Value *b,
              const llvm::TargetLibraryInfo &tli);

} // namespace loom

#endif
