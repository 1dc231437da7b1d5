// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch on the compiled planes. The value plane runs ahead and leaves its
// control trace in a buffer; the timing plane reads it whenever it is full.

#include "Devices/Sim/Fast.h"
#include "Devices/Sim/ResolveTiming.h"

namespace loom::rt {

/// Words of the trace between two readings.
static constexpr size_t traceWords = 16384;

static Replay *makeReplay(const LoadedRegion &region, const Plan &plan,
                          UsageModel &usage) {
  RegionTiming timing;
  uint32_t missing = 0;
  Replay *replay = nullptr;
  if (resolveTiming(targetOf(region), region, timing, missing))
    replay = static_cast<Replay *>(malloc(sizeof(Replay)));
  if (replay) {
    *replay = Replay();
    if (!replay->build(region, plan, timing) ||
        !usage.byPhase(region, plan, timing)) {
      replay->release();
      free(replay);
      replay = nullptr;
    }
  }
  timing.costs.release();
  return replay;
}

Fast *Fast::make(const LoadedRegion &region, bool timed) {
  auto *fast = static_cast<Fast *>(malloc(sizeof(Fast)));
  if (!fast)
    return nullptr;
  *fast = Fast();
  const char *why = "";
  bool good = fast->plan.build(region, why);
  if (good && timed)
    fast->replay = makeReplay(region, fast->plan, fast->usage);
  good =
      good && fast->program.build(region, fast->plan, fast->replay != nullptr);
  if (good && fast->replay) {
    // Not cleared: pages that no launch writes are never there.
    size_t words = traceWords + 2 * size_t(fast->program.tracePerRoom);
    good = fast->trace.reserve(words);
    fast->trace.size = good ? words : 0;
  }
  if (!good) {
    destroy(fast);
    return nullptr;
  }
  (void)fast->machine.translate(fast->program);
  return fast;
}

void Fast::destroy(Fast *fast) {
  if (!fast)
    return;
  if (fast->replay) {
    fast->replay->release();
    free(fast->replay);
  }
  fast->plan.release();
  fast->machine.release();
  fast->program.release();
  fast->trace.release();
  fast->usage.release();
  free(fast);
}

/// Lets the timing plane read what there is. What it can't use yet stays.
static bool readTrace(Run &run) {
  auto *fast = static_cast<Fast *>(run.flushContext);
  auto count = static_cast<size_t>(run.trace - fast->trace.data);
  size_t used = fast->replay->read(fast->trace.data, count);
  size_t left = count - used;
  if (left >= traceWords / 2) { // a trace that is not one of this plan
    fast->replay->failed = true;
    left = 0;
  }
  if (left)
    memmove(fast->trace.data, fast->trace.data + used, left * sizeof(uint32_t));
  run.trace = fast->trace.data + left;
  return true;
}

Outcome Fast::run(const LoadedRegion &region, const LaunchContext &context) {
  program.enter(region, context.in);
  Run run = {};
  run.frame = program.frame.data;
  run.fuel = context.budget > uint64_t(INT64_MAX)
                 ? INT64_MAX
                 : static_cast<int64_t>(context.budget);
  run.undo = context.undo;
  run.caches = program.caches.data;
  run.hints = program.hints.data;
  run.undoLines = &context.undo->lines.data;
  run.touched = context.touched;
  if (replay) {
    replay->memoise = simEngine == SimEngine::Plan;
    replay->counting = context.usage != nullptr;
    replay->begin();
    run.trace = trace.data;
    run.traceLimit = trace.data + trace.size - program.tracePerRoom;
    run.flush = readTrace;
    run.flushContext = this;
  }
  int64_t before = run.fuel;
  if (machine.entry && simEngine == SimEngine::Plan && !context.touched)
    machine.run(program, run);
  else
    interpret(program, run);
  Outcome outcome = {};
  outcome.firings = static_cast<uint64_t>(before - run.fuel);
  if (run.at) {
    outcome.reason = run.fault;
    outcome.detail = run.detail;
    outcome.where =
        run.at->actor == nothing ? -1 : static_cast<int64_t>(run.at->actor);
    return outcome;
  }
  for (size_t i = 0; i < region.outputs.size; ++i) {
    uint32_t slot = program.slotOf[region.outputs[i]];
    context.out[i] = slot == nothing ? 0 : program.frame[slot];
  }
  if (replay) {
    readTrace(run);
    Cycle cycles = replay->finish();
    if (cycles >= 0)
      outcome.cycles = static_cast<uint64_t>(cycles);
    if (cycles >= 0 && context.usage)
      *context.usage = usage.measure(replay->counts(), outcome.cycles);
  }
  return outcome;
}

} // namespace loom::rt
