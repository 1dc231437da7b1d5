// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes actors and brings values into scopes.

#include "Lowering.h"
#include "Preflight.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::lower;

/// A constant is made where it is used, by the local permission to execute.
Value Lowering::constant(Scope &scope, TypedAttr value, Type type,
                         Location loc) {
  Value &made = scope.constants[{value, type}];
  if (!made)
    made = ConstantOp::create(b, loc, type, scope.execution, value);
  return made;
}

Value Lowering::integer(Scope &scope, int64_t value, Type type, Location loc) {
  unsigned width = type.getIntOrFloatBitWidth();
  return constant(scope,
                  IntegerAttr::get(type, APInt(64, value).sextOrTrunc(width)),
                  type, loc);
}

Value Lowering::demux(Selection &selection, Value value, unsigned lane) {
  Operation *&op = selection.demuxes[value];
  if (!op) {
    SmallVector<Type> types(selection.lanes, value.getType());
    op = DemuxOp::create(b, selection.loc, types, selection.selector, value);
  }
  return op->getResult(lane);
}

Value Lowering::mux(Selection &selection, ArrayRef<Value> lanes) {
  return MuxOp::create(b, selection.loc, lanes.front().getType(),
                       selection.selector, lanes);
}

/// A carry whose feedback is filled in later.
Value Lowering::carry(Scope &head, Value init, Location loc) {
  auto op = CarryOp::create(b, loc, init.getType(),
                            head.phase ? head.phase : start, init, init);
  if (!head.phase)
    head.openPhase.push_back({op, 0});
  return op;
}

void Lowering::setPhase(Scope &head, Value phase) {
  head.phase = phase;
  for (OpenOperand open : head.openPhase)
    open.op->setOperand(open.number, phase);
  head.openPhase.clear();
}

/// The token in `scope` of a token of the parent.
Value Lowering::project(Scope &scope, Value token) {
  switch (scope.kind) {
  case Scope::Root:
    return token;
  case Scope::Lane:
    return demux(*scope.selection, token, scope.lane);
  case Scope::Head:
    break;
  }
  Value &made = scope.projected[token];
  if (!made) {
    auto op = InvariantOp::create(b, token.getLoc(), token.getType(),
                                  scope.phase ? scope.phase : start, token);
    if (!scope.phase)
      scope.openPhase.push_back({op, 0});
    made = op;
  }
  return made;
}

Value Lowering::value(Scope &scope, Value v) {
  if (Value known = scope.values.lookup(v))
    return known;
  if (Operation *op = v.getDefiningOp())
    if (TypedAttr attribute = constantOf(op))
      return constant(scope, attribute, tokenType(v.getType()), op->getLoc());
  assert(scope.parent && "value used before it was lowered");
  Value token = project(scope, value(*scope.parent, v));
  scope.values[v] = token;
  return token;
}

/// The byte offset of a rooted pointer from its root.
Value Lowering::offset(Scope &scope, Value pointer, Location loc) {
  if (isa<BlockArgument>(pointer))
    return integer(scope, 0, b.getI64Type(), loc);
  if (Value known = scope.offsets.lookup(pointer))
    return known;
  assert(scope.parent && "offset used before it was lowered");
  Value token = project(scope, offset(*scope.parent, pointer, loc));
  scope.offsets[pointer] = token;
  return token;
}

/// A token that comes after all `tokens`: a balanced tree.
Value Lowering::sync(ArrayRef<Value> tokens, Location loc) {
  SmallVector<Value> level(tokens);
  while (level.size() > 1) {
    SmallVector<Value> next;
    unsigned groups = llvm::divideCeil(level.size(), maxSyncArity);
    for (unsigned g = 0; g < groups; ++g) {
      size_t begin = level.size() * g / groups;
      size_t end = level.size() * (g + 1) / groups;
      ArrayRef<Value> part = ArrayRef(level).slice(begin, end - begin);
      next.push_back(part.size() == 1
                         ? part.front()
                         : SyncOp::create(b, loc, part).getResult(0));
    }
    level = std::move(next);
  }
  return level.front();
}

/// The same, without the tokens that others imply (D0: only without doubles).
Value Lowering::join(ArrayRef<Value> tokens, Location loc) {
  SmallVector<Value> kept;
  for (Value token : tokens)
    if (token && !llvm::is_contained(kept, token))
      kept.push_back(token);
  for (size_t i = 0; i < kept.size() && !mechanical;) {
    bool implied = llvm::any_of(kept, [&](Value other) {
      return other != kept[i] && reaches(other, kept[i]);
    });
    if (implied)
      kept.erase(kept.begin() + i);
    else
      ++i;
  }
  return sync(kept, loc);
}

/// Whether `from` is emitted after `to` by actors of the same phase that wait
/// for it. Looks only a little way back.
bool Lowering::reaches(Value from, Value to) {
  SmallVector<Value> work{from};
  for (unsigned steps = 0; !work.empty() && steps < 24; ++steps) {
    Value token = work.pop_back_val();
    if (token == to)
      return true;
    Operation *op = token.getDefiningOp();
    if (!op)
      continue;
    if (auto load = dyn_cast<LoadOp>(op))
      work.push_back(load.getCtrl());
    else if (auto store = dyn_cast<StoreOp>(op))
      work.push_back(store.getCtrl());
    else if (isa<SyncOp>(op))
      work.append(op->operand_begin(), op->operand_end());
  }
  return false;
}

void Lowering::openScope(Scope &scope, Scope &parent, Scope::Kind kind) {
  scope.kind = kind;
  scope.parent = &parent;
  unsigned count = analysis.numPartitions();
  scope.write.resize(count);
  scope.read.resize(count);
  scope.readClass = parent.readClass;
}
