// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The critical ring in words, and what follows from its kind.

#include "Dot.h"
#include "Explanation.h"
#include "Image/Flat.h"

using namespace llvm;
using namespace loom::tool;
namespace rt = loom::rt;
using loom::image::Op;
using rt::Limit;

/// "the addf of line 12"
static std::string shortText(const TimedLaunch &launch, uint32_t actor) {
  const rt::ActorInfo &info = launch.region.actors[actor];
  std::string text = "the ";
  text += StringRef(actorLabel(info)).split(" :").first;
  if (info.line)
    text += " of line " + std::to_string(info.line);
  return text;
}

/// The actor of the ring with the most cycles of its own that does the work a
/// reader knows from the source: it computes or accesses memory.
static const rt::CriticalStep *heaviest(const TimedLaunch &launch) {
  const rt::CriticalStep *best = nullptr;
  for (const rt::CriticalStep &step : launch.critical.steps) {
    const rt::ActorInfo &info = launch.region.actors[step.actor];
    if (info.kind != rt::Kind::Compute && !rt::isAccess(info))
      continue;
    if (!best || launch.timing.costs[step.actor].latency >
                     launch.timing.costs[best->actor].latency)
      best = &step;
  }
  return best ? best : launch.critical.steps.begin();
}

static const rt::CriticalStep *firstOf(const TimedLaunch &launch,
                                       rt::Cause cause) {
  for (const rt::CriticalStep &step : launch.critical.steps)
    if (step.cause == cause)
      return &step;
  return nullptr;
}

static const rt::CriticalStep *accessOf(const TimedLaunch &launch,
                                        rt::Kind kind) {
  for (const rt::CriticalStep &step : launch.critical.steps)
    if (launch.region.actors[step.actor].kind == kind)
      return &step;
  return nullptr;
}

static std::string memoryText(const TimedLaunch &launch) {
  const rt::CriticalStep *load = accessOf(launch, rt::Kind::Load);
  const rt::CriticalStep *store = accessOf(launch, rt::Kind::Store);
  std::string text = "memory order, ";
  if (load && store)
    return text + "store to load: " + shortText(launch, load->actor) +
           " waits for " + shortText(launch, store->actor) +
           " of the iteration before";
  const rt::CriticalStep *access = store ? store : load;
  return text +
         "one access after the other: " + shortText(launch, access->actor) +
         " waits for the one before";
}

static std::string kindText(const TimedLaunch &launch) {
  const rt::Critical &critical = launch.critical;
  switch (critical.limit) {
  case Limit::Chain:
    return "a chain: no actor waits for itself";
  case Limit::Value:
    return "a recurrence through a value: each iteration waits for " +
           shortText(launch, heaviest(launch)->actor) + " of the one before";
  case Limit::LoadValue:
    return "a recurrence through loaded values: each iteration waits for " +
           shortText(launch, accessOf(launch, rt::Kind::Load)->actor) +
           " of the one before";
  case Limit::Memory:
    return memoryText(launch);
  case Limit::Order:
    return "order without data: each iteration waits for the token that the "
           "one before passes on";
  case Limit::Queue: {
    const rt::CriticalStep *step = firstOf(launch, rt::Cause::Room);
    return "a full queue: " + shortText(launch, step->actor) +
           " waits for a place until " + shortText(launch, step->other) +
           " takes a token";
  }
  case Limit::Interval: {
    uint32_t actor = critical.steps[0].actor;
    unsigned interval = launch.timing.costs[actor].interval;
    if (interval == 1)
      return "an interval: " + shortText(launch, actor) +
             " fires in every cycle";
    return "an interval: " + shortText(launch, actor) +
           " fires at most once in " + std::to_string(interval) + " cycles";
  }
  case Limit::Port:
    return "a memory port: " + shortText(launch, critical.steps[0].actor) +
           " waits for one while other accesses have it";
  case Limit::Bandwidth:
    return "memory bandwidth: " + shortText(launch, critical.steps[0].actor) +
           " waits while other accesses have the " + bandwidthText(launch);
  }
  return "";
}

static StringRef causeText(rt::Cause cause) {
  switch (cause) {
  case rt::Cause::None:
    return "waits for nothing";
  case rt::Cause::Interval:
    return "waits for its interval";
  case rt::Cause::Arrival:
    return "waits for a token";
  case rt::Cause::Room:
    return "waits for room";
  case rt::Cause::Port:
    return "waits for a port";
  case rt::Cause::Bandwidth:
    return "waits for the memory's bandwidth";
  }
  return "";
}

