// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C ABI: a launch from the guard to the ticket.

#include "Capture/Capture.h"
#include "Capture/Format.h"
#include "Core/LaunchParts.h"
#include "Image/Target.h"
#include "Stats/Stats.h"
#include "Verify/Verify.h"

#include <errno.h>
#include <unistd.h>

#define LOOM_RT_EXPORT __attribute__((visibility("default")))

namespace loom::rt {

constexpr int mandatoryExitCode = 86;

static void appendReason(Text &text, const RegionState &state,
                         const LoadedRegion &ran, const Outcome &outcome) {
  text.str(reasonName(outcome.reason));
  if (outcome.reason == Reason::BadImage) {
    text.str(", ").str(imageErrorName(state.verdict.error));
    if (state.verdict.where >= 0)
      text.str(" at ").snum(state.verdict.where);
    return;
  }
  if (outcome.detail[0])
    text.str(", ").str(outcome.detail);
  if (outcome.where >= 0) {
    text.str(", actor ").snum(outcome.where);
    const Vec<ActorInfo> &actors = ran.actors;
    if (static_cast<size_t>(outcome.where) < actors.size &&
        actors[static_cast<size_t>(outcome.where)].line)
      text.str(" of line ")
          .num(actors[static_cast<size_t>(outcome.where)].line);
  }
}

int32_t fallBack(loom_rt_region *region, RegionState &state,
                 const LoadedRegion &ran, const Outcome &outcome) {
  const Options &set = options();
  Counters &counters = state.of(DeviceKind::Sim);
  count(counters.firings, outcome.firings);
  count(counters.fallbacks[unsigned(outcome.reason)]);
  if (set.mandatory || (set.info & InfoFallback)) {
    Text text;
    text.str("host code for ");
    appendPlace(text, state);
    text.str(": ");
    appendReason(text, state, ran, outcome);
    if (set.mandatory)
      text.str("; LOOM_OFFLOAD=mandatory, giving up");
    sayLine(text);
  }
  if (set.mandatory) {
    reportAll();
    _exit(mandatoryExitCode);
  }
  // A bad image stays bad and a spent budget stays spent.
  bool forever = outcome.reason == Reason::BadImage ||
                 (outcome.reason == Reason::Budget && budgetLeft() == 0);
  if (forever && !set.counting())
    __atomic_store_n(&region->state, int32_t(LOOM_RT_STATE_HOST),
                     __ATOMIC_RELAXED);
  return LOOM_RT_HOST;
}

uint64_t launchCycles(const RegionState &state, const Outcome &outcome) {
  return outcome.cycles == noCycles
             ? noCycles
             : outcome.cycles + outcome.transfers.cycles +
                   targetOf(state.region).launchCycles;
}

void countUsage(const RegionState &state, const Outcome &outcome,
                Counters &counters, Usage &usage) {
  if (outcome.transfers.exceeds)
    count(counters.exceeded);
  if (usage.launches == 0)
    return;
  const Transfers &moved = outcome.transfers;
  usage.launch = targetOf(state.region).launchCycles;
  usage.moved = moved.measured;
  usage.linesIn = moved.linesIn;
  usage.linesOut = moved.linesOut;
  usage.transfers = moved.cycles;
  usage.exceeded = moved.exceeds;
  usage.cycles += usage.launch + usage.transfers;
  usage.bound += usage.launch + usage.transfers;
  addUsage(counters.usage, usage);
}

void sayLaunch(const RegionState &state, const char *device, uint64_t firings,
               uint64_t cycles, const char *guard, const Usage *usage,
               uint64_t said) {
  if (!(options().info & InfoLaunch))
    return;
  Text text;
  text.str("launch of ");
  appendPlace(text, state);
  text.str(" on ").str(device);
  if (firings)
    text.str(": ").num(firings).str(" firings");
  if (cycles != noCycles)
    text.str(", ").num(cycles).str(" cycles");
  if (said != noCycles)
    text.str(", model ").num(said);
  if (usage)
    appendUsageText(text, *usage);
  if (guard)
    text.str(", guard: ").str(guard);
  sayLine(text);
}

/// The graph for this launch: that with the roots apart when they are.
static bool chooseApart(RegionState &state, const uint64_t *in,
                        const char *&said) {
  if (!state.region.apart)
    return false;
  GuardVerdict verdict = evaluateGuard(state.region, in);
  count(state.of(DeviceKind::Sim).guards[unsigned(verdict)]);
  said = guardVerdictName(verdict);
  return verdict == GuardVerdict::NoAlias;
}

Pending *openPending(loom_rt_region *region, RegionState &state,
                     const uint64_t *in) {
  Pending *pending = pendingOfThread();
  if (!pending)
    return nullptr;
  clearPending(*pending);
  size_t slots = state.region.slots.size;
  if (!pending->in.assignZero(slots) ||
      !pending->out.assignZero(state.region.outputInfos.size))
    return nullptr;
  if (slots)
    memcpy(pending->in.data, in, slots * sizeof(uint64_t));
  pending->region = region;
  pending->state = &state;
  return pending;
}

void announceCheck(loom_rt_region *region) {
  __atomic_store_n(&region->checks, 1u, __ATOMIC_RELAXED);
}

static int32_t launchOnHost(loom_rt_region *region, RegionState &state,
                            const uint64_t *in) {
  const Options &set = options();
  count(state.of(DeviceKind::Host).launches);
  sayLaunch(state, "host", 0, noCycles, nullptr, nullptr);
  if (uint64_t number = captureNumber(state)) {
    Pending *pending = openPending(region, state, in);
    if (pending && captureFootprints(state, in, number, pending->recording)) {
      pending->captureNumber = number;
      announceCheck(region);
      return LOOM_RT_CHECK;
    }
    if (pending)
      clearPending(*pending);
  }
  if (!set.counting() && !set.capture)
    __atomic_store_n(&region->state, int32_t(LOOM_RT_STATE_HOST),
                     __ATOMIC_RELAXED);
  return LOOM_RT_HOST;
}

static int32_t launchOnSim(loom_rt_region *region, RegionState &state,
                           const uint64_t *in, uint64_t *out) {
  const Options &set = options();
  const LoadedRegion *ran = &state.region;
  if (!state.usable())
    return fallBack(region, state, *ran, {Reason::BadImage, "", -1, 0});
  uint64_t budget = budgetLeft();
  if (budget == 0)
    return fallBack(region, state, *ran,
                    {Reason::Budget, "the firing budget is spent", -1, 0});
  const char *guard = nullptr;
  bool apart = chooseApart(state, in, guard);
  if (apart)
    ran = state.region.apart;
  Bench *bench = takeBench(state, apart);
  if (!bench)
    return fallBack(region, state, *ran, {Reason::Memory, "no engine", -1, 0});
  uint64_t number = captureNumber(state);
  Pending *pending = nullptr;
  if (set.verify) {
    pending = openPending(region, state, in);
    if (!pending) {
      giveBench(state, bench);
      return fallBack(region, state, *ran, {Reason::Memory, "no room", -1, 0});
    }
    pending->bench = bench;
    pending->device = DeviceKind::Sim;
    out = pending->out.data;
  }
  LaunchContext context = {in, out, budget, &bench->undo};
  if (number) {
    bench->reads.limitLines = maxRecordedLines;
    context.reads = &bench->reads;
  }
  Usage usage;
  if (set.counting())
    context.usage = &usage;
  Outcome outcome = simDevice().run(*ran, bench->engine, context);
  if (set.budget != unlimited)
    spendBudget(outcome.firings);
  if (outcome.reason == Reason::None &&
      static_cast<uint32_t>(out[0]) == LOOM_RT_DECLINED)
    outcome = {Reason::Errno, "a math function reports an error", -1,
               outcome.firings};
  // A launch that is checked is captured with the results of the host.
  if (outcome.reason == Reason::None && number && !pending)
    captureTouched(region, state, *bench, number, outcome.firings, in, out,
                   apart ? uint32_t(CaptureApart) : 0);
  if (outcome.reason == Reason::None && pending && !keepAndRollBack(*pending))
    outcome = {Reason::Memory, "no room to verify", -1, outcome.firings};
  if (outcome.reason != Reason::None) {
    bench->undo.rollBack();
    if (pending)
      clearPending(*pending);
    else
      giveBench(state, bench);
    return fallBack(region, state, *ran, outcome);
  }
  Counters &counters = state.of(DeviceKind::Sim);
  count(counters.launches);
  count(counters.firings, outcome.firings);
  uint64_t cycles = launchCycles(state, outcome);
  if (cycles == noCycles)
    count(counters.untimed);
  else
    count(counters.cycles, cycles);
  countUsage(state, outcome, counters, usage);
  uint64_t said = noCycles;
  if (cycles != noCycles && set.counting())
    if (RegionModel *model = modelOf(state))
      said = model->watch(in, cycles);
  sayLaunch(state, "sim", outcome.firings, cycles, guard, &usage, said);
  if (pending) {
    pending->captureNumber = number;
    pending->firings = outcome.firings;
    snapshotFootprints(*pending, state, in);
    announceCheck(region);
    keepLines(*pending);
    return LOOM_RT_CHECK;
  }
  giveBench(state, bench);
  return LOOM_RT_DONE;
}

} // namespace loom::rt

