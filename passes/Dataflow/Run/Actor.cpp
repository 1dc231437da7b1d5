// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all firing rules use.

#include "Activation.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;

static Rule ruleOf(Operation *op) {
  for (Rule rule :
       {controlRule(op), loopRule(op), vectorRule(op), memoryRule(op)})
    if (rule)
      return rule;
  return computeRule;
}

Actor::Actor(Activation &activation, const GraphPlan::ActorPlan &plan)
    : plan(plan), activation(activation), rule(ruleOf(plan.op)) {}

Machine &Actor::machine() const { return activation.machine; }

bool Actor::step() {
  order = nullptr;
  if (!rule(*this))
    return false;
  machine().fired(op());
  return true;
}

bool Actor::isAhead() const {
  // A hint, not a bound: nothing is observed of it.
  constexpr size_t enough = 64;
  if (!isa<dataflow::StreamOp>(op()))
    return false;
  for (const auto &uses : plan.uses)
    for (GraphPlan::Use use : uses)
      if (use.actor < activation.plan.actors.size() &&
          activation.queue(activation.plan.actors[use.actor], use.operand)
                  .size() > enough)
        return true;
  return false;
}

bool Actor::has(unsigned first, unsigned last) const {
  for (unsigned i = first; i <= last; ++i) {
    if (!activation.queue(plan, i).empty())
      continue;
    if (plan.stream[i] < 0)
      return false;
    const Consumer *source = activation.sources[unsigned(plan.stream[i])];
    bool turn = !source->turns.empty() && source->turns.front() == &activation;
    if (!turn || !source->peek())
      return false;
  }
  return true;
}

const Token &Actor::peek(unsigned operand) const {
  const Queue &queue = activation.queue(plan, operand);
  if (!queue.empty())
    return queue.front();
  return *activation.sources[unsigned(plan.stream[operand])]->peek();
}

Token Actor::take(unsigned operand) {
  Queue &queue = activation.queue(plan, operand);
  if (queue.empty()) {
    // The first use takes the message; the others have it in their queues.
    unsigned stream = unsigned(plan.stream[operand]);
    Consumer *source = activation.sources[stream];
    Token message = *source->peek();
    source->take();
    unsigned argument = activation.plan.firstStream + stream;
    activation.push(activation.plan.inputs[argument], message);
  }
  Token token = queue.pop();
  machine().tokenRemoved(token);
  use(token);
  return token;
}

void Actor::emit(unsigned result, ArrayRef<Lane> lanes) {
  Token token;
  token.lanes.assign(lanes.begin(), lanes.end());
  token.order = order;
  activation.push(plan.uses[result], token);
}

std::optional<bool> Actor::truth(const Token &token) {
  if (!token.lanes.front().poison)
    return token.lanes.front().bits != 0;
  fail(RunFault::Poison, "a condition");
  return std::nullopt;
}

bool Actor::fail(RunFault fault, const Twine &detail) const {
  return machine().fail(fault,
                        activation.label + ": " + nameOf(op()) + ": " + detail);
}

Event Actor::access() {
  if (!site)
    site = machine().makeSite(op(), activation.label);
  return {*site, events++};
}
