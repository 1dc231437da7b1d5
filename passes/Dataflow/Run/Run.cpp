// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Dataflow/Run/Run.h"
#include "Activation.h"
#include "Admit.h"
#include "Program.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::run;

static bool isFunction(Operation *op) {
  return isa<func::FuncOp, LLVM::LLVMFuncOp>(op) && !op->getRegion(0).empty();
}

Operation *loom::run::findEntry(ModuleOp module, StringRef entry) {
  SmallVector<Operation *> functions, graphs;
  for (Operation &op : *module.getBody()) {
    bool function = isFunction(&op);
    if (!function && !isa<GraphOp>(op))
      continue;
    if (!entry.empty() && SymbolTable::getSymbolName(&op) == entry)
      return &op;
    (function ? functions : graphs).push_back(&op);
  }
  if (!entry.empty())
    return nullptr;
  if (functions.empty())
    return graphs.size() == 1 ? graphs.front() : nullptr;
  return functions.size() == 1 ? functions.front() : nullptr;
}

std::vector<std::pair<Type, bool>> loom::run::entryInputs(Operation *entry) {
  std::vector<std::pair<Type, bool>> inputs;
  auto graph = dyn_cast<GraphOp>(entry);
  for (BlockArgument argument :
       entry->getRegion(0).front().getArguments().drop_front(graph ? 1 : 0))
    inputs.emplace_back(
        argument.getType(),
        graph && llvm::is_contained(graph.getStreamInputs(), argument));
  return inputs;
}

namespace {
/// An entry with its arguments, bound and run.
class Entry {
public:
  Entry(ModuleOp module, Operation *entry, ArrayRef<RunArgument> arguments,
        const RunOptions &options)
      : entry(entry), arguments(arguments), machine(module, options) {}

  RunOutcome run() {
    if (bind())
      isa<GraphOp>(entry) ? runGraph() : runFunction();
    outcome.failure = machine.failure;
    outcome.steps = machine.steps;
    count();
    for (auto [input, place] : llvm::enumerate(places))
      if (arguments[input].memory) {
        const Memory::Buffer &buffer = machine.memory[place.buffer];
        outcome.memories.push_back(
            {unsigned(input), buffer.bytes, buffer.poison});
      }
    return std::move(outcome);
  }

private:
  bool bad(size_t input, const Twine &why) {
    return machine.fail(RunFault::Argument,
                        "input " + Twine(input) + ": " + why);
  }

  // Gives every input its place or its tokens.
  bool bind() {
    inputs = entryInputs(entry);
    if (arguments.size() != inputs.size())
      return machine.fail(RunFault::Argument, Twine(inputs.size()) +
                                                  " inputs, got " +
                                                  Twine(arguments.size()));
    uint64_t bytes = 0;
    for (const RunArgument &argument : arguments)
      bytes += argument.memory ? argument.memory->size() : 0;
    if (bytes > machine.options.bytes)
      return machine.fail(RunFault::Limit, Twine(bytes) + " bytes of memory");
    for (const RunArgument &argument : arguments)
      places.push_back(argument.memory
                           ? Place{machine.memory.make(*argument.memory), 0}
                           : Place{~0u, 0});
    for (auto [input, argument] : llvm::enumerate(arguments)) {
      if (!argument.place)
        continue;
      auto [other, offset] = *argument.place;
      if (other >= arguments.size() || !arguments[other].memory)
        return bad(input, "input " + Twine(other) + " has no memory");
      places[input] = {places[other].buffer, offset};
    }
    for (size_t input = 0; input < inputs.size(); ++input)
      if (!bindOne(input))
        return false;
    return true;
  }

  bool bindOne(size_t input) {
    auto [type, isStream] = inputs[input];
    const RunArgument &argument = arguments[input];
    bool placed = argument.memory || argument.place;
    tokens.push_back(argument.tokens);
    if (type == getMemoryType(type.getContext()))
      return placed && argument.tokens.empty() ? true
                                               : bad(input, "needs a memory");
    std::optional<unsigned> count = laneCount(type);
    if (!count || *count == 0)
      return bad(input, "has a type that no argument has");
    if (placed && isPointerType(type) && argument.tokens.empty())
      tokens.back() = {
          Token{{Lane{Memory::address(places[input]), false}}, nullptr}};
    else if (placed)
      return bad(input, "is no memory");
    if (!isStream && tokens.back().size() != 1)
      return bad(input, "needs one value");
    for (Token &token : tokens.back()) {
      if (token.lanes.size() != *count)
        return bad(input, "needs " + Twine(*count) + " lanes, got " +
                              Twine(token.lanes.size()));
      for (Lane &lane : token.lanes)
        lane.bits = lane.poison ? 0 : lane.bits & laneMask(laneWidth(type));
      token.order = nullptr;
    }
    return true;
  }

