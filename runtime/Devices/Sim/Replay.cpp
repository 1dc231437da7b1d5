// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing plane at work.

#include "Devices/Sim/Replay.h"

namespace loom::rt {

void Replay::begin() {
  for (Cycle &time : fired)
    time = never;
  for (Cycle &time : history)
    time = never;
  for (Cycle &time : arrival)
    time = 0;
  for (Edge &edge : edges)
    edge.next = 0;
  at = 0;
  wordsBefore = 0;
  failed = false;
  for (TimedLoop &loop : loops) {
    loop.skipping = loop.recording = false;
    if (loop.memo.touched.size) // of a launch that ended early
      countTaken(loop);
  }
  for (uint64_t &count : phaseCounts)
    count = 0;
}

inline void Replay::fire(const Firing &firing) {
  uint32_t actor = firing.actor;
  Cycle time = fired[actor] + interval[actor];
  if (time < 0)
    time = 0;
  const TimedUse *in = ins.data + firing.firstIn;
  const uint32_t *out = outs.data + firing.firstOut;
  for (uint32_t i = 0; i < firing.ins; ++i)
    if (arrival[in[i].value] > time)
      time = arrival[in[i].value];
  for (uint32_t i = 0; i < firing.outs; ++i) {
    const Edge &edge = edges[out[i]];
    Cycle room = history[edge.history + edge.next] + 1;
    if (room > time)
      time = room;
  }
  fired[actor] = time;
  for (uint32_t i = 0; i < firing.ins; ++i) {
    if (in[i].edge == nothing)
      continue;
    Edge &edge = edges[in[i].edge];
    history[edge.history + edge.next] = time;
    if (++edge.next == edge.capacity)
      edge.next = 0;
  }
  const uint32_t *value = made.data + firing.firstMade;
  for (uint32_t i = 0; i < firing.mades; ++i)
    arrival[value[i]] = time + latency[actor];
  ++replayed;
}

/// Nothing of the loop's next iteration fires before this: every firing in it
/// waits, at least by way of others, for its stream or for a token of a ring.
Cycle Replay::earliest(const TimedLoop &loop) const {
  Cycle least = INT64_MAX;
  if (loop.stream != nothing)
    least = fired[loop.stream] + interval[loop.stream];
  const uint32_t *rings = ringValues.data + loop.firstRing;
  for (uint32_t r = 0; r < loop.rings; ++r)
    if (arrival[rings[r]] < least)
      least = arrival[rings[r]];
  return least;
}

/// The earliest times of the next iteration's firings. Whether a lane is taken
/// or an inner loop entered doesn't matter: where an actor does fire, it waits
/// for what it consumes.
void Replay::bound(const TimedLoop &loop, Cycle base) {
  const uint32_t *rings = ringValues.data + loop.firstRing;
  for (uint32_t r = 0; r < loop.rings; ++r)
    boundOf[rings[r]] = arrival[rings[r]];
  const BoundStep *step = bounds.data + loop.firstBound;
  const BoundStep *end = bounds.data + loop.lastBound;
  for (; step != end; ++step) {
    const uint32_t *value = boundValues.data + step->firstIn;
    Cycle time = base;
    if (step->mux) {
      time = boundOf[value[0]];
      Cycle lanes = boundOf[value[1]];
      for (uint32_t i = 2; i < step->ins; ++i)
        lanes = boundOf[value[i]] < lanes ? boundOf[value[i]] : lanes;
      time = lanes > time ? lanes : time;
    } else {
      for (uint32_t i = 0; i < step->ins; ++i)
        time = boundOf[value[i]] > time ? boundOf[value[i]] : time;
    }
    uint32_t actor = step->actor;
    ready[actor] = time;
    Cycle again = fired[actor] + interval[actor];
    time = again > time ? again : time;
    soonest[actor] = time;
    time += latency[actor];
    value += step->ins;
    for (uint32_t i = 0; i < step->mades; ++i)
      boundOf[value[i]] = time;
  }
}

/// Leaves the state in the table's key. A time that can hold nothing back any
/// more becomes the latest one that can't. False: a time is out of range.
bool Replay::normalise(TimedLoop &loop, Cycle base) {
  Vec<int32_t> &key = loop.memo.key;
  if (key.size != loop.memo.width && !key.assignZero(loop.memo.width))
    return false;
  bound(loop, base);
  int32_t *to = key.data;
  bool good = true;
  auto number = static_cast<uint32_t>(&loop - loops.data);
  auto put = [&](Cycle time, Cycle least) {
    Cycle relative = (time > least ? time : least) - base;
    good &= relative < INT32_MAX && relative > INT32_MIN;
    *to++ = static_cast<int32_t>(relative);
  };
  for (uint32_t a = loop.firstActor; a < loop.lastActor; ++a)
    put(fired[a], ready[a] - interval[a]);
  const uint32_t *rings = ringValues.data + loop.firstRing;
  for (uint32_t r = 0; r < loop.rings; ++r)
    put(arrival[rings[r]], base);
  for (uint32_t e = loop.firstEdge; e < loop.lastEdge; ++e) {
    const Edge &edge = edges[e];
    const Cycle *slots = history.data + edge.history;
    // Its pushes are an interval apart.
    Cycle least = soonest[edge.producer] - 1;
    Cycle apart = interval[edge.producer];
    uint32_t i = edge.next;
    if (edge.ringOf == number) {
      // The token of a ring of this loop is in it: the slot is written before
      // anybody reads it.
      put(never, least);
      ++i;
    }
    for (; i < edge.capacity; ++i, least += apart)
      put(slots[i], least);
    for (i = 0; i < edge.next; ++i, least += apart)
      put(slots[i], least);
  }
  return good;
}

/// The arrays say again what the table's state says.
void Replay::materialise(TimedLoop &loop) {
  const int32_t *from =
      loop.memo.keys.data + size_t(loop.state) * loop.memo.width;
  Cycle base = loop.base;
  for (uint32_t a = loop.firstActor; a < loop.lastActor; ++a)
    fired[a] = base + *from++;
  const uint32_t *rings = ringValues.data + loop.firstRing;
  for (uint32_t r = 0; r < loop.rings; ++r)
    arrival[rings[r]] = base + *from++;
  for (uint32_t e = loop.firstEdge; e < loop.lastEdge; ++e) {
    Edge &edge = edges[e];
    Cycle *slots = history.data + edge.history;
    for (uint32_t i = 0; i < edge.capacity; ++i)
      slots[i] = base + *from++;
    edge.next = 0;
  }
  loop.skipping = false;
}

/// Enters the iteration that has just been looked at into the table.
void Replay::record(TimedLoop &loop, const uint32_t *words, size_t cursor,
                    bool left) {
  loop.recording = false;
  Memo &memo = loop.memo;
  uint64_t count = wordsBefore + cursor - loop.recordFrom;
  uint32_t from = loop.state;
  loop.state = nothing;
  if (left) // leaving is looked at one by one
    return;
  memo.misses += 1 + count / 64; // the longer, the dearer
  if (loop.recordFrom < wordsBefore || count > Memo::mostWords) {
    memo.misses += 3; // too long to be worth it
    return;
  }
  Cycle base = earliest(loop);
  uint32_t state = normalise(loop, base) ? memo.intern() : Memo::none;
  Cycle cycles = base - loop.base;
  if (loop.plain)
    count = 0;
  uint32_t sites[Memo::mostWords];
  const uint32_t *first = words + (loop.recordFrom - wordsBefore);
  sitesOf(loop, first, count, sites);
  if (state == Memo::none || cycles < 0 || cycles > UINT32_MAX ||
      !memo.learn(from, first, sites, count, state,
                  static_cast<uint32_t>(cycles)))
    return;
  loop.state = state;
  loop.base = base;
}

/// Takes iterations from the table as long as it knows them. `starved`: the
/// words end within an iteration.
bool Replay::skip(TimedLoop &loop, const uint32_t *words, size_t count,
                  size_t &cursor, bool &starved) {
  Memo &memo = loop.memo;
  starved = false;
  bool moved = false;
  if (loop.plain) {
    ++memo.activation;
    while (loop.remaining) {
      MemoState &state = memo.states[loop.state];
      if (state.next == Memo::none)
        break;
      if (state.stamp == memo.activation) {
        // It comes back every `period` iterations.
        uint64_t period = state.metAt - loop.remaining;
        uint64_t times = loop.remaining / period;
        memo.hits += times * period;
        loop.base += static_cast<Cycle>(times) * (loop.base - state.metCycles);
        loop.remaining -= times * period;
        state.stamp = 0;
        continue;
      }
      state.stamp = memo.activation;
      state.metAt = loop.remaining;
      state.metCycles = loop.base;
      loop.base += state.cycles;
      loop.state = state.next;
      --loop.remaining;
      ++memo.hits;
      moved = true;
    }
    return moved;
  }
  // The tree of an iteration ends in the root of the next state's.
  MemoNode *nodes = memo.nodes.data;
  uint32_t node = memo.states[loop.state].node;
  uint32_t state = loop.state;
  size_t at = cursor;
  Cycle base = loop.base, ahead = base;
  uint64_t hits = 0;
  bool good = true;
  for (;;) {
    if (at == count) {
      starved = true;
      break;
    }
    uint32_t word = words[at];
    uint32_t next, cycles;
    if (word < 2) {
      next = nodes[node].children[word];
      if (!next)
        break;
      cycles = nodes[node].cycles[word];
      if (counting && nodes[node].taken[word]++ == 0)
        good &= memo.touched.push(2 * node + word);
    } else {
      next = memo.child(node, word, cycles);
      if (!next)
        break;
      if (counting)
        countWord(nodes[node].site, word, 1);
    }
    ++at;
    ahead += cycles;
    node = next;
    if (nodes[node].state != Memo::none) {
      state = nodes[node].state;
      cursor = at;
      base = ahead;
      ++hits;
    }
  }
  if (counting) {
    takeBack(memo, memo.states[state].node, words + cursor, at - cursor);
    if (memo.touched.size >= Memo::mostStates)
      countTaken(loop);
    failed |= !good;
  }
  memo.hits += hits;
  loop.state = state;
  loop.base = base;
  return hits != 0;
}

size_t Replay::read(const uint32_t *words, size_t count) {
  size_t cursor = 0;
  auto done = [&] {
    wordsBefore += cursor;
    return cursor;
  };
  while (!failed) {
    const TimedStep &step = steps[at];
    switch (step.kind) {
    case TimedStep::Fire:
      fire(firings[step.a]);
      break;
    case TimedStep::FireLane:
      fire(firings[step.a + lanes[step.b]]);
      break;
    case TimedStep::Lane:
      if (cursor == count)
        return done();
      lanes[step.b] = words[cursor++];
      if (lanes[step.b] >= laneCounts[step.b])
        failed = true;
      else
        ++phaseCounts[step.a + lanes[step.b]];
      break;
    case TimedStep::Jump:
      at = step.target;
      continue;
    case TimedStep::JumpLane:
      at = laneTargets[step.a + lanes[step.b]];
      continue;
    case TimedStep::Enter: {
      TimedLoop &loop = loops[step.b];
      if (loop.plain) {
        if (count - cursor < 2)
          return done();
        loop.remaining = words[cursor] | uint64_t(words[cursor + 1]) << 32;
        cursor += 2;
        phaseCounts[step.a] += loop.remaining + 1;
        phaseCounts[step.target] += loop.remaining;
      }
      loop.first = loop.stream != nothing;
      loop.recording = loop.skipping = false;
      loop.state = nothing;
      if (loop.memo.touched.size && loop.memo.losing())
        countTaken(loop);
      loop.memo.review();
      break;
    }
    case TimedStep::Boundary: {
      TimedLoop &loop = loops[step.b];
      Memo &memo = loop.memo;
      if (!loop.skipping && memo.poor())
        memo.off = true;
      memo.slept += memo.off;
      if (loop.first || memo.off || !memoise ||
          (loop.state == nothing && ++memo.iterations < warmUp))
        break;
      if (loop.plain && loop.remaining == 0 && !loop.skipping)
        break;
      if (loop.state == nothing) {
        Cycle base = earliest(loop);
        uint32_t state = normalise(loop, base) ? memo.intern() : Memo::none;
        if (state == Memo::none)
          break;
        loop.state = state;
        loop.base = base;
      }
      bool starved = false;
      bool moved = skip(loop, words, count, cursor, starved);
      loop.skipping |= moved;
      if (starved)
        return done();
      if (loop.skipping)
        materialise(loop);
      loop.recording = !(loop.plain && loop.remaining == 0) && !memo.full();
      loop.recordFrom = wordsBefore + cursor;
      if (!loop.recording)
        loop.state = nothing;
      break;
    }
    case TimedStep::Go: {
      if (cursor == count)
        return done();
      uint32_t word = words[cursor++];
      loops[step.b].go = word != 0;
      failed |= word > 1;
      ++phaseCounts[step.a];
      phaseCounts[step.target] += word != 0;
      break;
    }
    case TimedStep::Stream: {
      TimedLoop &loop = loops[step.b];
      bool goes = loop.plain ? loop.remaining != 0 : loop.go;
      fire(firings[step.a + (loop.first ? 0 : 2) + goes]);
      loop.first = false;
      break;
    }
    case TimedStep::Test: {
      TimedLoop &loop = loops[step.b];
      if (loop.plain)
        loop.go = loop.remaining != 0;
      if (loop.go) {
        loop.remaining -= loop.plain;
        break;
      }
      if (loop.recording)
        record(loop, words, cursor, true);
      at = step.target;
      continue;
    }
    case TimedStep::Again: {
      TimedLoop &loop = loops[step.b];
      if (loop.recording)
        record(loop, words, cursor, false);
      at = step.target;
      continue;
    }
    case TimedStep::Leave:
      loops[step.b].state = nothing;
      break;
    case TimedStep::End:
      return done();
    }
    ++at;
  }
  return done();
}

Cycle Replay::finish() const {
  if (failed || steps[at].kind != TimedStep::End)
    return -1;
  Cycle last = 0;
  for (uint32_t value : sinks)
    if (arrival[value] > last)
      last = arrival[value];
  return last;
}

} // namespace loom::rt
