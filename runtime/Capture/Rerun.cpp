// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A replay: recorded bytes in, a run, comparison.

#include "Capture/Rerun.h"
#include "Core/Options.h"
#include "Guard/Guard.h"
#include "Verify/Verify.h"

namespace loom::rt {

const char *rerunRefusalText(RerunRefusal refusal) {
  switch (refusal) {
  case RerunRefusal::None:
    return "";
  case RerunRefusal::Slots:
    return "the region has other launch slots than the capture";
  case RerunRefusal::Outputs:
    return "the region has other outputs than the capture";
  case RerunRefusal::Graph:
    return "the region has no graph for disjoint roots";
  case RerunRefusal::Memory:
    return "no memory";
  }
  return "?";
}

uint64_t rerunBudget(const Capture &capture) {
  constexpr uint64_t most = uint64_t(1) << 33;
  uint64_t firings = capture.head.firings;
  if (firings > most / 16)
    return most;
  return firings * 16 > defaultBudget ? firings * 16 : defaultBudget;
}

static RerunRefusal checkInterface(const Capture &capture,
                                   const LoadedRegion &region) {
  if (capture.slots.size != region.slots.size)
    return RerunRefusal::Slots;
  for (size_t i = 0; i < region.slots.size; ++i)
    if (capture.slots[i].type.type != region.slots[i])
      return RerunRefusal::Slots;
  if (capture.outputs.size != region.outputInfos.size)
    return RerunRefusal::Outputs;
  for (size_t i = 0; i < region.outputInfos.size; ++i)
    if (capture.outputs[i].type != region.outputInfos[i].type ||
        capture.outputs[i].exit != region.outputInfos[i].exit)
      return RerunRefusal::Outputs;
  return RerunRefusal::None;
}

namespace {

struct Replay {
  const Capture &capture;
  const LoadedRegion &region;
  RerunResult result;
  Overlay overlay;
  Vec<uint64_t> in;
  Vec<uint64_t> out;
  bool storesF32 = false;
  bool storesF64 = false;

