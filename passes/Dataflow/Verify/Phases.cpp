// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phase verifier. Values get their phase in an order in which every actor
// comes after the operands that its first token needs; that such an order
// exists is the cycle rule. Then every operand is compared with what its actor
// expects. A stream input has as many tokens as its first user takes.

#include "PhaseTable.h"
#include "loom/Dataflow/Verify/Verify.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

LogicalResult PhaseVerifier::run() {
  if (failed(orderActors()))
    return failure();
  root = table.get(PhaseKind::Root);
  for (BlockArgument argument : graph.getBlock().getArguments())
    if (!isa<MemRefType>(argument.getType()) && !isStreamInput(argument))
      phases[argument] = root;
  for (Operation *op : order)
    infer(op);
  for (Operation *op : order)
    if (failed(check(op)))
      return failure();
  return success();
}

bool PhaseVerifier::isStreamInput(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Segments counts = graph.getInputCounts();
  return argument && argument.getArgNumber() > counts.values &&
         argument.getArgNumber() <= counts.values + counts.streams;
}

// Operands whose first token isn't needed for the first result.
static bool isFeedback(Operation *op, unsigned operand) {
  if (isa<CarryOp>(op))
    return operand != 1;
  return isa<InvariantOp>(op) && operand == 0;
}

LogicalResult PhaseVerifier::orderActors() {
  DenseMap<Operation *, unsigned> waiting;
  std::deque<Operation *> ready;
  size_t total = 0;
  for (Operation &op : graph.getBlock()) {
    ++total;
    unsigned count = 0;
    for (OpOperand &operand : op.getOpOperands())
      count += operand.get().getDefiningOp() &&
               !isFeedback(&op, operand.getOperandNumber());
    waiting[&op] = count;
    if (count == 0)
      ready.push_back(&op);
  }
  while (!ready.empty()) {
    Operation *op = ready.front();
    ready.pop_front();
    order.push_back(op);
    for (Value result : op->getResults())
      for (OpOperand &use : result.getUses())
        if (!isFeedback(use.getOwner(), use.getOperandNumber()) &&
            --waiting[use.getOwner()] == 0)
          ready.push_back(use.getOwner());
  }
  if (order.size() == total)
    return success();
  for (Operation &op : graph.getBlock())
    if (waiting[&op] != 0 && !isa<GraphReturnOp>(op))
      return fail(&op, "waits for a token that it makes itself: the cycle "
                       "passes through no carry and no invariant");
  return failure();
}

bool PhaseVerifier::isLoopSelector(Value selector) const {
  const Phase *phase = of(selector);
  return phase && phase->kind == PhaseKind::Loop && phase->value == selector;
}

const Phase *PhaseVerifier::lanePhase(Value selector, unsigned lane) {
  const Phase *phase = of(selector);
  if (!phase)
    return nullptr;
  if (!isLoopSelector(selector))
    return table.get(PhaseKind::Select, phase, selector, lane);
  return lane == 0 ? phase->parent
                   : table.get(PhaseKind::Body, phase->parent, selector, 0);
}

void PhaseVerifier::infer(Operation *op) {
  auto set = [&](Value result, const Phase *phase) {
    if (phase)
      phases[result] = phase;
  };
  if (auto demux = dyn_cast<DemuxOp>(op)) {
    for (auto [lane, result] : llvm::enumerate(demux.getLanes()))
      set(result, lanePhase(demux.getSelector(), lane));
  } else if (auto mux = dyn_cast<MuxOp>(op)) {
    set(mux.getResult(), of(mux.getSelector()));
  } else if (auto stream = dyn_cast<StreamOp>(op)) {
    const Phase *outer = of(stream.getInit());
    if (!outer)
      return;
    set(stream.getPhase(),
        table.get(PhaseKind::Loop, outer, stream.getPhase(), 0));
    set(stream.getIv(),
        table.get(PhaseKind::Body, outer, stream.getPhase(), 0));
  } else if (auto carry = dyn_cast<CarryOp>(op)) {
    if (const Phase *outer = of(carry.getInit()))
      set(carry.getResult(),
          table.get(PhaseKind::Loop, outer, carry.getPhase(), 0));
  } else if (auto invariant = dyn_cast<InvariantOp>(op)) {
    if (const Phase *outer = of(invariant.getInit()))
      set(invariant.getResult(),
          table.get(PhaseKind::Loop, outer, invariant.getPhase(), 0));
  } else if (auto gate = dyn_cast<GateOp>(op)) {
    const Phase *phase = of(gate.getCond());
    if (!phase || phase->kind != PhaseKind::Loop)
      return;
    set(gate.getAfterValue(),
        table.get(PhaseKind::Body, phase->parent, gate.getCond(), 0));
    set(gate.getAfterCond(),
        table.get(PhaseKind::Close, phase->parent, gate.getCond(), 0));
  } else if (auto parallel = dyn_cast<ParallelizeOp>(op)) {
    inferGroups(parallel.getPhase(), parallel.getGroupPhase(),
                {parallel.getVector(), parallel.getMask()});
  } else if (auto serial = dyn_cast<SerializeOp>(op)) {
    inferGroups(serial.getGroupPhase(), serial.getPhase(), serial.getValue());
  } else {
    const Phase *phase = nullptr;
    for (Value operand : op->getOperands())
      if (!phase && !isa<MemRefType>(operand.getType()))
        phase = of(operand);
    for (Value result : op->getResults())
      set(result, phase);
  }
}

