// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recurrence of Timing.h, evaluated as it is written there: every token
// that ever was on an edge is kept, with its arrival and with the firing that
// took it, and actors are visited in any order until none of them has all the
// times that its next firing depends on. Private ports only.

#ifndef LOOM_TEST_UNIT_RUNTIME_RECURRENCE_H
#define LOOM_TEST_UNIT_RUNTIME_RECURRENCE_H

#include "Devices/Sim/EventSim.h"
#include "Devices/Sim/Scalars.h"
#include "runtime_timed.h"

namespace rttest {

class Recurrence {
public:
  std::vector<loom::rt::ActorTimes> actors;
  uint64_t cycles = 0;
  uint64_t firings = 0;
  bool trapped = false;

  Recurrence(const loom::rt::LoadedRegion &region,
             const loom::rt::RegionTiming &timing)
      : actors(region.actors.size), region(region), timing(timing),
        states(region.actors.size), uses(region.values) {
    std::vector<int> producer(region.values, -1);
    for (size_t a = 0; a < region.actors.size; ++a)
      for (unsigned r = 0; r < region.actors[a].numResults; ++r)
        producer[region.actors[a].firstResult + r] = int(a);
    auto addEdge = [&](uint32_t value, bool sink) {
      int from = producer[value];
      uint64_t room = timing.queueCapacity;
      if (from >= 0)
        room += timing.costs[size_t(from)].latency;
      uses[value].push_back(edges.size());
      edges.push_back({{}, {}, from < 0 || sink ? ~uint64_t(0) : room, sink});
    };
    for (const loom::rt::ActorInfo &info : region.actors) {
      firstEdge.push_back(edges.size());
      for (unsigned k = 0; k < info.numOperands; ++k)
        addEdge(region.operands[info.firstOperand + k], false);
    }
    for (uint32_t value : region.outputs)
      addEdge(value, true);
    for (uint32_t value : region.completes)
      addEdge(value, true);
  }

  /// Visits the actors in an order given by the seed, until nothing fires or
  /// the budget is spent.
  void run(const std::vector<uint64_t> &in, uint64_t budget, uint64_t seed) {
    inject(in);
    std::vector<size_t> order(region.actors.size);
    for (size_t a = 0; a < order.size(); ++a)
      order[a] = a;
    for (size_t a = order.size(); a > 1; --a) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      std::swap(order[a - 1], order[(seed >> 33) % a]);
    }
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t a : order)
        while (firings < budget && !trapped && step(a))
          moved = true;
    }
  }

  /// In every cycle: what shares nothing, then the accesses that could fire, by
  /// since when and by number, as far as there are ports and bytes.
  void runShared(const std::vector<uint64_t> &in) {
    inject(in);
    could.assign(region.actors.size, never);
    auto settle = [&] {
      for (bool moved = true; moved;) {
        moved = false;
        for (size_t a = 0; a < could.size(); ++a)
          moved = step(a) || moved;
      }
    };
    uint64_t taken = 0; // cycles up to this one are those of a long access
    for (now = 0; now != never;) {
      settle();
      uint64_t room = now < taken ? 0 : timing.bandwidth;
      for (uint32_t port = 0; !timing.ports || port < timing.ports; ++port) {
        size_t best = could.size();
        for (size_t a = 0; a < could.size(); ++a)
          if (could[a] <= now &&
              (best == could.size() || could[a] < could[best]))
            best = a;
        if (best == could.size())
          break;
        uint64_t bytes = typeBytes(region.actors[best].type);
        if (timing.bandwidth && bytes > room) {
          if (bytes <= timing.bandwidth || room != timing.bandwidth)
            break;
          for (taken = now; bytes > room; bytes -= room)
            ++taken; // a cycle for each piece
          ++taken;
          bytes = room;
        }
        room -= timing.bandwidth ? bytes : 0;
        step(best, true);
        settle();
      }
      uint64_t next = never;
      for (uint64_t time : could)
        next = std::min(next, std::max(time, now + 1));
      now = next;
    }
  }

