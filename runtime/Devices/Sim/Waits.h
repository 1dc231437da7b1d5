// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why firings did not happen a cycle earlier: what the event queue writes down
// when it is asked to, in an amount that depends on the graph only.

#ifndef LOOM_RUNTIME_DEVICES_SIM_WAITS_H
#define LOOM_RUNTIME_DEVICES_SIM_WAITS_H

#include "Support/Vec.h"

namespace loom::rt {

/// `count` firings had this cause; `cycles` is the time from the firing before
/// each of them (from 0 for the first one).
struct Wait {
  uint64_t count;
  uint64_t cycles;
  void add(uint64_t time) {
    ++count;
    cycles += time;
  }
};

/// One use of a value between two actors.
struct WaitEdge {
  Wait arrival;        // the consumer waited for a token
  Wait room;           // the producer waited for a place
  uint64_t takenTwice; // cycle of the taking before the last one
  uint32_t producer;
  uint32_t consumer;
  uint16_t result;  // of the producer
  uint16_t operand; // of the consumer
};

/// Causes that coincide are all counted. A firing in cycle 0 has none.
struct WaitLog {
  Vec<Wait> interval;  // by actor
  Vec<Wait> port;      // by actor; the time since the access could
  Vec<Wait> bandwidth; // the same
  Vec<WaitEdge> edges;

  void release() {
    interval.release();
    port.release();
    bandwidth.release();
    edges.release();
  }
};

} // namespace loom::rt

#endif
