// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A full queue is often in step with a ring that would be as slow with any
// queue. Then that ring is what limits the launch.

#include "Devices/Sim/CriticalWalk.h"

namespace loom::rt {

/// Depth first over the causes, without those of queues, that are nearly the
/// longest of their actors.
struct CriticalWalk::Search {
  Vec<uint32_t> next;       // by actor: the cause to try next
  Vec<uint32_t> end;        // by actor: the end of its causes in `order`
  Vec<uint32_t> order;      // causes, those of an actor side by side
  Vec<uint32_t> place;      // by actor: 0 new, 1 done, else depth + 2
  Vec<CriticalStep> path;   // from the root
  Vec<CriticalStep> before; // the ring with the queue

  void release() {
    next.release();
    end.release();
    order.release();
    place.release();
    path.release();
    before.release();
  }
};

/// Leaves the ring in `path` alone, or nothing. False: no memory.
bool CriticalWalk::findRing(Search &search) {
  auto follows = [&](const CriticalStep &step) {
    return step.cause != Cause::Room &&
           step.wait.cycles * 10 >= longest[step.actor].wait.cycles * 9;
  };
  const uint32_t count = static_cast<uint32_t>(region.actors.size);
  if (!search.next.assignZero(count) || !search.end.assignZero(count) ||
      !search.place.assignZero(count) || !search.order.assignZero(causes.size))
    return false;
  for (const CriticalStep &step : causes)
    search.end[step.actor] += follows(step);
  for (uint32_t a = 0, sum = 0; a < count; ++a) {
    search.next[a] = sum;
    sum += search.end[a];
    search.end[a] = search.next[a];
  }
  for (uint32_t c = 0; c < causes.size; ++c)
    if (follows(causes[c]))
      search.order[search.end[causes[c].actor]++] = c;

  Vec<CriticalStep> &path = search.path;
  for (const CriticalStep &member : search.before) {
    uint32_t actor = member.actor;
    if (search.place[actor] != 0)
      continue;
    search.place[actor] = 2;
    for (;;) {
      if (search.next[actor] == search.end[actor]) {
        search.place[actor] = 1;
        if (path.size == 0)
          break;
        actor = path[--path.size].actor;
        continue;
      }
      const CriticalStep &step = causes[search.order[search.next[actor]++]];
      const uint32_t at = search.place[step.other];
      if (at == 1)
        continue;
      if (!path.push(step))
        return false;
      if (at >= 2) {
        const size_t begin = at - 2;
        for (size_t i = begin; i < path.size; ++i)
          path[i - begin] = path[i];
        path.size -= begin;
        return true;
      }
      actor = step.other;
      search.place[actor] = static_cast<uint32_t>(path.size) + 2;
    }
  }
  return true;
}

bool CriticalWalk::lookBehindQueue() {
  Search search;
  search.before = critical.steps;
  critical.steps = {};
  const Critical whole = critical; // its steps are in `before`
  bool good = findRing(search);
  if (good && search.path.size) {
    critical.steps = search.path;
    search.path = {};
    arrange(true);
    measure(true);
  }
  // A ring that explains less than the time is in step by chance.
  const bool slow = critical.steps.size && critical.iterations > 1 &&
                    critical.around * 10 / critical.distance >=
                        critical.measured * 9 / (critical.iterations - 1);
  if (!slow) {
    critical.steps.release();
    critical = whole;
    critical.steps = search.before;
    search.before = {};
  }
  search.release();
  return good;
}

} // namespace loom::rt
