// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Devices/Sim/UsageModel.h"

namespace loom::rt {

const char *boundName(Bound bound) {
  static const char *const names[] = {"memory", "bandwidth", "compute",
                                      "value",  "order",     "control"};
  return names[unsigned(bound)];
}

const char *limitName(const Usage &usage) {
  uint64_t around = usage.launch + usage.transfers;
  uint64_t graph = usage.cycles - around;
  if (around && around >= graph)
    return usage.transfers > usage.launch ? "transfers" : "launch";
  uint64_t greatest = 0;
  for (uint64_t bound : usage.bounds)
    greatest = bound > greatest ? bound : greatest;
  if (greatest < graph - graph / 4)
    return "latency";
  // A ring's head fires once or twice more often than its body: bounds within
  // an eighth are the same.
  for (unsigned b = 0; b < boundKinds; ++b)
    if (usage.bounds[b] >= greatest - greatest / 8)
      return boundName(static_cast<Bound>(b));
  return "latency";
}

static unsigned classOf(const ActorInfo &info) {
  bool access = info.kind == Kind::Load || info.kind == Kind::Store;
  return access ? 0 : info.kind == Kind::Compute ? 1 : 2;
}

static bool isRing(const ActorInfo &info) {
  return info.kind == Kind::Carry || info.kind == Kind::Invariant;
}

namespace {

struct Maker {
  UsageModel &model;
  const LoadedRegion &region;
  const RegionTiming &timing;

  void add(UsageRow &row, uint32_t actor) {
    unsigned kind = classOf(region.actors[actor]);
    uint32_t interval = timing.costs[actor].interval;
    if (interval > row.most[kind])
      row.most[kind] = interval;
    if (kind < 2)
      row.sum[kind] += interval;
    if (kind == 0) {
      MemoryLoad load;
      load.add(typeBytes(region.actors[actor].type), 1, timing.bandwidth);
      row.bytes += load.shared;
      row.own += load.own;
      ++row.accesses;
      if (load.longest > model.longest)
        model.longest = load.longest;
    }
    model.memoryActors += kind == 0;
    model.computeActors += kind == 1;
  }

  bool ring(uint32_t actor, Tally iterations, uint32_t cycles) {
    const ActorInfo &info = region.actors[actor];
    bool data = region.types[info.firstResult].type != Ty::None;
    return cycles == 0 || model.rings.push({iterations, cycles, data});
  }
};

} // namespace

bool UsageModel::byPhase(const LoadedRegion &region, const Plan &plan,
                         const RegionTiming &timing) {
  Maker maker = {*this, region, timing};
  ports = timing.ports;
  bandwidth = timing.bandwidth;
  // A row for each phase, and one for the rings of each head: they fire once
  // more an activation.
  Vec<UsageRow> byPhase, ofRings;
  Vec<uint32_t> cycles;
  bool good = byPhase.assignZero(plan.phases.size) &&
              ofRings.assignZero(plan.loops.size) &&
              findRings(region, timing, cycles);
  for (uint32_t p = 0; p < byPhase.size && good; ++p)
    byPhase[p].tally = {p, nothing};
  for (uint32_t l = 0; l < ofRings.size && good; ++l)
    ofRings[l].tally = {plan.loops[l].headPhase, plan.loops[l].bodyPhase};
  for (uint32_t a = 0; a < region.actors.size && good; ++a) {
    uint32_t phase = plan.phaseOfActor[a];
    if (!isRing(region.actors[a])) {
      maker.add(byPhase[phase], a);
      continue;
    }
    uint32_t loop = plan.phases[phase].key;
    maker.add(ofRings[loop], a);
    good = maker.ring(a, {plan.loops[loop].bodyPhase, nothing}, cycles[a]);
  }
  auto keep = [&](const Vec<UsageRow> &from) {
    for (const UsageRow &row : from)
      if (row.most[0] || row.most[1] || row.most[2])
        good = good && rows.push(row);
  };
  keep(byPhase);
  keep(ofRings);
  byPhase.release();
  ofRings.release();
  cycles.release();
  return good;
}

bool UsageModel::byActor(const LoadedRegion &region,
                         const RegionTiming &timing) {
  Maker maker = {*this, region, timing};
  ports = timing.ports;
  bandwidth = timing.bandwidth;
  Vec<uint32_t> cycles, splits; // by value: a demux that it is the phase of
  bool good = findRings(region, timing, cycles) &&
              splits.assignZero(region.values) &&
              rows.reserve(region.actors.size);
  for (uint32_t a = 0; a < region.actors.size && good; ++a)
    if (region.actors[a].kind == Kind::Demux)
      splits[region.operands[region.actors[a].firstOperand]] = a + 1;
  for (uint32_t a = 0; a < region.actors.size && good; ++a) {
    UsageRow row = {{a, nothing}, {}, {}, 0, 0, 0};
    maker.add(row, a);
    good = rows.push(row);
    if (region.actors[a].kind != Kind::Carry)
      continue;
    // The demux fires once more than the body, the carry twice.
    uint32_t split = splits[region.operands[region.actors[a].firstOperand]];
    if (split)
      good = good && maker.ring(a, {split - 1, a}, cycles[a]);
  }
  cycles.release();
  splits.release();
  return good;
}

void UsageModel::release() {
  rows.release();
  rings.release();
}

Usage UsageModel::measure(const uint64_t *counters, uint64_t cycles) const {
  Usage usage;
  usage.launches = 1;
  usage.cycles = cycles;
  auto raise = [&](Bound bound, uint64_t by) {
    // An output can be there before the last firing of a loop's head.
    by = by < cycles ? by : cycles;
    uint64_t &at = usage.bounds[unsigned(bound)];
    at = by > at ? by : at;
  };
  constexpr Bound kinds[3] = {Bound::Memory, Bound::Compute, Bound::Control};
  MemoryLoad load;
  load.longest = longest;
  for (const UsageRow &row : rows) {
    uint64_t count = row.tally.of(counters);
    if (count == 0)
      continue;
    usage.accesses += count * row.accesses;
    load.shared += count * row.bytes;
    load.own += count * row.own;
    usage.memoryBusy += count * row.sum[0];
    usage.computeBusy += count * row.sum[1];
    for (unsigned k = 0; k < 3; ++k)
      if (row.most[k])
        raise(kinds[k], (count - 1) * row.most[k] + 1);
  }
  for (const UsageRing &ring : rings)
    raise(ring.data ? Bound::Value : Bound::Order,
          ring.iterations.of(counters) * ring.cycles);
  usage.memoryRoom = cycles * memoryActors;
  usage.computeRoom = cycles * computeActors;
  if (ports) {
    usage.memoryBusy = usage.accesses;
    usage.memoryRoom = cycles * ports;
    raise(Bound::Memory, (usage.accesses + ports - 1) / ports);
  }
  if (bandwidth) {
    usage.bytesBusy = load.shared + load.own * bandwidth;
    usage.bytesRoom = cycles * bandwidth;
    raise(Bound::Bandwidth, load.bound(bandwidth));
  }
  // Loops end with firings that no output waits for.
  if (usage.memoryBusy > usage.memoryRoom)
    usage.memoryBusy = usage.memoryRoom;
  if (usage.bytesBusy > usage.bytesRoom)
    usage.bytesBusy = usage.bytesRoom;
  if (usage.computeBusy > usage.computeRoom)
    usage.computeBusy = usage.computeRoom;
  for (uint64_t bound : usage.bounds)
    usage.bound = bound > usage.bound ? bound : usage.bound;
  return usage;
}

} // namespace loom::rt
