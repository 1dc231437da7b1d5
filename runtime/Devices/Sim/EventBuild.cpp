// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The event queue before its first cycle: one edge per use, and what the launch
// puts on them.

#include "Devices/Sim/EventSim.h"

namespace loom::rt {

bool EventSim::connect() {
  uint32_t actorCount = static_cast<uint32_t>(region.actors.size);
  if (!firstUse.assignZero(size_t(region.values) + 1))
    return false;
  auto eachUse = [&](auto visit) {
    for (uint32_t a = 0; a < actorCount; ++a) {
      const ActorInfo &info = region.actors[a];
      for (uint32_t k = 0; k < info.numOperands; ++k)
        visit(region.operands[info.firstOperand + k], a);
    }
    for (uint32_t value : region.outputs)
      visit(value, nobody);
    for (uint32_t value : region.completes)
      visit(value, nobody);
  };
  eachUse([&](uint32_t value, uint32_t) { ++firstUse[value + 1]; });
  for (uint32_t v = 0; v < region.values; ++v)
    firstUse[v + 1] += firstUse[v];

  Vec<uint32_t> next; // free edge, by value
  bool good = edges.assignZero(firstUse[region.values]) &&
              next.assignZero(region.values) &&
              firstOperand.assignZero(actorCount);
  if (good)
    memcpy(next.data, firstUse.data, region.values * sizeof(uint32_t));
  uint32_t seen = 0;
  uint32_t operandUses = 0;
  for (uint32_t a = 0; a < actorCount && good; ++a) {
    firstOperand[a] = operandUses;
    operandUses += region.actors[a].numOperands;
  }
  if (good)
    eachUse([&](uint32_t value, uint32_t actor) {
      uint32_t edge = next[value]++;
      edges[edge].consumer = actor;
      edges[edge].producer = nobody;
      edges[edge].capacity = unbounded;
      Vec<uint32_t> &owner = seen < operandUses ? operandEdges
                             : seen < operandUses + region.outputs.size
                                 ? outputs
                                 : completes;
      ++seen;
      good = owner.push(edge) && good;
    });
  next.release();

  for (uint32_t a = 0; a < actorCount && good; ++a) {
    const ActorInfo &info = region.actors[a];
    for (uint32_t e = firstUse[info.firstResult],
                  end = firstUse[info.firstResult + info.numResults];
         e < end; ++e) {
      edges[e].producer = a;
      if (edges[e].consumer != nobody)
        edges[e].capacity =
            uint64_t(timing.queueCapacity) + timing.costs[a].latency;
    }
  }
  return good;
}

bool EventSim::inject() {
  for (size_t v = 0; v <= region.inputs.size; ++v) {
    uint64_t value = 0; // of the start token
    if (v != 0) {
      const InputInfo &input = region.inputs[v - 1];
      value = context.in[input.slot] & typeMask(input.type);
    }
    for (uint32_t e = firstUse[v]; e < firstUse[v + 1]; ++e)
      push(e, value, 0);
  }
  return fault == Reason::None;
}

bool EventSim::build() {
  size_t count = region.actors.size;
  return result.actors.assignZero(count) && states.assignZero(count) &&
         list.reserve(count) && requests.reserve(count) &&
         wakes.reserve(count) && connect() &&
         (!result.waits || prepareWaits()) && inject();
}

void EventSim::release() {
  for (Edge &edge : edges)
    free(edge.ring);
  edges.release();
  firstUse.release();
  operandEdges.release();
  firstOperand.release();
  outputs.release();
  completes.release();
  states.release();
  wakes.release();
  requests.release();
  list.release();
}

} // namespace loom::rt
