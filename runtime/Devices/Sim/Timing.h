// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing model that every timed engine implements, and the costs of one
// region's actors under a target.
//
// Time is in cycles and starts at 0 with the launch. Every use of a value is an
// edge of its own: a FIFO between producer and consumer.
//
//   fire(a, k)   = max of
//                    fire(a, k-1) + interval(a),
//                    the arrival of every token that firing k consumes,
//                    deq(e, n - cap(e)) + 1 for every edge e it pushes to, n
//                    being the number of the push (from 0), when n >= cap(e)
//   arrival      = fire + latency(a)
//   deq(e, n)    = the firing time of the consumer of token n
//   cap(e)       = queueCapacity + latency(producer)
//
// The start token and the inputs have arrived at 0; their edges, and those to
// graph outputs and completions, have no capacity. A firing is one row of the
// token tables: a stream fires K+1 times an activation (the first consumes
// init, limit and step, the last emits the false), a carry and an invariant K+2
// times (the last consumes the false and emits nothing). A demux pushes to the
// lane it selects, a mux consumes the selector and the selected lane.
//
// With shared ports (ports != 0) at most `ports` loads and stores fire in a
// cycle; of those that could, the one that could first goes first, then the one
// with the lower number. `cycles` of a launch is the latest arrival at an
// output or a completion.

#ifndef LOOM_RUNTIME_DEVICES_SIM_TIMING_H
#define LOOM_RUNTIME_DEVICES_SIM_TIMING_H

#include "Image/Region.h"

namespace loom::rt {

/// What one actor costs. `interval` is at least 1.
struct ActorCost {
  uint16_t latency;
  uint16_t interval;
};

/// The costs of all actors of a region, by actor number.
struct RegionTiming {
  Vec<ActorCost> costs;
  uint32_t queueCapacity = 4; // at least 1
  uint32_t ports = 0;         // shared by all accesses; 0: one each
};

} // namespace loom::rt

#endif