void loom::tool::writeLimit(raw_ostream &out, const TimedLaunch &launch) {
  const rt::Critical &critical = launch.critical;
  if (critical.steps.size == 0)
    return;
  out << "limit: " << kindText(launch) << "\n";
  for (const rt::CriticalStep &step : critical.steps) {
    out << "  " << actorText(launch, step.actor) << ": latency "
        << launch.timing.costs[step.actor].latency << ", "
        << causeText(step.cause);
    if (step.wait.count)
      out << " " << step.wait.count
          << (step.wait.count == 1 ? " time, " : " times, ") << step.wait.cycles
          << " cycles";
    out << "\n";
  }
  if (critical.limit == Limit::Chain) {
    out << "  from the first to the last of these firings " << critical.around
        << " cycles\n";
    return;
  }
  uint64_t accesses = 0, bytes = 0;
  for (uint32_t a = 0; a < launch.region.actors.size; ++a) {
    const rt::ActorInfo &info = launch.region.actors[a];
    if (!rt::isAccess(info))
      continue;
    accesses += launch.result.actors[a].count;
    bytes += launch.result.actors[a].count * rt::typeBytes(info.type);
  }
  if (critical.limit == Limit::Bandwidth) {
    out << "  " << quotient(bytes, critical.iterations)
        << " bytes an iteration by " << bandwidthText(launch);
  } else if (critical.limit == Limit::Port) {
    out << "  " << quotient(accesses, critical.iterations)
        << " accesses an iteration by " << launch.timing.ports
        << (launch.timing.ports == 1 ? " port" : " ports");
  } else {
    out << "  around it " << critical.around
        << (critical.around == 1 ? " cycle" : " cycles");
    if (critical.distance != 1)
      out << " for " << critical.distance << " iterations, "
          << quotient(critical.around, critical.distance) << " each";
  }
  if (critical.iterations > 1)
    out << "; measured " << quotient(critical.measured, critical.iterations - 1)
        << " cycles an iteration over " << critical.iterations;
  out << "\n";
}

static bool isAssociative(uint8_t op) {
  switch (Op(op)) {
  case Op::AddI:
  case Op::MulI:
  case Op::AndI:
  case Op::OrI:
  case Op::XorI:
  case Op::MinSI:
  case Op::MaxSI:
  case Op::MinUI:
  case Op::MaxUI:
    return true;
  default:
    return false;
  }
}

/// A rearranged sum of floats is another sum.
static bool isReordered(uint8_t op) {
  return Op(op) == Op::AddF || Op(op) == Op::MulF || Op(op) == Op::Fma;
}

/// The only operation of a ring that computes nothing else.
static const rt::ActorInfo *reductionOf(const TimedLaunch &launch) {
  const rt::ActorInfo *found = nullptr;
  for (const rt::CriticalStep &step : launch.critical.steps) {
    const rt::ActorInfo &info = launch.region.actors[step.actor];
    if (info.kind != rt::Kind::Compute)
      continue;
    if (found && found->op != info.op)
      return nullptr;
    found = &info;
  }
  return found && (isAssociative(found->op) || isReordered(found->op))
             ? found
             : nullptr;
}

static StringRef memoryAdvice(const TimedLaunch &launch) {
  const rt::CriticalStep *load = accessOf(launch, rt::Kind::Load);
  const rt::CriticalStep *store = accessOf(launch, rt::Kind::Store);
  if (!load || !store)
    return "";
  uint32_t from = launch.region.actors[load->actor].mem;
  uint32_t to = launch.region.actors[store->actor].mem;
  if (from == rt::noMemory || to == rt::noMemory || from != to)
    return "if the two never meet, `restrict` on their pointers takes the "
           "order away";
  return "if the loop reads what it has just written, keep that in a variable";
}

static StringRef adviceFor(const TimedLaunch &launch) {
  switch (launch.critical.limit) {
  case Limit::Value:
    if (const rt::ActorInfo *info = reductionOf(launch))
      return isReordered(info->op)
                 ? "several partial results, combined after the loop, share "
                   "the wait; they round differently"
                 : "several partial results, combined after the loop, share "
                   "the wait";
    return "";
  case Limit::LoadValue:
    return "addresses that are computed and not loaded could run ahead";
  case Limit::Memory:
    return memoryAdvice(launch);
  case Limit::Queue:
    return "deeper queues (`--queue`, or those of the target) let the producer "
           "run ahead";
  case Limit::Interval:
    if (launch.timing.costs[launch.critical.steps[0].actor].interval > 1)
      return "a target with a shorter interval for it, or an operation that is "
             "cheaper there";
    return "";
  case Limit::Port:
    return "more ports (`--ports`, or those of the target), or fewer accesses: "
           "keep what is read again in a variable";
  case Limit::Bandwidth:
    return "more bandwidth (`--bandwidth`, or that of the target), or fewer "
           "bytes: keep what is read again in a variable, store narrower types";
  case Limit::Chain:
  case Limit::Order:
    return "";
  }
  return "";
}

void loom::tool::writeAdvice(raw_ostream &out, const TimedLaunch &launch) {
  StringRef advice = adviceFor(launch);
  if (!advice.empty())
    out << "advice: " << advice << "\n";
}
