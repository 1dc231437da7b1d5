// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted loops get a canonical induction variable, so that the structured
// program can tell them from uncounted ones by shape alone.

#ifndef LOOM_PLUGIN_COUNTEDLOOPS_H
#define LOOM_PLUGIN_COUNTEDLOOPS_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace loom {

/// For each loop whose header is in `region`, outer ones first: a loop that
/// leaves at its latch with an exact trip count, proven to lie in [1, 2^63),
/// gets a canonical induction variable (i64, from 0, step 1, `next` with nuw
/// and nsw, latch test `next != count`) and its affine recurrences are
/// expressed over it. Other loops keep their exits; affine recurrences are
/// expressed over a plain counter where that makes pointers roots with offsets.
/// Returns the number of loops that changed.
///
/// With `counted`, which collects the headers of the counted loops, a count
/// proven only to lie in [1, 2^64) is taken too; then `next` has no nsw.
unsigned
canonicalizeLoops(llvm::LoopInfo &loops, const llvm::DominatorTree &dominators,
                  llvm::ScalarEvolution &se,
                  const llvm::SmallPtrSetImpl<llvm::BasicBlock *> &region,
                  llvm::SmallPtrSetImpl<llvm::BasicBlock *> *counted = nullptr);

} // namespace loom

#endif
