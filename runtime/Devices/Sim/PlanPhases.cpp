// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phases of a graph, inferred forwards from the launch and then compared
// with the rules of every actor.

#include "Devices/Sim/Chains.h"

namespace loom::rt {

bool Plan::findOrigins(const LoadedRegion &region, const char *&why) {
  why = "no memory";
  if (!producer.assignZero(region.values) || !origins.assignZero(region.values))
    return false;
  for (uint32_t v = 0; v < region.values; ++v) {
    producer[v] = nothing;
    origins[v] = v;
  }
  for (uint32_t a = 0; a < region.actors.size; ++a)
    for (uint32_t r = 0; r < region.actors[a].numResults; ++r) {
      uint32_t value = region.actors[a].firstResult + r;
      producer[value] = a;
      if (region.actors[a].kind == Kind::Sync)
        origins[value] = nothing;
    }
  why = "syncs wait for each other, or no memory";
  return followChains(origins, steps, [&](uint32_t value) {
    const ActorInfo &info = region.actors[producer[value]];
    return region.operands[info.firstOperand + value - info.firstResult];
  });
}

namespace {

/// Working state of the inference.
struct Inference {
  Plan &plan;
  const LoadedRegion &region;
  const char *&why;
  Vec<uint32_t> loopOf;      // by selector value
  Vec<uint32_t> selectionOf; // by selector value
  Vec<uint8_t> isLoopSelector;
  Vec<uint32_t> firstUser; // users of a value: [firstUser[v], firstUser[v+1])
  Vec<uint32_t> users;
  Vec<uint32_t> work;         // stack of actors
  Vec<uint32_t> firstWaiting; // splits met before their loop, by selector
  Vec<uint32_t> nextWaiting;  // by actor
  Vec<uint8_t> listed;
  bool memory = true;

  bool fail(const char *text) {
    why = text;
    return false;
  }

  uint32_t operand(const ActorInfo &info, uint32_t k) const {
    return region.operands[info.firstOperand + k];
  }
  uint32_t phase(const ActorInfo &info, uint32_t k) const {
    return plan.phaseOf[operand(info, k)];
  }

  uint32_t addPhase(Phase::Kind kind, uint32_t parent, uint32_t key,
                    uint32_t lane) {
    Phase added = {kind, parent, key, lane, plan.phases[parent].depth + 1};
    memory = plan.phases.push(added) && memory;
    return static_cast<uint32_t>(plan.phases.size - 1);
  }

  /// The loop whose phase is `selector`, in `parent`.
  uint32_t loop(uint32_t selector, uint32_t parent) {
    uint32_t &at = loopOf[selector];
    if (at != nothing)
      return at;
    PlanLoop added = {};
    added.parent = parent;
    added.selector = selector;
    added.stream = nothing;
    uint32_t number = static_cast<uint32_t>(plan.loops.size);
    added.headPhase = addPhase(Phase::Head, parent, number, 0);
    added.bodyPhase = addPhase(Phase::Body, parent, number, 0);
    memory = plan.loops.push(added) && memory;
    for (uint32_t a = firstWaiting[selector]; a != nothing; a = nextWaiting[a])
      enqueue(a);
    firstWaiting[selector] = nothing;
    return at = number;
  }

  /// A split that was met before its loop.
  void wait(uint32_t actor, uint32_t selector) {
    if (nextWaiting[actor] != actor) // listed already
      return;
    nextWaiting[actor] = firstWaiting[selector];
    firstWaiting[selector] = actor;
  }

  uint32_t selection(uint32_t selector, uint32_t inPhase, uint32_t lanes) {
    uint32_t &at = selectionOf[selector];
    if (at != nothing)
      return at;
    Selection added = {inPhase, selector, lanes, 0};
    uint32_t number = static_cast<uint32_t>(plan.selections.size);
    added.firstLane = static_cast<uint32_t>(plan.phases.size);
    for (uint32_t k = 0; k < lanes; ++k)
      addPhase(Phase::Lane, inPhase, number, k);
    memory = plan.selections.push(added) && memory;
    return at = number;
  }

  void enqueue(uint32_t actor) {
    if (listed[actor])
      return;
    listed[actor] = 1;
    memory = work.push(actor) && memory;
  }

  void give(uint32_t value, uint32_t phase) {
    if (plan.phaseOf[value] != nothing)
      return;
    plan.phaseOf[value] = phase;
    for (uint32_t u = firstUser[value]; u < firstUser[value + 1]; ++u)
      enqueue(users[u]);
  }

