// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Completion coverage. The obligations of a graph are its accesses and the
// actors that feed its stream results. A value covers an obligation when every
// firing of it that belongs to the activation of the token comes before the
// token; for a value at the head of a loop these are the firings of all
// iterations before. The tokens of one stream come in order, so that the last
// token of a feedback covers what each of them covers.
//
// Each value has one rule, made once. Covered sets grow from nothing until they
// rest: in the order of the phases only feedbacks need another round.

#include "PhaseTable.h"
#include "loom/Dataflow/Verify/Verify.h"
#include "loom/Support/SourceLine.h"
#include <deque>

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

namespace {

using Word = uint64_t;

class Completion {
public:
  Completion(GraphOp graph, PhaseVerifier &phases)
      : graph(graph), phases(phases) {}

  /// What the completion doesn't come after; null if there is nothing.
  Operation *run();

private:
  enum class Kind { Join, Carry, Mux };
  struct Rule {
    Kind kind;
    unsigned to;
    SmallVector<unsigned, 4> from; // rows
    SmallVector<const Word *, 2> masks;
    int own = -1; // the obligation that the actor itself is
  };

  void collect();
  void makeRule(Operation *op, Value result);
  bool apply(const Rule &rule);

  unsigned rowOf(Value value) const { return rows.lookup(value); }
  Word *row(unsigned index) { return &table[size_t(index) * words]; }
  Word *newMask() { return masks.emplace_back(words).data(); }
  const Word *within(const Phase *phase);

  GraphOp graph;
  PhaseVerifier &phases;
  std::vector<Operation *> obligations;
  std::vector<const Phase *> phaseOf; // of the obligations
  DenseMap<Operation *, int> number;
  size_t words = 0;               // of a set
  DenseMap<Value, unsigned> rows; // row 0 is the empty set
  std::vector<Word> table;        // a set for each row
  std::deque<std::vector<Word>> masks;
  DenseMap<const Phase *, const Word *> inside;
  std::vector<Rule> rules;
};

} // namespace

void Completion::collect() {
  DenseSet<Operation *> feeds;
  for (Value stream : graph.getReturn().getStreams())
    if (Operation *op = stream.getDefiningOp())
      feeds.insert(op);
  unsigned count = 0;
  for (Operation *op : phases.actors()) {
    for (Value result : op->getResults())
      rows[result] = ++count;
    if (!isa<LoadOp, StoreOp>(op) && !feeds.contains(op))
      continue;
    number[op] = obligations.size();
    obligations.push_back(op);
    phaseOf.push_back(phases.of(op->getResult(0)));
  }
  words = llvm::divideCeil(obligations.size(), 64);
  table.resize((size_t(count) + 1) * words);
}

/// The obligations whose firings are in `phase`: for an actor that changes the
/// rate, where its results are.
const Word *Completion::within(const Phase *phase) {
  const Word *&known = inside[phase];
  if (known)
    return known;
  Word *mask = newMask();
  for (auto [index, own] : llvm::enumerate(phaseOf))
    if (own && own->isWithin(phase))
      mask[index / 64] |= Word(1) << (index % 64);
  return known = mask;
}

void Completion::makeRule(Operation *op, Value result) {
  Rule rule{Kind::Join, rowOf(result), {}, {}};
  if (auto it = number.find(op); it != number.end())
    rule.own = it->second;
  if (auto carry = dyn_cast<CarryOp>(op)) {
    // A loop without a body hands on `init` alone.
    rule.kind = Kind::Carry;
    rule.from = {rowOf(carry.getNext()), rowOf(carry.getInit())};
    rule.masks = {within(phases.lanePhase(carry.getPhase(), 1))};
    rule.own = -1;
  } else if (auto invariant = dyn_cast<InvariantOp>(op)) {
    rule.from = {rowOf(invariant.getInit())};
    rule.own = -1;
  } else if (auto mux = dyn_cast<MuxOp>(op)) {
    // What every lane covers, or what can't have fired when the lane was
    // chosen. (The exit of a loop is in the phase around it: never absent.)
    rule.kind = Kind::Mux;
    rule.from = {rowOf(mux.getSelector())};
    Value selector = mux.getSelector();
    unsigned lanes = mux.getLanes().size();
    bool isLoop = phases.isLoopSelector(selector);
    for (auto [lane, value] : llvm::enumerate(mux.getLanes())) {
      rule.from.push_back(rowOf(value));
      Word *absent = newMask();
      for (unsigned other = 0; other < lanes; ++other) {
        if (other == lane || (isLoop && other == 0))
          continue;
        const Word *mask = within(phases.lanePhase(selector, other));
        for (size_t w = 0; w < words; ++w)
          absent[w] |= mask[w];
      }
      rule.masks.push_back(absent);
    }
  } else {
    // All operands and the firing itself; in a body without what has not fired
    // for it yet.
    for (Value operand : op->getOperands())
      if (unsigned from = rowOf(operand))
        rule.from.push_back(from);
    auto demux = dyn_cast<DemuxOp>(op);
    bool isBody =
        isa<GateOp>(op) || (demux && result != demux.getLanes().front() &&
                            phases.isLoopSelector(demux.getSelector()));
    if (isBody)
      rule.masks = {within(phases.lanePhase(op->getOperand(0), 1))};
  }
  rules.push_back(std::move(rule));
}

/// True: the set of the value grew.
bool Completion::apply(const Rule &rule) {
  Word *to = row(rule.to);
  bool changed = false;
  for (size_t w = 0; w < words; ++w) {
    Word set = 0;
    switch (rule.kind) {
    case Kind::Carry:
      set = (row(rule.from[0])[w] & rule.masks[0][w]) | row(rule.from[1])[w];
      break;
    case Kind::Mux:
      set = ~Word(0);
      for (auto [from, absent] :
           llvm::zip(llvm::drop_begin(rule.from), rule.masks))
        set &= row(from)[w] | absent[w];
      set |= row(rule.from[0])[w];
      break;
    case Kind::Join:
      for (unsigned from : rule.from)
        set |= row(from)[w];
      break;
    }
    if (rule.own >= 0 && size_t(rule.own) / 64 == w)
      set |= Word(1) << (rule.own % 64);
    if (rule.kind == Kind::Join && !rule.masks.empty())
      set &= ~rule.masks[0][w];
    changed |= to[w] != set;
    to[w] = set;
  }
  return changed;
}

Operation *Completion::run() {
  collect();
  if (obligations.empty())
    return nullptr;
  for (Operation *op : phases.actors())
    for (Value result : op->getResults())
      makeRule(op, result);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule &rule : rules)
      changed |= apply(rule);
  }
  GraphReturnOp end = graph.getReturn();
  for (auto [index, op] : llvm::enumerate(obligations)) {
    bool covered = false;
    for (ValueRange values : {end.getComplete(), end.getValues()})
      for (Value value : values)
        covered |= row(rowOf(value))[index / 64] >> (index % 64) & 1;
    if (!covered)
      return op;
  }
  return nullptr;
}

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
