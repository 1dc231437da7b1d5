// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a nest computes from loops that are not part of it.

#ifndef LOOM_PLUGIN_OUTSIDEVALUES_H
#define LOOM_PLUGIN_OUTSIDEVALUES_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class LoopInfo;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace loom {

/// ScalarEvolution knows a value as a recurrence of the loop around the nest,
/// or of one that has ended before it, and SCEVExpander makes an induction
/// variable of its own for that in that loop. The host has no such value. This
/// spells expressions by the values that are there.
class OutsideValues {
public:
  OutsideValues(const llvm::SmallPtrSetImpl<llvm::BasicBlock *> &nest,
                const llvm::LoopInfo &loops,
                const llvm::DominatorTree &dominators,
                llvm::ScalarEvolution &se)
      : nest(nest), loops(loops), dominators(dominators), se(se) {}

  /// An equal of `expr` to compute at `at`; null when there is none.
  const llvm::SCEV *spell(const llvm::SCEV *expr,
                          const llvm::Instruction &at) const;

private:
  const llvm::SmallPtrSetImpl<llvm::BasicBlock *> &nest;
  const llvm::LoopInfo &loops;
  const llvm::DominatorTree &dominators;
  llvm::ScalarEvolution &se;
};

} // namespace loom

#endif