  bool listUsers() {
    if (!firstUser.assignZero(size_t(region.values) + 2) ||
        !users.assignZero(region.operands.size))
      return false;
    for (uint32_t value : region.operands)
      ++firstUser[value + 2];
    for (uint32_t v = 0; v < region.values; ++v)
      firstUser[v + 2] += firstUser[v + 1];
    for (uint32_t a = 0; a < region.actors.size; ++a) {
      const ActorInfo &info = region.actors[a];
      for (uint32_t k = 0; k < info.numOperands; ++k)
        users[firstUser[operand(info, k) + 1]++] = a;
    }
    return true;
  }

  void visit(uint32_t actor);
  bool run();
  void release() {
    loopOf.release();
    selectionOf.release();
    isLoopSelector.release();
    firstUser.release();
    users.release();
    work.release();
    firstWaiting.release();
    nextWaiting.release();
    listed.release();
  }
};

void Inference::visit(uint32_t actor) {
  const ActorInfo &info = region.actors[actor];
  switch (info.kind) {
  case Kind::Stream: {
    uint32_t in = nothing;
    for (uint32_t k = 0; k < 3 && in == nothing; ++k)
      in = phase(info, k);
    if (in == nothing)
      return;
    uint32_t selector = info.firstResult + 1;
    uint32_t number = loop(selector, in);
    plan.loops[number].stream = actor;
    give(info.firstResult, plan.loops[number].bodyPhase);
    give(selector, plan.loops[number].headPhase);
    return;
  }
  case Kind::Carry:
  case Kind::Invariant: {
    uint32_t in = phase(info, 1);
    if (in == nothing)
      return;
    uint32_t number = loop(plan.origin(operand(info, 0)), in);
    give(info.firstResult, plan.loops[number].headPhase);
    return;
  }
  case Kind::Demux: {
    uint32_t selector = plan.origin(operand(info, 0));
    if (isLoopSelector[selector]) {
      // The loop is made by its stream or its rings.
      if (loopOf[selector] == nothing)
        return wait(actor, selector);
      const PlanLoop &of = plan.loops[loopOf[selector]];
      give(info.firstResult, of.parent);
      if (info.numResults > 1)
        give(info.firstResult + 1, of.bodyPhase);
      return;
    }
    uint32_t in = phase(info, 1) != nothing ? phase(info, 1) : phase(info, 0);
    if (in == nothing)
      return;
    uint32_t number = selection(selector, in, info.numResults);
    for (uint32_t k = 0; k < info.numResults; ++k)
      if (k < plan.selections[number].lanes)
        give(info.firstResult + k, plan.selections[number].firstLane + k);
    return;
  }
  case Kind::Mux:
    if (phase(info, 0) != nothing)
      give(info.firstResult, phase(info, 0));
    return;
  case Kind::Gate:
    return;
  default:
    for (uint32_t k = 0; k < info.numOperands; ++k) {
      uint32_t in = phase(info, k);
      if (in == nothing)
        continue;
      for (uint32_t r = 0; r < info.numResults; ++r)
        give(info.firstResult + r, in);
      return;
    }
  }
}

bool Inference::run() {
  uint32_t values = region.values;
  if (!loopOf.assignZero(values) || !selectionOf.assignZero(values) ||
      !isLoopSelector.assignZero(values) || !firstWaiting.assignZero(values) ||
      !nextWaiting.assignZero(region.actors.size) ||
      !listed.assignZero(region.actors.size) || !listUsers() ||
      !plan.phaseOf.assignZero(values) ||
      !plan.phases.push({Phase::Root, nothing, nothing, 0, 0}))
    return fail("no memory");
  for (uint32_t v = 0; v < values; ++v)
    loopOf[v] = selectionOf[v] = plan.phaseOf[v] = firstWaiting[v] = nothing;
  for (uint32_t a = 0; a < region.actors.size; ++a)
    nextWaiting[a] = a;
  for (const ActorInfo &info : region.actors) {
    if (info.kind == Kind::Gate)
      return fail("it has a gate");
    if (info.kind == Kind::Carry || info.kind == Kind::Invariant)
      isLoopSelector[plan.origin(operand(info, 0))] = 1;
    if (info.kind == Kind::Stream)
      isLoopSelector[info.firstResult + 1] = 1;
  }
  give(0, 0);
  for (uint32_t i = 0; i < region.inputs.size; ++i)
    give(1 + i, 0);
  while (work.size && memory) {
    uint32_t actor = work[--work.size];
    listed[actor] = 0;
    ++plan.steps;
    visit(actor);
  }
  if (!memory)
    return fail("no memory");
  for (uint32_t v = 0; v < values; ++v)
    if (plan.phaseOf[v] == nothing)
      return fail("a value has no phase");
  for (const Phase &phase : plan.phases)
    if (phase.depth > maxPlanDepth)
      return fail("it is nested too deep");
  return true;
}

} // namespace

uint32_t Plan::loopOfSplit(const LoadedRegion &region, uint32_t actor) const {
  const ActorInfo &info = region.actors[actor];
  const Phase &at = phases[phaseOf[origin(region.operands[info.firstOperand])]];
  if (at.kind != Phase::Head ||
      loops[at.key].selector != origin(region.operands[info.firstOperand]))
    return nothing;
  return at.key;
}

uint32_t Plan::selectionOf(const LoadedRegion &region, uint32_t actor) const {
  const ActorInfo &info = region.actors[actor];
  uint32_t lanePhase = info.kind == Kind::Mux
                           ? phaseOf[region.operands[info.firstOperand + 1]]
                           : phaseOf[info.firstResult];
  return phases[lanePhase].kind == Phase::Lane ? phases[lanePhase].key
                                               : nothing;
}

bool Plan::inferPhases(const LoadedRegion &region, const char *&why) {
  Inference inference = {*this, region, why, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  bool good = inference.run();
  inference.release();
  return good;
}

/// The rules of docs/dataflow.md, operand by operand.
bool Plan::checkPhases(const LoadedRegion &region, const char *&why) const {
  why = "the phases of an actor do not fit";
  for (uint32_t a = 0; a < region.actors.size; ++a) {
    const ActorInfo &info = region.actors[a];
    auto in = [&](uint32_t k) {
      return phaseOf[region.operands[info.firstOperand + k]];
    };
    auto out = [&](uint32_t r) { return phaseOf[info.firstResult + r]; };
    switch (info.kind) {
    case Kind::Stream: {
      if (phases[out(1)].kind != Phase::Head)
        return false;
      const PlanLoop &loop = loops[phases[out(1)].key];
      if (loop.stream != a || out(0) != loop.bodyPhase ||
          in(0) != loop.parent || in(1) != loop.parent || in(2) != loop.parent)
        return false;
      break;
    }
    case Kind::Carry:
    case Kind::Invariant: {
      if (phases[out(0)].kind != Phase::Head)
        return false;
      const PlanLoop &loop = loops[phases[out(0)].key];
      if (in(0) != out(0) || in(1) != loop.parent ||
          origin(region.operands[info.firstOperand]) != loop.selector ||
          (info.kind == Kind::Carry && in(2) != loop.bodyPhase))
        return false;
      break;
    }
    case Kind::Demux: {
      if (in(0) != in(1))
        return false;
      uint32_t number = loopOfSplit(region, a);
      if (number != nothing) {
        if (info.numResults != 2 || out(0) != loops[number].parent ||
            out(1) != loops[number].bodyPhase)
          return false;
        break;
      }
      number = selectionOf(region, a);
      if (number == nothing || selections[number].phase != in(0) ||
          selections[number].lanes != info.numResults ||
          selections[number].selector !=
              origin(region.operands[info.firstOperand]))
        return false;
      for (uint32_t k = 0; k < info.numResults; ++k)
        if (out(k) != selections[number].firstLane + k)
          return false;
      break;
    }
    case Kind::Mux: {
      uint32_t number = selectionOf(region, a);
      if (number == nothing || selections[number].phase != in(0) ||
          out(0) != in(0) ||
          selections[number].lanes != info.numOperands - 1u ||
          selections[number].selector !=
              origin(region.operands[info.firstOperand]))
        return false;
      for (uint32_t k = 1; k < info.numOperands; ++k)
        if (in(k) != selections[number].firstLane + k - 1)
          return false;
      break;
    }
    case Kind::Gate:
      return false;
    default:
      if (info.numOperands == 0)
        return false;
      for (uint32_t k = 0; k < info.numOperands; ++k)
        if (in(k) != in(0))
          return false;
      for (uint32_t r = 0; r < info.numResults; ++r)
        if (out(r) != in(0))
          return false;
    }
  }
  for (uint32_t value : region.outputs)
    if (phaseOf[value] != 0)
      return false;
  for (uint32_t value : region.completes)
    if (phaseOf[value] != 0)
      return false;
  for (const PlanLoop &loop : loops)
    if (phaseOf[loop.selector] != loop.headPhase)
      return false;
  why = "";
  return true;
}

bool Plan::build(const LoadedRegion &region, const char *&why) {
  return findOrigins(region, why) && inferPhases(region, why) &&
         checkPhases(region, why) && buildTree(region, why);
}

void Plan::release() {
  origins.release();
  producer.release();
  phaseOf.release();
  phaseOfActor.release();
  phases.release();
  selections.release();
  loops.release();
  branches.release();
  blocks.release();
  blockLists.release();
  nodes.release();
  rings.release();
  splits.release();
}

} // namespace loom::rt
