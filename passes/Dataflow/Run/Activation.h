// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch of a graph: its queues and the state of its actors.

#ifndef LOOM_DATAFLOW_RUN_ACTIVATION_H
#define LOOM_DATAFLOW_RUN_ACTIVATION_H

#include "Channel.h"
#include "Machine.h"

namespace loom::run {

class Queue {
public:
  bool empty() const { return head == items.size(); }
  size_t size() const { return items.size() - head; }
  const Token &front() const { return items[head]; }
  void push(Token token) { items.push_back(std::move(token)); }
  Token pop();

private:
  std::vector<Token> items;
  size_t head = 0;
};

/// An actor of an activation. The functions of the firing rules (Actors*.cpp)
/// look at operands, then take some, then emit.
class Actor : public Agent {
public:
  Actor(Activation &activation, const GraphPlan::ActorPlan &plan);

  bool step() override;
  bool isAhead() const override;

  mlir::Operation *op() const { return plan.op; }
  Machine &machine() const;
  /// Whether operands `first` to `last` have a token; a stream input has one
  /// when the channel has.
  bool has(unsigned first, unsigned last) const;
  bool has(unsigned operand) const { return has(operand, operand); }
  const Token &peek(unsigned operand) const;
  /// The token; what it knows is known from now on in this firing.
  Token take(unsigned operand);
  /// A token that was taken by an earlier firing.
  void use(const Token &kept) { order = join(order, kept.order); }
  void emit(unsigned result, llvm::ArrayRef<Lane> lanes);
  /// The truth of an i1 token; nullopt and a failure when it is poison.
  std::optional<bool> truth(const Token &token);
  bool fail(RunFault fault, const llvm::Twine &detail) const;
  /// A new access of this actor.
  Event access();

  const GraphPlan::ActorPlan &plan;
  Activation &activation;
  Order order; ///< of the firing

  // State. Loop actors: whether they are in an activation of the loop.
  bool running = false;
  Token kept, limit, stride;
  std::vector<Lane> held;

private:
  bool (*rule)(Actor &actor);
  std::optional<uint32_t> site;
  uint32_t events = 0;
};

using Rule = bool (*)(Actor &actor);
/// The rule of an operation; null if it is of another family.
Rule controlRule(mlir::Operation *op);
Rule loopRule(mlir::Operation *op);
Rule vectorRule(mlir::Operation *op);
Rule memoryRule(mlir::Operation *op);
bool computeRule(Actor &actor);

class Activation {
public:
  Activation(Machine &machine, const GraphPlan &plan, std::string label);

  // What the launch binds, before begin().
  std::vector<Place> memories;
  std::vector<Consumer *> sources;
  std::vector<Producer *> outputs;

  /// Takes its turn at the channels.
  void begin();
  /// The token of a block argument (the start, or a value).
  void input(unsigned argument, const Token &token);
  /// The stream inputs have messages.
  void streamArrived();

  void push(llvm::ArrayRef<GraphPlan::Use> uses, const Token &token);
  Queue &queue(const GraphPlan::ActorPlan &actor, unsigned operand) {
    return queues[actor.firstQueue + operand];
  }

  void describeWaits(std::vector<std::string> &waits) const;
  /// Says of every actor what it has left.
  void describeLeft(std::vector<std::string> &left) const;
  void checkClosed();

  Machine &machine;
  const GraphPlan &plan;
  std::string label;
  bool open = false; ///< the run goes on after the completion
  std::vector<Cell *> values;
  Cell *done;

private:
  void arrive(unsigned operand, const Token &token);
  void complete();

  std::vector<Queue> queues;
  std::deque<Actor> actors;
  std::vector<bool> arrived; // operands of the return
  size_t missing = 0;
  Order order; // of what has arrived
};

} // namespace loom::run

#endif
