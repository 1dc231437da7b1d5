// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Activation.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::run;

Token Queue::pop() {
  Token token = std::move(items[head++]);
  if (head == items.size()) {
    items.clear();
    head = 0;
  } else if (head >= 64 && head * 2 >= items.size()) {
    items.erase(items.begin(), items.begin() + ptrdiff_t(head));
    head = 0;
  }
  return token;
}

Activation::Activation(Machine &machine, const GraphPlan &plan,
                       std::string label)
    : machine(machine), plan(plan), label(std::move(label)),
      queues(plan.numQueues) {
  for (const GraphPlan::ActorPlan &actor : plan.actors)
    actors.emplace_back(*this, actor);
  auto end = cast<GraphReturnOp>(plan.end.op);
  for (unsigned i = 0; i < end.getValues().size(); ++i)
    values.push_back(machine.makeCell());
  done = machine.makeCell();
  missing = end.getValues().size() + end.getComplete().size();
  arrived.resize(end->getNumOperands());
}

void Activation::begin() {
  for (Consumer *source : sources)
    source->turns.push_back(this);
  for (Producer *output : outputs)
    output->begin(this);
}

void Activation::input(unsigned argument, const Token &token) {
  push(plan.inputs[argument], token);
}

void Activation::streamArrived() {
  for (unsigned i = 0; i < sources.size(); ++i)
    for (GraphPlan::Use use : plan.inputs[plan.firstStream + i])
      if (use.actor < actors.size())
        machine.wake(actors[use.actor]);
}

void Activation::push(ArrayRef<GraphPlan::Use> uses, const Token &token) {
  for (GraphPlan::Use use : uses) {
    if (use.actor == actors.size()) {
      arrive(use.operand, token);
      continue;
    }
    machine.tokenAdded(token);
    queue(plan.actors[use.actor], use.operand).push(token);
    machine.wake(actors[use.actor]);
  }
}

void Activation::arrive(unsigned operand, const Token &token) {
  auto end = cast<GraphReturnOp>(plan.end.op);
  unsigned numValues = end.getValues().size();
  unsigned numStreams = end.getStreams().size();
  if (operand >= numValues && operand < numValues + numStreams) {
    if (!outputs[operand - numValues]->send(this, token))
      machine.fail(RunFault::Leftover,
                   label + ": a message after the completion, from operand " +
                       Twine(operand) + " of " + nameOf(end));
    return;
  }
  if (arrived[operand]) {
    machine.fail(RunFault::Leftover, label + ": a second token for operand " +
                                         Twine(operand) + " of " + nameOf(end));
    return;
  }
  arrived[operand] = true;
  order = join(order, token.order);
  if (operand < numValues)
    machine.set(values[operand], token);
  // Not before the firing has emitted all its tokens.
  if (--missing == 0)
    machine.later([this] { complete(); });
}

void Activation::complete() {
  machine.set(done, {{}, order});
  if (open)
    return;
  for (Producer *output : outputs)
    output->end(this);
  for (Consumer *source : sources) {
    llvm::erase(source->turns, this);
    source->notify(machine);
  }
}

// The operands of an actor that it has no token for, with who makes them.
static std::string missingOperands(const Actor &actor) {
  std::string text;
  for (unsigned i = 0; i < actor.op()->getNumOperands(); ++i) {
    Value operand = actor.op()->getOperand(i);
    if (isa<MemRefType>(operand.getType()) || actor.has(i))
      continue;
    Operation *maker = operand.getDefiningOp();
    text += (text.empty() ? " waits for operand " : ", ") + std::to_string(i) +
            " (" + (maker ? nameOf(maker) : "an input of the graph") + ")";
  }
  return text;
}

void Activation::describeWaits(std::vector<std::string> &waits) const {
  if (done->ready)
    return;
  bool any = false;
  for (const Actor &actor : actors) {
    bool begun = actor.running;
    for (unsigned i = 0; i < actor.op()->getNumOperands(); ++i)
      begun |=
          !isa<MemRefType>(actor.op()->getOperand(i).getType()) && actor.has(i);
    std::string missing = missingOperands(actor);
    if (!begun || missing.empty())
      continue;
    any = true;
    waits.push_back(label + ": " + nameOf(actor.op()) + missing);
  }
  if (!any)
    waits.push_back(label + ": waits for " + std::to_string(missing) +
                    " results");
}

void Activation::describeLeft(std::vector<std::string> &left) const {
  for (const Actor &actor : actors) {
    for (unsigned i = 0; i < actor.op()->getNumOperands(); ++i)
      if (size_t count = queues[actor.plan.firstQueue + i].size())
        left.push_back(nameOf(actor.op()) + " operand " + std::to_string(i) +
                       " has " + std::to_string(count) + " tokens left");
    if (actor.running)
      left.push_back(nameOf(actor.op()) + " is in the middle of a loop");
  }
}

void Activation::checkClosed() {
  std::vector<std::string> left;
  describeLeft(left);
  if (!left.empty())
    machine.fail(RunFault::Leftover, label + ": " + left.front());
}
