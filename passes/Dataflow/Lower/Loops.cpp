// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `scf.for` and `scf.while`. What changes from iteration to iteration goes
// around in a carry; what doesn't is repeated by an invariant.
//
// Order rings: a partition the loop writes has one ring for each of its two
// tails, or one for both when every iteration ends with a write. Partitions
// that the loop only reads share one ring for their reads, and their earlier
// writes are waited for once, at the entry.

#include "Lowering.h"
#include "Preflight.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::lower;

struct Lowering::Rings {
  enum Kind { Execution, Write, Read, Both };
  struct Ring {
    Kind kind;
    unsigned partition;
    Value raw; // the carry
  };
  SmallVector<Ring> rings;
  SmallVector<unsigned> readOnly; // share a ring (kind Read of the first)
  bool changesExecution = false;
};

/// Makes the rings of a loop; `head` gets their tokens.
void Lowering::openRings(Scope &scope, Operation *loop, Scope &head,
                         Rings &rings) {
  Location loc = loop->getLoc();
  const Effects &effects = analysis.effects(loop);
  unsigned partitions = analysis.numPartitions();
  SmallVector<Value> entry{scope.execution};
  for (unsigned p = 0; p < partitions; ++p)
    if (!mechanical && effects.reads[p] && !effects.writes[p]) {
      rings.readOnly.push_back(p);
      if (scope.write[p])
        entry.push_back(scope.write[p]);
    }
  // A while loop changes the permission to execute of what follows it; inside,
  // only another while loop does.
  rings.changesExecution = mechanical;
  for (Region &region : loop->getRegions())
    region.walk([&](scf::WhileOp) {
      rings.changesExecution = true;
      return WalkResult::interrupt();
    });
  Value execution = join(entry, loc);
  if (rings.changesExecution) {
    head.execution = carry(head, execution, loc);
    rings.rings.push_back({Rings::Execution, 0, head.execution});
  } else {
    head.execution = project(head, execution);
  }

  auto tailOrExecution = [&](Value token) {
    return token ? token : scope.execution;
  };
  for (unsigned p = 0; p < partitions; ++p)
    head.readClass[p] = p;
  if (!rings.readOnly.empty()) {
    unsigned first = rings.readOnly.front();
    SmallVector<Value> tokens;
    for (unsigned p : rings.readOnly) {
      tokens.push_back(tailOrExecution(readToken(scope, p, loc)));
      head.readClass[p] = first;
    }
    Value raw = carry(head, join(tokens, loc), loc);
    head.read[first].assign({raw});
    rings.rings.push_back({Rings::Read, first, raw});
  }
  for (unsigned p = 0; p < partitions; ++p) {
    if (!effects.writes[p] && !(mechanical && effects.reads[p]))
      continue;
    Value read = tailOrExecution(readToken(scope, p, loc));
    if (analysis.hasMergedRing(loop, p)) {
      Value raw = carry(head, read, loc);
      head.write[p] = raw;
      head.read[p].assign({raw});
      rings.rings.push_back({Rings::Both, p, raw});
      continue;
    }
    Value raw = carry(head, tailOrExecution(scope.write[p]), loc);
    head.write[p] = raw;
    rings.rings.push_back({Rings::Write, p, raw});
    raw = carry(head, read, loc);
    head.read[p].assign({raw});
    rings.rings.push_back({Rings::Read, p, raw});
  }
}

/// Projects permission and order tokens of the head to the body.
void Lowering::enterBody(Scope &head, Scope &body, Rings &rings,
                         Selection &selection) {
  openScope(body, head, Scope::Lane);
  body.selection = &selection;
  body.lane = 1;
  body.execution = project(body, head.execution);
  for (unsigned p = 0; p < analysis.numPartitions(); ++p) {
    if (head.write[p])
      body.write[p] = project(body, head.write[p]);
    if (head.readClass[p] == p && !head.read[p].empty())
      body.read[p].assign({project(body, readToken(head, p, selection.loc))});
  }
}

/// The end of the body feeds the rings.
void Lowering::closeRings(Scope &body, Rings &rings, Location loc) {
  for (Rings::Ring &ring : rings.rings) {
    Value next;
    switch (ring.kind) {
    case Rings::Execution:
      next = body.execution;
      break;
    case Rings::Write:
      next = body.write[ring.partition];
      break;
    case Rings::Read:
    case Rings::Both: // covers the write tail as well
      next = readToken(body, ring.partition, loc);
      break;
    }
    ring.raw.getDefiningOp()->setOperand(2, next);
  }
}

