// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The causes of a firing's time: the terms of fire(a, k) in Timing.h that are
// equal to it.

#include "Devices/Sim/EventSim.h"

namespace loom::rt {

/// Edges with an actor on one side only are part of the numbering, but nothing
/// is ever added to them.
bool EventSim::prepareWaits() {
  WaitLog &log = *result.waits;
  if (!log.interval.assignZero(region.actors.size) ||
      !log.port.assignZero(region.actors.size) ||
      !log.bandwidth.assignZero(region.actors.size) ||
      !log.edges.assignZero(edges.size))
    return false;
  for (size_t e = 0; e < edges.size; ++e) {
    log.edges[e].producer = edges[e].producer;
    log.edges[e].consumer = edges[e].consumer;
  }
  for (uint32_t a = 0; a < region.actors.size; ++a) {
    const ActorInfo &info = region.actors[a];
    for (uint16_t r = 0; r < info.numResults; ++r)
      for (uint32_t e = firstUse[info.firstResult + r];
           e < firstUse[info.firstResult + r + 1]; ++e)
        log.edges[e].result = r;
    for (uint16_t k = 0; k < info.numOperands; ++k)
      log.edges[operandEdges[firstOperand[a] + k]].operand = k;
  }
  return true;
}

/// An access was held back for some cycles, in each of them by the one limit
/// that was reached first.
void EventSim::noteGrant(uint32_t actor, uint64_t waited) {
  uint64_t full = fullCycles - states[actor].full;
  if (full)
    result.waits->bandwidth[actor].add(full);
  if (waited != full)
    result.waits->port[actor].add(waited - full);
}

/// The actor could have fired in this cycle, and in none before it since its
/// last firing.
void EventSim::noteWaits(uint32_t actor, const Row &row) {
  if (now == 0)
    return;
  WaitLog &log = *result.waits;
  const ActorTimes &times = result.actors[actor];
  const uint64_t time = times.count ? now - times.last : now;
  if (times.count && states[actor].next == now)
    log.interval[actor].add(time);
  auto arrived = [&](uint32_t k) {
    uint32_t e = operandEdges[firstOperand[actor] + k];
    const Edge &edge = edges[e];
    if (edge.ring[edge.taken & (edge.slots - 1)].arrival == now)
      log.edges[e].arrival.add(time);
  };
  for (uint32_t k = row.in; k < row.in + row.ins; ++k)
    arrived(k);
  if (row.extra != nobody)
    arrived(row.extra);
  // The place of push n is that of token n - capacity. It was taken in the
  // cycle before only if it is the last one taken, or the one before that when
  // the consumer has already been here in this cycle.
  const uint32_t *uses = firstUse.data + region.actors[actor].firstResult;
  for (uint32_t e = uses[row.out]; e < uses[row.out + row.outs]; ++e) {
    const Edge &edge = edges[e];
    if (edge.pushed < edge.capacity)
      continue;
    uint64_t takings = edge.pushed - edge.capacity + 1;
    if ((takings == edge.taken && edge.lastTaken + 1 == now) ||
        (takings + 1 == edge.taken && log.edges[e].takenTwice + 1 == now))
      log.edges[e].room.add(time);
  }
}

} // namespace loom::rt
