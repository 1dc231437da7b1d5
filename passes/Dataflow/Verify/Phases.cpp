// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phase verifier. A phase says how many tokens a value has:
//
//   root                 one per launch
//   select(P, c, k)      those of P for which selector c chose lane k
//   loop(P, p)           K+1 per token of P; p is the phase of the loop, T^K F
//   body(P, p)           K per token of P
//   close(P, p)          the close phase of gate: K, of which the last is F
//
// Values get their phase in an order in which every actor comes after the
// operands that its first token needs; that such an order exists is the cycle
// rule. Then every operand is compared with what its actor expects.

#include "loom/Dataflow/Verify/Verify.h"
#include <deque>
#include <map>
#include <tuple>

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

namespace {

enum class Kind { Root, Select, Loop, Body, Close };

struct Phase {
  Kind kind;
  const Phase *parent;
  unsigned selector; // number of the value, see numberOf
  unsigned lane;
  Value value;
};

class PhaseVerifier {
public:
  PhaseVerifier(GraphOp graph, std::string *why) : graph(graph), why(why) {}

  LogicalResult run() {
    if (failed(orderActors()))
      return failure();
    root = get(Kind::Root, nullptr, Value(), 0);
    for (BlockArgument argument : graph.getBlock().getArguments())
      if (!isa<MemRefType>(argument.getType()))
        phases[argument] = root;
    for (Operation *op : order)
      infer(op);
    for (Operation *op : order)
      if (failed(check(op)))
        return failure();
    return success();
  }

private:
  const Phase *get(Kind kind, const Phase *parent, Value selector,
                   unsigned lane) {
    unsigned number = selector ? numberOf(selector) : 0;
    auto key =
        std::make_tuple(kind, parent ? indexOf[parent] : 0u, number, lane);
    auto [it, isNew] = interned.try_emplace(key, nullptr);
    if (isNew) {
      storage.push_back({kind, parent, number, lane, selector});
      it->second = &storage.back();
      indexOf[it->second] = storage.size();
    }
    return it->second;
  }

  // Numbers in the order of first use: stable from run to run.
  unsigned numberOf(Value value) {
    return numbers.try_emplace(value, numbers.size() + 1).first->second;
  }

  // Operands whose first token isn't needed for the first result.
  static bool isFeedback(Operation *op, unsigned operand) {
    if (isa<CarryOp>(op))
      return operand != 1;
    return isa<InvariantOp>(op) && operand == 0;
  }

  LogicalResult orderActors() {
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

  const Phase *of(Value value) { return phases.lookup(value); }

  // Whether `selector` is the phase of the loop that its tokens belong to.
  bool isLoopSelector(Value selector) {
    const Phase *phase = of(selector);
    return phase && phase->kind == Kind::Loop && phase->value == selector;
  }

  // The phase of lane k of `selector`.
  const Phase *lanePhase(Value selector, unsigned lane) {
    const Phase *phase = of(selector);
    if (!phase)
      return nullptr;
    if (!isLoopSelector(selector))
      return get(Kind::Select, phase, selector, lane);
    return lane == 0 ? phase->parent
                     : get(Kind::Body, phase->parent, selector, 0);
  }

  void infer(Operation *op) {
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
      set(stream.getPhase(), get(Kind::Loop, outer, stream.getPhase(), 0));
      set(stream.getIv(), get(Kind::Body, outer, stream.getPhase(), 0));
    } else if (auto carry = dyn_cast<CarryOp>(op)) {
      if (const Phase *outer = of(carry.getInit()))
        set(carry.getResult(), get(Kind::Loop, outer, carry.getPhase(), 0));
    } else if (auto invariant = dyn_cast<InvariantOp>(op)) {
      if (const Phase *outer = of(invariant.getInit()))
        set(invariant.getResult(),
            get(Kind::Loop, outer, invariant.getPhase(), 0));
    } else if (auto gate = dyn_cast<GateOp>(op)) {
      const Phase *phase = of(gate.getCond());
      if (!phase || phase->kind != Kind::Loop)
        return;
      set(gate.getAfterValue(),
          get(Kind::Body, phase->parent, gate.getCond(), 0));
      set(gate.getAfterCond(),
          get(Kind::Close, phase->parent, gate.getCond(), 0));
    } else {
      const Phase *phase = nullptr;
      for (Value operand : op->getOperands())
        if (!phase && !isa<MemRefType>(operand.getType()))
          phase = of(operand);
      for (Value result : op->getResults())
        set(result, phase);
    }
  }

  LogicalResult check(Operation *op) {
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
      if (failed(same(op, phase, get(Kind::Loop, outer, phase, 0))))
        return failure();
      return same(op, carry.getNext(), get(Kind::Body, outer, phase, 0));
    }
    if (auto invariant = dyn_cast<InvariantOp>(op)) {
      const Phase *outer = of(invariant.getInit());
      if (!outer)
        return fail(op, "has an initial value without a phase");
      Value phase = invariant.getPhase();
      return same(op, phase, get(Kind::Loop, outer, phase, 0));
    }
    if (auto gate = dyn_cast<GateOp>(op)) {
      if (!isLoopSelector(gate.getCond()))
        return fail(op, "has a condition that isn't the phase of a loop");
      return same(op, gate.getValue(), of(gate.getCond()));
    }
    const Phase *expected = isa<GraphReturnOp>(op) ? root : nullptr;
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

  LogicalResult same(Operation *op, Value value, const Phase *expected) {
    const Phase *got = of(value);
    if (got && got == expected)
      return success();
    return fail(op, "has operand " + name(value) + " of phase " + text(got) +
                        ", expected " + text(expected));
  }

  std::string name(Value value) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    value.printAsOperand(stream, OpPrintingFlags());
    return text;
  }

  std::string text(const Phase *phase) {
    if (!phase)
      return "unknown";
    if (phase->kind == Kind::Root)
      return "root";
    std::string inner = text(phase->parent) + ", " + name(phase->value);
    switch (phase->kind) {
    case Kind::Select:
      return "select(" + inner + ", " + std::to_string(phase->lane) + ")";
    case Kind::Loop:
      return "loop(" + inner + ")";
    case Kind::Body:
      return "body(" + inner + ")";
    default:
      return "close(" + inner + ")";
    }
  }

  LogicalResult fail(Operation *op, const Twine &message) {
    if (why) {
      std::string actor;
      llvm::raw_string_ostream stream(actor);
      op->print(stream, OpPrintingFlags().useLocalScope().skipRegions());
      *why = ("'" + StringRef(actor).rtrim() + "' " + message).str();
    }
    return failure();
  }

  GraphOp graph;
  std::string *why;
  const Phase *root = nullptr;
  std::vector<Operation *> order;
  DenseMap<Value, const Phase *> phases;
  DenseMap<Value, unsigned> numbers;
  std::deque<Phase> storage;
  DenseMap<const Phase *, unsigned> indexOf;
  std::map<std::tuple<Kind, unsigned, unsigned, unsigned>, const Phase *>
      interned;
};

} // namespace

LogicalResult loom::verifyPhases(GraphOp graph, std::string *why) {
  return PhaseVerifier(graph, why).run();
}
