// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted loops get a canonical induction variable, so that the structured
// program can tell them from uncounted ones by shape alone.

#ifndef LOOM_PLUGIN_COUNTEDLOOPS_H
#define LOOM_PLUGIN_COUNTEDLOOPS_H

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace loom {

/// For every loop of the nest, outermost first: when ScalarEvolution knows its
/// trip count exactly and the count is proven to be in [1, 2^63), adds
///
///     iv   = phi i64 [0, preheader], [next, latch]
///     next = add nuw nsw iv, 1
///     br (icmp ne next, tripCount), header, exit
///
/// and rewrites the other affine induction variables in terms of `iv`. Returns
/// the number of loops rewritten. Only for clones that are raised, not for code
/// that runs on the host.
unsigned canonicalizeCountedLoops(llvm::Loop &nest, llvm::ScalarEvolution &se);

} // namespace loom

#endif
