// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Devices/Sim/CriticalWalk.h"

namespace loom::rt {

static constexpr uint32_t notSeen = 0xffffffffu;

static uint32_t firstActor(const EventResult &result) {
  uint32_t best = 0;
  for (uint32_t a = 1; a < result.actors.size; ++a) {
    const ActorTimes &x = result.actors[a];
    const ActorTimes &y = result.actors[best];
    if (x.count != y.count ? x.count > y.count : x.last > y.last)
      best = a;
  }
  return best;
}

/// Token n of an operand is for firing n + this. A ring's head takes init first
/// and what comes around, and its phase, from the second firing on.
static int64_t operandShift(const ActorInfo &consumer, unsigned operand) {
  bool head = consumer.kind == Kind::Carry || consumer.kind == Kind::Invariant;
  return head && operand != 1 ? 1 : 0;
}

/// Token n of a result is of firing n + this. A gate emits its condition from
/// the second firing on.
static int64_t resultShift(const ActorInfo &producer, unsigned number) {
  return producer.kind == Kind::Gate && number == 0 ? 1 : 0;
}

bool CriticalWalk::findCauses() {
  const WaitLog &log = *result.waits;
  const size_t count = region.actors.size;
  bool good = true;
  auto add = [&](const CriticalStep &step) {
    if (step.wait.count)
      good = good && causes.push(step);
  };
  for (uint32_t a = 0; a < count; ++a) {
    add({a, a, 0, timing.costs[a].interval, 1, log.interval[a],
         Cause::Interval});
    add({a, a, 0, 1, 1, log.port[a], Cause::Port});
    add({a, a, 0, 1, 1, log.bandwidth[a], Cause::Bandwidth});
  }
  for (uint32_t e = 0; e < log.edges.size; ++e) {
    const WaitEdge &edge = log.edges[e];
    if (edge.producer >= count || edge.consumer >= count)
      continue; // the launch, or a sink
    uint32_t latency = timing.costs[edge.producer].latency;
    int64_t ahead = operandShift(region.actors[edge.consumer], edge.operand) -
                    resultShift(region.actors[edge.producer], edge.result);
    add({edge.consumer, edge.producer, e, latency, ahead, edge.arrival,
         Cause::Arrival});
    int64_t capacity = int64_t(timing.queueCapacity) + latency;
    add({edge.producer, edge.consumer, e, 1, capacity - ahead, edge.room,
         Cause::Room});
  }
  if (!good || !longest.assignZero(count))
    return false;
  for (uint32_t a = 0; a < count; ++a)
    longest[a].actor = longest[a].other = a;
  // The one that came first stays when the times are equal.
  for (const CriticalStep &step : causes) {
    CriticalStep &best = longest[step.actor];
    if (step.wait.cycles > best.wait.cycles)
      best = step;
  }
  return true;
}

/// Fills `steps` backwards in time, with what comes before the ring left out.
/// `place`: of an actor in them.
bool CriticalWalk::follow(Vec<uint32_t> &place) {
  if (!place.assignZero(region.actors.size))
    return false;
  for (uint32_t &p : place)
    p = notSeen;
  uint32_t actor = firstActor(result);
  for (;;) {
    if (place[actor] != notSeen)
      break;
    place[actor] = static_cast<uint32_t>(critical.steps.size);
    if (!critical.steps.push(longest[actor]))
      return false;
    if (longest[actor].cause == Cause::None)
      break;
    actor = longest[actor].other;
  }
  const size_t end = critical.steps.size;
  const bool ring = critical.steps[end - 1].cause != Cause::None;
  if (ring) {
    const size_t begin = place[actor];
    for (size_t i = begin; i < end; ++i)
      critical.steps[i - begin] = critical.steps[i];
    critical.steps.size = end - begin;
  }
  arrange(ring);
  measure(ring);
  return true;
}

void CriticalWalk::arrange(bool ring) {
  Vec<CriticalStep> &steps = critical.steps;
  auto reverse = [&](size_t begin, size_t end) {
    for (; begin + 1 < end; ++begin) {
      CriticalStep step = steps[--end];
      steps[end] = steps[begin];
      steps[begin] = step;
    }
  };
  reverse(0, steps.size);
  size_t lowest = 0;
  for (size_t i = 1; i < steps.size && ring; ++i)
    if (steps[i].actor < steps[lowest].actor)
      lowest = i;
  if (lowest == 0)
    return;
  reverse(0, lowest);
  reverse(lowest, steps.size);
  reverse(0, steps.size);
}

void CriticalWalk::measure(bool ring) {
  critical.around = 0;
  critical.limit = ring ? limitOf() : Limit::Chain;
  int64_t distance = 0;
  const ActorTimes *least = &result.actors[critical.steps[0].actor];
  for (const CriticalStep &step : critical.steps) {
    critical.around += step.cycles;
    distance += step.distance;
    const ActorTimes &times = result.actors[step.actor];
    if (times.count < least->count)
      least = &times;
  }
  critical.distance = distance > 1 ? static_cast<uint64_t>(distance) : 1;
  critical.iterations = least->count;
  critical.measured = least->count ? least->last - least->first : 0;
}

Limit CriticalWalk::limitOf() const {
  bool memory = false, load = false, data = false;
  for (const CriticalStep &step : critical.steps) {
    if (step.cause == Cause::Interval)
      return Limit::Interval;
    if (step.cause == Cause::Port)
      return Limit::Port;
    if (step.cause == Cause::Bandwidth)
      return Limit::Bandwidth;
    if (step.cause == Cause::Room)
      return Limit::Queue;
    const ActorInfo &from = region.actors[step.other];
    const uint32_t number = result.waits->edges[step.edge].result;
    const bool loaded = from.kind == Kind::Load && number == 0;
    load |= loaded;
    memory |= isAccess(from) && !loaded;
    data |= region.types[from.firstResult + number].type != Ty::None;
  }
  return memory ? Limit::Memory
         : load ? Limit::LoadValue
         : data ? Limit::Value
                : Limit::Order;
}

bool CriticalWalk::run() {
  if (region.actors.size == 0)
    return true;
  Vec<uint32_t> place;
  bool good = findCauses() && follow(place);
  place.release();
  if (good && critical.limit == Limit::Queue)
    good = lookBehindQueue();
  causes.release();
  longest.release();
  return good;
}

bool findCritical(const LoadedRegion &region, const RegionTiming &timing,
                  const EventResult &result, Critical &critical) {
  return CriticalWalk(region, timing, result, critical).run();
}

LowerBound lowerBound(const LoadedRegion &region, const RegionTiming &timing,
                      const EventResult &result) {
  LowerBound bound;
  uint64_t accesses = 0;
  MemoryLoad load;
  for (uint32_t a = 0; a < region.actors.size; ++a) {
    const uint64_t count = result.actors[a].count;
    if (isAccess(region.actors[a])) {
      accesses += count;
      load.add(typeBytes(region.actors[a].type), count, timing.bandwidth);
    }
    if (count == 0)
      continue;
    uint64_t cycles = (count - 1) * timing.costs[a].interval + 1;
    if (cycles > bound.cycles) {
      bound.cycles = cycles;
      bound.actor = a;
    }
  }
  auto raise = [&](LowerBound::By by, uint64_t cycles) {
    if (cycles <= bound.cycles)
      return;
    bound.cycles = cycles;
    bound.by = by;
  };
  if (timing.ports != 0)
    raise(LowerBound::Ports, (accesses + timing.ports - 1) / timing.ports);
  raise(LowerBound::Bandwidth, load.bound(timing.bandwidth));
  // An output can be there before the last firing of a loop's head, which only
  // ends the loop.
  if (bound.cycles > result.cycles)
    bound.cycles = result.cycles;
  return bound;
}

} // namespace loom::rt
