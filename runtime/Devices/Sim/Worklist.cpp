// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second way to order visits. A sweep is best when whole batches of tokens
// move at once; in a large graph where few tokens circulate (a serial while
// loop with many branches) nearly every visit of a sweep is in vain. There only
// actors that received something are visited. The result is the same: the
// network is determinate.

#include "Devices/Sim/Engine.h"

namespace loom::rt {

void Engine::enqueue(uint32_t actor) {
  if (queued[actor])
    return;
  queued[actor] = 1;
  work[workTail++] = actor;
  if (workTail == work.size)
    workTail = 0;
  ++workCount;
}

void Engine::follow(uint64_t budget, uint64_t &fired) {
  uint32_t count = static_cast<uint32_t>(actors.size);
  uint64_t total = fired;
  uint64_t mark = total;
  // Everybody once, in schedule order; again while somebody stopped before a
  // full queue and anything moved since.
  for (bool again = true; again;) {
    for (const Step &step : schedule)
      if (step.kind == Step::Visit)
        enqueue(step.arg);
    blocked = false;
    mark = total;
    while (workCount) {
      uint32_t index = work[workHead++];
      if (workHead == work.size)
        workHead = 0;
      --workCount;
      queued[index] = 0;
      uint32_t got = visit(index, 0xffffffffu);
      if (got == 0)
        continue;
      total += got;
      if (__builtin_expect(fault != Reason::None || total > budget, 0)) {
        for (uint32_t a = 0; a < count; ++a)
          queued[a] = 0;
        workHead = workTail = workCount = 0;
        fired = total;
        return;
      }
      const ActorInfo &info = infos[index];
      for (uint32_t q = uses[info.firstResult],
                    end = uses[info.firstResult + info.numResults];
           q < end; ++q)
        if (queues[q].size() && consumers[q] != noConsumer)
          enqueue(consumers[q]);
    }
    again = blocked && total != mark;
  }
  fired = total;
}

} // namespace loom::rt
