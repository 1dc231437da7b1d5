// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the branches that dominate a loop say about its trip count.

#ifndef LOOM_PLUGIN_ENTRYCONDITIONS_H
#define LOOM_PLUGIN_ENTRYCONDITIONS_H

namespace llvm {
class DominatorTree;
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace loom {

/// `count` (i64) is one more than the number of backedges taken, modulo 2^64.
/// True if the branches on every way to the entry of the loop prove that it
/// lies in [1, 2^63), as a signed number: then it is the true count.
/// (ScalarEvolution follows a chain of single predecessors only, and not from
/// one width to another.)
bool isProvenByDominators(const llvm::SCEV *count, const llvm::Loop &loop,
                          const llvm::DominatorTree &dominators,
                          llvm::ScalarEvolution &se);

} // namespace loom

#endif
