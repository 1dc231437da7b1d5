// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between scalars and vectors.

#include "Activation.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::run;

// Emits the lanes that are held, zeros after them.
static void emitGroup(Actor &actor, unsigned size) {
  SmallVector<Lane> mask(size);
  for (unsigned i = 0; i < actor.held.size(); ++i)
    mask[i].bits = 1;
  actor.held.resize(size);
  actor.emit(0, actor.held);
  actor.emit(1, mask);
  actor.emit(2, Lane{1, false});
  actor.held.clear();
  actor.kept.order = nullptr;
}

static bool fireParallelize(Actor &actor) {
  unsigned size = laneCount(actor.op()->getResult(0).getType()).value_or(0);
  if (!actor.has(1))
    return false;
  std::optional<bool> phase = actor.truth(actor.peek(1));
  if (!phase || (*phase && !actor.has(0)))
    return false;
  actor.take(1);
  if (*phase)
    actor.held.push_back(actor.take(0).lanes.front());
  actor.use(actor.kept); // the lanes before
  if (actor.held.size() == size || (!*phase && !actor.held.empty()))
    emitGroup(actor, size);
  else
    actor.kept.order = actor.order;
  if (!*phase) {
    actor.emit(2, Lane{0, false});
    actor.kept.order = nullptr;
  }
  actor.running = !actor.held.empty();
  return true;
}

static bool fireSerialize(Actor &actor) {
  if (!actor.has(2))
    return false;
  std::optional<bool> phase = actor.truth(actor.peek(2));
  if (!phase || (*phase && !actor.has(0, 1)))
    return false;
  actor.take(2);
  if (!*phase) {
    actor.emit(1, Lane{0, false});
    return true;
  }
  Token vector = actor.take(0), mask = actor.take(1);
  for (Lane active : mask.lanes)
    if (active.poison)
      return actor.fail(RunFault::Poison, "a mask");
  for (auto [lane, active] : llvm::zip(vector.lanes, mask.lanes)) {
    if (!active.bits)
      continue;
    actor.emit(0, lane);
    actor.emit(1, Lane{1, false});
  }
  return true;
}

static bool firePack(Actor &actor) {
  if (!actor.has(0))
    return false;
  unsigned width = laneWidth(actor.op()->getOperand(0).getType()), at = 0;
  Token vector = actor.take(0);
  Lane bits;
  for (Lane lane : vector.lanes) {
    bits.bits |= lane.bits << at;
    bits.poison |= lane.poison; // of one lane: of all bits
    at += width;
  }
  actor.emit(0, bits.poison ? Lane{0, true} : bits);
  return true;
}

static bool fireUnpack(Actor &actor) {
  if (!actor.has(0))
    return false;
  Type type = actor.op()->getResult(0).getType();
  unsigned width = laneWidth(type);
  Lane bits = actor.take(0).lanes.front();
  SmallVector<Lane> lanes(laneCount(type).value_or(0));
  for (auto [i, lane] : llvm::enumerate(lanes))
    lane = bits.poison
               ? bits
               : Lane{(bits.bits >> (i * width)) & laneMask(width), false};
  actor.emit(0, lanes);
  return true;
}

Rule loom::run::vectorRule(Operation *op) {
  if (isa<ParallelizeOp>(op))
    return fireParallelize;
  if (isa<SerializeOp>(op))
    return fireSerialize;
  if (isa<PackOp>(op))
    return firePack;
  if (isa<UnpackOp>(op))
    return fireUnpack;
  return nullptr;
}
