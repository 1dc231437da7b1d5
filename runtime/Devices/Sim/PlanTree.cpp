// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From phases to a tree of blocks. Within the launch, a head and a body the
// actors are put in the order of their tokens. What waits only for what came
// before is ready; everything ready in a phase is taken before a lane of one of
// its selections is entered, and a lane is left when nothing is ready in it. A
// selection is entered again when its lanes wait for what follows it.

#include "Devices/Sim/Plan.h"

namespace loom::rt {

namespace {

/// What is ordered: actors, loops, and the ends of mux lanes.
struct Scheduler {
  Plan &plan;
  const LoadedRegion &region;
  uint32_t firstLoop = 0;
  uint32_t firstMove = 0;
  uint32_t atoms = 0;
  Vec<uint32_t> moveActor; // by move
  Vec<uint32_t> moveOf;    // first move of a mux, by actor
  Vec<uint32_t> waits;     // atoms it still waits for
  Vec<uint32_t> phaseOfAtom;
  Vec<uint32_t> firstEdge; // atoms that wait for an atom
  Vec<uint32_t> edges;
  Vec<uint32_t> from, to;             // while collecting edges
  Vec<uint32_t> next;                 // in the ready list of its phase
  Vec<uint32_t> readyHead, readyTail; // by phase
  Vec<uint32_t> nextSelection, selHead, selTail;
  Vec<uint8_t> selListed, announced;
  uint32_t emitted = 0;
  bool memory = true;

  Scheduler(Plan &plan, const LoadedRegion &region)
      : plan(plan), region(region) {}

  bool isRing(Kind kind) const {
    return kind == Kind::Carry || kind == Kind::Invariant;
  }

  /// The atom that a value comes from; `nothing` when it is there when its
  /// phase begins.
  uint32_t source(uint32_t value) const {
    uint32_t actor = plan.producer[value];
    if (actor == nothing)
      return nothing;
    const ActorInfo &info = region.actors[actor];
    if (isRing(info.kind) || info.kind == Kind::Stream)
      return nothing;
    if (info.kind == Kind::Demux) {
      uint32_t loop = plan.loopOfSplit(region, actor);
      if (loop != nothing)
        return value == info.firstResult ? firstLoop + loop : nothing;
    }
    return actor;
  }

  void edge(uint32_t value, uint32_t atom) {
    uint32_t before = source(value);
    if (before != nothing)
      memory = from.push(before) && to.push(atom) && memory;
  }