  bool prepare();
  void run(const RerunRequest &request);
  void compareOutputs();
  void compareLines();
  bool excusedNan(const RecordedLine &record, const OverlayLine &now,
                  unsigned byte) const;
  void release() {
    overlay.release();
    in.release();
    out.release();
  }
};

} // namespace

bool Replay::prepare() {
  if (!in.assignZero(region.slots.size) ||
      !out.assignZero(region.outputInfos.size) ||
      !overlay.lines.reserve(capture.lines.size))
    return false;
  for (size_t i = 0; i < capture.slots.size; ++i)
    in[i] = capture.slots[i].bits;
  for (const RecordedLine &from : capture.lines) {
    OverlayLine line = {from.address, from.known, 0, {}};
    memcpy(line.bytes, from.before, sizeof(line.bytes));
    overlay.lines.push(line);
  }
  for (const ActorInfo &actor : region.actors) {
    if (actor.kind != Kind::Store)
      continue;
    storesF32 |= actor.type == Ty::F32;
    storesF64 |= actor.type == Ty::F64;
  }
  return true;
}

void Replay::run(const RerunRequest &request) {
  UndoLog undo; // stays empty
  LaunchContext context = {in.data, out.data, request.budget, &undo};
  context.overlay = &overlay;
  context.listener = request.listener;
  context.touched = request.touched;
  if (request.timing) {
    result.outcome =
        runEventQueue(region, *request.timing, context, *request.times);
  } else if (Engine *engine = simDevice().prepare(region)) {
    result.outcome = simDevice().run(region, engine, context);
    simDevice().discard(engine);
  } else {
    result.refusal = RerunRefusal::Memory;
  }
  undo.release();
  if (result.outcome.reason == Reason::None &&
      static_cast<uint32_t>(out[0]) == LOOM_RT_DECLINED)
    result.outcome = {Reason::Errno, "a math function reports an error", -1,
                      result.outcome.firings};
}

void Replay::compareOutputs() {
  for (size_t i = 0; i < region.outputInfos.size; ++i) {
    const OutputInfo &info = region.outputInfos[i];
    if (info.exit != -1 && static_cast<uint64_t>(static_cast<uint32_t>(
                               info.exit)) != capture.outputs[0].bits)
      continue;
    uint64_t replayed = out[i] & typeMask(info.type);
    uint64_t recorded = capture.outputs[i].bits;
    if (sameValue(recorded, replayed, info.type.type))
      continue;
    result.difference = {true, static_cast<int64_t>(i), 0, recorded, replayed};
    return;
  }
}

/// Which NaN an operation makes is not defined.
bool Replay::excusedNan(const RecordedLine &record, const OverlayLine &now,
                        unsigned byte) const {
  auto both = [&](unsigned size, Ty type) {
    unsigned start = byte & ~(size - 1);
    uint64_t whole = (size == 8 ? 0xffull : 0xfull) << start;
    if ((record.written & now.written & whole) != whole)
      return false;
    uint64_t a = 0;
    uint64_t b = 0;
    memcpy(&a, record.after + start, size);
    memcpy(&b, now.bytes + start, size);
    return sameValue(a, b, type);
  };
  return (storesF32 && both(4, Ty::F32)) || (storesF64 && both(8, Ty::F64));
}

void Replay::compareLines() {
  for (size_t i = 0; i < capture.lines.size; ++i) {
    const RecordedLine &record = capture.lines[i];
    const OverlayLine &now = overlay.lines[i];
    result.writtenBytes +=
        static_cast<uint64_t>(__builtin_popcountll(now.written));
    for (unsigned b = 0; b < 64 && !result.difference.found; ++b) {
      uint64_t bit = uint64_t(1) << b;
      uint8_t recorded =
          record.written & bit ? record.after[b] : record.before[b];
      if ((record.known & bit) && recorded != now.bytes[b] &&
          !excusedNan(record, now, b))
        result.difference = {true, -1, record.address + b, recorded,
                             now.bytes[b]};
    }
  }
}

RerunResult rerunCapture(const Capture &capture, const LoadedRegion &region,
                         const RerunRequest &request) {
  RerunResult refused;
  refused.refusal = checkInterface(capture, region);
  if (refused.refusal == RerunRefusal::None && request.apart && !region.apart)
    refused.refusal = RerunRefusal::Graph;
  if (refused.refusal != RerunRefusal::None)
    return refused;
  Replay replay = {capture, request.apart ? *region.apart : region, {}, {}, {},
                   {}};
  if (replay.prepare())
    replay.run(request);
  else
    replay.result.refusal = RerunRefusal::Memory;
  if (replay.result.refusal == RerunRefusal::None &&
      replay.result.outcome.reason == Reason::None) {
    replay.compareOutputs();
    replay.compareLines();
  }
  replay.release();
  return replay.result;
}

bool rerunIsApart(const Capture &capture, const LoadedRegion &region) {
  Vec<uint64_t> in;
  for (const CapturedValue &slot : capture.slots)
    in.push(slot.bits);
  // The guard reads slots; other slots are refused by the run.
  bool apart = region.apart && in.size == region.slots.size &&
               evaluateGuard(region, in.data) == GuardVerdict::NoAlias;
  in.release();
  return apart;
}

int64_t rootOfAddress(const Capture &capture, uint64_t address) {
  int64_t best = -1;
  uint64_t bestBase = 0;
  for (size_t m = 0; m < capture.memories.size; ++m) {
    const CaptureMemory &memory = capture.memories[m];
    uint64_t base = capture.slots[memory.slot].bits;
    bool known = memory.flags & MemoryKnown;
    if (known &&
        address - base - static_cast<uint64_t>(memory.lo) <
            static_cast<uint64_t>(memory.hi) - static_cast<uint64_t>(memory.lo))
      return static_cast<int64_t>(m);
    if (known || base > address || base < bestBase)
      continue;
    best = static_cast<int64_t>(m);
    bestBase = base;
  }
  return best;
}

} // namespace loom::rt
