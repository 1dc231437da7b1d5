// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;

Datum Datum::of(Token token) {
  Datum datum;
  datum.token = std::move(token);
  return datum;
}

Datum Datum::of(Cell *cell) {
  Datum datum;
  datum.kind = Later;
  datum.cell = cell;
  return datum;
}

Datum Datum::of(Place place) {
  Datum datum;
  datum.kind = Buffer;
  datum.place = place;
  return datum;
}

Datum Datum::of(Channel *channel) {
  Datum datum;
  datum.kind = Handle;
  datum.channel = channel;
  return datum;
}

Program::Program(Machine &machine, Operation *root, std::string label)
    : root(root), label(std::move(label)), retired(machine.makeCell()),
      machine(machine), site(machine.makeSite(root, this->label)) {
  stack.emplace_back(0, nullptr);
  enter(root->getRegion(0).front());
}

void Program::bind(Value value, Datum datum) {
  stack.back().values[value] = std::move(datum);
}

bool Program::step() {
  if (finished())
    return false;
  Operation *op = frames.back().next;
  Step step = Step::Other;
  for (auto family : {&Program::control, &Program::calls, &Program::accesses,
                      &Program::threads, &Program::graphs, &Program::values}) {
    step = (this->*family)(op);
    if (step != Step::Other)
      break;
  }
  if (machine.failure || step == Step::Wait)
    return false;
  if (step == Step::Next)
    frames.back().next = op->getNextNode();
  return true;
}

std::string Program::waitsFor() const {
  return label + ": waits at " + nameOf(frames.back().next);
}

const Token *Program::ready(Value value) {
  if (!allReady(value))
    return nullptr;
  Datum &datum = get(value);
  return datum.kind == Datum::Later ? &datum.cell->token : &datum.token;
}

bool Program::allReady(ValueRange values) {
  SmallVector<Cell *> missing;
  for (Value value : values) {
    Datum &datum = get(value);
    if (datum.kind == Datum::Later && !datum.cell->ready)
      missing.push_back(datum.cell);
  }
  if (!missing.empty()) {
    machine.whenAll(missing, [this] { machine.wake(*this); });
    return false;
  }
  for (Value value : values)
    if (Datum &datum = get(value); datum.kind == Datum::Later)
      order = join(order, datum.cell->token.order);
  return true;
}

std::optional<bool> Program::truth(Operation *op, const Token &token) {
  if (!token.lanes.front().poison)
    return token.lanes.front().bits != 0;
  fail(op, RunFault::Poison, "a condition");
  return std::nullopt;
}

void Program::assign(ValueRange to, ValueRange from) {
  SmallVector<Datum> data;
  for (Value value : from)
    data.push_back(get(value));
  for (auto [value, datum] : llvm::zip(to, data))
    bind(value, std::move(datum));
}

void Program::enter(Block &block) { frames.emplace_back(&block.front()); }

Step Program::finishRegion(Operation *op, ValueRange results) {
  Operation *parent = op->getParentOp();
  assign(parent->getResults(), results);
  frames.pop_back();
  frames.back().next = parent->getNextNode();
  return Step::Moved;
}

void Program::end() {
  frames.clear();
  machine.set(retired, {{}, order});
}

Step Program::fail(Operation *op, RunFault fault, const Twine &detail) {
  machine.fail(fault, label + ": " + nameOf(op) + ": " + detail);
  return Step::Wait;
}