private:
  static constexpr uint64_t never = ~uint64_t(0);
  uint64_t now = never;        // the clock, if there is one
  std::vector<uint64_t> could; // since or from when an actor can fire

  void inject(const std::vector<uint64_t> &in) {
    slots = in;
    push(0, 0, 0);
    for (size_t i = 0; i < region.inputs.size; ++i)
      push(uint32_t(1 + i),
           in[region.inputs[i].slot] & typeMask(region.inputs[i].type), 0);
  }

  struct Edge {
    std::vector<std::pair<uint64_t, uint64_t>> tokens; // value, arrival
    std::vector<uint64_t> dequeued;
    uint64_t capacity;
    bool sink;
    bool has() const { return dequeued.size() < tokens.size(); }
    uint64_t value() const { return tokens[dequeued.size()].first; }
  };
  struct State {
    bool open = false;
    uint64_t value = 0, limit = 0, step = 0;
  };

  const loom::rt::LoadedRegion &region;
  const loom::rt::RegionTiming &timing;
  std::vector<State> states;
  std::vector<std::vector<size_t>> uses; // by value
  std::vector<Edge> edges;
  std::vector<size_t> firstEdge; // of the operands, by actor
  std::vector<uint64_t> slots;

  void push(uint32_t value, uint64_t bits, uint64_t arrival) {
    for (size_t e : uses[value]) {
      edges[e].tokens.push_back({bits, arrival});
      if (edges[e].sink)
        cycles = std::max(cycles, arrival);
    }
  }

  bool step(size_t a, bool granted = false) {
    using loom::rt::Kind;
    if (!could.empty())
      could[a] = never;
    const loom::rt::ActorInfo &info = region.actors[a];
    State next = states[a];
    std::vector<unsigned> from;                    // operands
    std::vector<std::pair<unsigned, uint64_t>> to; // results
    auto edge = [&](unsigned k) -> Edge & { return edges[firstEdge[a] + k]; };
    auto need = [&](unsigned k) {
      from.push_back(k);
      return edge(k).has();
    };
    auto got = [&](unsigned k) { return edge(k).value(); };
    const bool open = next.open;
    switch (info.kind) {
    case Kind::Mux:
      if (!need(0) || !need(1 + unsigned(got(0))))
        return false;
      to = {{0, got(from[1])}};
      break;
    case Kind::Demux:
      if (!need(0) || !need(1))
        return false;
      to = {{unsigned(got(0)), got(1)}};
      break;
    case Kind::Stream: {
      if (!open) {
        if (!need(0) || !need(1) || !need(2))
          return false;
        next = {true, got(0), got(1), got(2)};
      }
      bool more = loom::rt::compareInt(info.pred, next.value, next.limit,
                                       64u - info.width);
      next.open = more;
      to.push_back({1, more});
      if (more) {
        to.push_back({0, next.value});
        if (!loom::rt::eventValue(info, next.value, next.step, 0, next.value))
          trapped = true;
      }
      break;
    }
    case Kind::Carry:
    case Kind::Invariant: {
      bool carries = info.kind == Kind::Carry;
      if (!open) {
        if (!need(1))
          return false;
        next.value = got(1);
      } else if (!need(0) || (got(0) && carries && !need(2))) {
        return false;
      }
      next.open = !open || got(0);
      if (next.open)
        to = {{0, open && carries ? got(2) : next.value}};
      break;
    }
    case Kind::Gate:
      if (!need(0) || !need(1))
        return false;
      next.open = got(0);
      if (open)
        to.push_back({0, got(0)});
      if (next.open)
        to.push_back({1, got(1)});
      break;
    default:
      for (unsigned k = 0; k < info.numOperands; ++k)
        if (!need(k))
          return false;
      break;
    }
    if (info.kind == Kind::Sync)
      for (unsigned k : from)
        to.push_back({k, got(k)});
    else if (info.kind == Kind::Load || info.kind == Kind::Store)
      to = {{0, 0}, {1, 0}};
    else if (info.kind == Kind::Constant || info.kind == Kind::Compute)
      to = {{0, info.imm}};
    if (info.kind == Kind::Store)
      to.pop_back();

    // fire(a, k): the greatest of what Timing.h names.
    loom::rt::ActorTimes &times = actors[a];
    uint64_t when = times.count ? times.last + timing.costs[a].interval : 0;
    for (unsigned k : from)
      when = std::max(when, edge(k).tokens[edge(k).dequeued.size()].second);
    for (auto [result, value] : to)
      for (size_t e : uses[info.firstResult + result]) {
        uint64_t n = edges[e].tokens.size();
        if (n < edges[e].capacity)
          continue;
        if (n - edges[e].capacity >= edges[e].dequeued.size())
          return false; // not known yet, perhaps never
        when = std::max(when, edges[e].dequeued[n - edges[e].capacity] + 1);
      }
    if (!could.empty()) {
      bool access = info.kind == Kind::Load || info.kind == Kind::Store;
      could[a] = when;
      if (when > now || (access && !granted))
        return false;
      could[a] = never;
      when = now; // an access may have waited
    }
    if (!compute(info, from, a, to))
      trapped = true;
    for (unsigned k : from)
      edge(k).dequeued.push_back(when);
    for (auto [result, value] : to)
      push(info.firstResult + result, value, when + timing.costs[a].latency);
    if (times.count++ == 0)
      times.first = when;
    times.last = when;
    ++firings;
    states[a] = next;
    return !trapped;
  }

  /// The values of what computes or touches memory.
  bool compute(const loom::rt::ActorInfo &info,
               const std::vector<unsigned> &from, size_t a,
               std::vector<std::pair<unsigned, uint64_t>> &to) {
    using loom::rt::Kind;
    auto in = [&](unsigned k) {
      return k < from.size() ? edges[firstEdge[a] + k].value() : 0;
    };
    if (info.kind == Kind::Compute)
      return loom::rt::eventValue(info, in(0), in(1), in(2), to[0].second);
    if (info.kind != Kind::Load && info.kind != Kind::Store)
      return true;
    uint64_t at = in(0);
    if (info.mem != loom::rt::noMemory)
      at += slots[region.memories[info.mem].slot];
    uint64_t data = in(1);
    void *place = loom::rt::UndoLog::pointer(at);
    if (info.kind == Kind::Load)
      memcpy(&to[0].second, place, typeBytes(info.type));
    else
      memcpy(place, &data, typeBytes(info.type));
    return true;
  }
};

} // namespace rttest

#endif
