// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clock of the event queue. Whatever can enable an actor (a token that
// arrives, a place that becomes free, the end of its interval) wakes it in that
// cycle; it looks whether it can fire then. So it fires in the first cycle in
// which it can, and nothing here predicts that cycle.

#include "Devices/Sim/EventSim.h"

namespace loom::rt {

void EventSim::raise(Reason reason, const char *text, uint32_t actor) {
  if (fault != Reason::None)
    return;
  fault = reason;
  detail = text;
  where = actor == nobody ? -1 : static_cast<int64_t>(actor);
}

bool EventSim::insert(Vec<Event> &heap, Event event) {
  if (!heap.push(event))
    return false;
  for (size_t at = heap.size - 1; at != 0;) {
    size_t parent = (at - 1) / 2;
    if (!(heap[at] < heap[parent]))
      break;
    Event moved = heap[at];
    heap[at] = heap[parent];
    heap[parent] = moved;
    at = parent;
  }
  return true;
}

EventSim::Event EventSim::removeFirst(Vec<Event> &heap) {
  Event first = heap[0];
  Event last = heap[--heap.size];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < heap.size; at = child) {
    if (child + 1 < heap.size && heap[child + 1] < heap[child])
      ++child;
    if (!(heap[child] < last))
      break;
    heap[at] = heap[child];
  }
  if (heap.size)
    heap[at] = last;
  return first;
}

void EventSim::wake(uint32_t actor, uint64_t time) {
  State &state = states[actor];
  if (time > now) {
    if (state.woken == time)
      return;
    state.woken = time;
    if (!insert(wakes, {time, actor}))
      raise(Reason::Memory, "the event queue is full", actor);
    return;
  }
  if (state.listed)
    return;
  state.listed = true;
  if (!list.push(actor))
    raise(Reason::Memory, "the event queue is full", actor);
}

bool EventSim::grow(Edge &edge) {
  uint64_t slots = edge.slots ? 2 * edge.slots : 1;
  if (slots > maxTokenBytes / sizeof(Token))
    return false;
  uint64_t added = (slots - edge.slots) * sizeof(Token);
  if (tokenBytes + added > maxTokenBytes)
    return false;
  auto *ring = static_cast<Token *>(malloc(slots * sizeof(Token)));
  if (!ring)
    return false;
  for (uint64_t n = edge.taken; n != edge.pushed; ++n)
    ring[n & (slots - 1)] = edge.ring[n & (edge.slots - 1)];
  free(edge.ring);
  edge.ring = ring;
  edge.slots = slots;
  tokenBytes += added;
  return true;
}

void EventSim::push(uint32_t number, uint64_t value, uint64_t arrival) {
  Edge &edge = edges[number];
  bool sink = edge.consumer == nobody;
  if (sink && arrival > result.cycles)
    result.cycles = arrival;
  if (!sink || edge.pushed == 0) {
    if (edge.pushed - edge.taken == edge.slots && !grow(edge)) {
      raise(Reason::Memory, "the token queues are full", edge.producer);
      return;
    }
    edge.ring[edge.pushed & (edge.slots - 1)] = {value, arrival};
  }
  ++edge.pushed;
  if (!sink)
    wake(edge.consumer, arrival);
}

/// Fires the actor if it can; an access that shares the memory asks first.
void EventSim::look(uint32_t actor) {
  State &state = states[actor];
  Row row;
  if (state.requests || !canFire(actor, row))
    return;
  if (result.waits)
    noteWaits(actor, row);
  Kind kind = region.actors[actor].kind;
  bool shares = timing.ports != 0 || timing.bandwidth != 0;
  if (!shares || (kind != Kind::Load && kind != Kind::Store)) {
    fire(actor, row);
    return;
  }
  state.requests = true;
  state.full = fullCycles;
  if (!insert(requests, {now, actor}))
    raise(Reason::Memory, "the event queue is full", actor);
}

