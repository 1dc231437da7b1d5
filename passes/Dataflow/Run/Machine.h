// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all parts of an execution share: what can make a step, in which order,
// the limits, and the first failure.

#ifndef LOOM_DATAFLOW_RUN_MACHINE_H
#define LOOM_DATAFLOW_RUN_MACHINE_H

#include "Compute.h"
#include "GraphPlan.h"
#include "Memory.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include <deque>
#include <functional>
#include <random>

namespace loom::run {

class Activation;
class Program;
class Channel;

/// Something that makes steps: an actor of an activation, or a program. It is
/// waiting unless it is queued; what it waits for wakes it.
class Agent {
public:
  virtual ~Agent() = default;
  /// One step; false if it has to wait.
  virtual bool step() = 0;
  /// Whether others should go first: it can run ahead without end.
  virtual bool isAhead() const { return false; }
  bool queued = false;
};

/// A token that comes later: an event, the retirement of a launch, a value.
struct Cell {
  bool ready = false;
  Token token;
  std::vector<std::function<void()>> then;
};

class Machine {
public:
  Machine(mlir::ModuleOp module, const RunOptions &options);
  ~Machine();

  const RunOptions &options;
  Memory memory;
  mlir::SymbolTable symbols;
  std::optional<RunFailure> failure;
  uint64_t steps = 0;

  /// Notes the first failure; returns false.
  bool fail(RunFault fault, const llvm::Twine &detail);
  bool fail(const RunFailure &why) { return fail(why.fault, why.detail); }

  void wake(Agent &agent);
  /// Steps until nothing moves or something fails.
  void run();

  Cell *makeCell();
  void set(Cell *cell, Token token);
  /// Calls `then` when all cells are ready; from the run loop, so that chains
  /// of cells need no stack.
  void whenAll(llvm::ArrayRef<Cell *> cells, std::function<void()> then);
  void later(std::function<void()> task) { tasks.push_back(std::move(task)); }

  /// One more or less token in a queue or a channel; lanes count.
  void tokenAdded(const Token &token) { liveTokens += weight(token); }
  void tokenRemoved(const Token &token) { liveTokens -= weight(token); }

  /// A new source of events; `text` says whose they are.
  uint32_t makeSite(mlir::Operation *op, std::string text);
  std::string siteText(Event event) const;

  const GraphPlan &planOf(dataflow::GraphOp graph);
  Computation &computationOf(mlir::Operation *op);
  void fired(mlir::Operation *op) { ++firings[op]; }

  Activation &launch(dataflow::GraphOp graph, std::string label);
  Program &start(mlir::Operation *program, std::string label);
  Channel &makeChannel(mlir::Type payload);

  /// When nothing moves: what was left behind, and what waits.
  void checkEnd();

  llvm::MapVector<mlir::Operation *, uint64_t> firings;
  uint64_t instances = 0;

private:
  Agent *pick();
  void checkLimits();
  static uint64_t weight(const Token &token) {
    return std::max<uint64_t>(1, token.lanes.size());
  }

  std::deque<Agent *> work, deferred;
  std::deque<std::function<void()>> tasks;
  std::mt19937_64 random;
  uint64_t liveTokens = 0;
  std::deque<Cell> cells;
  std::vector<std::pair<mlir::Operation *, std::string>> sites;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<GraphPlan>> plans;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Computation>> computations;
  std::vector<std::unique_ptr<Activation>> activations;
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<std::unique_ptr<Channel>> channels;
};

/// `@graph:3 dataflow.sync` for an actor, the name and the line otherwise.
std::string nameOf(mlir::Operation *op);

} // namespace loom::run

#endif
