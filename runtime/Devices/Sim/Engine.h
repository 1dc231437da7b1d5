// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The token engine. Every use of a value has its own FIFO of 8-byte tokens
// (control tokens are only counted); actors are visited in a static order and
// fire as often as their tokens allow. FIFO capacity steers the schedule and
// nothing else: when everything is blocked on a full FIFO, it grows.

#ifndef LOOM_RUNTIME_DEVICES_SIM_ENGINE_H
#define LOOM_RUNTIME_DEVICES_SIM_ENGINE_H

#include "Core/Error.h"
#include "Core/Options.h"
#include "Devices/Device.h"
#include "Devices/Sim/Timing.h"
#include "Devices/Sim/Watch.h"
#include "Image/Region.h"

namespace loom::rt {

/// The ring of one use. head and tail run freely and are masked on access;
/// `data` is null for control tokens.
struct Queue {
  uint64_t *data;
  uint32_t head;
  uint32_t tail;
  uint32_t mask; // capacity - 1
  uint32_t reserved;
  uint32_t size() const { return tail - head; }
  uint32_t room() const { return mask + 1 - (tail - head); }
  uint64_t front() const { return data[head & mask]; }
};

/// What a visit does. Control actors, then one code per computation and type.
enum class Code : uint16_t {
  Constant,
  Sync,
  Mux,
  MuxControl,
  Demux,
  DemuxControl,
  Stream,
  Carry,
  CarryControl,
  Invariant,
  InvariantControl,
  Gate,
  GateControl,
  Load,
  Store,
#define LOOM_VALUE(name, operands, expression) name,
#define LOOM_DIVISION(name, isSigned, expression) name,
#include "Devices/Sim/Operations.def"
  CmpI,
  // F32 codes; the F64 code of each follows at + floatCodes.
  CmpF,
#define LOOM_FLOAT(name, operands, expression) name,
#define LOOM_SIGN(name, operands, expression) name,
#include "Devices/Sim/Operations.def"
  EndF32,
};
constexpr uint16_t firstFloatCode = uint16_t(Code::CmpF);
constexpr uint16_t floatCodes = uint16_t(Code::EndF32) - firstFloatCode;

struct Actor {
  uint16_t code;
  uint8_t state;     // 0: idle / init
  uint8_t op;        // Stream: step kind, a loom::image::Op
  uint8_t pred;      // CmpI, Stream: arith number; CmpF: outcome set
  uint8_t shift;     // 64 - width of the result's type
  uint8_t width;     // of the result's type
  uint8_t fromShift; // the same for the operand type
  uint8_t fromWidth;
  uint8_t bytes;  // Load/Store
  uint16_t lanes; // Sync, Mux, Demux
  uint32_t in[3]; // queues; Sync and Mux: in[0] indexes Engine::lists
  uint32_t ob[2]; // queues of result 0 and 1: [ob, oe)
  uint32_t oe[2];
  uint32_t firstResult;
  uint32_t slot;  // Load/Store: slot of the base, noMemory: none
  uint64_t mask;  // of the result's type
  uint64_t value; // Constant; Stream: current; Invariant: kept
  uint64_t limit; // Stream
  uint64_t step;  // Stream
  uint64_t base;  // Load/Store: base in this launch
  uint64_t lo;    // Load/Store: first legal address operand...
  uint64_t span;  // ...and the greatest legal distance from it
  bool outside;   // Load/Store: no address is legal
};

/// A step of the schedule: an actor, or the begin or end of a loop over steps.
struct Step {
  enum Kind : uint32_t { Visit, Begin, End };
  uint32_t kind;
  uint32_t arg; // Visit: actor; End: number of the step after its Begin
};

struct Fast;        // the compiled planes (Fast.h)
struct UsageModel;  // UsageModel.h
struct EventResult; // EventQueue.h

struct Engine {
  Fast *fast = nullptr; // null until the first launch, or for ever
  bool triedFast = false;
  bool contended = false; // accesses wait for each other: on the event queue
  RegionTiming timing;    // of it
  UsageModel *usage = nullptr; // the same; made when it is first wanted
  TouchedLines touched;        // of a launch whose memory is moved
  Vec<Actor> actors;
  Vec<Queue> queues;
  Vec<uint32_t> uses;    // queues of value v: [uses[v], uses[v + 1])
  Vec<uint32_t> lists;   // operand queues of Sync and Mux
  Vec<uint32_t> outputs; // sink queues
  Vec<uint32_t> completes;
  Vec<Step> schedule;
  Vec<uint64_t> marks;     // firing counts at Begin, by nesting
  Vec<uint32_t> consumers; // actor of a queue, noConsumer for sinks
  Vec<uint32_t> work;      // ring of actors to visit
  Vec<uint8_t> queued;     // is in the ring
  uint32_t workHead = 0, workTail = 0, workCount = 0;
  const ActorInfo *infos = nullptr; // of the region, during a launch
  bool sparse = false;              // visits of a sweep were mostly in vain
  UndoLog *undo = nullptr;
  ReadLog *reads = nullptr;   // of a launch that is being captured
  Overlay *overlay = nullptr; // of a replay
  bool watched = false;       // there is one of the two
  uint64_t tokenBytes = 0;
  bool blocked = false; // something was ready but for a full queue
  Reason fault = Reason::None;
  const char *faultDetail = "";
  int64_t faultActor = -1;
  bool clean = true;
  uint64_t launches = 0;
  bool triedBuild = false, built = false;

