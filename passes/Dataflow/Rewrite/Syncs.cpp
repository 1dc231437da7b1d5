// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// syncs: of the operands of a sync of control tokens, those that another
// implies are dropped; a sync of one is its operand, a sync of a sync with no
// other use is one sync, if it has few operands. The completion likewise.
//
// All operands of a sync have the same phase, and token n of it comes when all
// tokens n of the operands have. An implied operand (Implied.h) has come by
// then, with all its events: the tokens and their events are the same without
// it. All results of a sync of control tokens are the same sequence.

#include "Implied.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

/// The most operands a `sync` has.
static constexpr size_t maxArity = 4;

/// Drops doubles and what others imply. The first operands stay.
static bool reduce(SmallVectorImpl<Value> &tokens, Implied &implied) {
  size_t before = tokens.size();
  for (size_t i = 0; i < tokens.size();) {
    bool drop = false;
    for (size_t j = 0; j < tokens.size() && !drop; ++j)
      drop = j != i &&
             (tokens[j] == tokens[i] ? j < i : implied(tokens[j], tokens[i]));
    if (drop)
      tokens.erase(tokens.begin() + i);
    else
      ++i;
  }
  return tokens.size() != before;
}

static SyncOp controlSync(Value value) {
  auto sync = value.getDefiningOp<SyncOp>();
  return sync && llvm::all_of(sync.getInputs().getTypes(),
                              [](Type type) { return isa<NoneType>(type); })
             ? sync
             : SyncOp();
}

/// The operands of `sync` with those of inner syncs in their place.
static bool flatten(SyncOp sync, SmallVectorImpl<Value> &tokens) {
  bool changed = false;
  size_t count = sync.getInputs().size();
  for (Value input : sync.getInputs()) {
    SyncOp inner = controlSync(input);
    if (!inner || !llvm::hasSingleElement(inner->getUses()) ||
        count - 1 + inner.getInputs().size() > maxArity) {
      tokens.push_back(input);
      continue;
    }
    tokens.append(inner.getInputs().begin(), inner.getInputs().end());
    count += inner.getInputs().size() - 1;
    changed = true;
  }
  return changed;
}

bool rewrite::reduceSyncs(Context &context) {
  bool changed = false;
  Implied implied;
  for (Operation &op : llvm::make_early_inc_range(context.block)) {
    SyncOp sync = op.getNumResults() ? controlSync(op.getResult(0)) : SyncOp();
    if (!sync)
      continue;
    if (sync->use_empty()) {
      sync->erase();
      changed = true;
      continue;
    }
    for (Value output : sync.getOutputs().drop_front())
      if (!output.use_empty()) {
        output.replaceAllUsesWith(sync.getOutputs()[0]);
        changed = true;
      }
    SmallVector<Value> tokens;
    bool smaller = flatten(sync, tokens);
    smaller |= reduce(tokens, implied);
    if (!smaller && tokens.size() > 1)
      continue;
    Value result = tokens.front();
    if (tokens.size() > 1) {
      context.b.setInsertionPoint(sync);
      result = SyncOp::create(context.b, sync.getLoc(), tokens).getResult(0);
    }
    sync.getOutputs()[0].replaceAllUsesWith(result);
    implied = Implied(); // it may know values of this sync
    sync->erase();
    changed = true;
  }
  GraphReturnOp end = context.graph.getReturn();
  SmallVector<Value> complete(end.getComplete());
  if (reduce(complete, implied)) {
    end.getCompleteMutable().assign(complete);
    changed = true;
  }
  return changed;
}
