// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recurrences of a graph: what comes back to the `next` or the phase of a
// carry, along a way that every iteration takes. Such a way passes no other
// carry by its `next`: without these edges a graph has no cycle.

#include "Devices/Sim/UsageModel.h"

namespace loom::rt {

namespace {

constexpr int64_t unreached = -1;
constexpr uint64_t mostSteps = 4u << 20; // visits of actors

struct RingFinder {
  const LoadedRegion &region;
  const RegionTiming &timing;
  Vec<uint32_t> order; // actors, producers first
  Vec<uint32_t> place; // by actor
  Vec<uint32_t> last;  // by value: the place of its last consumer
  Vec<int64_t> time;   // by value: earliest arrival, from a firing of the head
  Vec<uint32_t> reached; // values

  uint32_t operand(const ActorInfo &info, uint32_t k) const {
    return region.operands[info.firstOperand + k];
  }
  static bool isHead(const ActorInfo &info) {
    return info.kind == Kind::Carry || info.kind == Kind::Invariant;
  }
  /// Whether the first firing of an activation takes the operand. What a gate
  /// emits is of no use here.
  static bool isForward(const ActorInfo &info, uint32_t k) {
    return info.kind != Kind::Gate && (!isHead(info) || k == 1);
  }

  bool arrange(bool &whole);
  int64_t takes(const ActorInfo &info) const;
  bool around(uint32_t head, uint64_t &steps, uint32_t &cycles);
  void release() {
    order.release();
    place.release();
    last.release();
    time.release();
    reached.release();
  }
};

} // namespace

/// False: no memory. `whole`: every actor has its place.
bool RingFinder::arrange(bool &whole) {
  const size_t actors = region.actors.size;
  Vec<uint32_t> waits, first, users;
  bool good = waits.assignZero(actors) && place.assignZero(actors) &&
              last.assignZero(region.values) &&
              first.assignZero(size_t(region.values) + 2) &&
              users.assignZero(region.operands.size) && order.reserve(actors) &&
              time.assignZero(region.values);
  auto each = [&](auto what) {
    for (uint32_t a = 0; a < actors && good; ++a)
      for (uint32_t k = 0; k < region.actors[a].numOperands; ++k)
        if (isForward(region.actors[a], k))
          what(a, operand(region.actors[a], k));
  };
  each([&](uint32_t, uint32_t value) { ++first[value + 2]; });
  for (uint32_t v = 0; v < region.values && good; ++v)
    first[v + 2] += first[v + 1];
  each([&](uint32_t a, uint32_t value) { users[first[value + 1]++] = a; });
  // What no actor makes is there.
  Vec<uint8_t> made;
  good = good && made.assignZero(region.values);
  for (uint32_t a = 0; a < actors && good; ++a)
    for (uint32_t r = 0; r < region.actors[a].numResults; ++r)
      made[region.actors[a].firstResult + r] = 1;
  each([&](uint32_t a, uint32_t value) { waits[a] += made[value]; });
  for (uint32_t a = 0; a < actors && good; ++a)
    if (waits[a] == 0)
      good = order.push(a);
  for (size_t next = 0; next < order.size && good; ++next) {
    const ActorInfo &info = region.actors[order[next]];
    place[order[next]] = static_cast<uint32_t>(next);
    for (uint32_t v = info.firstResult; v < info.firstResult + info.numResults;
         ++v)
      for (uint32_t u = first[v]; u < first[v + 1] && good; ++u)
        if (--waits[users[u]] == 0)
          good = order.push(users[u]);
  }
  whole = order.size == actors;
  if (whole)
    each([&](uint32_t a, uint32_t value) {
      if (place[a] > last[value])
        last[value] = place[a];
    });
  for (int64_t &t : time)
    t = unreached;
  waits.release();
  first.release();
  users.release();
  made.release();
  return good;
}

/// When the first firing after the head's has its operands; a mux takes the
/// lane that is there first.
int64_t RingFinder::takes(const ActorInfo &info) const {
  if (info.kind == Kind::Mux) {
    int64_t lanes = INT64_MAX;
    for (uint32_t k = 1; k < info.numOperands; ++k) {
      int64_t lane = time[operand(info, k)];
      lanes = lane < lanes ? lane : lanes;
    }
    int64_t selector = time[operand(info, 0)];
    return lanes > selector && lanes != INT64_MAX ? lanes : selector;
  }
  int64_t latest = unreached;
  for (uint32_t k = 0; k < info.numOperands; ++k)
    if (isForward(info, k) && time[operand(info, k)] > latest)
      latest = time[operand(info, k)];
  return latest;
}

bool RingFinder::around(uint32_t head, uint64_t &steps, uint32_t &cycles) {
  uint32_t end = 0; // the last place that something reached is needed at
  bool good = true;
  auto emit = [&](const ActorInfo &info, int64_t at) {
    for (uint32_t v = info.firstResult; v < info.firstResult + info.numResults;
         ++v) {
      time[v] = at;
      good = good && reached.push(v);
      end = last[v] > end ? last[v] : end;
    }
  };
  const ActorInfo &info = region.actors[head];
  emit(info, timing.costs[head].latency);
  for (uint32_t p = place[head] + 1; p <= end && good; ++p, ++steps) {
    int64_t at = takes(region.actors[order[p]]);
    if (at != unreached)
      emit(region.actors[order[p]], at + timing.costs[order[p]].latency);
  }
  int64_t phase = time[operand(info, 0)], next = time[operand(info, 2)];
  int64_t back = next > phase ? next : phase;
  cycles = back > 0 && back < UINT32_MAX ? static_cast<uint32_t>(back) : 0;
  for (uint32_t v : reached)
    time[v] = unreached;
  reached.clear();
  return good;
}

bool findRings(const LoadedRegion &region, const RegionTiming &timing,
               Vec<uint32_t> &cycles) {
  RingFinder finder = {region, timing, {}, {}, {}, {}, {}};
  bool whole = false;
  uint64_t steps = 0;
  bool good = cycles.assignZero(region.actors.size) && finder.arrange(whole);
  for (uint32_t a = 0; a < region.actors.size && good && whole; ++a)
    if (region.actors[a].kind == Kind::Carry && steps < mostSteps)
      good = finder.around(a, steps, cycles[a]);
  finder.release();
  return good;
}

} // namespace loom::rt