// From one loop to another around the same token: its values and its phase.
void PhaseVerifier::inferGroups(Value from, Value to, ValueRange values) {
  const Phase *loop = of(from);
  if (!loop || loop->kind != PhaseKind::Loop)
    return;
  phases[to] = table.get(PhaseKind::Loop, loop->parent, to);
  for (Value value : values)
    phases[value] = table.get(PhaseKind::Body, loop->parent, to);
}

LogicalResult PhaseVerifier::checkGroups(Operation *op, Value phase,
                                         ValueRange values) {
  if (!isLoopSelector(phase))
    return fail(op, "has a condition that isn't the phase of a loop");
  for (Value value : values)
    if (failed(same(op, value, lanePhase(phase, 1))))
      return failure();
  return success();
}

LogicalResult PhaseVerifier::check(Operation *op) {
  if (auto demux = dyn_cast<DemuxOp>(op))
    return same(op, demux.getValue(), of(demux.getSelector()));
  if (auto mux = dyn_cast<MuxOp>(op)) {
    for (auto [lane, value] : llvm::enumerate(mux.getLanes()))
      if (failed(same(op, value, lanePhase(mux.getSelector(), lane))))
        return failure();
    return success();
  }
  if (auto stream = dyn_cast<StreamOp>(op)) {
    if (failed(same(op, stream.getLimit(), of(stream.getInit()))))
      return failure();
    return same(op, stream.getStep(), of(stream.getInit()));
  }
  if (auto carry = dyn_cast<CarryOp>(op)) {
    const Phase *outer = of(carry.getInit());
    if (!outer)
      return fail(op, "has an initial value without a phase");
    Value phase = carry.getPhase();
    if (failed(same(op, phase, table.get(PhaseKind::Loop, outer, phase, 0))))
      return failure();
    return same(op, carry.getNext(),
                table.get(PhaseKind::Body, outer, phase, 0));
  }
  if (auto invariant = dyn_cast<InvariantOp>(op)) {
    const Phase *outer = of(invariant.getInit());
    if (!outer)
      return fail(op, "has an initial value without a phase");
    Value phase = invariant.getPhase();
    return same(op, phase, table.get(PhaseKind::Loop, outer, phase, 0));
  }
  if (auto gate = dyn_cast<GateOp>(op)) {
    if (!isLoopSelector(gate.getCond()))
      return fail(op, "has a condition that isn't the phase of a loop");
    return same(op, gate.getValue(), of(gate.getCond()));
  }
  if (auto parallel = dyn_cast<ParallelizeOp>(op))
    return checkGroups(op, parallel.getPhase(), parallel.getValue());
  if (auto serial = dyn_cast<SerializeOp>(op))
    return checkGroups(op, serial.getGroupPhase(),
                       {serial.getVector(), serial.getMask()});
  if (auto end = dyn_cast<GraphReturnOp>(op)) {
    for (Value value : end.getStreams())
      if (failed(same(op, value, of(value))))
        return failure();
    for (ValueRange values : {end.getValues(), end.getComplete()})
      for (Value value : values)
        if (failed(same(op, value, root)))
          return failure();
    return success();
  }
  const Phase *expected = nullptr;
  for (Value operand : op->getOperands()) {
    if (isa<MemRefType>(operand.getType()))
      continue;
    if (!expected)
      expected = of(operand);
    if (failed(same(op, operand, expected)))
      return failure();
  }
  return success();
}

LogicalResult PhaseVerifier::same(Operation *op, Value value,
                                  const Phase *expected) {
  const Phase *got = of(value);
  if (!got && expected && isStreamInput(value)) {
    phases[value] = expected;
    return success();
  }
  if (got && got == expected)
    return success();
  std::string name;
  llvm::raw_string_ostream stream(name);
  value.printAsOperand(stream, OpPrintingFlags());
  return fail(op, "has operand " + name + " of phase " + PhaseTable::text(got) +
                      ", expected " + PhaseTable::text(expected));
}

LogicalResult PhaseVerifier::fail(Operation *op, const Twine &message) {
  if (why) {
    std::string actor;
    llvm::raw_string_ostream stream(actor);
    op->print(stream, OpPrintingFlags().useLocalScope().skipRegions());
    *why = ("'" + StringRef(actor).rtrim() + "' " + message).str();
  }
  return failure();
}

LogicalResult loom::verifyPhases(GraphOp graph, std::string *why) {
  return PhaseVerifier(graph, why).run();
}
