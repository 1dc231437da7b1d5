// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LOOM_DEVICE=auto and model: the host runs a launch, now and then after the
// simulator did.

#include "Core/LaunchParts.h"

namespace loom::rt {

/// Simulates a launch and takes it back. Auto: what the host does is compared
/// with it.
static int32_t sample(loom_rt_region *region, RegionState &state,
                      const uint64_t *in, RegionModel &model, LaunchClass *of,
                      uint64_t budget) {
  const Options &set = options();
  Counters &counters = state.of(set.device);
  const char *guard = nullptr;
  bool apart = false;
  if (state.region.apart) {
    GuardVerdict verdict = evaluateGuard(state.region, in);
    count(counters.guards[unsigned(verdict)]);
    guard = guardVerdictName(verdict);
    apart = verdict == GuardVerdict::NoAlias;
  }
  Bench *bench = takeBench(state, apart);
  Pending *pending = bench ? openPending(region, state, in) : nullptr;
  if (!pending) {
    if (bench)
      giveBench(state, bench);
    model.misfit();
    return LOOM_RT_HOST;
  }
  pending->bench = bench;
  pending->device = set.device;
  const LoadedRegion &ran = apart ? *state.region.apart : state.region;
  LaunchContext context = {in, pending->out.data, budget, &bench->undo};
  Usage usage;
  if (set.counting())
    context.usage = &usage;
  Outcome outcome = simDevice().run(ran, bench->engine, context);
  spendBudget(outcome.firings);
  count(counters.firings, outcome.firings);
  if (outcome.reason == Reason::None &&
      static_cast<uint32_t>(pending->out[0]) == LOOM_RT_DECLINED)
    outcome = {Reason::Errno, "a math function reports an error", -1,
               outcome.firings};
  if (outcome.reason != Reason::None) {
    // The host runs anyhow: a launch without cycles, not a fallback of the
    // program.
    bench->undo.rollBack();
    clearPending(*pending);
    count(counters.fallbacks[unsigned(outcome.reason)]);
    model.misfit();
    return LOOM_RT_HOST;
  }
  count(counters.sampled);
  uint64_t cycles = launchCycles(state, outcome);
  if (cycles != noCycles)
    model.learn(of, cycles);
  countUsage(state, outcome, counters, usage);
  sayLaunch(state, set.device == DeviceKind::Auto ? "auto" : "model",
            outcome.firings, cycles, guard, &usage);
  bool kept = keepAndRollBack(*pending);
  if (!kept)
    bench->undo.rollBack();
  if (!kept || set.device == DeviceKind::Model) {
    clearPending(*pending);
    return LOOM_RT_HOST;
  }
  snapshotFootprints(*pending, state, in);
  return LOOM_RT_CHECK; // the caller keeps the lines
}

int32_t launchModelled(loom_rt_region *region, RegionState &state,
                       const uint64_t *in) {
  const Options &set = options();
  if (!state.usable())
    return fallBack(region, state, state.region, {Reason::BadImage, "", -1, 0});
  RegionModel *model = modelOf(state);
  if (!model) {
    Counters &counters = state.of(set.device);
    count(counters.launches);
    count(counters.untimed);
    return LOOM_RT_HOST;
  }
  LaunchClass *of = model->classOf(in);
  uint64_t number = countUp(of ? of->seen : model->unclassed);
  return launchCounted(region, state, in, *model, of, number);
}

int32_t launchCounted(loom_rt_region *region, RegionState &state,
                      const uint64_t *in, RegionModel &model, LaunchClass *of,
                      uint64_t number) {
  const Options &set = options();
  bool wanted = of && isSampleNumber(number);
  int32_t ticket = LOOM_RT_HOST;
  uint64_t budget = budgetLeft();
  if (wanted && budget && model.trusts())
    // No launch may take it all.
    ticket = sample(region, state, in, model, of,
                    budget == unlimited ? budget : budget / 4 + 1);
  // Nobody will ask for the cycles, and the checks have been made.
  if (!set.counting() && ticket == LOOM_RT_HOST &&
      (budget == 0 || number > 64 || !of))
    __atomic_store_n(&region->state, int32_t(LOOM_RT_STATE_HOST),
                     __ATOMIC_RELAXED);
  // Last: what is written here may share a line with the program's memory.
  if (ticket == LOOM_RT_CHECK) {
    announceCheck(region);
    keepLines(*existingPending());
  }
  return ticket;
}

} // namespace loom::rt
