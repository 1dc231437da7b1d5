// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Completion coverage. The obligations of a graph are its accesses and the
// actors that feed its stream results. A value covers an obligation when every
// firing of it that belongs to the activation of the token comes before the
// token; for a value at the head of a loop these are the firings of all
// iterations before. The tokens of one stream come in order, so that the last
// token of a feedback covers what each of them covers. Covered sets grow from
// nothing until they rest: in the order of the phases only feedbacks need
// another round.

#include "PhaseTable.h"
#include "loom/Dataflow/Verify/Verify.h"
#include "loom/Support/SourceLine.h"
#include "llvm/ADT/BitVector.h"
#include <map>

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using llvm::BitVector;

namespace {

class Completion {
public:
  Completion(GraphOp graph, PhaseVerifier &phases)
      : graph(graph), phases(phases) {}

  /// What the completion doesn't come after; null if there is nothing.
  Operation *run() {
    collect();
    for (bool changed = true; changed;) {
      changed = false;
      for (Operation *op : phases.actors())
        for (Value result : op->getResults())
          changed |= update(result, covered(op, result));
    }
    GraphReturnOp end = graph.getReturn();
    BitVector all(obligations.size());
    for (ValueRange values : {end.getComplete(), end.getValues()})
      for (Value value : values)
        all |= of(value);
    int missing = all.find_first_unset();
    return missing < 0 ? nullptr : obligations[missing];
  }

private:
  void collect() {
    DenseSet<Operation *> feeds;
    for (Value stream : graph.getReturn().getStreams())
      if (Operation *op = stream.getDefiningOp())
        feeds.insert(op);
    for (Operation *op : phases.actors())
      if (isa<LoadOp, StoreOp>(op) || feeds.contains(op)) {
        number[op] = obligations.size();
        obligations.push_back(op);
      }
    nothing.resize(obligations.size());
  }

  const BitVector &of(Value value) const {
    auto it = sets.find(value);
    return it == sets.end() ? nothing : it->second;
  }

  bool update(Value value, BitVector set) {
    BitVector &old = sets[value];
    if (old == set)
      return false;
    old = std::move(set);
    return true;
  }

  /// The obligations whose firings are in `phase`: for an actor that changes
  /// the rate, where its results are.
  const BitVector &within(const Phase *phase) {
    auto [it, isNew] = inside.try_emplace(phase);
    if (!isNew)
      return it->second;
    BitVector &set = it->second;
    set.resize(obligations.size());
    for (auto [index, op] : llvm::enumerate(obligations))
      if (const Phase *own = phases.of(op->getResult(0)))
        if (own->isWithin(phase))
          set.set(index);
    return set;
  }

  // All operands, and the firing itself.
  BitVector joined(Operation *op) {
    BitVector set(obligations.size());
    for (Value operand : op->getOperands())
      if (!isa<MemRefType>(operand.getType()))
        set |= of(operand);
    if (auto it = number.find(op); it != number.end())
      set.set(it->second);
    return set;
  }

  // What has not fired for this body yet.
  BitVector forBody(Value condition, BitVector set) {
    if (phases.isLoopSelector(condition))
      set.reset(within(phases.lanePhase(condition, 1)));
    return set;
  }

  BitVector covered(Operation *op, Value result) {
    if (auto carry = dyn_cast<CarryOp>(op)) {
      // A loop without a body hands on `init` alone.
      BitVector set = of(carry.getNext());
      set &= within(phases.lanePhase(carry.getPhase(), 1));
      return set |= of(carry.getInit());
    }
    if (auto invariant = dyn_cast<InvariantOp>(op))
      return of(invariant.getInit());
    if (auto mux = dyn_cast<MuxOp>(op))
      return coveredByMux(mux);
    if (auto demux = dyn_cast<DemuxOp>(op))
      if (result != demux.getLanes().front())
        return forBody(demux.getSelector(), joined(op));
    if (auto gate = dyn_cast<GateOp>(op))
      return forBody(gate.getCond(), joined(op));
    return joined(op);
  }

  // What every lane covers, or what can't have fired when the lane was chosen.
  BitVector coveredByMux(MuxOp mux) {
    BitVector set(obligations.size(), true);
    unsigned lanes = mux.getLanes().size();
    bool isLoop = phases.isLoopSelector(mux.getSelector());
    for (unsigned lane = 0; lane < lanes; ++lane) {
      BitVector good = of(mux.getLanes()[lane]);
      for (unsigned other = 0; other < lanes; ++other)
        // (The exit of a loop is in the phase around it: never absent.)
        if (other != lane && !(isLoop && other == 0))
          good |= within(phases.lanePhase(mux.getSelector(), other));
      set &= good;
    }
    set |= of(mux.getSelector());
    if (auto it = number.find(mux); it != number.end())
      set.set(it->second);
    return set;
  }

  GraphOp graph;
  PhaseVerifier &phases;
  std::vector<Operation *> obligations;
  DenseMap<Operation *, unsigned> number;
  DenseMap<Value, BitVector> sets;
  BitVector nothing;
  std::map<const Phase *, BitVector> inside; // references to it stay valid
};

} // namespace

std::optional<Refused> loom::verifyGraph(GraphOp graph) {
  std::string why;
  PhaseVerifier phases(graph, &why);
  if (failed(phases.run()))
    return Refused{RefusalKind::DataflowPhase, why};
  Operation *missing = Completion(graph, phases).run();
  if (!missing)
    return std::nullopt;
  llvm::raw_string_ostream stream(why);
  missing->print(stream, OpPrintingFlags().useLocalScope());
  return Refused{
      RefusalKind::DataflowCompletion,
      ("the completion doesn't come after '" + StringRef(why).rtrim() + "'")
          .str(),
      lineOf(missing->getLoc())};
}
