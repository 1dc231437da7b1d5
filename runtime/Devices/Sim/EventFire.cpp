// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The token tables for the event queue: which row an actor is at, whether its
// tokens and its room are there, and what the row does.

#include "Devices/Sim/EventSim.h"
#include "Devices/Sim/Scalars.h"

namespace loom::rt {

/// The row of the next firing. False while the token that selects it has not
/// arrived.
bool EventSim::decide(uint32_t actor, Row &row) {
  const ActorInfo &info = region.actors[actor];
  bool open = states[actor].open;
  row = {0, info.numOperands, nobody, 0, info.numResults, false};
  switch (info.kind) {
  case Kind::Mux:
  case Kind::Demux: {
    const Token *selector = operand(actor, 0).front(now);
    if (!selector)
      return false;
    bool isMux = info.kind == Kind::Mux;
    uint64_t lanes = isMux ? info.numOperands - 1u : info.numResults;
    if (selector->value >= lanes) {
      raise(Reason::Internal, "a selector names no lane", actor);
      return false;
    }
    uint32_t lane = static_cast<uint32_t>(selector->value);
    row = isMux ? Row{0, 1, 1 + lane, 0, 1, false}
                : Row{0, 2, nobody, lane, 1, false};
    return true;
  }
  case Kind::Stream:
    return decideStream(actor, row);
  case Kind::Carry:
  case Kind::Invariant: {
    if (!open) {
      row = {1, 1, nobody, 0, 1, true};
      return true;
    }
    const Token *phase = operand(actor, 0).front(now);
    if (!phase)
      return false;
    uint32_t next = info.kind == Kind::Carry ? 2 : nobody;
    row = phase->value ? Row{0, 1, next, 0, 1, true}
                       : Row{0, 1, nobody, 0, 0, false};
    return true;
  }
  case Kind::Gate: {
    const Token *cond = operand(actor, 0).front(now);
    if (!cond)
      return false;
    bool more = cond->value != 0;
    row = {0,   2, nobody, open ? 0u : 1u, (open ? 1u : 0u) + (more ? 1u : 0u),
           more};
    return true;
  }
  default: // strict: everything in, everything out
    return true;
  }
}

bool EventSim::decideStream(uint32_t actor, Row &row) {
  const ActorInfo &info = region.actors[actor];
  const State &state = states[actor];
  uint64_t value = state.value;
  uint64_t limit = state.limit;
  if (!state.open) {
    const Token *first = operand(actor, 0).front(now);
    const Token *bound = operand(actor, 1).front(now);
    if (!first || !bound)
      return false;
    value = first->value;
    limit = bound->value;
  }
  bool more = compareInt(info.pred, value, limit, 64u - info.width);
  row = {0, state.open ? 0u : 3u, nobody, more ? 0u : 1u, more ? 2u : 1u, more};
  return true;
}

bool EventSim::tokensArrived(uint32_t actor, const Row &row) {
  for (uint32_t k = row.in; k < row.in + row.ins; ++k)
    if (!operand(actor, k).front(now))
      return false;
  return row.extra == nobody || operand(actor, row.extra).front(now);
}

bool EventSim::roomFor(uint32_t actor, const Row &row) const {
  const uint32_t *uses = firstUse.data + region.actors[actor].firstResult;
  for (uint32_t e = uses[row.out]; e < uses[row.out + row.outs]; ++e)
    if (!edges[e].hasRoom(now))
      return false;
  return true;
}

bool EventSim::canFire(uint32_t actor, Row &row) {
  return states[actor].next <= now && decide(actor, row) &&
         tokensArrived(actor, row) && roomFor(actor, row);
}

/// Where an access takes place; the number of bytes, 0 when they are not all
/// inside the footprint of its memory.
unsigned EventSim::address(uint32_t actor, uint64_t &place) {
  const ActorInfo &info = region.actors[actor];
  const unsigned bytes = typeBytes(info.type);
  place = operand(actor, 0).value();
  if (info.mem == noMemory)
    return bytes;
  const MemoryInfo &memory = region.memories[info.mem];
  const int64_t offset = static_cast<int64_t>(place);
  place += context.in[memory.slot];
  // Footprints are within 2^47, so nothing here can overflow.
  const int64_t last = memory.hi - static_cast<int64_t>(bytes);
  return !memory.known || (offset >= memory.lo && offset <= last) ? bytes : 0;
}

/// The values of a firing that are not copies of tokens, and its effects on
/// memory and on the actor's state.
bool EventSim::evaluate(uint32_t actor, const Row &row, uint64_t values[2]) {
  const ActorInfo &info = region.actors[actor];
  State &state = states[actor];
  auto in = [&](uint32_t k) { return operand(actor, k).value(); };
  uint64_t place = 0;
  switch (info.kind) {
  case Kind::Constant:
    values[0] = info.imm;
    return true;
  case Kind::Mux:
    values[0] = in(row.extra);
    return true;
  case Kind::Carry:
    if (row.outs)
      values[0] = in(row.extra == nobody ? 1 : row.extra);
    return true;
  case Kind::Invariant:
    if (!state.open)
      state.value = in(1);
    values[0] = state.value;
    return true;
  case Kind::Gate:
    values[0] = row.open;
    values[1] = in(1);
    return true;
  case Kind::Stream:
    if (!state.open) {
      state.value = in(0);
      state.limit = in(1);
      state.step = in(2);
    }
    values[0] = state.value;
    values[1] = row.open;
    if (!row.open || eventValue(info, state.value, state.step, 0, state.value))
      return true;
    raise(Reason::Trap, "division in a loop step", actor);
    return false;
  case Kind::Load: {
    unsigned bytes = address(actor, place);
    if (bytes == 0) {
      raise(Reason::Internal, "a load outside the footprint", actor);
      return false;
    }
    if (context.touched)
      context.touched->load(place, bytes);
    if (context.overlay) {
      if (context.overlay->load(place, bytes, values[0]))
        return true;
      raise(Reason::Internal, "a load outside the recorded bytes", actor);
      return false;
    }
    memcpy(&values[0], UndoLog::pointer(place), bytes);
    return true;
  }
  case Kind::Store: {
    unsigned bytes = address(actor, place);
    if (bytes == 0) {
      raise(Reason::Internal, "a store outside the footprint", actor);
      return false;
    }
    if (context.touched)
      context.touched->store(place, bytes);
    if (context.overlay) {
      if (context.overlay->store(place, bytes, in(1)))
        return true;
      raise(Reason::Internal, "a store outside the recorded bytes", actor);
      return false;
    }
    if (!context.undo->note(place, bytes)) {
      raise(Reason::Memory, "the undo log is full", actor);
      return false;
    }
    uint64_t data = in(1); // little-endian: the low bytes are the value
    memcpy(UndoLog::pointer(place), &data, bytes);
    return true;
  }
  case Kind::Compute:
    if (eventValue(info, in(0), info.numOperands > 1 ? in(1) : 0,
                   info.numOperands > 2 ? in(2) : 0, values[0]))
      return true;
    raise(Reason::Trap, "an integer division would trap", actor);
    return false;
  case Kind::Sync:
  case Kind::Demux:
    return true;
  }
  return false;
}

void EventSim::take(Edge &edge) {
  if (result.waits)
    result.waits->edges[static_cast<size_t>(&edge - edges.data)].takenTwice =
        edge.lastTaken;
  ++edge.taken;
  edge.lastTaken = now;
  if (edge.producer != nobody)
    wake(edge.producer, now + 1);
}

void EventSim::fire(uint32_t actor, const Row &row) {
  const ActorInfo &info = region.actors[actor];
  const ActorCost &cost = timing.costs[actor];
  if (result.firings >= context.budget) {
    raise(Reason::Budget, "the firing budget is spent", actor);
    return;
  }
  uint64_t values[2] = {0, 0};
  if (!evaluate(actor, row, values))
    return;
  // Pushed before taken: the room was there before.
  for (uint32_t r = row.out; r < row.out + row.outs; ++r) {
    uint64_t value = info.kind == Kind::Sync    ? operand(actor, r).value()
                     : info.kind == Kind::Demux ? operand(actor, 1).value()
                                                : values[r];
    uint32_t use = info.firstResult + r;
    for (uint32_t e = firstUse[use]; e < firstUse[use + 1]; ++e)
      push(e, value, now + cost.latency);
  }
  for (uint32_t k = row.in; k < row.in + row.ins; ++k)
    take(operand(actor, k));
  if (row.extra != nobody)
    take(operand(actor, row.extra));

  if (context.listener.onFire)
    context.listener.onFire(context.listener.data, actor, now);
  ActorTimes &times = result.actors[actor];
  if (times.count++ == 0)
    times.first = now;
  times.last = now;
  ++result.firings;
  State &state = states[actor];
  state.open = row.open;
  state.next = now + cost.interval;
  wake(actor, state.next);
}

} // namespace loom::rt
