// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The static visiting order. Producers come before consumers; a strongly
// connected component is a loop of the schedule that repeats until it stalls,
// with the components that remain inside it, after its entry carries are cut
// off, as inner loops. So a short ring advances by a whole batch before the
// actors behind it run once. Any order would give the same result.

#include "Devices/Sim/Engine.h"

namespace loom::rt {

namespace {

struct Builder {
  const LoadedRegion &region;
  Vec<Step> &schedule;
  uint32_t deepest = 0;
  bool good = true;
  Vec<uint32_t> producer;   // actor of a value, noActor for inputs
  Vec<uint32_t> successors; // actor -> consumers, compressed rows
  Vec<uint32_t> rows;
  Vec<uint32_t> member; // number of the set that an actor is in now
  Vec<uint32_t> order;  // Tarjan: visit number, 0 = not visited
  Vec<uint32_t> low;
  Vec<uint32_t> cursor;
  Vec<uint8_t> onStack;
  Vec<uint8_t> cut; // in-edges are ignored
  uint32_t sets = 0;
  uint32_t counter = 0;

  static constexpr uint32_t noActor = 0xffffffffu;
  static constexpr uint32_t maxDepth = 24;

  Builder(const LoadedRegion &region, Vec<Step> &schedule)
      : region(region), schedule(schedule) {}

  void step(Step::Kind kind, uint32_t arg) {
    good = schedule.push({kind, arg}) && good;
  }

