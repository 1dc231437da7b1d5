// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that leave from the middle, at a trip count that is known before they
// start, become counted loops and a last partial iteration.

#ifndef LOOM_PLUGIN_SPLITLOOPS_H
#define LOOM_PLUGIN_SPLITLOOPS_H

namespace llvm {
class BasicBlock;
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace loom {

class OutsideValues;

/// Splits `loop`, if ScalarEvolution knows exactly how often its backedge is
/// taken although it doesn't leave from the latch alone:
///
///     for (;;) { A; if (x) break; B; if (y) break; C; }
///
/// becomes, with n the number of times that the backedge is taken,
///
///     for (k = 0; k != n; ++k) { A; B; C; }   // no exit is taken here
///     A; if (x) exit; B; exit                 // one exit is taken here
///
/// The copy in front has one exit, at its latch, and a canonical induction
/// variable; its increment carries nuw and nsw, since n was proven to lie in
/// [0, 2^63). Returns the block that now enters the whole (the former loop's
/// new preheader), or null: then nothing changed. LoopInfo, the dominator tree
/// and ScalarEvolution are stale after a split.
llvm::BasicBlock *splitLoop(llvm::Loop &loop, llvm::LoopInfo &loops,
                            llvm::DominatorTree &dominators,
                            llvm::ScalarEvolution &se,
                            const OutsideValues &outsideValues);

} // namespace loom

#endif
