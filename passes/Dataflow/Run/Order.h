// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has happened before what. An access is an event: a site (a memory actor
// of one activation, or one program) and its number there. The firings of one
// actor are not ordered by themselves: only tokens order.

#ifndef LOOM_DATAFLOW_RUN_ORDER_H
#define LOOM_DATAFLOW_RUN_ORDER_H

#include "loom/Dataflow/Run/Token.h"
#include <vector>

namespace loom::run {

struct Event {
  uint32_t site = 0;
  uint32_t number = 0;
  bool operator==(const Event &other) const {
    return site == other.site && number == other.number;
  }
};

/// Events `first` to `last` of a site.
struct Span {
  uint32_t site, first, last;
};

/// A set of events that is closed: who knows an event knows what it knew.
class Knowledge {
public:
  explicit Knowledge(std::vector<Span> spans);
  ~Knowledge();
  Knowledge(const Knowledge &) = delete;
  Knowledge &operator=(const Knowledge &) = delete;

  bool knows(Event event) const;
  /// How many spans all sets have together.
  static uint64_t live();

  const std::vector<Span> spans; // sorted, apart
};

bool knows(const Order &order, Event event);
Order join(const Order &a, const Order &b);
Order with(const Order &order, Event event);

} // namespace loom::run

#endif
