// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a timed launch was limited by, out of the causes that the event queue
// wrote down.

#ifndef LOOM_RUNTIME_DEVICES_SIM_CRITICAL_H
#define LOOM_RUNTIME_DEVICES_SIM_CRITICAL_H

#include "Devices/Sim/EventQueue.h"

namespace loom::rt {

enum class Cause : uint8_t { None, Interval, Arrival, Room, Port, Bandwidth };

/// What an actor waited for longest.
struct CriticalStep {
  uint32_t actor;
  uint32_t other;   // the actor waited for; itself, unless Arrival or Room
  uint32_t edge;    // in WaitLog::edges, of Arrival and Room
  uint32_t cycles;  // from the firing of `other` to that of `actor`
  int64_t distance; // how many firings before
  Wait wait;
  Cause cause;
};

enum class Limit : uint8_t {
  Chain,     // no actor waits for itself: the launch is one chain of actors
  Value,     // a ring of values
  LoadValue, // the same, through memory reads: an address that was loaded
  Memory,    // accesses in their order
  Order,     // a ring of tokens without data: one loop after another
  Queue,     // a full queue
  Interval,  // an actor's own interval
  Port,      // shared ports
  Bandwidth, // that of the memory
};

struct Critical {
  Limit limit = Limit::Chain;
  /// In the order of time: each is waited for by the next, the first by the
  /// last. The actor with the lowest number is the first one, but of a chain
  /// the one that waits for nothing.
  Vec<CriticalStep> steps;
  uint64_t around = 0;   // cycles around the ring, or along the chain
  uint64_t distance = 1; // iterations that start meanwhile
  /// The firings of the actor of the ring that fires least, and the time from
  /// its first to its last one.
  uint64_t iterations = 0;
  uint64_t measured = 0;

  void release() { steps.release(); }
};

/// Starts at the actor that fires most (of these, the one that fires last, of
/// these, the lowest number) and follows what each waited for longest until an
/// actor comes again. False: no memory. `result` is of a complete launch, with
/// waits.
bool findCritical(const LoadedRegion &region, const RegionTiming &timing,
                  const EventResult &result, Critical &critical);

/// The cycles that no schedule can undercut: no actor fires more often than its
/// interval allows, no more accesses than ports, no more bytes than the
/// bandwidth. The last firing counts as one cycle.
struct LowerBound {
  enum By { Actor, Ports, Bandwidth };
  uint64_t cycles = 0;
  uint32_t actor = 0; // with Actor
  By by = Actor;
};
LowerBound lowerBound(const LoadedRegion &region, const RegionTiming &timing,
                      const EventResult &result);

inline bool isAccess(const ActorInfo &actor) {
  return actor.kind == Kind::Load || actor.kind == Kind::Store;
}

} // namespace loom::rt

#endif
