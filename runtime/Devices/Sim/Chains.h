// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that repeat another one for one, in chains of any length.

#ifndef LOOM_RUNTIME_DEVICES_SIM_CHAINS_H
#define LOOM_RUNTIME_DEVICES_SIM_CHAINS_H

#include "Devices/Sim/Plan.h"

namespace loom::rt {

/// Gives each value without an entry that of the value it repeats: `before`
/// says which, `nothing` for a value that keeps none. Each value is passed
/// once, which `steps` counts. False: a chain is a ring, or memory runs out.
template <typename Before>
bool followChains(Vec<uint32_t> &found, uint64_t &steps, Before before) {
  constexpr uint32_t open = nothing - 1; // of the chain in hand
  Vec<uint32_t> chain;
  bool good = true;
  for (uint32_t v = 0; v < found.size && good; ++v) {
    chain.clear();
    uint32_t at = v;
    while (good && found[at] == nothing) {
      uint32_t next = before(at);
      if (next == nothing)
        break;
      good = chain.push(at);
      found[at] = open;
      at = next;
      ++steps;
    }
    good = good && found[at] != open;
    for (uint32_t link : chain)
      found[link] = found[at];
  }
  chain.release();
  return good;
}

} // namespace loom::rt

#endif