  void collect();
  bool sortEdges();
  void makeReady(uint32_t atom);
  bool hasReady(uint32_t phase) const {
    return readyHead[phase] != nothing || selHead[phase] != nothing;
  }
  void announce(uint32_t selection, Vec<Node> &out);
  void take(uint32_t atom, Vec<Node> &out, uint32_t &firings);
  uint32_t block(uint32_t phase, uint32_t extraFirings);
  bool run(const char *&why);
  void release();
};

void Scheduler::collect() {
  for (uint32_t a = 0; a < region.actors.size; ++a) {
    const ActorInfo &info = region.actors[a];
    auto operand = [&](uint32_t k) {
      return region.operands[info.firstOperand + k];
    };
    switch (info.kind) {
    case Kind::Stream: {
      uint32_t loop = plan.phases[plan.phaseOf[info.firstResult]].key;
      for (uint32_t k = 0; k < 3; ++k)
        edge(operand(k), firstLoop + loop);
      break;
    }
    case Kind::Carry:
    case Kind::Invariant:
      edge(operand(1),
           firstLoop + plan.phases[plan.phaseOf[info.firstResult]].key);
      break;
    case Kind::Mux:
      edge(operand(0), a);
      for (uint32_t k = 1; k < info.numOperands; ++k) {
        uint32_t move = moveOf[a] + k - 1;
        edge(operand(k), move);
        memory = from.push(move) && to.push(a) && memory;
      }
      break;
    case Kind::Demux:
      if (plan.loopOfSplit(region, a) != nothing)
        break;
      [[fallthrough]];
    default:
      for (uint32_t k = 0; k < info.numOperands; ++k)
        edge(operand(k), a);
    }
  }
}

bool Scheduler::sortEdges() {
  if (!firstEdge.assignZero(size_t(atoms) + 2) || !edges.assignZero(from.size))
    return false;
  for (uint32_t before : from)
    ++firstEdge[before + 2];
  for (uint32_t a = 0; a < atoms; ++a)
    firstEdge[a + 2] += firstEdge[a + 1];
  for (size_t i = 0; i < from.size; ++i) {
    edges[firstEdge[from[i] + 1]++] = to[i];
    ++waits[to[i]];
  }
  return true;
}

void Scheduler::makeReady(uint32_t atom) {
  uint32_t phase = phaseOfAtom[atom];
  next[atom] = nothing;
  if (readyHead[phase] == nothing)
    readyHead[phase] = atom;
  else
    next[readyTail[phase]] = atom;
  readyTail[phase] = atom;
  while (plan.phases[phase].kind == Phase::Lane) {
    uint32_t selection = plan.phases[phase].key;
    phase = plan.selections[selection].phase;
    if (selListed[selection])
      continue;
    selListed[selection] = 1;
    nextSelection[selection] = nothing;
    if (selHead[phase] == nothing)
      selHead[phase] = selection;
    else
      nextSelection[selTail[phase]] = selection;
    selTail[phase] = selection;
  }
}

void Scheduler::announce(uint32_t selection, Vec<Node> &out) {
  if (announced[selection])
    return;
  announced[selection] = 1;
  memory = out.push({Node::Lane, selection, 0}) && memory;
}

void Scheduler::take(uint32_t atom, Vec<Node> &out, uint32_t &firings) {
  ++emitted;
  if (atom >= firstMove) {
    uint32_t actor = moveActor[atom - firstMove];
    memory = out.push({Node::Move, actor,
                       atom - firstMove - moveOf[actor] + firstMove}) &&
             memory;
  } else if (atom >= firstLoop) {
    firings += plan.loops[atom - firstLoop].rings;
    memory = out.push({Node::Loop, atom - firstLoop, 0}) && memory;
  } else {
    Kind kind = region.actors[atom].kind;
    if (kind == Kind::Demux || kind == Kind::Mux)
      announce(plan.selectionOf(region, atom), out);
    ++firings;
    memory = out.push({Node::Fire, atom, 0}) && memory;
  }
  for (uint32_t e = firstEdge[atom]; e < firstEdge[atom + 1]; ++e)
    if (--waits[edges[e]] == 0)
      makeReady(edges[e]);
}

uint32_t Scheduler::block(uint32_t phase, uint32_t extraFirings) {
  Vec<Node> out;
  uint32_t firings = extraFirings;
  while (memory) {
    while (readyHead[phase] != nothing) {
      uint32_t atom = readyHead[phase];
      readyHead[phase] = next[atom];
      take(atom, out, firings);
    }
    uint32_t selection = selHead[phase];
    if (selection == nothing)
      break;
    selHead[phase] = nextSelection[selection];
    selListed[selection] = 0;
    announce(selection, out);
    const Selection of = plan.selections[selection];
    Vec<uint32_t> lanes;
    for (uint32_t k = 0; k < of.lanes; ++k) {
      uint32_t lane = of.firstLane + k;
      memory = lanes.push(hasReady(lane) ? block(lane, 0) : nothing) && memory;
    }
    uint32_t first = static_cast<uint32_t>(plan.blockLists.size);
    for (uint32_t lane : lanes)
      memory = plan.blockLists.push(lane) && memory;
    lanes.release();
    memory = plan.branches.push({selection, first}) &&
             out.push({Node::Branch,
                       static_cast<uint32_t>(plan.branches.size - 1), 0}) &&
             memory;
  }
  PlanBlock made = {static_cast<uint32_t>(plan.nodes.size),
                    static_cast<uint32_t>(out.size), firings};
  for (const Node &node : out)
    memory = plan.nodes.push(node) && memory;
  out.release();
  memory = plan.blocks.push(made) && memory;
  return static_cast<uint32_t>(plan.blocks.size - 1);
}

bool Scheduler::run(const char *&why) {
  why = "no memory";
  uint32_t actors = static_cast<uint32_t>(region.actors.size);
  firstLoop = actors;
  firstMove = firstLoop + static_cast<uint32_t>(plan.loops.size);
  if (!moveOf.assignZero(actors))
    return false;
  for (uint32_t a = 0; a < actors; ++a)
    if (region.actors[a].kind == Kind::Mux) {
      moveOf[a] = firstMove + static_cast<uint32_t>(moveActor.size);
      for (uint32_t k = 1; k < region.actors[a].numOperands; ++k)
        if (!moveActor.push(a))
          return false;
    }
  atoms = firstMove + static_cast<uint32_t>(moveActor.size);
  size_t phases = plan.phases.size, selections = plan.selections.size;
  if (!waits.assignZero(atoms) || !next.assignZero(atoms) ||
      !phaseOfAtom.assignZero(atoms) || !readyHead.assignZero(phases) ||
      !readyTail.assignZero(phases) || !selHead.assignZero(phases) ||
      !selTail.assignZero(phases) || !nextSelection.assignZero(selections) ||
      !selListed.assignZero(selections) || !announced.assignZero(selections) ||
      !plan.phaseOfActor.assignZero(actors))
    return false;
  for (size_t p = 0; p < phases; ++p)
    readyHead[p] = selHead[p] = nothing;

  // Where everything is.
  uint32_t others = 0; // actors that are no atoms
  for (PlanLoop &loop : plan.loops)
    loop.rings = loop.splits = 0;
  Vec<uint32_t> loopOfActor;
  if (!loopOfActor.assignZero(actors))
    return false;
  for (uint32_t a = 0; a < actors; ++a) {
    const ActorInfo &info = region.actors[a];
    loopOfActor[a] = nothing;
    uint32_t phase = plan.phaseOf[region.operands[info.firstOperand]];
    if (isRing(info.kind) || info.kind == Kind::Stream) {
      phase =
          plan.phaseOf[info.firstResult + (info.kind == Kind::Stream ? 1 : 0)];
      loopOfActor[a] = plan.phases[phase].key;
      plan.loops[loopOfActor[a]].rings += isRing(info.kind);
    } else if (info.kind == Kind::Demux) {
      uint32_t loop = plan.loopOfSplit(region, a);
      loopOfActor[a] = loop;
      if (loop != nothing)
        ++plan.loops[loop].splits;
    }
    plan.phaseOfActor[a] = phaseOfAtom[a] = phase;
    others += loopOfActor[a] != nothing;
  }
  uint32_t ringsBefore = 0, splitsBefore = 0;
  for (PlanLoop &loop : plan.loops) {
    loop.firstRing = ringsBefore;
    loop.firstSplit = splitsBefore;
    ringsBefore += loop.rings;
    splitsBefore += loop.splits;
    loop.rings = loop.splits = 0;
  }
  bool good = plan.rings.assignZero(ringsBefore) &&
              plan.splits.assignZero(splitsBefore);
  for (uint32_t a = 0; a < actors && good; ++a) {
    if (loopOfActor[a] == nothing)
      continue;
    PlanLoop &loop = plan.loops[loopOfActor[a]];
    if (isRing(region.actors[a].kind))
      plan.rings[loop.firstRing + loop.rings++] = a;
    else if (region.actors[a].kind == Kind::Demux)
      plan.splits[loop.firstSplit + loop.splits++] = a;
  }
  for (const PlanLoop &loop : plan.loops)
    if (loop.rings > maxPlanRings) {
      why = "a loop carries too much";
      good = false;
    }
  if (!good) {
    loopOfActor.release();
    return false;
  }
  for (uint32_t l = 0; l < plan.loops.size; ++l) {
    PlanLoop &loop = plan.loops[l];
    phaseOfAtom[firstLoop + l] = loop.parent;
    loop.outer = nothing;
    for (uint32_t p = loop.parent; p != 0; p = plan.phases[p].parent)
      if (plan.phases[p].kind != Phase::Lane) {
        loop.outer = plan.phases[p].key;
        break;
      }
    loop.plain = true;
  }
  for (const PlanLoop &loop : plan.loops)
    if (loop.outer != nothing)
      plan.loops[loop.outer].plain = false;
  for (const Selection &selection : plan.selections)
    for (uint32_t p = selection.phase; p != 0; p = plan.phases[p].parent)
      if (plan.phases[p].kind != Phase::Lane) {
        plan.loops[plan.phases[p].key].plain = false;
        break;
      }
  for (uint32_t m = 0; m < moveActor.size; ++m) {
    uint32_t actor = moveActor[m];
    uint32_t lane = firstMove + m - moveOf[actor];
    phaseOfAtom[firstMove + m] =
        plan.phaseOf[region.operands[region.actors[actor].firstOperand + 1 +
                                     lane]];
  }
  collect();
  if (!memory || !sortEdges()) {
    loopOfActor.release();
    return false;
  }
  uint32_t wanted = atoms - others;
  for (uint32_t atom = 0; atom < atoms; ++atom)
    if (waits[atom] == 0 && (atom >= actors || loopOfActor[atom] == nothing))
      makeReady(atom);
  loopOfActor.release();

  plan.root = block(0, 0);
  for (PlanLoop &loop : plan.loops) {
    uint32_t extra = loop.rings + loop.splits + (loop.stream != nothing);
    loop.head = block(loop.headPhase, extra);
    loop.body = block(loop.bodyPhase, 0);
  }
  if (!memory)
    return false;
  if (emitted != wanted) {
    why = "actors wait for each other";
    return false;
  }
  why = "";
  return true;
}

void Scheduler::release() {
  Vec<uint32_t> *lists[] = {&moveActor, &moveOf,       &waits,     &phaseOfAtom,
                            &firstEdge, &edges,        &from,      &to,
                            &next,      &readyHead,    &readyTail, &selHead,
                            &selTail,   &nextSelection};
  for (Vec<uint32_t> *list : lists)
    list->release();
  selListed.release();
  announced.release();
}

} // namespace

bool Plan::buildTree(const LoadedRegion &region, const char *&why) {
  Scheduler scheduler(*this, region);
  bool good = scheduler.run(why);
  scheduler.release();
  return good;
}

} // namespace loom::rt
