// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Implied.h"
#include "Cover.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

static constexpr unsigned maxSteps = 96;
static constexpr unsigned repeated = ~0u;

const Implied::Target *Implied::make(Value value) {
  const Target *&made =
      interned[{value.getAsOpaquePointer(), nullptr, 0, nullptr}];
  if (!made)
    made = &targets.emplace_back(Target{value, Value(), 0, nullptr});
  return made;
}

const Implied::Target *Implied::make(Value selector, unsigned lane,
                                     const Target *inner) {
  const Target *&made =
      interned[{nullptr, selector.getAsOpaquePointer(), lane, inner}];
  if (!made)
    made = &targets.emplace_back(Target{Value(), selector, lane, inner});
  return made;
}

bool Implied::operator()(Value later, Value earlier) {
  steps = 0;
  known.clear(); // what ran out of steps
  return reach(later, make(earlier));
}

bool Implied::reach(Value from, const Target *to) {
  if (to->value == from)
    return true;
  // A carry may rest on itself: its own token is an earlier one then. Anything
  // else may not.
  auto key = std::make_pair(from.getAsOpaquePointer(), to);
  auto [it, isNew] =
      known.try_emplace(key, from.getDefiningOp<CarryOp>() != nullptr);
  if (!isNew)
    return it->second;
  if (++steps > maxSteps)
    return known[key] = false;
  bool result = compute(from, to);
  if (!result && from.getDefiningOp<CarryOp>())
    known.clear(); // what was found with the assumption
  return known[key] = result;
}

bool Implied::compute(Value from, const Target *to) {
  Operation *op = from.getDefiningOp();
  if (!op)
    return false;
  // The same selection or repetition on both sides.
  if (to->value)
    if (Operation *target = to->value.getDefiningOp()) {
      if (auto demux = dyn_cast<DemuxOp>(target)) {
        unsigned lane = cast<OpResult>(to->value).getResultNumber();
        if ((lane != 0 || !isLoopPhase(demux.getSelector())) &&
            reach(from,
                  make(demux.getSelector(), lane, make(demux.getValue()))))
          return true;
      } else if (auto invariant = dyn_cast<InvariantOp>(target)) {
        if (reach(from, make(invariant.getPhase(), repeated,
                             make(invariant.getInit()))))
          return true;
      } else if (auto other = dyn_cast<CarryOp>(target)) {
        auto carry = dyn_cast<CarryOp>(op);
        if (carry && carry.getPhase() == other.getPhase() &&
            reach(carry.getInit(), make(other.getInit())) &&
            reach(carry.getNext(), make(other.getNext())))
          return true;
      }
    }
  if (auto load = dyn_cast<LoadOp>(op))
    return reach(load.getCtrl(), to);
  if (auto store = dyn_cast<StoreOp>(op))
    return reach(store.getCtrl(), to);
  if (isa<SyncOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isa<NoneType>(operand.getType()) && reach(operand, to);
    });
  if (auto mux = dyn_cast<MuxOp>(op)) {
    for (auto [k, lane] : llvm::enumerate(mux.getLanes()))
      if (!reach(lane, make(mux.getSelector(), k, to)))
        return false;
    return true;
  }
  if (auto demux = dyn_cast<DemuxOp>(op)) {
    Value selector = demux.getSelector();
    unsigned lane = cast<OpResult>(from).getResultNumber();
    if (to->selector == selector && to->lane == lane)
      return reach(demux.getValue(), to->inner);
    if (lane == 0 && isLoopPhase(selector))
      return reach(demux.getValue(), make(selector, repeated, to));
    return false;
  }
  if (auto invariant = dyn_cast<InvariantOp>(op))
    return to->lane == repeated && to->selector == invariant.getPhase() &&
           reach(invariant.getInit(), to->inner);
  if (auto carry = dyn_cast<CarryOp>(op))
    return to->lane == repeated && to->selector == carry.getPhase() &&
           reach(carry.getInit(), to->inner) &&
           reach(carry.getNext(), make(carry.getPhase(), 1, to));
  return false;
}