/// The false lane of the head's tokens is what the loop leaves.
void Lowering::leaveLoop(Scope &scope, Scope &head, Rings &rings,
                         Selection &selection) {
  for (Rings::Ring &ring : rings.rings) {
    if (ring.kind == Rings::Execution)
      continue;
    unsigned p = ring.partition;
    if (ring.kind != Rings::Read)
      scope.write[p] = demux(selection, head.write[p], 0);
    if (ring.kind == Rings::Write)
      continue;
    Value read = demux(selection, readToken(head, p, selection.loc), 0);
    scope.readOf(p).assign({read});
    if (llvm::is_contained(rings.readOnly, p))
      for (unsigned other : rings.readOnly)
        scope.readOf(other).assign({read});
  }
}

void Lowering::lowerFor(Scope &scope, scf::ForOp op) {
  Location loc = op.getLoc();
  auto stream = StreamOp::create(
      b, loc, tokenType(op.getInductionVar().getType()), b.getI1Type(),
      value(scope, op.getLowerBound()), value(scope, op.getUpperBound()),
      value(scope, op.getStep()), StepKind::Add,
      op.getUnsignedCmp() ? Predicate::ULT : Predicate::SLT);
  Scope head, body;
  openScope(head, scope, Scope::Head);
  head.phase = stream.getPhase();
  selections.emplace_back(head.phase, 2, loc);
  Selection &selection = selections.back();
  Rings rings;
  openRings(scope, op, head, rings);

  Operation *yield = op.getBody()->getTerminator();
  SmallVector<Value> raws;
  for (auto [init, argument, yielded] :
       llvm::zip(op.getInits(), op.getRegionIterArgs(), yield->getOperands())) {
    Value token = value(scope, init);
    raws.push_back(yielded == argument && !mechanical
                       ? project(head, token)
                       : carry(head, token, loc));
  }
  enterBody(head, body, rings, selection);
  body.values[op.getInductionVar()] = stream.getIv();
  for (auto [argument, raw] : llvm::zip(op.getRegionIterArgs(), raws))
    body.values[argument] = project(body, raw);

  lowerBlock(body, *op.getBody());

  for (auto [raw, yielded] : llvm::zip(raws, yield->getOperands()))
    if (auto ring = raw.getDefiningOp<CarryOp>())
      ring->setOperand(2, value(body, yielded));
  closeRings(body, rings, loc);
  for (auto [result, raw] : llvm::zip(op.getResults(), raws))
    scope.values[result] = demux(selection, raw, 0);
  leaveLoop(scope, head, rings, selection);
  if (rings.changesExecution)
    scope.execution = demux(selection, head.execution, 0);
}

void Lowering::lowerWhile(Scope &scope, scf::WhileOp op) {
  Location loc = op.getLoc();
  Scope head, body;
  openScope(head, scope, Scope::Head);
  Rings rings;
  openRings(scope, op, head, rings);
  SmallVector<Value> raws;
  for (auto [init, argument] :
       llvm::zip(op.getInits(), op.getBeforeArguments())) {
    raws.push_back(carry(head, value(scope, init), loc));
    head.values[argument] = raws.back();
  }

  // Before: at the head, once more than the body.
  lowerBlock(head, *op.getBeforeBody());
  auto condition = cast<scf::ConditionOp>(op.getBeforeBody()->getTerminator());
  setPhase(head, value(head, condition.getCondition()));
  selections.emplace_back(head.phase, 2, loc);
  Selection &selection = selections.back();

  enterBody(head, body, rings, selection);
  for (auto [argument, passed, result] : llvm::zip(
           op.getAfterArguments(), condition.getArgs(), op.getResults())) {
    Value token = value(head, passed);
    body.values[argument] = demux(selection, token, 1);
    scope.values[result] = demux(selection, token, 0);
  }
  lowerBlock(body, *op.getAfterBody());
  Operation *yield = op.getAfterBody()->getTerminator();
  for (auto [raw, yielded] : llvm::zip(raws, yield->getOperands()))
    raw.getDefiningOp()->setOperand(2, value(body, yielded));
  closeRings(body, rings, loc);
  leaveLoop(scope, head, rings, selection);
  scope.execution = demux(selection, head.execution, 0);
}
