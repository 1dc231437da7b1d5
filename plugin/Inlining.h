// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callees of nests. The host code keeps its calls; in the clone that is raised
// the callees are inlined, if all they do can be raised.

#ifndef LOOM_PLUGIN_INLINING_H
#define LOOM_PLUGIN_INLINING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace llvm {
class BasicBlock;
class Function;
class LoopInfo;
} // namespace llvm

namespace loom {

class NestInliner {
public:
  explicit NestInliner(llvm::FunctionAnalysisManager &analyses)
      : analyses(analyses) {}
  ~NestInliner() { discard(); }
  NestInliner(const NestInliner &) = delete;
  NestInliner &operator=(const NestInliner &) = delete;

  struct Verdict {
    std::string why;           ///< empty: `callee` can be inlined into a nest
    unsigned instructions = 0; ///< with its own callees
  };

  /// Can calls of `callee` in nests of `host` be inlined? What stands against
  /// it, if anything does, in a few words.
  const Verdict &ask(llvm::Function &callee, const llvm::Function &host);

  /// Inlines every call of a defined function between `header` and the exits,
  /// and restores the loop form of `source`. All verdicts must be favourable.
  /// Returns true if something changed.
  bool inlineCalls(llvm::Function &source, llvm::BasicBlock &header,
                   llvm::ArrayRef<llvm::BasicBlock *> exits);

  /// The functions that were inlined somewhere, in the order of the first time.
  llvm::ArrayRef<llvm::Function *> inlinedFunctions() const { return inlined; }

  /// Erases the prepared copies of callees.
  void discard();

private:
  Verdict judge(llvm::Function &callee);
  llvm::Function &prepared(llvm::Function &callee);

  llvm::FunctionAnalysisManager &analyses;
  llvm::DenseMap<llvm::Function *, Verdict> verdicts;
  llvm::DenseMap<llvm::Function *, llvm::Function *> bodies;
  llvm::SmallVector<llvm::Function *> inlined;
  llvm::SmallVector<llvm::Function *> clones;    ///< in order of creation
  llvm::SmallPtrSet<llvm::Function *, 8> active; ///< being judged: recursion
};

} // namespace loom

#endif
