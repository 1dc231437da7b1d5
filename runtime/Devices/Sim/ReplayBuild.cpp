// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a plan to timed steps.

#include "Devices/Sim/Replay.h"
#include "Devices/Sim/ResolveTiming.h"

namespace loom::rt {

namespace {

struct Timer {
  Replay &replay;
  const LoadedRegion &region;
  const Plan &plan;
  const RegionTiming &timing;
  Vec<uint32_t> edgeOf;   // by operand index: edge, `nothing`
  Vec<uint32_t> firstUse; // operand indices of a value's uses
  Vec<uint32_t> useList;
  Vec<uint32_t> depth; // by loop
  bool memory = true;

  uint32_t step(TimedStep::Kind kind, uint32_t a = 0, uint32_t b = 0) {
    memory = replay.steps.push({kind, a, b, nothing}) && memory;
    return static_cast<uint32_t>(replay.steps.size - 1);
  }
  uint32_t here() const { return static_cast<uint32_t>(replay.steps.size); }

  /// The loop in which tokens of a phase are counted.
  uint32_t loopOfPhase(uint32_t phase) const {
    while (plan.phases[phase].kind == Phase::Lane)
      phase = plan.phases[phase].parent;
    return plan.phases[phase].kind == Phase::Root ? nothing
                                                  : plan.phases[phase].key;
  }
  uint32_t common(uint32_t a, uint32_t b) const {
    while (a != b) {
      if (a == nothing || b == nothing)
        return nothing;
      if (depth[a] >= depth[b])
        a = plan.loops[a].outer;
      else
        b = plan.loops[b].outer;
    }
    return a;
  }
  uint32_t loopOfActor(uint32_t actor) const {
    return loopOfPhase(plan.phaseOfActor[actor]);
  }
  /// The loop within which an operand is consumed: the init of a ring and the
  /// bounds of a stream belong to what is around the loop.
  uint32_t loopOfUse(uint32_t actor, uint32_t k) const {
    const ActorInfo &info = region.actors[actor];
    bool entry =
        info.kind == Kind::Stream ||
        ((info.kind == Kind::Carry || info.kind == Kind::Invariant) && k == 1);
    uint32_t loop = loopOfActor(actor);
    return entry ? plan.loops[loop].outer : loop;
  }

