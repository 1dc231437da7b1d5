// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom-artifact run: a program of the dataflow dialect, executed as it is.

#include "Commands.h"
#include "RunArguments.h"
#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;
using namespace loom::tool;
using llvm::Error;
using llvm::Expected;
using llvm::outs;

namespace {
/// What the user asked for.
struct Request {
  std::string file, entry;
  RunOptions options;
  uint64_t orders = 0;
  uint64_t shownBytes = 256;
  std::vector<ArgumentText> arguments;
};
} // namespace

static Error readNumber(SmallVectorImpl<StringRef> &args, StringRef name,
                        uint64_t most, uint64_t &number) {
  StringRef text = option(args, name);
  if (text.empty() || (!text.getAsInteger(10, number) && number <= most))
    return Error::success();
  return runError(RunFault::Argument, name + " " + text);
}

static Expected<Request> readRequest(SmallVector<StringRef> args) {
  Request request;
  request.entry = option(args, "--entry").str();
  uint64_t seed = ~uint64_t(0);
  if (Error error = llvm::joinErrors(
          llvm::joinErrors(readNumber(args, "--seed", ~uint64_t(1), seed),
                           readNumber(args, "--orders", 10000, request.orders)),
          llvm::joinErrors(readNumber(args, "--steps", uint64_t(1) << 32,
                                      request.options.steps),
                           readNumber(args, "--show-bytes", uint64_t(1) << 32,
                                      request.shownBytes))))
    return std::move(error);
  if (seed != ~uint64_t(0))
    request.options.seed = seed;
  for (auto [name, kind] : {std::pair("--arg", ArgumentText::Value),
                            std::pair("--stream", ArgumentText::Stream),
                            std::pair("--memory", ArgumentText::Memory)})
    for (StringRef text; !(text = option(args, name)).empty();) {
      auto [number, value] = text.split('=');
      ArgumentText argument{kind, 0, value.str()};
      if (number.getAsInteger(10, argument.input) || argument.input > 10000)
        return runError(RunFault::Argument, Twine(name) + " " + text);
      request.arguments.push_back(std::move(argument));
    }
  if (auto *open = llvm::find(args, "--open"); open != args.end()) {
    request.options.open = true;
    args.erase(open);
  }
  if (args.size() != 1)
    return runError(RunFault::Argument,
                    args.empty() ? "no file" : "unknown: " + args[1]);
  request.file = args[0].str();
  return request;
}

static void printOutcome(const RunOutcome &outcome, uint64_t shownBytes) {
  for (auto [number, result] : llvm::enumerate(outcome.results)) {
    outs() << "result " << number << ": " << result.type;
    if (result.stream)
      outs() << " stream";
    for (const Token &token : result.tokens)
      outs() << " " << printToken(token, result.type);
    outs() << "\n";
  }
  for (const RunMemory &memory : outcome.memories) {
    outs() << "memory " << memory.input << ": ";
    size_t shown = std::min<uint64_t>(memory.bytes.size(), shownBytes);
    for (size_t i = 0; i < shown; ++i) {
      if (memory.poison[i])
        outs() << "??";
      else
        outs() << llvm::hexdigit(memory.bytes[i] >> 4, /*LowerCase=*/true)
               << llvm::hexdigit(memory.bytes[i] & 15, /*LowerCase=*/true);
    }
    if (shown < memory.bytes.size())
      outs() << "... (" << memory.bytes.size() << " bytes)";
    outs() << "\n";
  }
  for (const std::string &left : outcome.left)
    outs() << "left: " << left << "\n";
  for (const RunCount &count : outcome.firings)
    outs() << "fired " << count.firings << ": " << count.actor << "\n";
}

static Error execute(ModuleOp module, const Request &request) {
  Operation *entry = findEntry(module, request.entry);
  if (!entry)
    return runError(RunFault::Entry,
                    request.entry.empty()
                        ? "the module has not exactly one function or graph"
                        : "@" + request.entry);
  Expected<std::vector<RunArgument>> arguments =
      readArguments(entry, request.arguments);
  if (!arguments)
    return arguments.takeError();
  RunOutcome outcome = runEntry(module, entry, *arguments, request.options);
  if (outcome.failure)
    return runError(outcome.failure->fault, outcome.failure->detail);
  for (uint64_t seed = 1; seed <= request.orders; ++seed) {
    RunOptions options = request.options;
    options.seed = seed;
    RunOutcome other = runEntry(module, entry, *arguments, options);
    std::string difference = compareRuns(outcome, other);
    if (!difference.empty())
      return runError(RunFault::Orders,
                      "seed " + Twine(seed) + ": " + difference);
  }
  printOutcome(outcome, request.shownBytes);
  if (request.orders)
    outs() << request.orders << " other orders gave the same\n";
  return Error::success();
}

Error tool::runProgram(SmallVector<StringRef> args) {
  Expected<Request> request = readRequest(std::move(args));
  if (!request)
    return request.takeError();
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, DLTIDialect,
                  dataflow::DataflowDialect, func::FuncDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // The parser verifies.
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(request->file, &context);
  if (!module)
    return runError(RunFault::Unverified, request->file);
  return execute(*module, *request);
}
