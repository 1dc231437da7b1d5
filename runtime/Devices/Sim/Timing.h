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
//
// With a bandwidth (bandwidth != 0) the accesses that fire in a cycle have at
// most `bandwidth` bytes together. One of more bytes fires in a cycle of its
// own and takes the memory for bytes / bandwidth cycles, rounded up: nothing
// else fires in them. The order is that of the ports, and nobody overtakes: the
// next one waits, however small, while that before it does not fit. The latency
// of an access is that of its row in any case.

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
  uint64_t bandwidth = 0;     // bytes of accesses in a cycle; 0: any number
};

/// The cycles that one access takes the whole memory for; 0: it shares them.
inline uint64_t ownCycles(unsigned bytes, uint64_t bandwidth) {
  return bandwidth && bytes > bandwidth ? (bytes + bandwidth - 1) / bandwidth
                                        : 0;
}

/// Accesses by what they ask of the memory's bandwidth.
struct MemoryLoad {
  uint64_t shared = 0; // bytes of those that share their cycles
  uint64_t own = 0;    // cycles of the others
  uint64_t longest = 0;

  void add(unsigned bytes, uint64_t count, uint64_t bandwidth) {
    uint64_t alone = ownCycles(bytes, bandwidth);
    shared += alone ? 0 : count * bytes;
    own += count * alone;
    longest = alone > longest ? alone : longest;
  }
  /// The fewest cycles from the first of them to the last one. Whoever comes
  /// last counts as one cycle.
  uint64_t bound(uint64_t bandwidth) const {
    if (bandwidth == 0)
      return 0;
    uint64_t cycles = own + (shared + bandwidth - 1) / bandwidth;
    return longest && cycles ? cycles - (longest - 1) : cycles;
  }
};

} // namespace loom::rt

#endif
