// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph read back as a loop program. The phase of every value
// (docs/dataflow.md, "Phases") says in which loop and lane an actor fires;
// within a phase the tokens order the actors. What comes out is one legal
// schedule of the network: a tree of blocks, loops and branches. Both planes of
// the simulator run it: the value plane as code (Program.h), the timing plane
// as firings (Replay.h).
//
// A plan is made from a checked image, but nothing is believed: a graph whose
// phases do not fit or whose actors wait for each other has no plan, and the
// token engine runs it.

#ifndef LOOM_RUNTIME_DEVICES_SIM_PLAN_H
#define LOOM_RUNTIME_DEVICES_SIM_PLAN_H

#include "Image/Region.h"

namespace loom::rt {

constexpr uint32_t nothing = 0xffffffffu;

/// A phase: where the tokens of a value are made, and how often.
struct Phase {
  enum Kind : uint8_t { Root, Head, Body, Lane };
  Kind kind;
  uint32_t parent; // phase; `nothing` for Root
  uint32_t key;    // Head, Body: loop; Lane: selection
  uint32_t lane;   // Lane
  uint32_t depth;
};

/// One statement of a block.
struct Node {
  enum Kind : uint8_t {
    Fire,   // index: actor that is strict, or a demux or mux of a selection
    Lane,   // index: selection; its selector is known from here on
    Move,   // index: mux actor, lane: the lane that this is the end of
    Branch, // index: branch
    Loop    // index: loop
  };
  Kind kind;
  uint32_t index;
  uint32_t lane;
};

/// Nodes [first, first + count) of Plan::nodes.
struct PlanBlock {
  uint32_t first;
  uint32_t count;
  uint32_t firings; // of one execution, without those of nested blocks
};

/// Executes the block of the lane that the selection chose.
struct PlanBranch {
  uint32_t selection;
  uint32_t firstBlock; // in Plan::blockLists, one per lane
};

/// A selector and the phase it selects in.
struct Selection {
  uint32_t phase;
  uint32_t selector; // value
  uint32_t lanes;
  uint32_t firstLane; // phases, or `nothing` while nobody uses them
};

struct PlanLoop {
  uint32_t parent;   // phase of an activation
  uint32_t selector; // value: the phase of a stream, or a condition
  uint32_t stream;   // actor, `nothing` when it has none
  uint32_t headPhase;
  uint32_t bodyPhase;
  uint32_t head; // blocks
  uint32_t body;
  uint32_t outer;     // loop around it, `nothing`
  uint32_t firstRing; // in Plan::rings: carries and invariants
  uint32_t rings;
  uint32_t firstSplit; // in Plan::splits: demuxes by the phase
  uint32_t splits;
  bool plain; // neither a selection nor a loop inside
};

struct Plan {
  Vec<uint32_t> origins;      // by value: see origin()
  Vec<uint32_t> producer;     // actor of a value; `nothing`: start or input
  Vec<uint32_t> phaseOf;      // by value
  Vec<uint32_t> phaseOfActor; // where it fires; loop actors: the head
  Vec<Phase> phases;
  Vec<Selection> selections;
  Vec<PlanLoop> loops; // outer before inner
  Vec<PlanBranch> branches;
  Vec<PlanBlock> blocks;
  uint32_t root = nothing; // block of the whole launch
  Vec<uint32_t> blockLists;
  Vec<Node> nodes;
  Vec<uint32_t> rings;
  Vec<uint32_t> splits;
  uint64_t steps = 0; // of the inference, along chains and over actors

  /// False when the graph has no plan or memory runs out; `why` says it.
  bool build(const LoadedRegion &region, const char *&why);
  void release();

  /// The value whose tokens `value` repeats one for one: through syncs.
  uint32_t origin(uint32_t value) const { return origins[value]; }

  /// The loop or selection that a demux splits by.
  uint32_t loopOfSplit(const LoadedRegion &region, uint32_t actor) const;
  uint32_t selectionOf(const LoadedRegion &region, uint32_t actor) const;

private:
  bool findOrigins(const LoadedRegion &region, const char *&why);
  bool inferPhases(const LoadedRegion &region, const char *&why);
  bool checkPhases(const LoadedRegion &region, const char *&why) const;
  bool buildTree(const LoadedRegion &region, const char *&why);
};

constexpr uint32_t maxPlanDepth = 64;
constexpr uint32_t maxPlanRings = 4096; // of a loop: their moves are ordered

} // namespace loom::rt

#endif