  void runGraph() {
    auto graph = cast<GraphOp>(entry);
    Activation &activation =
        machine.launch(graph, "@" + graph.getSymName().str());
    for (auto [input, of] : llvm::enumerate(inputs)) {
      if (of.first == getMemoryType(of.first.getContext()))
        activation.memories.push_back(places[input]);
      if (!of.second)
        continue;
      Channel &channel = machine.makeChannel(of.first);
      for (Token &token : tokens[input])
        channel.send({0, nullptr}, {}, std::move(token));
      activation.sources.push_back(&channel.consumer({0, nullptr}, {}));
    }
    GraphReturnOp end = graph.getReturn();
    std::vector<Channel *> outputs;
    for (Value stream : end.getStreams()) {
      outputs.push_back(&machine.makeChannel(stream.getType()));
      activation.outputs.push_back(outputs.back()->producer({0, nullptr}, {}));
    }
    activation.open = machine.options.open;
    activation.begin();
    activation.input(0, {});
    for (unsigned i = 0; i < graph.getNumValueInputs(); ++i)
      activation.input(1 + i, tokens[i].front());
    activation.streamArrived();
    machine.run();
    if (!activation.open)
      machine.checkEnd();
    else
      describeLeft(activation);
    for (auto [value, cell] : llvm::zip(end.getValues(), activation.values))
      if (cell->ready)
        outcome.results.push_back({value.getType(), false, {cell->token}});
    for (auto [value, channel] : llvm::zip(end.getStreams(), outputs))
      outcome.results.push_back(
          {value.getType(), true, channel->at({}).messages});
  }

  void describeLeft(const Activation &activation) {
    activation.describeLeft(outcome.left);
    unsigned stream = 0;
    for (auto [input, of] : llvm::enumerate(inputs)) {
      if (!of.second)
        continue;
      const Consumer *source = activation.sources[stream++];
      if (size_t left = source->sequence.messages.size() - source->next)
        outcome.left.push_back("input " + std::to_string(input) + " has " +
                               std::to_string(left) + " tokens left");
    }
  }

  void runFunction() {
    Program &program =
        machine.start(entry, "@" + SymbolTable::getSymbolName(entry).str());
    Block &block = entry->getRegion(0).front();
    for (auto [input, argument] : llvm::enumerate(block.getArguments()))
      program.bind(argument, isa<MemRefType>(argument.getType())
                                 ? Datum::of(places[input])
                                 : Datum::of(tokens[input].front()));
    machine.wake(program);
    machine.run();
    machine.checkEnd();
    if (machine.failure)
      return;
    for (auto [type, token] :
         llvm::zip(cast<FunctionOpInterface>(entry).getResultTypes(),
                   program.results))
      outcome.results.push_back({type, false, {token}});
  }

  void count() {
    for (auto graph : entry->getParentOfType<ModuleOp>().getOps<GraphOp>())
      for (Operation &op : graph.getBlock())
        if (uint64_t firings = machine.firings.lookup(&op))
          outcome.firings.push_back({nameOf(&op), firings});
  }

  Operation *entry;
  ArrayRef<RunArgument> arguments;
  Machine machine;
  RunOutcome outcome;
  std::vector<std::pair<Type, bool>> inputs;
  std::vector<Place> places;
  std::vector<std::vector<Token>> tokens;
};
} // namespace

RunOutcome loom::run::runEntry(ModuleOp module, Operation *entry,
                               ArrayRef<RunArgument> arguments,
                               const RunOptions &options) {
  RunOutcome outcome;
  outcome.failure = admit(entry);
  if (outcome.failure)
    return outcome;
  return Entry(module, entry, arguments, options).run();
}

std::string loom::run::compareRuns(const RunOutcome &a, const RunOutcome &b) {
  auto why = [](const RunOutcome &outcome) {
    return outcome.failure ? outcome.failure->detail : std::string();
  };
  if (a.failure.has_value() != b.failure.has_value())
    return "a failure: " + why(a) + why(b);
  if (a.results.size() != b.results.size())
    return "another number of results";
  for (size_t i = 0; i < a.results.size(); ++i) {
    auto same = [](const Token &x, const Token &y) {
      return x.lanes == y.lanes;
    };
    const std::vector<Token> &x = a.results[i].tokens, &y = b.results[i].tokens;
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end(), same))
      return "result " + std::to_string(i);
  }
  for (size_t i = 0; i < a.memories.size() && i < b.memories.size(); ++i)
    if (a.memories[i].bytes != b.memories[i].bytes ||
        a.memories[i].poison != b.memories[i].poison)
      return "memory " + std::to_string(a.memories[i].input);
  auto sameCount = [](const RunCount &x, const RunCount &y) {
    return x.actor == y.actor && x.firings == y.firings;
  };
  if (!std::equal(a.firings.begin(), a.firings.end(), b.firings.begin(),
                  b.firings.end(), sameCount))
    return "the firings of an actor";
  return "";
}
