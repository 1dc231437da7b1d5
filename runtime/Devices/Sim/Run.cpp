// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch of the token engine: inject, run until nothing fires, retire.

#include "Devices/Sim/Engine.h"
#include "Devices/Sim/EventQueue.h"
#include "Devices/Sim/Fast.h"
#include "Devices/Sim/ResolveTiming.h"
#include "Devices/Sim/Transfers.h"
#include "Devices/Sim/UsageModel.h"

namespace loom::rt {

SimOrder simOrder;
SimEngine simEngine = SimEngine::Plan;
bool simTiming = true;

/// A region is sparse when, after this many visits of a launch, fewer than one
/// in sparseRatio has fired anything.
static constexpr uint64_t sparseSample = 8192;
static constexpr uint64_t sparseRatio = 3;

static void pushToken(Queue &queue, uint64_t value) {
  if (queue.data)
    queue.data[queue.tail & queue.mask] = value;
  ++queue.tail;
}

bool Engine::inject(const LoadedRegion &region, const LaunchContext &context) {
  for (uint32_t u = uses[0]; u < uses[1]; ++u)
    pushToken(queues[u], 0);
  for (size_t i = 0; i < region.inputs.size; ++i) {
    const InputInfo &input = region.inputs[i];
    uint64_t value = context.in[input.slot] & typeMask(input.type);
    for (uint32_t u = uses[1 + i]; u < uses[2 + i]; ++u)
      pushToken(queues[u], value);
  }
  for (Actor &actor : actors)
    if (actor.slot != noMemory)
      actor.base = context.in[actor.slot];
  return true;
}

/// Runs the schedule until a whole pass fires nothing, or until it turns out
/// that nearly all visits are in vain.
void Engine::sweep(uint64_t budget, uint64_t &fired) {
  uint64_t total = fired;
  const Step *steps = schedule.data;
  const uint32_t count = static_cast<uint32_t>(schedule.size);
  uint32_t depth = 0;
  uint64_t visits = 0;
  for (uint32_t at = 0; at < count; ++at) {
    const Step step = steps[at];
    switch (step.kind) {
    case Step::Visit:
      ++visits;
      total += visit(step.arg, 0xffffffffu);
      break;
    case Step::Begin:
      marks[depth++] = total;
      break;
    default:
      if (__builtin_expect(fault != Reason::None || total > budget, 0)) {
        fired = total;
        return;
      }
      if (__builtin_expect(visits > sparseSample &&
                               visits > sparseRatio * (total - fired),
                           0)) {
        sparse = true;
        fired = total;
        return;
      }
      if (marks[depth - 1] != total) {
        marks[depth - 1] = total;
        at = step.arg - 1;
      } else {
        --depth;
      }
      break;
    }
  }
  fired = total;
}

/// The same by visiting actors in pseudo-random order, a few firings each. A
/// stretch without luck is followed by a visit of everybody, so that the end is
/// recognised.
void Engine::wander(uint64_t budget, uint64_t &fired, uint64_t seed) {
  uint64_t state = seed * 2 + 1;
  auto random = [&state] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Dull >> 32;
  };
  for (int i = 0; i < 8; ++i)
    random();
  uint32_t count = static_cast<uint32_t>(actors.size);
  uint32_t idle = 0;
  while (count && fault == Reason::None && fired <= budget) {
    if (idle < count) {
      uint32_t got = visit(static_cast<uint32_t>(random() % count),
                           1 + static_cast<uint32_t>(random() % 4));
      fired += got;
      idle = got ? 0 : idle + 1;
      continue;
    }
    uint64_t before = fired;
    blocked = false;
    uint32_t start = static_cast<uint32_t>(random() % count);
    for (uint32_t i = 0; i < count; ++i)
      fired += visit((start + i) % count, 1);
    if (before == fired)
      return;
    idle = 0;
  }
}

/// Doubles the capacity of every full queue. False when that is too much.
bool Engine::growFullQueues() {
  for (Queue &queue : queues) {
    if (queue.room() != 0)
      continue;
    uint32_t capacity = queue.mask + 1;
    if (capacity >= 1u << 30)
      return false;
    if (queue.data) {
      uint64_t added = uint64_t(capacity) * sizeof(uint64_t);
      if (tokenBytes + added > maxTokenBytes)
        return false;
      auto *data = static_cast<uint64_t *>(
          malloc(2 * size_t(capacity) * sizeof(uint64_t)));
      if (!data)
        return false;
      for (uint32_t i = 0; i < queue.size(); ++i)
        data[i] = queue.data[(queue.head + i) & queue.mask];
      free(queue.data);
      queue.data = data;
      tokenBytes += added;
      queue.tail = queue.size();
      queue.head = 0;
    }
    queue.mask = 2 * capacity - 1;
  }
  return true;
}

Outcome Engine::retire(const LoadedRegion &region,
                       const LaunchContext &context) {
  for (uint32_t sink : outputs)
    if (queues[sink].size() == 0)
      return {Reason::Deadlock, "an output has no token", -1, 0};
  for (uint32_t sink : completes)
    if (queues[sink].size() == 0)
      return {Reason::Deadlock, "a completion has no token", -1, 0};
  for (size_t i = 0; i < outputs.size; ++i) {
    Queue &sink = queues[outputs[i]];
    context.out[i] = sink.front();
    ++sink.head;
  }
  for (uint32_t sink : completes)
    ++queues[sink].head;
  for (const Queue &queue : queues)
    if (queue.size() != 0)
      return {Reason::Residue, "tokens are left in a queue", -1, 0};
  for (size_t a = 0; a < actors.size; ++a)
    if (actors[a].state != 0)
      return {Reason::Residue, "an actor is not back in its first state",
              static_cast<int64_t>(a), 0};
  (void)region;
  return {};
}

