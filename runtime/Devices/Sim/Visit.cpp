// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Firing: one visit of one actor. The token tables are those of
// docs/dataflow.md.

#include "Devices/Sim/Engine.h"
#include "Devices/Sim/Fire.h"

namespace loom::rt {

/// Pushes one token to all uses; the caller made sure of the room.
template <bool Control>
static inline void push(Queue *queues, uint32_t begin, uint32_t end,
                        uint64_t value) {
  for (uint32_t u = begin; u < end; ++u) {
    Queue &queue = queues[u];
    if (!Control)
      queue.data[queue.tail & queue.mask] = value;
    ++queue.tail;
  }
}

static inline bool hasRoom(const Queue *queues, uint32_t begin, uint32_t end) {
  for (uint32_t u = begin; u < end; ++u)
    if (queues[u].room() == 0)
      return false;
  return true;
}

static uint32_t visitConstant(Engine &engine, Actor &actor, uint32_t most) {
  Queue *queues = engine.queues.data;
  Queue &ctrl = queues[actor.in[0]];
  uint32_t n = least(ctrl.size(), most);
  n = roomFor(engine, actor.ob[0], actor.oe[0], n);
  for (uint32_t u = actor.ob[0]; u < actor.oe[0]; ++u) {
    Queue &out = queues[u];
    for (uint32_t i = 0; i < n; ++i)
      out.data[(out.tail + i) & out.mask] = actor.value;
    out.tail += n;
  }
  ctrl.head += n;
  return n;
}

static uint32_t visitSync(Engine &engine, Actor &actor, uint32_t most) {
  Queue *queues = engine.queues.data;
  const uint32_t *lists = engine.lists.data + actor.in[0];
  const uint32_t *uses = engine.uses.data + actor.firstResult;
  uint32_t n = most;
  for (uint32_t lane = 0; lane < actor.lanes; ++lane)
    n = least(n, queues[lists[lane]].size());
  if (n == 0)
    return 0;
  n = roomFor(engine, uses[0], uses[actor.lanes], n);
  if (n == 0)
    return 0;
  for (uint32_t lane = 0; lane < actor.lanes; ++lane) {
    Queue &in = queues[lists[lane]];
    for (uint32_t u = uses[lane]; u < uses[lane + 1]; ++u) {
      Queue &out = queues[u];
      if (in.data)
        for (uint32_t i = 0; i < n; ++i)
          out.data[(out.tail + i) & out.mask] =
              in.data[(in.head + i) & in.mask];
      out.tail += n;
    }
    in.head += n;
  }
  return n;
}

template <bool Control>
static uint32_t visitMux(Engine &engine, Actor &actor, uint32_t most) {
  Queue *queues = engine.queues.data;
  const uint32_t *lists = engine.lists.data + actor.in[0];
  Queue &sel = queues[lists[0]];
  uint32_t fired = 0;
  while (fired < most && sel.size()) {
    uint64_t lane = sel.front();
    if (lane >= actor.lanes) {
      engine.raise(Reason::Internal, "a selector names no lane", actor);
      return fired;
    }
    Queue &in = queues[lists[1 + lane]];
    if (in.size() == 0)
      break;
    if (!hasRoom(queues, actor.ob[0], actor.oe[0])) {
      engine.blocked = true;
      break;
    }
    push<Control>(queues, actor.ob[0], actor.oe[0], Control ? 0 : in.front());
    ++in.head;
    ++sel.head;
    ++fired;
  }
  return fired;
}

template <bool Control>
static uint32_t visitDemux(Engine &engine, Actor &actor, uint32_t most) {
  Queue *queues = engine.queues.data;
  const uint32_t *uses = engine.uses.data + actor.firstResult;
  Queue &sel = queues[actor.in[0]];
  Queue &in = queues[actor.in[1]];
  uint32_t n = least(least(sel.size(), in.size()), most);
  uint32_t fired = 0;
  for (; fired < n; ++fired) {
    uint64_t lane = sel.front();
    if (lane >= actor.lanes) {
      engine.raise(Reason::Internal, "a selector names no lane", actor);
      break;
    }
    if (!hasRoom(queues, uses[lane], uses[lane + 1])) {
      engine.blocked = true;
      break;
    }
    push<Control>(queues, uses[lane], uses[lane + 1], Control ? 0 : in.front());
    ++in.head;
    ++sel.head;
  }
  return fired;
}

static uint32_t visitStream(Engine &engine, Actor &actor, uint32_t most) {
  Queue *queues = engine.queues.data;
  uint32_t fired = 0;
  while (fired < most) {
    if (actor.state == 0) {
      Queue &init = queues[actor.in[0]];
      Queue &limit = queues[actor.in[1]];
      Queue &step = queues[actor.in[2]];
      if (!init.size() || !limit.size() || !step.size())
        break;
      actor.value = init.front();
      actor.limit = limit.front();
      actor.step = step.front();
      ++init.head;
      ++limit.head;
      ++step.head;
      actor.state = 1;
    }
    bool more = compareInt(actor.pred, actor.value, actor.limit, actor.shift);
    if (!hasRoom(queues, actor.ob[1], actor.oe[1]) ||
        (more && !hasRoom(queues, actor.ob[0], actor.oe[0]))) {
      engine.blocked = true;
      break;
    }
    push<false>(queues, actor.ob[1], actor.oe[1], more);
    ++fired;
    if (!more) {
      actor.state = 0;
      continue;
    }
    push<false>(queues, actor.ob[0], actor.oe[0], actor.value);
    if (!advance(actor, actor.value, actor.step)) {
      engine.raise(Reason::Trap, "division in a loop step", actor);
      break;
    }
  }
  return fired;
}

template <bool Control>
static uint32_t visitCarry(Engine &engine, Actor &actor, uint32_t most) {
  Queue *queues = engine.queues.data;
  Queue &phase = queues[actor.in[0]];
  Queue &init = queues[actor.in[1]];
  Queue &next = queues[actor.in[2]];
  uint32_t fired = 0;
  for (; fired < most; ++fired) {
    Queue *from = &init;
    if (actor.state) {
      if (phase.size() == 0)
        break;
      if (!phase.front()) {
        ++phase.head;
        actor.state = 0;
        continue;
      }
      from = &next;
    }
    if (from->size() == 0)
      break;
    if (!hasRoom(queues, actor.ob[0], actor.oe[0])) {
      engine.blocked = true;
      break;
    }
    push<Control>(queues, actor.ob[0], actor.oe[0],
                  Control ? 0 : from->front());
    ++from->head;
    phase.head += actor.state;
    actor.state = 1;
  }
  return fired;
}

template <bool Control>
static uint32_t visitInvariant(Engine &engine, Actor &actor, uint32_t most) {
  Queue *queues = engine.queues.data;
  Queue &phase = queues[actor.in[0]];
  Queue &init = queues[actor.in[1]];
  uint32_t fired = 0;
  for (; fired < most; ++fired) {
    if (actor.state) {
      if (phase.size() == 0)
        break;
      if (!phase.front()) {
        ++phase.head;
        actor.state = 0;
        continue;
      }
    } else if (init.size() == 0) {
      break;
    }
    if (!hasRoom(queues, actor.ob[0], actor.oe[0])) {
      engine.blocked = true;
      break;
    }
    if (actor.state) {
      ++phase.head;
    } else {
      if (!Control)
        actor.value = init.front();
      ++init.head;
      actor.state = 1;
    }
    push<Control>(queues, actor.ob[0], actor.oe[0], actor.value);
  }
  return fired;
}

template <bool Control>
static uint32_t visitGate(Engine &engine, Actor &actor, uint32_t most) {
  Queue *queues = engine.queues.data;
  Queue &cond = queues[actor.in[0]];
  Queue &value = queues[actor.in[1]];
  uint32_t n = least(least(cond.size(), value.size()), most);
  uint32_t fired = 0;
  for (; fired < n; ++fired) {
    bool truth = cond.front() != 0;
    bool emitsCond = actor.state != 0;
    if ((emitsCond && !hasRoom(queues, actor.ob[0], actor.oe[0])) ||
        (truth && !hasRoom(queues, actor.ob[1], actor.oe[1]))) {
      engine.blocked = true;
      break;
    }
    if (emitsCond)
      push<false>(queues, actor.ob[0], actor.oe[0], truth);
    if (truth)
      push<Control>(queues, actor.ob[1], actor.oe[1],
                    Control ? 0 : value.front());
    actor.state = truth;
    ++cond.head;
    ++value.head;
  }
  return fired;
}

static inline bool legal(const Actor &actor, uint64_t offset) {
  return offset - actor.lo <= actor.span && !actor.outside;
}

/// Loads and stores come in two forms, so that launches that nobody watches pay
/// nothing for those that are.
template <bool Watched>
static uint32_t visitLoad(Engine &engine, Actor &actor, uint32_t most) {
  Queue *queues = engine.queues.data;
  Queue &address = queues[actor.in[0]];
  Queue &ctrl = queues[actor.in[1]];
  uint32_t n = least(least(address.size(), ctrl.size()), most);
  if (n == 0)
    return 0;
  n = roomFor(engine, actor.ob[0], actor.oe[1], n); // data and done
  uint32_t fired = 0;
  for (; fired < n; ++fired) {
    uint64_t offset = address.front();
    if (__builtin_expect(!legal(actor, offset), 0)) {
      engine.raise(Reason::Internal, "a load outside the footprint", actor);
      break;
    }
    uint64_t value = 0;
    if (!Watched)
      value = loadBytes(actor.base + offset, actor.bytes);
    else if (!watchedLoad(engine, actor, actor.base + offset, value))
      break;
    push<false>(queues, actor.ob[0], actor.oe[0], value);
    ++address.head;
  }
  for (uint32_t u = actor.ob[1]; u < actor.oe[1]; ++u)
    queues[u].tail += fired;
  ctrl.head += fired;
  return fired;
}

template <bool Watched>
static uint32_t visitStore(Engine &engine, Actor &actor, uint32_t most) {
  Queue *queues = engine.queues.data;
  Queue &address = queues[actor.in[0]];
  Queue &data = queues[actor.in[1]];
  Queue &ctrl = queues[actor.in[2]];
  uint32_t n = least(least(address.size(), ctrl.size()), data.size());
  n = least(n, most);
  if (n == 0)
    return 0;
  n = roomFor(engine, actor.ob[0], actor.oe[0], n);
  uint32_t fired = 0;
  for (; fired < n; ++fired) {
    uint64_t offset = address.front();
    if (__builtin_expect(!legal(actor, offset), 0)) {
      engine.raise(Reason::Internal, "a store outside the footprint", actor);
      break;
    }
    if (Watched) {
      if (!watchedStore(engine, actor, actor.base + offset, data.front()))
        break;
    } else {
      if (!engine.undo->note(actor.base + offset, actor.bytes)) {
        engine.raise(Reason::Memory, "the undo log is full", actor);
        break;
      }
      storeBytes(actor.base + offset, data.front(), actor.bytes);
    }
    ++address.head;
    ++data.head;
  }
  for (uint32_t u = actor.ob[0]; u < actor.oe[0]; ++u)
    queues[u].tail += fired;
  ctrl.head += fired;
  return fired;
}

uint32_t Engine::visit(uint32_t index, uint32_t most) {
  Actor &actor = actors[index];
  switch (static_cast<Code>(actor.code)) {
  case Code::Constant:
    return visitConstant(*this, actor, most);
  case Code::Sync:
    return visitSync(*this, actor, most);
  case Code::Mux:
    return visitMux<false>(*this, actor, most);
  case Code::MuxControl:
    return visitMux<true>(*this, actor, most);
  case Code::Demux:
    return visitDemux<false>(*this, actor, most);
  case Code::DemuxControl:
    return visitDemux<true>(*this, actor, most);
  case Code::Stream:
    return visitStream(*this, actor, most);
  case Code::Carry:
    return visitCarry<false>(*this, actor, most);
  case Code::CarryControl:
    return visitCarry<true>(*this, actor, most);
  case Code::Invariant:
    return visitInvariant<false>(*this, actor, most);
  case Code::InvariantControl:
    return visitInvariant<true>(*this, actor, most);
  case Code::Gate:
    return visitGate<false>(*this, actor, most);
  case Code::GateControl:
    return visitGate<true>(*this, actor, most);
  case Code::Load:
    return watched ? visitLoad<true>(*this, actor, most)
                   : visitLoad<false>(*this, actor, most);
  case Code::Store:
    return watched ? visitStore<true>(*this, actor, most)
                   : visitStore<false>(*this, actor, most);
  default:
    return visitCompute(*this, actor, most);
  }
}

} // namespace loom::rt
