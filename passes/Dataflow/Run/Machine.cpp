// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"
#include "Activation.h"
#include "Channel.h"
#include "Program.h"
#include "loom/Support/SourceLine.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;

namespace {
struct Row {
  const char *code, *text;
};
} // namespace

static const Row rows[] = {
#define LOOM_RUN_FAULT(Name, Code, Text) {Code, Text},
#include "loom/Dataflow/Run/Faults.def"
};

StringRef loom::run::runFaultCode(RunFault fault) {
  return rows[unsigned(fault)].code;
}

StringRef loom::run::runFaultText(RunFault fault) {
  return rows[unsigned(fault)].text;
}

std::string loom::run::nameOf(Operation *op) {
  std::string text;
  if (auto graph = dyn_cast<dataflow::GraphOp>(op->getParentOp())) {
    unsigned number = 0;
    for (Operation *at = op->getPrevNode(); at; at = at->getPrevNode())
      ++number;
    text = "@" + graph.getSymName().str() + ":" + std::to_string(number) + " ";
  }
  text += op->getName().getStringRef();
  if (unsigned line = lineOf(op->getLoc()); line && text.front() != '@')
    text += " (line " + std::to_string(line) + ")";
  return text;
}

Machine::Machine(ModuleOp module, const RunOptions &options)
    : options(options), symbols(module), random(options.seed.value_or(0)) {}

Machine::~Machine() = default;

bool Machine::fail(RunFault fault, const Twine &detail) {
  if (!failure)
    failure = RunFailure{fault, detail.str()};
  return false;
}

void Machine::wake(Agent &agent) {
  if (agent.queued)
    return;
  agent.queued = true;
  work.push_back(&agent);
}

Agent *Machine::pick() {
  if (!options.seed) {
    // Those that run ahead wait until nobody else can move.
    while (!work.empty()) {
      Agent *agent = work.front();
      work.pop_front();
      if (!agent->isAhead())
        return agent;
      deferred.push_back(agent);
    }
    std::swap(work, deferred);
    if (work.empty())
      return nullptr;
    Agent *agent = work.front();
    work.pop_front();
    return agent;
  }
  if (work.empty())
    return nullptr;
  std::swap(work[random() % work.size()], work.back());
  Agent *agent = work.back();
  work.pop_back();
  return agent;
}

void Machine::run() {
  while (!failure) {
    if (!tasks.empty()) {
      std::function<void()> task = std::move(tasks.front());
      tasks.pop_front();
      task();
      continue;
    }
    Agent *agent = pick();
    if (!agent)
      return;
    agent->queued = false;
    if (agent->step()) {
      if (++steps > options.steps)
        fail(RunFault::Steps, "limit " + Twine(options.steps));
      wake(*agent);
    }
    checkLimits();
  }
}

void Machine::checkLimits() {
  constexpr uint64_t maxBuffers = 1 << 20, maxEvents = 1 << 24;
  if (liveTokens > options.tokens)
    fail(RunFault::Limit, "more than " + Twine(options.tokens) +
                              " tokens in queues and channels");
  if (memory.size() > options.bytes || memory.count() > maxBuffers)
    fail(RunFault::Limit,
         "more than " + Twine(options.bytes) + " bytes of memory");
  if (memory.remembered() > maxEvents || Knowledge::live() > maxEvents)
    fail(RunFault::Limit,
         "more than " + Twine(maxEvents) + " accesses whose order matters");
}

Cell *Machine::makeCell() { return &cells.emplace_back(); }

void Machine::set(Cell *cell, Token token) {
  cell->token = std::move(token);
  cell->ready = true;
  for (std::function<void()> &then : cell->then)
    later(std::move(then));
  cell->then.clear();
}

void Machine::whenAll(ArrayRef<Cell *> cells, std::function<void()> then) {
  auto left = std::make_shared<size_t>(
      llvm::count_if(cells, [](Cell *cell) { return !cell->ready; }));
  if (*left == 0)
    return later(std::move(then));
  auto shared = std::make_shared<std::function<void()>>(std::move(then));
  for (Cell *cell : cells)
    if (!cell->ready)
      cell->then.push_back([left, shared] {
        if (--*left == 0)
          (*shared)();
      });
}

uint32_t Machine::makeSite(Operation *op, std::string text) {
  sites.emplace_back(op, std::move(text));
  return uint32_t(sites.size() - 1);
}

std::string Machine::siteText(Event event) const {
  const auto &[op, text] = sites[event.site];
  return text +
         (isa<dataflow::GraphOp>(op->getParentOp())
              ? " " + nameOf(op) + " firing "
              : " access ") +
         std::to_string(event.number);
}

const GraphPlan &Machine::planOf(dataflow::GraphOp graph) {
  std::unique_ptr<GraphPlan> &plan = plans[graph];
  if (!plan)
    plan = std::make_unique<GraphPlan>(graph);
  return *plan;
}

Computation &Machine::computationOf(Operation *op) {
  std::unique_ptr<Computation> &computation = computations[op];
  if (!computation)
    computation = std::make_unique<Computation>(op);
  return *computation;
}

Activation &Machine::launch(dataflow::GraphOp graph, std::string label) {
  activations.push_back(
      std::make_unique<Activation>(*this, planOf(graph), std::move(label)));
  return *activations.back();
}

Program &Machine::start(Operation *program, std::string label) {
  programs.push_back(
      std::make_unique<Program>(*this, program, std::move(label)));
  return *programs.back();
}

Channel &Machine::makeChannel(Type payload) {
  channels.push_back(std::make_unique<Channel>(*this, payload));
  return *channels.back();
}

void Machine::checkEnd() {
  if (failure)
    return;
  std::vector<std::string> waits;
  for (const auto &program : programs)
    if (!program->finished())
      waits.push_back(program->waitsFor());
  for (const auto &activation : activations)
    activation->describeWaits(waits);
  constexpr size_t most = 12;
  if (!waits.empty()) {
    size_t shown = std::min(waits.size(), most);
    std::string text =
        llvm::join(ArrayRef<std::string>(waits).take_front(shown), "; ");
    if (shown < waits.size())
      text += "; and " + std::to_string(waits.size() - shown) + " more";
    fail(RunFault::Deadlock, text);
    return;
  }
  for (const auto &activation : activations)
    activation->checkClosed();
}
