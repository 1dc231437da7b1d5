// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference execution of the dataflow dialect: graphs, threads and channels
// as they are in the module, without an image and without a device. It is slow,
// and checks everything that the dialect promises.

#ifndef LOOM_DATAFLOW_RUN_RUN_H
#define LOOM_DATAFLOW_RUN_RUN_H

#include "loom/Dataflow/Run/Token.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace loom::run {

enum class RunFault {
#define LOOM_RUN_FAULT(Name, Code, Text) Name,
#include "loom/Dataflow/Run/Faults.def"
};

/// The stable code, e.g. "run-deadlock", and what it means.
llvm::StringRef runFaultCode(RunFault fault);
llvm::StringRef runFaultText(RunFault fault);

struct RunFailure {
  RunFault fault;
  std::string detail;
};

struct RunOptions {
  /// Picks the next actor or program at random; in turn without one.
  std::optional<uint64_t> seed;
  /// A graph: until nothing moves, whether it completes or not.
  bool open = false;
  uint64_t steps = 1000000;        ///< firings and operations of programs
  uint64_t tokens = 1 << 20;       ///< lanes, in queues and channels at a time
  uint64_t bytes = 64ull << 20;    ///< of all memories
  uint64_t instances = 1ull << 14; ///< of threads, over all launches
};

/// One input of the entry, without the start token.
struct RunArgument {
  /// One for a value, any number for a stream.
  std::vector<Token> tokens;
  /// A memory of its own; a pointer gets its address.
  std::optional<std::vector<uint8_t>> memory;
  /// An address in the memory of another input: its number and an offset.
  std::optional<std::pair<unsigned, uint64_t>> place;
};

struct RunResult {
  mlir::Type type;
  bool stream = false;
  std::vector<Token> tokens;
};

struct RunMemory {
  unsigned input;
  std::vector<uint8_t> bytes;
  std::vector<bool> poison;
};

struct RunCount {
  std::string actor; ///< @graph:NUMBER operation
  uint64_t firings;
};

struct RunOutcome {
  std::optional<RunFailure> failure;
  std::vector<RunResult> results;
  std::vector<RunMemory> memories;
  std::vector<RunCount> firings;
  std::vector<std::string> left; ///< of an open run, what nobody took
  uint64_t steps = 0;
};

/// The operation named `entry`, or the only function of the module, or its only
/// graph. Null when there is none.
mlir::Operation *findEntry(mlir::ModuleOp module, llvm::StringRef entry);

/// The types of the inputs of an entry, and which of them are streams.
std::vector<std::pair<mlir::Type, bool>> entryInputs(mlir::Operation *entry);

/// Runs a graph or a host function of a module that verifies.
RunOutcome runEntry(mlir::ModuleOp module, mlir::Operation *entry,
                    llvm::ArrayRef<RunArgument> arguments,
                    const RunOptions &options);

/// What differs between two runs; empty when nothing does.
std::string compareRuns(const RunOutcome &a, const RunOutcome &b);

} // namespace loom::run

#endif