/// Everything that shares nothing and can happen in this cycle.
void EventSim::settle() {
  while (list.size && fault == Reason::None) {
    uint32_t actor = list[--list.size];
    states[actor].listed = false;
    look(actor);
  }
}

/// Takes the bytes of an access out of this cycle, in which `started` were
/// taken before. False: they are too many.
bool EventSim::fits(uint32_t actor, uint64_t &started) {
  if (timing.bandwidth == 0)
    return true;
  const unsigned bytes = typeBytes(region.actors[actor].type);
  if (now < memoryFrom || (started && started + bytes > timing.bandwidth))
    return false;
  started += bytes;
  memoryFrom = now + ownCycles(bytes, timing.bandwidth);
  return true;
}

/// An access at a time: what it makes possible without delay takes part in the
/// choice of the next one.
void EventSim::grant() {
  uint64_t started = 0;
  for (uint32_t n = 0; requests.size; ++n) {
    if (timing.ports != 0 && n == timing.ports)
      return;
    if (!fits(requests[0].actor, started)) {
      ++fullCycles;
      return;
    }
    const Event request = removeFirst(requests);
    uint32_t actor = request.actor;
    states[actor].requests = false;
    if (result.waits && request.time < now)
      noteGrant(actor, now - request.time);
    Row row;
    if (canFire(actor, row)) // it could before, and nobody else takes that
      fire(actor, row);
    settle();
  }
}

Outcome EventSim::run() {
  for (uint32_t a = 0; a < region.actors.size; ++a)
    wake(a, 0);
  for (;;) {
    settle();
    grant();
    if (fault != Reason::None)
      return {fault, detail, where, result.firings};
    if (requests.size)
      ++now;
    else if (wakes.size)
      now = wakes[0].time;
    else
      return retire();
    while (wakes.size && wakes[0].time == now)
      wake(removeFirst(wakes).actor, now);
  }
}

/// Nothing can happen any more: is the launch complete?
Outcome EventSim::retire() {
  Outcome outcome;
  outcome.firings = result.firings;
  auto fails = [&](Reason reason, const char *text, int64_t actor) {
    outcome.reason = reason;
    outcome.detail = text;
    outcome.where = actor;
    return outcome;
  };
  for (uint32_t a = 0; a < region.actors.size; ++a) {
    Row row;
    if (decide(a, row) && tokensArrived(a, row) && !roomFor(a, row))
      return fails(Reason::Deadlock, "an actor waits for room for ever", a);
  }
  for (uint32_t edge : outputs)
    if (edges[edge].pushed == 0)
      return fails(Reason::Deadlock, "an output has no token", -1);
  for (uint32_t edge : completes)
    if (edges[edge].pushed == 0)
      return fails(Reason::Deadlock, "a completion has no token", -1);
  for (const Edge &edge : edges)
    if (edge.pushed - edge.taken != (edge.consumer == nobody ? 1 : 0))
      return fails(Reason::Residue, "tokens are left in a queue", -1);
  for (uint32_t a = 0; a < region.actors.size; ++a)
    if (states[a].open)
      return fails(Reason::Residue, "an actor is not back in its first state",
                   a);
  for (size_t i = 0; i < outputs.size; ++i)
    context.out[i] = edges[outputs[i]].ring[0].value;
  return outcome;
}

Outcome runEventQueue(const LoadedRegion &region, const RegionTiming &timing,
                      const LaunchContext &context, EventResult &result) {
  result.cycles = result.firings = 0;
  bool valid =
      timing.costs.size == region.actors.size && timing.queueCapacity != 0;
  for (size_t a = 0; a < timing.costs.size && valid; ++a)
    valid = timing.costs[a].interval != 0;
  if (!valid)
    return {Reason::Internal, "costs that are none of this region", -1, 0};
  EventSim sim(region, timing, context, result);
  Outcome outcome;
  if (sim.build())
    outcome = sim.run();
  else
    outcome = {Reason::Memory, "no memory for the event queue", -1, 0};
  sim.release();
  return outcome;
}

} // namespace loom::rt