  bool prepare();
  void release();
  bool components(const uint32_t *set, uint32_t count, Vec<uint32_t> &flat,
                  Vec<uint32_t> &starts);
  void cutEntries(const uint32_t *set, uint32_t count, uint32_t id);
  void place(const uint32_t *set, uint32_t count, uint32_t depth);
};

} // namespace

bool Builder::prepare() {
  uint32_t count = static_cast<uint32_t>(region.actors.size);
  if (!producer.assignZero(region.values) || !rows.assignZero(count + 1) ||
      !member.assignZero(count) || !order.assignZero(count) ||
      !low.assignZero(count) || !cursor.assignZero(count) ||
      !onStack.assignZero(count) || !cut.assignZero(count))
    return false;
  for (uint32_t v = 0; v < region.values; ++v)
    producer[v] = noActor;
  for (uint32_t a = 0; a < count; ++a)
    for (uint32_t r = 0; r < region.actors[a].numResults; ++r)
      producer[region.actors[a].firstResult + r] = a;
  auto eachEdge = [&](auto visit) {
    for (uint32_t a = 0; a < count; ++a)
      for (uint32_t i = 0; i < region.actors[a].numOperands; ++i) {
        uint32_t value = region.operands[region.actors[a].firstOperand + i];
        if (producer[value] != noActor)
          visit(producer[value], a);
      }
  };
  eachEdge([&](uint32_t from, uint32_t) { ++rows[from + 1]; });
  for (uint32_t a = 0; a < count; ++a)
    rows[a + 1] += rows[a];
  if (!successors.assignZero(rows[count]))
    return false;
  for (uint32_t a = 0; a < count; ++a)
    cursor[a] = rows[a];
  eachEdge(
      [&](uint32_t from, uint32_t to) { successors[cursor[from]++] = to; });
  return true;
}

void Builder::release() {
  producer.release();
  successors.release();
  rows.release();
  member.release();
  order.release();
  low.release();
  cursor.release();
  onStack.release();
  cut.release();
}

/// Tarjan's components of a set, in topological order: component i is
/// flat[starts[i]] up to flat[starts[i + 1]].
bool Builder::components(const uint32_t *set, uint32_t count,
                         Vec<uint32_t> &flat, Vec<uint32_t> &starts) {
  uint32_t id = ++sets;
  for (uint32_t i = 0; i < count; ++i) {
    member[set[i]] = id;
    order[set[i]] = 0;
  }
  Vec<uint32_t> path, stack, reversed, ends;
  bool fine = true;
  for (uint32_t i = 0; i < count && fine; ++i) {
    if (order[set[i]] != 0)
      continue;
    auto enter = [&](uint32_t a) {
      order[a] = low[a] = ++counter;
      cursor[a] = rows[a];
      onStack[a] = 1;
      fine = path.push(a) && stack.push(a) && fine;
    };
    enter(set[i]);
    while (path.size && fine) {
      uint32_t a = path[path.size - 1];
      if (cursor[a] < rows[a + 1]) {
        uint32_t next = successors[cursor[a]++];
        if (member[next] != id || cut[next])
          continue;
        if (order[next] == 0)
          enter(next);
        else if (onStack[next] && order[next] < low[a])
          low[a] = order[next];
        continue;
      }
      --path.size;
      if (path.size && low[a] < low[path[path.size - 1]])
        low[path[path.size - 1]] = low[a];
      if (low[a] != order[a])
        continue;
      for (uint32_t top = noActor; top != a && fine;) {
        top = stack[--stack.size];
        onStack[top] = 0;
        fine = reversed.push(top);
      }
      fine = ends.push(static_cast<uint32_t>(reversed.size)) && fine;
    }
  }
  // Components were found last first.
  for (size_t c = ends.size; c-- > 0 && fine;) {
    uint32_t begin = c ? ends[c - 1] : 0;
    fine = starts.push(static_cast<uint32_t>(flat.size));
    for (uint32_t i = ends[c]; i-- > begin && fine;)
      fine = flat.push(reversed[i]);
  }
  fine = starts.push(static_cast<uint32_t>(flat.size)) && fine;
  path.release();
  stack.release();
  reversed.release();
  ends.release();
  return fine;
}

/// Cuts the back edges of the outermost loop of a component: those into the
/// carries whose first value comes from outside.
void Builder::cutEntries(const uint32_t *set, uint32_t count, uint32_t id) {
  for (uint32_t i = 0; i < count; ++i)
    member[set[i]] = id;
  uint32_t chosen = 0;
  uint32_t fallback = set[0];
  bool fallbackIsCarry = false;
  for (uint32_t i = 0; i < count; ++i) {
    const ActorInfo &actor = region.actors[set[i]];
    bool isCarry = actor.kind == Kind::Carry;
    if (isCarry > fallbackIsCarry ||
        (isCarry == fallbackIsCarry && set[i] < fallback)) {
      fallback = set[i];
      fallbackIsCarry = isCarry;
    }
    if (!isCarry || cut[set[i]])
      continue;
    uint32_t init = producer[region.operands[actor.firstOperand + 1]];
    if (init == noActor || member[init] != id) {
      cut[set[i]] = 1;
      ++chosen;
    }
  }
  if (chosen == 0)
    cut[fallback] = 1;
}

void Builder::place(const uint32_t *set, uint32_t count, uint32_t depth) {
  if (depth > deepest)
    deepest = depth;
  Vec<uint32_t> flat, starts;
  if (depth >= maxDepth) {
    for (uint32_t i = 0; i < count; ++i)
      step(Step::Visit, set[i]);
    return;
  }
  good = components(set, count, flat, starts) && good;
  for (size_t c = 0; c + 1 < starts.size && good; ++c) {
    const uint32_t *part = flat.data + starts[c];
    uint32_t size = starts[c + 1] - starts[c];
    if (size == 1) {
      step(Step::Visit, part[0]);
      continue;
    }
    cutEntries(part, size, ++sets);
    step(Step::Begin, depth);
    uint32_t begin = static_cast<uint32_t>(schedule.size);
    place(part, size, depth + 1);
    step(Step::End, begin);
  }
  flat.release();
  starts.release();
}

bool buildSchedule(const LoadedRegion &region, Vec<Step> &schedule,
                   uint32_t &depth) {
  Builder builder(region, schedule);
  bool good = builder.prepare();
  Vec<uint32_t> all;
  for (uint32_t a = 0; a < region.actors.size && good; ++a)
    good = all.push(a);
  if (good) {
    builder.step(Step::Begin, 0);
    builder.place(all.data, static_cast<uint32_t>(all.size), 1);
    builder.step(Step::End, 1);
    good = builder.good;
  }
  depth = builder.deepest + 1;
  all.release();
  builder.release();
  return good;
}

} // namespace loom::rt