  /// What the token engine needs: made at its first launch, since most regions
  /// never have one. False: no memory, now and later.
  bool build(const LoadedRegion &region) {
    if (!triedBuild) {
      triedBuild = true;
      built = makeTokens(region);
    }
    return built;
  }
  void release();
  Outcome run(const LoadedRegion &region, const LaunchContext &context);
  Outcome runTimed(const LoadedRegion &region, const LaunchContext &context);

  /// The token engine, whatever else there is.
  Outcome runTokens(const LoadedRegion &region, const LaunchContext &context);

  /// Cycle by cycle, where accesses share ports or a bandwidth: who goes first
  /// depends on when everybody asks.
  Outcome runQueued(const LoadedRegion &region, const LaunchContext &context);
  bool measureQueued(const LoadedRegion &region, const EventResult &result,
                     Usage &to);

  /// Fires one actor up to `most` times; the number of firings.
  uint32_t visit(uint32_t index, uint32_t most);

  void raise(Reason reason, const char *detail, const Actor &actor) {
    if (fault == Reason::None) {
      fault = reason;
      faultDetail = detail;
      faultActor = &actor - actors.data;
    }
  }

private:
  bool makeTokens(const LoadedRegion &region);
  bool inject(const LoadedRegion &region, const LaunchContext &context);
  void sweep(uint64_t budget, uint64_t &fired);
  void follow(uint64_t budget, uint64_t &fired);
  void enqueue(uint32_t actor);
  void wander(uint64_t budget, uint64_t &fired, uint64_t seed);
  bool growFullQueues();
  Outcome retire(const LoadedRegion &region, const LaunchContext &context);
  void reset();
};

/// Orders the actors: nested strongly connected components, each repeated until
/// it stalls.
bool buildSchedule(const LoadedRegion &region, Vec<Step> &schedule,
                   uint32_t &depth);

constexpr uint32_t noConsumer = 0xffffffffu;
constexpr uint32_t initialCapacity = 64;
constexpr uint64_t maxTokenBytes = uint64_t(256) << 20;

/// LOOM_SIM_ORDER: set once by the options, or by a test.
struct SimOrder {
  bool random = false;
  uint64_t seed = 1;
};
extern SimOrder simOrder;

/// LOOM_SIM_ENGINE: which engine a launch takes.
extern SimEngine simEngine;

/// LOOM_SIM_TIMING: whether launches are timed.
extern bool simTiming;

} // namespace loom::rt

#endif
