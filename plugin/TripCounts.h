// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proofs that a trip count, computed modulo 2^64, is the true one.

#ifndef LOOM_PLUGIN_TRIPCOUNTS_H
#define LOOM_PLUGIN_TRIPCOUNTS_H

namespace llvm {
class DominatorTree;
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace loom {

/// Does every iteration that starts reach the latch? Then what follows from an
/// iteration being executed follows from the trip count: no call leaves the
/// loop, throws or never returns, and no inner loop is endless.
bool iterationsComplete(const llvm::Loop &loop, llvm::ScalarEvolution &se);

/// `count` (i64) is one more than the number of backedges taken, modulo 2^64.
/// True if the conditions on entry, or the undefined behaviour of a longer run,
/// prove the true count to be `count`, in [1, 2^63). The loop leaves at its
/// latch only.
bool isProvenByGuards(const llvm::SCEV *count, llvm::Loop &loop,
                      llvm::ScalarEvolution &se);
bool isProvenByExecution(const llvm::SCEV *count, llvm::Loop &loop,
                         const llvm::DominatorTree &dominators,
                         llvm::ScalarEvolution &se);

/// How often the backedge is taken, of at most 64 bits; null when unknown.
const llvm::SCEV *backedgeCount(llvm::Loop &loop, llvm::ScalarEvolution &se);

/// The trip count of a loop that leaves at its latch, as an i64 expression,
/// proven to lie in [1, 2^64); null when it isn't.
const llvm::SCEV *unsignedTripCount(llvm::Loop &loop,
                                    llvm::ScalarEvolution &se);

} // namespace loom

#endif
