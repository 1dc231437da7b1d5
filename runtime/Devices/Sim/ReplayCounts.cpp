// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often each phase came, from the words of the control trace. A word that
// is read one by one counts at once. The automaton notes at its nodes how often
// each word was taken; what that means is worked out when the counts are
// wanted.

#include "Devices/Sim/Replay.h"

namespace loom::rt {

/// A site is a step that reads words. Entering a loop reads two, whose numbers
/// differ in this bit.
constexpr uint32_t highWord = 1u << 31;

/// The steps of an iteration that has just been looked at, without the firings.
/// Loops and selections inside are over: their state is free to use.
void Replay::sitesOf(const TimedLoop &loop, const uint32_t *words, size_t count,
                     uint32_t *sites) {
  uint32_t step = loop.firstStep + 1;
  for (size_t i = 0; i < count;) {
    const TimedStep &now = steps[step++];
    switch (now.kind) {
    case TimedStep::Lane:
      lanes[now.b] = words[i];
      sites[i++] = step - 1;
      break;
    case TimedStep::Go:
      loops[now.b].go = words[i] != 0;
      sites[i++] = step - 1;
      break;
    case TimedStep::Enter:
      if (!loops[now.b].plain)
        break;
      sites[i++] = step - 1;
      if (i < count)
        sites[i++] = (step - 1) | highWord;
      step = loops[now.b].lastStep;
      break;
    case TimedStep::Jump:
    case TimedStep::Again:
      step = now.target;
      break;
    case TimedStep::JumpLane:
      step = laneTargets[now.a + lanes[now.b]];
      break;
    case TimedStep::Test:
      if (!loops[now.b].go)
        step = now.target;
      break;
    case TimedStep::End: // not a trace of this plan
      for (; i < count; ++i)
        sites[i] = step - 1;
      return;
    default:
      break;
    }
  }
}

/// `times` wraps around: words that are taken back count as -1.
void Replay::countWord(uint32_t site, uint32_t word, uint64_t times) {
  const TimedStep &step = steps[site & ~highWord];
  switch (step.kind) {
  case TimedStep::Lane:
    phaseCounts[step.a + word] += times;
    break;
  case TimedStep::Go:
    phaseCounts[step.a] += times;
    phaseCounts[step.target] += word ? times : 0;
    break;
  case TimedStep::Enter: {
    bool high = site & highWord;
    uint64_t trips = times * (high ? uint64_t(word) << 32 : word);
    phaseCounts[step.a] += trips + (high ? 0 : times);
    phaseCounts[step.target] += trips;
    break;
  }
  default:
    break;
  }
}

void Replay::countTaken(TimedLoop &loop) {
  Memo &memo = loop.memo;
  for (uint32_t at : memo.touched) {
    MemoNode &node = memo.nodes[at >> 1];
    uint64_t &taken = node.taken[at & 1];
    countWord(node.site, at & 1, taken);
    taken = 0;
  }
  memo.touched.clear();
}

/// Words of an iteration that the table does not know to its end: they will be
/// read again.
void Replay::takeBack(Memo &memo, uint32_t node, const uint32_t *words,
                      size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint32_t cycles;
    if (words[i] < 2)
      --memo.nodes[node].taken[words[i]];
    else
      countWord(memo.nodes[node].site, words[i], ~uint64_t(0));
    node = memo.child(node, words[i], cycles);
  }
}

const uint64_t *Replay::counts() {
  for (TimedLoop &loop : loops)
    countTaken(loop);
  if (phaseCounts.size)
    phaseCounts[0] = 1; // the root
  return phaseCounts.data;
}

} // namespace loom::rt
