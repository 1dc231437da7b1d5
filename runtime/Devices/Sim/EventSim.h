// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inside of the event queue: edges, actor states and the clock.

#ifndef LOOM_RUNTIME_DEVICES_SIM_EVENTSIM_H
#define LOOM_RUNTIME_DEVICES_SIM_EVENTSIM_H

#include "Devices/Sim/EventQueue.h"

namespace loom::rt {

class EventSim {
public:
  EventSim(const LoadedRegion &region, const RegionTiming &timing,
           const LaunchContext &context, EventResult &result)
      : region(region), timing(timing), context(context), result(result) {}

  bool build();
  Outcome run();
  void release();

private:
  static constexpr uint32_t nobody = 0xffffffffu;
  static constexpr uint64_t unbounded = ~uint64_t(0);
  static constexpr uint64_t maxTokenBytes = uint64_t(256) << 20;

  struct Token {
    uint64_t value;
    uint64_t arrival;
  };

  /// One use of a value. A sink (an output or a completion) keeps its first
  /// token and counts the others.
  struct Edge {
    Token *ring;
    uint64_t slots; // of the ring, a power of two; at least what is in it
    uint64_t pushed;
    uint64_t taken;
    uint64_t lastTaken; // cycle
    uint64_t capacity;
    uint32_t producer; // nobody: the launch
    uint32_t consumer; // nobody: a sink

    /// A place that was left in this cycle is free in the next one.
    bool hasRoom(uint64_t now) const {
      uint64_t held = pushed - taken + (taken != 0 && lastTaken == now);
      return held < capacity;
    }
    const Token *front(uint64_t now) const {
      if (pushed == taken)
        return nullptr;
      const Token *token = &ring[taken & (slots - 1)];
      return token->arrival <= now ? token : nullptr;
    }
    /// Of the first token; there is one.
    uint64_t value() const { return ring[taken & (slots - 1)].value; }
  };

  struct State {
    bool open;      // not in the first state of its token table
    bool listed;    // is in `list`
    bool requests;  // is in `requests`
    uint64_t next;  // earliest cycle of the next firing
    uint64_t woken; // cycle of the last entry in `wakes`
    uint64_t full;  // `fullCycles` when it asked for its access
    uint64_t value; // Stream: current; Invariant: kept
    uint64_t limit; // Stream
    uint64_t step;  // Stream
  };

  /// A row of a token table: the operands [in, in + ins) and perhaps one more
  /// are consumed, the results [out, out + outs) are emitted.
  struct Row {
    uint32_t in;
    uint32_t ins;
    uint32_t extra; // nobody: none
    uint32_t out;
    uint32_t outs;
    bool open; // state after it
  };

  /// Something that happens at a time; the lower number goes first.
  struct Event {
    uint64_t time;
    uint32_t actor;
    bool operator<(const Event &other) const {
      return time != other.time ? time < other.time : actor < other.actor;
    }
  };

  const LoadedRegion &region;
  const RegionTiming &timing;
  const LaunchContext &context;
  EventResult &result;

  Vec<Edge> edges;        // the uses of each value side by side
  Vec<uint32_t> firstUse; // edges of value v: [firstUse[v], firstUse[v + 1])
  Vec<uint32_t> operandEdges; // by actor and operand
  Vec<uint32_t> firstOperand; // in operandEdges, by actor
  Vec<uint32_t> outputs;      // edges
  Vec<uint32_t> completes;    // edges
  Vec<State> states;
  Vec<Event> wakes;    // heap: when to look at an actor again
  Vec<Event> requests; // heap: accesses that wait to be granted, since when
  Vec<uint32_t> list;  // to be looked at in this cycle
  uint64_t now = 0;
  uint64_t memoryFrom = 0; // first cycle after an access with cycles of its own
  uint64_t fullCycles = 0; // in which the bandwidth held an access back
  uint64_t tokenBytes = 0;
  Reason fault = Reason::None;
  const char *detail = "";
  int64_t where = -1;

  // EventBuild.cpp
  bool connect();
  bool inject();

  // EventQueue.cpp
  void raise(Reason reason, const char *text, uint32_t actor);
  static bool insert(Vec<Event> &heap, Event event);
  static Event removeFirst(Vec<Event> &heap);
  void wake(uint32_t actor, uint64_t time);
  void look(uint32_t actor);
  void settle();
  bool fits(uint32_t actor, uint64_t &started);
  void grant();
  bool grow(Edge &edge);
  void push(uint32_t edge, uint64_t value, uint64_t arrival);
  Outcome retire();

  // EventWaits.cpp
  bool prepareWaits();
  void noteWaits(uint32_t actor, const Row &row);
  void noteGrant(uint32_t actor, uint64_t waited);

  // EventFire.cpp
  Edge &operand(uint32_t actor, uint32_t k) {
    return edges[operandEdges[firstOperand[actor] + k]];
  }
  bool decide(uint32_t actor, Row &row);
  bool decideStream(uint32_t actor, Row &row);
  bool tokensArrived(uint32_t actor, const Row &row);
  bool roomFor(uint32_t actor, const Row &row) const;
  bool canFire(uint32_t actor, Row &row);
  void fire(uint32_t actor, const Row &row);
  bool evaluate(uint32_t actor, const Row &row, uint64_t values[2]);
  unsigned address(uint32_t actor, uint64_t &place);
  void take(Edge &edge);
};

/// The value of a computation, or of a step of a stream. False: the host would
/// trap. EventValues.cpp.
bool eventValue(const ActorInfo &info, uint64_t a, uint64_t b, uint64_t c,
                uint64_t &value);

} // namespace loom::rt

#endif