  bool order();
  bool makeEdges();
  uint32_t firing(uint32_t actor, uint32_t operands, uint32_t results);
  void block(uint32_t number);
  void loop(uint32_t number);
  bool boundSteps(uint32_t number, Vec<uint8_t> &seen);
};

/// Positions: actors by loop, so that a loop and those inside are one range.
bool Timer::order() {
  uint32_t loops = static_cast<uint32_t>(plan.loops.size);
  uint32_t actors = static_cast<uint32_t>(region.actors.size);
  Vec<uint32_t> sequence; // loops, outer before inner, subtrees together
  Vec<uint32_t> stack;
  Vec<uint32_t> counts;
  bool good = depth.assignZero(loops) && counts.assignZero(loops + 1) &&
              replay.loops.assignZero(loops) &&
              replay.positions.assignZero(actors) &&
              replay.actorAt.assignZero(actors);
  // Plan::loops has outer loops first, so depths come in order.
  for (uint32_t l = 0; l < loops && good; ++l)
    depth[l] =
        plan.loops[l].outer == nothing ? 1 : depth[plan.loops[l].outer] + 1;
  Vec<uint32_t> firstChild, nextChild;
  good = good && firstChild.assignZero(loops + 1) &&
         nextChild.assignZero(loops + 1);
  for (uint32_t l = 0; l <= loops && good; ++l)
    firstChild[l] = nextChild[l] = nothing;
  for (uint32_t l = loops; l-- > 0 && good;) {
    uint32_t outer =
        plan.loops[l].outer == nothing ? loops : plan.loops[l].outer;
    nextChild[l] = firstChild[outer];
    firstChild[outer] = l;
  }
  for (uint32_t a = 0; a < actors && good; ++a) {
    uint32_t loop = loopOfActor(a);
    ++counts[loop == nothing ? loops : loop];
  }
  // Depth first; a loop's last position is known when it is left.
  uint32_t position = good ? counts[loops] : 0;
  Vec<uint32_t> next; // next free position by loop
  good = good && next.assignZero(loops + 1);
  uint32_t at = good ? firstChild[loops] : nothing;
  while (good && at != nothing) {
    TimedLoop &loop = replay.loops[at];
    loop.firstActor = next[at] = position;
    position += counts[at];
    if (firstChild[at] != nothing) {
      good = stack.push(at);
      at = firstChild[at];
      continue;
    }
    loop.lastActor = position;
    while (nextChild[at] == nothing && stack.size) {
      at = stack[--stack.size];
      replay.loops[at].lastActor = position;
    }
    at = nextChild[at];
  }
  for (uint32_t a = 0; a < actors && good; ++a) {
    uint32_t loop = loopOfActor(a);
    replay.positions[a] = next[loop == nothing ? loops : loop]++;
    replay.actorAt[replay.positions[a]] = a;
  }
  sequence.release();
  stack.release();
  counts.release();
  firstChild.release();
  nextChild.release();
  next.release();
  return good;
}

/// One edge per use of an actor's result, ordered by the loop it stays within.
bool Timer::makeEdges() {
  uint32_t operands = static_cast<uint32_t>(region.operands.size);
  uint32_t loops = static_cast<uint32_t>(plan.loops.size);
  Vec<uint32_t> loopOfEdge, counts, next;
  bool good = edgeOf.assignZero(operands) && loopOfEdge.assignZero(operands) &&
              counts.assignZero(loops + 1) && next.assignZero(loops + 1) &&
              firstUse.assignZero(size_t(region.values) + 2) &&
              useList.assignZero(operands);
  for (uint32_t a = 0; a < region.actors.size && good; ++a) {
    const ActorInfo &info = region.actors[a];
    for (uint32_t k = 0; k < info.numOperands; ++k) {
      uint32_t index = info.firstOperand + k;
      uint32_t value = region.operands[index];
      ++firstUse[value + 2];
      edgeOf[index] = nothing;
      if (plan.producer[value] == nothing)
        continue;
      // A value belongs to the loop of its phase: what leaves a loop belongs to
      // what is around it.
      uint32_t loop = common(loopOfPhase(plan.phaseOf[value]), loopOfUse(a, k));
      loopOfEdge[index] = loop == nothing ? loops : loop;
      ++counts[loopOfEdge[index]];
      edgeOf[index] = 0;
    }
  }
  for (uint32_t v = 0; v < region.values && good; ++v)
    firstUse[v + 2] += firstUse[v + 1];
  for (uint32_t a = 0; a < region.actors.size && good; ++a) {
    const ActorInfo &info = region.actors[a];
    for (uint32_t k = 0; k < info.numOperands; ++k)
      useList[firstUse[region.operands[info.firstOperand + k] + 1]++] =
          info.firstOperand + k;
  }
  // The order of positions is that of loops; edges follow it.
  uint32_t edge = good ? counts[loops] : 0;
  Vec<uint32_t> byStart;
  for (uint32_t l = 0; l < loops && good; ++l)
    good = byStart.push(l);
  for (uint32_t i = 1; i < byStart.size && good; ++i) // insertion sort
    for (uint32_t j = i; j && (replay.loops[byStart[j]].firstActor <
                                   replay.loops[byStart[j - 1]].firstActor ||
                               (replay.loops[byStart[j]].firstActor ==
                                    replay.loops[byStart[j - 1]].firstActor &&
                                depth[byStart[j]] < depth[byStart[j - 1]]));
         --j) {
      uint32_t swapped = byStart[j];
      byStart[j] = byStart[j - 1];
      byStart[j - 1] = swapped;
    }
  for (uint32_t l : byStart) {
    replay.loops[l].firstEdge = next[l] = edge;
    edge += counts[l];
  }
  for (uint32_t i = 0; i < byStart.size; ++i) {
    uint32_t l = byStart[i];
    uint32_t end = edge;
    for (uint32_t j = i + 1; j < byStart.size; ++j)
      if (replay.loops[byStart[j]].firstActor >= replay.loops[l].lastActor) {
        end = replay.loops[byStart[j]].firstEdge;
        break;
      }
    replay.loops[l].lastEdge = end;
  }
  good = good && replay.edges.assignZero(edge);
  for (uint32_t a = 0; a < region.actors.size && good; ++a) {
    const ActorInfo &info = region.actors[a];
    for (uint32_t k = 0; k < info.numOperands && good; ++k) {
      uint32_t index = info.firstOperand + k;
      if (edgeOf[index] == nothing)
        continue;
      edgeOf[index] = next[loopOfEdge[index]]++;
      uint32_t producer = plan.producer[region.operands[index]];
      replay.edges[edgeOf[index]].producer = replay.positions[producer];
      Kind kind = region.actors[producer].kind;
      replay.edges[edgeOf[index]].ringOf =
          kind == Kind::Carry || kind == Kind::Invariant ? loopOfActor(producer)
                                                         : nothing;
      replay.edges[edgeOf[index]].capacity =
          timing.queueCapacity + timing.costs[producer].latency;
    }
  }
  uint32_t slots = 0;
  for (Edge &each : replay.edges) {
    each.history = slots;
    slots += each.capacity;
    good = good && slots < (1u << 28);
  }
  good = good && replay.history.assignZero(slots);
  loopOfEdge.release();
  counts.release();
  next.release();
  byStart.release();
  return good;
}

/// The firing that consumes the operands and makes the results of two bit sets.
uint32_t Timer::firing(uint32_t actor, uint32_t operands, uint32_t results) {
  const ActorInfo &info = region.actors[actor];
  Firing made = {};
  made.actor = replay.positions[actor];
  made.firstIn = static_cast<uint32_t>(replay.ins.size);
  bool all = operands == ~0u;
  for (uint32_t k = 0; k < info.numOperands; ++k) {
    if (!all && !(k < 32 && (operands >> k & 1)))
      continue;
    uint32_t index = info.firstOperand + k;
    memory = replay.ins.push({region.operands[index], edgeOf[index]}) && memory;
    ++made.ins;
  }
  made.firstOut = static_cast<uint32_t>(replay.outs.size);
  made.firstMade = static_cast<uint32_t>(replay.made.size);
  for (uint32_t r = 0; r < info.numResults; ++r) {
    if (results != ~0u && !(r < 32 && (results >> r & 1)))
      continue;
    uint32_t value = info.firstResult + r;
    memory = replay.made.push(value) && memory;
    ++made.mades;
    for (uint32_t u = firstUse[value]; u < firstUse[value + 1]; ++u) {
      memory = replay.outs.push(edgeOf[useList[u]]) && memory;
      ++made.outs;
    }
  }
  memory = replay.firings.push(made) && memory;
  return static_cast<uint32_t>(replay.firings.size - 1);
}

void Timer::block(uint32_t number) {
  const PlanBlock of = plan.blocks[number];
  for (uint32_t n = of.first; n < of.first + of.count && memory; ++n) {
    const Node node = plan.nodes[n];
    switch (node.kind) {
    case Node::Fire: {
      const ActorInfo &info = region.actors[node.index];
      if (info.kind != Kind::Demux && info.kind != Kind::Mux) {
        step(TimedStep::Fire, firing(node.index, ~0u, ~0u));
        break;
      }
      uint32_t selection = plan.selectionOf(region, node.index);
      uint32_t first = static_cast<uint32_t>(replay.firings.size);
      for (uint32_t k = 0; k < plan.selections[selection].lanes; ++k) {
        // Lanes beyond 31 don't fit the bit sets.
        memory = memory && k < 31;
        if (info.kind == Kind::Demux)
          firing(node.index, ~0u, 1u << k);
        else
          firing(node.index, 1u | 2u << k, ~0u);
      }
      step(TimedStep::FireLane, first, selection);
      break;
    }
    case Node::Lane:
      step(TimedStep::Lane, plan.selections[node.index].firstLane, node.index);
      break;
    case Node::Move:
      break;
    case Node::Branch: {
      const PlanBranch &branch = plan.branches[node.index];
      const Selection &selection = plan.selections[branch.selection];
      uint32_t first = static_cast<uint32_t>(replay.laneTargets.size);
      for (uint32_t k = 0; k < selection.lanes; ++k)
        memory = replay.laneTargets.push(0) && memory;
      step(TimedStep::JumpLane, first, branch.selection);
      Vec<uint32_t> jumps;
      uint32_t empty = nothing;
      for (uint32_t k = 0; k < selection.lanes && memory; ++k) {
        uint32_t lane = plan.blockLists[branch.firstBlock + k];
        if (lane == nothing) {
          empty = k;
          continue;
        }
        replay.laneTargets[first + k] = here();
        block(lane);
        memory = jumps.push(step(TimedStep::Jump)) && memory;
      }
      (void)empty;
      if (!memory) {
        jumps.release();
        return;
      }
      for (uint32_t k = 0; k < selection.lanes; ++k)
        if (plan.blockLists[branch.firstBlock + k] == nothing)
          replay.laneTargets[first + k] = here();
      for (uint32_t jump : jumps)
        replay.steps[jump].target = here();
      jumps.release();
      break;
    }
    case Node::Loop:
      loop(node.index);
      break;
    }
  }
}

void Timer::loop(uint32_t number) {
  const PlanLoop &of = plan.loops[number];
  TimedLoop &timed = replay.loops[number];
  timed.plain = of.plain;
  timed.stream = of.stream == nothing ? nothing : replay.positions[of.stream];
  timed.firstRing = static_cast<uint32_t>(replay.ringValues.size);
  timed.rings = of.rings;
  bool counted = of.stream != nothing;
  auto rings = [&](uint32_t carry, uint32_t invariant, bool emits) {
    for (uint32_t r = 0; r < of.rings; ++r) {
      uint32_t actor = plan.rings[of.firstRing + r];
      bool isCarry = region.actors[actor].kind == Kind::Carry;
      step(TimedStep::Fire,
           firing(actor, isCarry ? carry : invariant, emits ? ~0u : 0u));
    }
  };
  auto splits = [&](uint32_t lane) {
    for (uint32_t s = 0; s < of.splits; ++s)
      step(TimedStep::Fire,
           firing(plan.splits[of.firstSplit + s], ~0u, 1u << lane));
  };
  for (uint32_t r = 0; r < of.rings; ++r)
    memory = replay.ringValues.push(
                 region.actors[plan.rings[of.firstRing + r]].firstResult) &&
             memory;
  rings(2, 2, true);
  auto word = [&](TimedStep::Kind kind) {
    uint32_t at = step(kind, of.headPhase, number);
    if (memory)
      replay.steps[at].target = of.bodyPhase;
  };
  word(TimedStep::Enter);
  uint32_t boundary = step(TimedStep::Boundary, 0, number);
  if (counted) {
    if (!of.plain)
      word(TimedStep::Go);
    // By (first, goes on): the phase is result 1, the induction variable 0.
    uint32_t first = firing(of.stream, ~0u, 2);
    firing(of.stream, ~0u, 3);
    firing(of.stream, 0, 2);
    firing(of.stream, 0, 3);
    step(TimedStep::Stream, first, number);
  }
  block(of.head);
  if (!counted && !of.plain)
    word(TimedStep::Go);
  uint32_t test = step(TimedStep::Test, 0, number);
  splits(1);
  block(of.body);
  rings(5, 1, true);
  uint32_t again = step(TimedStep::Again, 0, number);
  if (!memory)
    return;
  replay.steps[again].target = boundary;
  replay.steps[test].target = here();
  splits(0);
  rings(1, 1, false);
  timed.firstStep = boundary;
  timed.lastStep = step(TimedStep::Leave, 0, number);
}

/// The first firing of every actor in an iteration, in order.
bool Timer::boundSteps(uint32_t number, Vec<uint8_t> &seen) {
  TimedLoop &loop = replay.loops[number];
  loop.firstBound = static_cast<uint32_t>(replay.bounds.size);
  uint32_t actors = static_cast<uint32_t>(region.actors.size);
  if (!seen.assignZero(actors))
    return false;
  auto add = [&](const Firing &of, uint32_t ins, bool mux) {
    BoundStep made = {of.actor, static_cast<uint32_t>(replay.boundValues.size),
                      static_cast<uint16_t>(ins),
                      static_cast<uint16_t>(of.mades), mux};
    memory = memory && ins < 65536 && of.mades < 65536;
    if (mux) {
      const ActorInfo &info = region.actors[replay.actorAt[of.actor]];
      made.ins = info.numOperands;
      for (uint32_t k = 0; k < info.numOperands; ++k)
        memory =
            replay.boundValues.push(region.operands[info.firstOperand + k]) &&
            memory;
    } else {
      for (uint32_t i = 0; i < ins; ++i)
        memory =
            replay.boundValues.push(replay.ins[of.firstIn + i].value) && memory;
    }
    for (uint32_t i = 0; i < of.mades; ++i)
      memory = replay.boundValues.push(replay.made[of.firstMade + i]) && memory;
    memory = replay.bounds.push(made) && memory;
  };
  for (uint32_t s = loop.firstStep; s < loop.lastStep && memory; ++s) {
    const TimedStep &at = replay.steps[s];
    if (at.kind == TimedStep::FireLane) {
      bool mux =
          region.actors[replay.actorAt[replay.firings[at.a].actor]].kind ==
          Kind::Mux;
      for (uint32_t k = 0; k < (mux ? 1 : replay.laneCounts[at.b]); ++k)
        add(replay.firings[at.a + k], replay.firings[at.a + k].ins, mux);
    } else if (at.kind == TimedStep::Stream) {
      // A stream inside starts anew; this loop's own goes on.
      const Firing &of = replay.firings[at.a + (at.b == number ? 3 : 1)];
      add(of, of.ins, false);
    } else if (at.kind == TimedStep::Fire) {
      const Firing &of = replay.firings[at.a];
      uint32_t actor = replay.actorAt[of.actor];
      Kind kind = region.actors[actor].kind;
      bool ring = kind == Kind::Carry || kind == Kind::Invariant;
      if (ring && seen[actor])
        continue;
      seen[actor] = 1;
      // The last firing of this loop's rings waits for the phase only.
      bool own = ring && loopOfActor(actor) == number;
      Firing alone = of;
      if (own)
        alone.mades = 0;
      add(alone, own ? 1 : of.ins, false);
    }
  }
  loop.lastBound = static_cast<uint32_t>(replay.bounds.size);
  return memory;
}

} // namespace

bool Replay::build(const LoadedRegion &region, const Plan &plan,
                   const RegionTiming &timing) {
  if (timing.costs.size != region.actors.size || contends(region, timing) ||
      plan.loops.size > 4096)
    return false;
  Timer timer = {*this, region, plan, timing, {}, {}, {}, {}};
  bool good = timer.order() && timer.makeEdges();
  uint32_t actors = static_cast<uint32_t>(region.actors.size);
  good = good && fired.assignZero(actors) && latency.assignZero(actors) &&
         interval.assignZero(actors) && arrival.assignZero(region.values) &&
         lanes.assignZero(plan.selections.size) &&
         phaseCounts.assignZero(plan.phases.size) &&
         laneCounts.assignZero(plan.selections.size);
  if (good) {
    for (uint32_t a = 0; a < actors; ++a) {
      latency[positions[a]] = timing.costs[a].latency;
      interval[positions[a]] = timing.costs[a].interval;
    }
    for (size_t s = 0; s < plan.selections.size; ++s)
      laneCounts[s] = plan.selections[s].lanes;
    timer.block(plan.root);
    timer.step(TimedStep::End);
    for (uint32_t value : region.outputs)
      timer.memory = sinks.push(value) && timer.memory;
    for (uint32_t value : region.completes)
      timer.memory = sinks.push(value) && timer.memory;
    good = timer.memory;
  }
  Vec<uint8_t> seen;
  for (uint32_t l = 0; l < loops.size && good; ++l)
    good = timer.boundSteps(l, seen);
  seen.release();
  good = good && boundOf.assignZero(region.values) &&
         ready.assignZero(actors) && soonest.assignZero(actors);
  // The width of the loops' states.
  for (TimedLoop &loop : loops) {
    if (!good)
      break;
    size_t width = loop.lastActor - loop.firstActor + loop.rings;
    for (uint32_t e = loop.firstEdge; e < loop.lastEdge; ++e)
      width += edges[e].capacity;
    loop.memo.width = static_cast<uint32_t>(width);
    loop.memo.off = width > 20000;
    loop.memo.patience = loop.memo.off ? 0 : Memo::firstPatience;
  }
  timer.edgeOf.release();
  timer.firstUse.release();
  timer.useList.release();
  timer.depth.release();
  return good;
}

void Replay::release() {
  for (TimedLoop &loop : loops)
    loop.memo.release();
  steps.release();
  laneTargets.release();
  firings.release();
  ins.release();
  outs.release();
  made.release();
  positions.release();
  actorAt.release();
  fired.release();
  latency.release();
  interval.release();
  arrival.release();
  edges.release();
  history.release();
  lanes.release();
  laneCounts.release();
  loops.release();
  ringValues.release();
  sinks.release();
  bounds.release();
  boundValues.release();
  boundOf.release();
  ready.release();
  soonest.release();
  phaseCounts.release();
}

} // namespace loom::rt
