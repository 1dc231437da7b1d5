// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch on the compiled planes.

#include "Devices/Sim/Fast.h"

namespace loom::rt {

Fast *Fast::make(const LoadedRegion &region) {
  auto *fast = static_cast<Fast *>(malloc(sizeof(Fast)));
  if (!fast)
    return nullptr;
  *fast = Fast();
  const char *why = "";
  if (fast->plan.build(region, why) &&
      fast->program.build(region, fast->plan, false)) {
    (void)fast->machine.translate(fast->program);
    return fast;
  }
  destroy(fast);
  return nullptr;
}

void Fast::destroy(Fast *fast) {
  if (!fast)
    return;
  fast->plan.release();
  fast->machine.release();
  fast->program.release();
  free(fast);
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
  int64_t before = run.fuel;
  run.undoLines = &context.undo->lines.data;
  if (machine.entry && simEngine == SimEngine::Plan)
    machine.run(program, run);
  else
    interpret(program, run);
  Outcome outcome = {};
  outcome.where = -1;
  outcome.detail = "";
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
  return outcome;
}

} // namespace loom::rt
