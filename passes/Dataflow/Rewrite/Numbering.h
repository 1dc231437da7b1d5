// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values of a graph have the same tokens.

#ifndef LOOM_DATAFLOW_REWRITE_NUMBERING_H
#define LOOM_DATAFLOW_REWRITE_NUMBERING_H

#include "Rewrites.h"

namespace loom::rewrite {

/// Optimistic value numbering. Every value gets a leader, the first one in the
/// order of the operations that is known to have the same tokens and, if they
/// are `none`, the same events.
///
/// The graph is walked again and again. The feedback of a loop has the number
/// of the walk before; in the first walk it is thought to agree with anything.
/// Classes only split, and the walks end when none does. Then every class is
/// justified by its operands' classes. That its values are the same follows by
/// induction over the tokens: those of a carry or an invariant rest on earlier
/// ones of its feedback, all others on operands of which each comes first.
class Numbering {
public:
  struct Options {
    bool actors = false;     // actors with equal operands
    bool rings = false;      // a carry that repeats, and what leaves it
    bool selections = false; // a value that passes all lanes unchanged
  };
  Numbering(Context &context, Options options);

  /// The value that stands for `value`; itself if there is no other, or if it
  /// was made since.
  mlir::Value leader(mlir::Value value) const {
    auto it = indexOf.find(value);
    return it == indexOf.end() ? value : values[numbers[it->second]];
  }
  /// Whether a carry only repeats its first value.
  bool isRepeating(dataflow::CarryOp carry) const {
    return repeating[indexOf.lookup(carry.getResult())];
  }

private:
  // Tags of keys beside the names of operations.
  enum : uint64_t { Repeat = 1, Wait, Lane };
  using Key = llvm::SmallVector<uint64_t, 8>;

  void index();
  bool walk(bool pessimistic);
  void number(mlir::Operation *op);
  uint64_t of(mlir::Value value) const {
    return numbers[indexOf.lookup(value)];
  }
  uint64_t before(mlir::Value value) const;
  void set(mlir::Value value, uint64_t leader) {
    numbers[indexOf.lookup(value)] = leader;
  }
  void setByKey(mlir::Value value, llvm::ArrayRef<uint64_t> key);
  void setFresh(mlir::Operation *op);
  bool numberCarry(dataflow::CarryOp carry);
  bool numberSync(dataflow::SyncOp sync);
  bool numberMux(dataflow::MuxOp mux);
  bool numberDemux(dataflow::DemuxOp demux);
  mlir::Value ownLane(dataflow::CarryOp carry) const;
  bool numberPlain(mlir::Operation *op);

  Context &context;
  Options options;
  bool pessimistic = false;
  std::vector<mlir::Value> values; // by index
  llvm::DenseMap<mlir::Value, unsigned> indexOf;
  std::vector<uint64_t> numbers, previous; // index of the leader
  std::vector<bool> repeating;
  llvm::DenseMap<mlir::Operation *, mlir::Value> ownLanes;
  llvm::BumpPtrAllocator keys;
  llvm::DenseMap<llvm::ArrayRef<uint64_t>, uint64_t> table;
};

} // namespace loom::rewrite

#endif
