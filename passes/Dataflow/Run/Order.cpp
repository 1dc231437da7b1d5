// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Order.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <atomic>

using namespace loom::run;

static std::atomic<uint64_t> liveSpans;

Knowledge::Knowledge(std::vector<Span> spans) : spans(std::move(spans)) {
  liveSpans += this->spans.size();
}

Knowledge::~Knowledge() { liveSpans -= spans.size(); }

uint64_t Knowledge::live() { return liveSpans; }

bool Knowledge::knows(Event event) const {
  auto after = llvm::upper_bound(spans, event, [](Event e, const Span &span) {
    return std::pair(e.site, e.number) < std::pair(span.site, span.first);
  });
  if (after == spans.begin())
    return false;
  const Span &span = *std::prev(after);
  return span.site == event.site && event.number <= span.last;
}

bool loom::run::knows(const Order &order, Event event) {
  return order && order->knows(event);
}

static bool same(const Span &a, const Span &b) {
  return a.site == b.site && a.first == b.first && a.last == b.last;
}

/// Adds a span that starts no earlier than those that are there.
static void append(std::vector<Span> &spans, const Span &next) {
  if (!spans.empty() && spans.back().site == next.site &&
      next.first <= uint64_t(spans.back().last) + 1)
    spans.back().last = std::max(spans.back().last, next.last);
  else
    spans.push_back(next);
}

Order loom::run::join(const Order &a, const Order &b) {
  if (!a || a == b)
    return b;
  if (!b)
    return a;
  auto before = [](const Span &x, const Span &y) {
    return std::pair(x.site, x.first) < std::pair(y.site, y.first);
  };
  std::vector<Span> both;
  both.reserve(std::max(a->spans.size(), b->spans.size()));
  auto i = a->spans.begin(), j = b->spans.begin();
  while (i != a->spans.end() || j != b->spans.end()) {
    bool left = j == b->spans.end() || (i != a->spans.end() && !before(*j, *i));
    append(both, left ? *i++ : *j++);
  }
  // Shared where nothing is new: most joins add nothing.
  for (const Order &old : {a, b})
    if (old->spans.size() == both.size() &&
        std::equal(old->spans.begin(), old->spans.end(), both.begin(), same))
      return old;
  return std::make_shared<const Knowledge>(std::move(both));
}

Order loom::run::with(const Order &order, Event event) {
  std::vector<Span> one = {{event.site, event.number, event.number}};
  return join(order, std::make_shared<const Knowledge>(std::move(one)));
}
