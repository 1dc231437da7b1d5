// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rewrites share.
//
// What every rewrite has to keep, for each value that remains:
//
//   tokens       the sequence of its tokens;
//   events       of a `none` token: the accesses that have happened before it,
//                as far as `none` operands say so. The lowering orders
//                conflicting accesses, and lets the completion wait for all,
//                with these alone. A constant, a selector or an address doesn't
//                carry order;
//   completion   a read that nothing waits for (its `done` is unused) is waited
//                for by what consumes its data: that must stay so (Cover.h).
//
// The operations of a graph are kept in an order in which every operand but the
// feedback of loops comes before its use.

#ifndef LOOM_DATAFLOW_REWRITE_REWRITES_H
#define LOOM_DATAFLOW_REWRITE_REWRITES_H

#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/IR/Builders.h"

namespace loom::rewrite {

struct Context {
  explicit Context(dataflow::GraphOp graph)
      : graph(graph), block(graph.getBlock()), b(graph.getContext()) {}
  dataflow::GraphOp graph;
  mlir::Block &block;
  mlir::OpBuilder b;
  /// Reads that only the consumers of their data wait for.
  bool hasReleasedReads = false;
};

/// True: the graph has changed.
using Rewrite = bool (*)(Context &);

bool removeDead(Context &context);         // Dead.cpp
bool releaseReads(Context &context);       // Reads.cpp
bool mergeEqual(Context &context);         // Equal.cpp: the next three at once
bool mergeActors(Context &context);        //   equal actors only
bool dropIdentityRings(Context &context);  //   identity rings only
bool dropPassingLanes(Context &context);   //   selections only
bool mergeTailRings(Context &context);     // TailRings.cpp
bool reduceSyncs(Context &context);        // Syncs.cpp
bool foldConstants(Context &context);      // Constants.cpp
bool retriggerConstants(Context &context); // Constants.cpp
bool foldMuxConstants(Context &context);   // MuxConstants.cpp
bool simplifyArithmetic(Context &context); // Arithmetic.cpp
bool gatherOffsets(Context &context);      // Offsets.cpp
bool hoistInvariants(Context &context);    // Hoist.cpp
bool scaleStreams(Context &context);       // Streams.cpp
bool rebaseStreams(Context &context);      // Rebase.cpp

/// Puts the operations in the order that the rewrites rely on. False: there is
/// none, the graph waits for itself.
bool sortActors(Context &context);

/// Operands whose first token isn't needed for the first result.
bool isFeedback(mlir::Operation *op, unsigned operand);

/// Replaces an actor by values that come before it.
void replace(mlir::Operation *op, mlir::ValueRange values);

/// The bits of an integer constant.
std::optional<llvm::APInt> constantBits(mlir::Value value);
/// What triggers a constant.
mlir::Value triggerOf(mlir::Value constant);
/// A new constant before `at`.
mlir::Value makeConstant(Context &context, mlir::Operation *at,
                         mlir::Value trigger, const llvm::APInt &bits);

/// x, if `value` is a token of the body of the loop with this phase and repeats
/// x: lane 1 of `demux phase, (invariant phase, x)`. Null otherwise.
mlir::Value repeatedOutside(mlir::Value value, mlir::Value *phase);

} // namespace loom::rewrite

#endif
