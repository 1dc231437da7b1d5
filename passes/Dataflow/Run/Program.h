// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stored program: a host function or an instance of a thread. One operation
// is one step; those that wait are tried again when they are woken.

#ifndef LOOM_DATAFLOW_RUN_PROGRAM_H
#define LOOM_DATAFLOW_RUN_PROGRAM_H

#include "Channel.h"
#include "Machine.h"

namespace loom::run {

/// What a value of a program is.
struct Datum {
  enum Kind { Ready, Later, Buffer, Handle };
  Kind kind = Ready;
  Token token;                ///< Ready
  Cell *cell = nullptr;       ///< Later: an event, a result of a graph
  Place place;                ///< Buffer: a memory
  Channel *channel = nullptr; ///< Handle

  static Datum of(Token token);
  static Datum of(Cell *cell);
  static Datum of(Place place);
  static Datum of(Channel *channel);
};

/// What became of an operation.
enum class Step {
  Next,  ///< done, to the one after it
  Moved, ///< done, the position is already right
  Wait,  ///< not done
  Other, ///< of another family
};

class Program : public Agent {
public:
  Program(Machine &machine, mlir::Operation *root, std::string label);

  bool step() override;
  bool finished() const { return frames.empty(); }
  std::string waitsFor() const;

  void bind(mlir::Value value, Datum datum);

  mlir::Operation *root;
  std::string label;
  Coordinates coordinates;
  Order order;                ///< what happened before the next operation
  Cell *retired;              ///< set at the end
  std::vector<Token> results; ///< of a host function

private:
  struct Frame {
    explicit Frame(mlir::Operation *next = nullptr) : next(next) {}
    mlir::Operation *next;
    llvm::APInt iv, limit, stride; // of scf.for
  };
  /// A function that was called: its values, and where its frames begin.
  struct Call {
    Call(size_t firstFrame, mlir::Operation *call)
        : firstFrame(firstFrame), call(call) {}
    llvm::DenseMap<mlir::Value, Datum> values;
    size_t firstFrame;
    mlir::Operation *call;
  };

  // ProgramControl.cpp
  Step control(mlir::Operation *op);
  Step enterFor(mlir::Operation *op);
  Step enterSwitch(mlir::Operation *op);
  Step yield(mlir::Operation *op);
  Step condition(mlir::Operation *op);
  // ProgramCalls.cpp
  Step calls(mlir::Operation *op);
  Step jump(mlir::Operation *op, unsigned successor);
  Step call(mlir::Operation *op);
  Step leave(mlir::Operation *op);
  // ProgramMemory.cpp
  Step accesses(mlir::Operation *op);
  Step load(mlir::Operation *op);
  Step store(mlir::Operation *op);
  Step address(mlir::Operation *op);
  bool check(mlir::Operation *op, AccessFault fault, Place at, Event other);
  std::optional<Place> placeOf(mlir::Operation *op, mlir::Value address,
                               bool &waits);
  // ProgramValues.cpp
  Step values(mlir::Operation *op);
  // ProgramThreads.cpp
  Step threads(mlir::Operation *op);
  Step launchThread(mlir::Operation *op);
  Step endThread(mlir::Operation *op);
  // ProgramGraphs.cpp
  Step graphs(mlir::Operation *op);
  Step launchGraph(mlir::Operation *op);
  Step receive(mlir::Operation *op);
  Step send(mlir::Operation *op);

  /// Dominance says that it is there.
  Datum &get(mlir::Value value) {
    return stack.back().values.find(value)->second;
  }
  /// The token of a value, or null and a wait for it.
  const Token *ready(mlir::Value value);
  /// Whether all are there; else a wait for them.
  bool allReady(mlir::ValueRange values);
  std::optional<bool> truth(mlir::Operation *op, const Token &token);
  /// Gives each value of `to` what that of `from` is, at once.
  void assign(mlir::ValueRange to, mlir::ValueRange from);
  void enter(mlir::Block &block);
  /// Ends the region of the innermost frame: its operation has its results.
  Step finishRegion(mlir::Operation *op, mlir::ValueRange results);
  void end();
  Step fail(mlir::Operation *op, RunFault fault, const llvm::Twine &detail);
  Event access() { return {site, events++}; }

  Machine &machine;
  std::vector<Call> stack;
  std::vector<Frame> frames;
  uint32_t site;
  uint32_t events = 0;
};

/// The bytes that a type takes in memory; nullopt when it is no data.
std::optional<uint64_t> bytesOf(mlir::Type type);

/// Why a program can't execute an operation; empty if it can.
std::string whyNotStep(mlir::Operation *op);

} // namespace loom::run

#endif