void Engine::reset() {
  for (Queue &queue : queues)
    queue.head = queue.tail = 0;
  for (Actor &actor : actors)
    actor.state = 0;
}

Outcome Engine::run(const LoadedRegion &region, const LaunchContext &context) {
  // Only the token engine has loads and stores that somebody watches.
  bool isWatched = context.reads || context.overlay;
  if (isWatched || simOrder.random || simEngine == SimEngine::Tokens)
    return runTokens(region, context);
  if (!triedFast) {
    triedFast = true;
    uint32_t missing = 0;
    contended = simTiming &&
                resolveTiming(targetOf(region), region, timing, missing) &&
                contends(region, timing);
    if (!contended)
      fast = Fast::make(region, simTiming);
  }
  const TargetInfo &target = targetOf(region);
  if (!movesMemory(target) || !(contended || (fast && fast->replay)))
    return runTimed(region, context);
  LaunchContext watched = context;
  watched.touched = &touched;
  touched.clear();
  Outcome outcome = runTimed(region, watched);
  if (outcome.reason != Reason::None || outcome.cycles == noCycles)
    return outcome;
  if (touched.full()) { // a sum without them would be believed
    outcome.cycles = noCycles;
    if (context.usage)
      *context.usage = Usage();
    return outcome;
  }
  outcome.transfers = transfersOf(target, touched);
  return outcome;
}

Outcome Engine::runTimed(const LoadedRegion &region,
                         const LaunchContext &context) {
  if (contended)
    return runQueued(region, context);
  return fast ? fast->run(region, context) : runTokens(region, context);
}

Outcome Engine::runQueued(const LoadedRegion &region,
                          const LaunchContext &context) {
  EventResult result;
  Outcome outcome = runEventQueue(region, timing, context, result);
  outcome.firings = result.firings;
  if (outcome.reason == Reason::None) {
    outcome.cycles = result.cycles;
    if (context.usage)
      (void)measureQueued(region, result, *context.usage);
  }
  result.release();
  return outcome;
}

/// False: no memory.
bool Engine::measureQueued(const LoadedRegion &region,
                           const EventResult &result, Usage &to) {
  if (!usage) {
    usage = static_cast<UsageModel *>(malloc(sizeof(UsageModel)));
    if (!usage)
      return false;
    *usage = UsageModel();
    if (!usage->byActor(region, timing)) {
      usage->release();
      free(usage);
      usage = nullptr;
      return false;
    }
  }
  Vec<uint64_t> counts;
  bool good = counts.reserve(result.actors.size);
  for (const ActorTimes &times : result.actors)
    good = good && counts.push(times.count);
  if (good)
    to = usage->measure(counts.data, result.cycles);
  counts.release();
  return good;
}

Outcome Engine::runTokens(const LoadedRegion &region,
                          const LaunchContext &context) {
  if (!build(region))
    return {Reason::Memory, "no memory for the token queues", -1, 0};
  undo = context.undo;
  reads = context.reads;
  overlay = context.overlay;
  watched = reads || overlay;
  infos = region.actors.data;
  fault = Reason::None;
  uint64_t fired = 0;
  ++launches;
  inject(region, context);
  Outcome outcome;
  for (;;) {
    blocked = false;
    if (simOrder.random)
      wander(context.budget, fired,
             simOrder.seed * 0x9E3779B97F4A7C15ull + launches);
    else {
      if (!sparse)
        sweep(context.budget, fired);
      if (sparse && fault == Reason::None && fired <= context.budget)
        follow(context.budget, fired);
    }
    if (fault != Reason::None) {
      outcome = {fault, faultDetail, faultActor, 0};
      break;
    }
    if (fired > context.budget) {
      outcome = {Reason::Budget, "the firing budget is spent", -1, 0};
      break;
    }
    if (!blocked) {
      outcome = retire(region, context);
      break;
    }
    if (!growFullQueues()) {
      outcome = {Reason::Memory, "the token queues are full", -1, 0};
      break;
    }
  }
  if (outcome.reason != Reason::None)
    reset();
  outcome.firings = fired;
  return outcome;
}

namespace {

class SimDevice : public Device {
public:
  constexpr SimDevice() = default;
  const char *name() const override { return "sim"; }
  Engine *prepare(const LoadedRegion &) const override {
    auto *engine = static_cast<Engine *>(malloc(sizeof(Engine)));
    if (engine)
      *engine = Engine();
    return engine;
  }
  void discard(Engine *engine) const override {
    if (!engine)
      return;
    engine->release();
    free(engine);
  }
  Outcome run(const LoadedRegion &region, Engine *engine,
              const LaunchContext &context) const override {
    return engine->run(region, context);
  }
};

} // namespace

static constexpr SimDevice theSimulator;

const Device &simDevice() { return theSimulator; }

} // namespace loom::rt
