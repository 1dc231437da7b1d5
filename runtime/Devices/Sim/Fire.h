// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the firing code: how often an actor can fire, and the loop of a
// strict actor.

#ifndef LOOM_RUNTIME_DEVICES_SIM_FIRE_H
#define LOOM_RUNTIME_DEVICES_SIM_FIRE_H

#include "Devices/Sim/Engine.h"
#include "Devices/Sim/Operations.h"

namespace loom::rt {

inline uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/// How many of `n` tokens fit into every one of the queues; notes that a full
/// queue was in the way.
inline uint32_t roomFor(Engine &engine, uint32_t begin, uint32_t end,
                        uint32_t n) {
  const Queue *queues = engine.queues.data;
  uint32_t fit = n;
  for (uint32_t u = begin; u < end; ++u)
    fit = least(fit, queues[u].room());
  if (fit == 0 && n != 0)
    engine.blocked = true;
  return fit;
}

/// Fires a strict actor of N operands and one result: one token in from each,
/// one token out to every use.
template <unsigned N, typename F>
inline uint32_t strict(Engine &engine, Actor &actor, uint32_t most, F f) {
  Queue *queues = engine.queues.data;
  Queue &a = queues[actor.in[0]];
  Queue &b = queues[actor.in[N > 1 ? 1 : 0]];
  Queue &c = queues[actor.in[N > 2 ? 2 : 0]];
  uint32_t n = least(a.size(), most);
  if (N > 1)
    n = least(n, b.size());
  if (N > 2)
    n = least(n, c.size());
  if (n == 0)
    return 0;
  n = roomFor(engine, actor.ob[0], actor.oe[0], n);
  if (n == 0)
    return 0;
  auto at = [](const Queue &queue, uint32_t i) {
    return queue.data[(queue.head + i) & queue.mask];
  };
  if (actor.ob[0] == actor.oe[0]) { // nobody listens, but it may trap
    for (uint32_t i = 0; i < n; ++i)
      (void)f(at(a, i), at(b, N > 1 ? i : 0), at(c, N > 2 ? i : 0));
  } else {
    Queue &first = queues[actor.ob[0]];
    uint64_t *data = first.data;
    uint32_t tail = first.tail;
    uint32_t mask = first.mask;
    for (uint32_t i = 0; i < n; ++i)
      data[(tail + i) & mask] =
          f(at(a, i), at(b, N > 1 ? i : 0), at(c, N > 2 ? i : 0));
    first.tail = tail + n;
    for (uint32_t u = actor.ob[0] + 1; u < actor.oe[0]; ++u) {
      Queue &out = queues[u];
      for (uint32_t i = 0; i < n; ++i)
        out.data[(out.tail + i) & out.mask] = data[(tail + i) & mask];
      out.tail += n;
    }
  }
  a.head += n;
  if (N > 1)
    b.head += n;
  if (N > 2)
    c.head += n;
  return n;
}

/// The load and the store of a watched launch (Watch.h). False: a fault was
/// raised.
bool watchedLoad(Engine &engine, const Actor &actor, uint64_t address,
                 uint64_t &value);
bool watchedStore(Engine &engine, const Actor &actor, uint64_t address,
                  uint64_t value);

/// The computations; in Compute.cpp and ComputeFloat.cpp.
uint32_t visitCompute(Engine &engine, Actor &actor, uint32_t most);
uint32_t visitComputeF32(Engine &engine, Actor &actor, uint32_t most);
uint32_t visitComputeF64(Engine &engine, Actor &actor, uint32_t most);

} // namespace loom::rt

#endif