using namespace loom::rt;

extern "C" LOOM_RT_EXPORT int32_t loom_rt_launch(loom_rt_region *region,
                                                 const uint64_t *in,
                                                 uint64_t *out) {
  // A guard of another ABI has a structure that we can't read.
  if (!region || region->abi != LOOM_RT_ABI || !in || !out)
    return LOOM_RT_HOST;
  Pending *open = existingPending();
  // Host code that is being checked called a function with a region of its own:
  // part of what is checked.
  if (open && open->region && open->region != region)
    return LOOM_RT_HOST;
  RegionState *state = static_cast<RegionState *>(
      __atomic_load_n(&region->runtime, __ATOMIC_ACQUIRE));
  RegionModel *model =
      state ? __atomic_load_n(&state->model, __ATOMIC_ACQUIRE) : nullptr;
  LaunchClass *of = nullptr;
  uint64_t number = 0;
  if (model && model->drives) {
    // The short way: nothing but a count.
    of = model->classOf(in);
    number = countUp(of ? of->seen : model->unclassed);
    bool forgotten = open && open->region; // see below
    if (model->counting && !isSampleNumber(number) && !forgotten)
      return LOOM_RT_HOST;
  }
  int saved = errno; // the nest doesn't change it
  // A check that never came (a signal handler jumped out of the nest) must not
  // meet the results of this launch.
  if (open && open->region)
    clearPending(*open);
  if (!state)
    state = stateOf(region);
  int32_t ticket = LOOM_RT_HOST;
  if (number) {
    ticket = launchCounted(region, *state, in, *model, of, number);
  } else if (state) {
    const Options &set = options();
    ticket = set.device == DeviceKind::Host ? launchOnHost(region, *state, in)
             : set.models() && !set.every()
                 ? launchModelled(region, *state, in)
                 : launchOnSim(region, *state, in, out);
  }
  errno = saved;
  return ticket;
}

extern "C" LOOM_RT_EXPORT void loom_rt_check(loom_rt_region *region,
                                             const uint64_t *out) {
  Pending *pending = existingPending();
  if (!region || !out || !pending || pending->region != region)
    return;
  int saved = errno;
  RegionState &state = *pending->state;
  // First: a capture allocates, next to the program's memory.
  if (pending->bench && !compareWithHost(*pending, out))
    count(state.of(pending->device).mismatches);
  if (uint64_t number = pending->captureNumber) {
    const Bench *bench = pending->bench;
    if (bench)
      captureTouched(region, state, *bench, number, pending->firings,
                     pending->in.data, out,
                     CaptureHostResult |
                         (bench->region != &state.region ? CaptureApart : 0));
    else
      finishFootprints(region, state, pending->in.data, out,
                       pending->recording);
  }
  // Few launches of `auto` are checked: the others need not come here. With
  // more threads another check may be due.
  if (pending->device == DeviceKind::Auto && __libc_single_threaded)
    __atomic_store_n(&region->checks, 0u, __ATOMIC_RELAXED);
  clearPending(*pending);
  errno = saved;
}
