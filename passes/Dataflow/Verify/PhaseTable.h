// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phases: how many tokens a value has.
//
//   root                 one per launch
//   select(P, c, k)      those of P for which selector c chose lane k
//   loop(P, p)           K+1 per token of P; p is the phase of the loop, T^K F
//   body(P, p)           K per token of P
//   close(P, p)          the close phase of gate: K, of which the last is F

#ifndef LOOM_DATAFLOW_VERIFY_PHASETABLE_H
#define LOOM_DATAFLOW_VERIFY_PHASETABLE_H

#include "loom/Dataflow/IR/Dataflow.h"
#include <deque>
#include <map>
#include <tuple>

namespace loom {

enum class PhaseKind { Root, Select, Loop, Body, Close };

struct Phase {
  PhaseKind kind;
  const Phase *parent;
  unsigned lane;
  mlir::Value value; // the selector, or the phase of the loop

  /// Whether this is `outer` or inside of it.
  bool isWithin(const Phase *outer) const {
    const Phase *phase = this;
    while (phase && phase != outer)
      phase = phase->parent;
    return phase != nullptr;
  }
};

/// Equal phases are one object.
class PhaseTable {
public:
  const Phase *get(PhaseKind kind, const Phase *parent = nullptr,
                   mlir::Value selector = {}, unsigned lane = 0);
  static std::string text(const Phase *phase);

private:
  // Numbers in the order of first use: stable from run to run.
  unsigned numberOf(mlir::Value value) {
    return numbers.try_emplace(value, numbers.size() + 1).first->second;
  }

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  std::deque<Phase> storage;
  llvm::DenseMap<const Phase *, unsigned> indexOf;
  std::map<std::tuple<PhaseKind, unsigned, unsigned, unsigned>, const Phase *>
      interned;
};

/// Finds the phases of a graph and checks them.
class PhaseVerifier {
public:
  PhaseVerifier(dataflow::GraphOp graph, std::string *why)
      : graph(graph), why(why) {}

  mlir::LogicalResult run();

  /// After `run`: the actors, each after those that its first token needs.
  llvm::ArrayRef<mlir::Operation *> actors() const { return order; }
  const Phase *of(mlir::Value value) const { return phases.lookup(value); }
  /// Whether `selector` is the phase of the loop that its tokens belong to.
  bool isLoopSelector(mlir::Value selector) const;
  /// The phase of lane k of `selector`.
  const Phase *lanePhase(mlir::Value selector, unsigned lane);
  PhaseTable &phaseTable() { return table; }

private:
  mlir::LogicalResult orderActors();
  void infer(mlir::Operation *op);
  mlir::LogicalResult check(mlir::Operation *op);
  void inferGroups(mlir::Value from, mlir::Value to, mlir::ValueRange values);
  mlir::LogicalResult checkGroups(mlir::Operation *op, mlir::Value phase,
                                  mlir::ValueRange values);
  mlir::LogicalResult same(mlir::Operation *op, mlir::Value value,
                           const Phase *expected);
  bool isStreamInput(mlir::Value value);
  mlir::LogicalResult fail(mlir::Operation *op, const llvm::Twine &message);

  dataflow::GraphOp graph;
  std::string *why;
  PhaseTable table;
  const Phase *root = nullptr;
  std::vector<mlir::Operation *> order;
  llvm::DenseMap<mlir::Value, const Phase *> phases;
};

} // namespace loom

#endif
