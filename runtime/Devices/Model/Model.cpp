// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of launches and what they cost.

#include "Devices/Model/Model.h"

namespace loom::rt {

static uint64_t relaxed(const uint64_t &value) {
  return __atomic_load_n(&value, __ATOMIC_RELAXED);
}

LaunchClass *RegionModel::classOf(const LoadedRegion &region,
                                  const uint64_t *in) {
  uint64_t key = 0x9E3779B97F4A7C15ull;
  for (const InputInfo &input : region.inputs)
    if (isInteger(input.type.type)) {
      key = (key ^ (in[input.slot] & typeMask(input.type))) *
            0xD6E8FEB86659FD93ull;
      key ^= key >> 32;
    }
  key += key == 0;
  // A few probes: a table that is full of other classes says so quickly.
  for (uint32_t probe = 0; probe < 8; ++probe) {
    LaunchClass &at = classes[(key + probe) & (mostClasses - 1)];
    uint64_t found = relaxed(at.key);
    if (found == 0 &&
        __atomic_compare_exchange_n(&at.key, &found, key, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return &at;
    if (found == key)
      return &at;
  }
  return nullptr;
}

bool RegionModel::wantsSample(const LaunchClass *of, uint64_t number) const {
  if (__atomic_load_n(&misfits, __ATOMIC_RELAXED) >= mostMisfits)
    return false;
  if (!of || number == 0)
    return false;
  return number == 2 ||
         ((number & (number - 1)) == 0 && (__builtin_ctzll(number) & 1) == 0);
}

void RegionModel::learn(LaunchClass *of, uint64_t spent) {
  if (of) {
    __atomic_fetch_add(&of->cycles, spent, __ATOMIC_RELAXED);
    __atomic_fetch_add(&of->samples, uint64_t(1), __ATOMIC_RELAXED);
  }
  __atomic_fetch_add(&cycles, spent, __ATOMIC_RELAXED);
  __atomic_fetch_add(&samples, uint64_t(1), __ATOMIC_RELAXED);
}

Estimate estimate(const RegionModel &model, const LaunchClass *of) {
  uint64_t samples = of ? relaxed(of->samples) : 0;
  if (samples)
    return {relaxed(of->cycles) / samples, true, true};
  samples = relaxed(model.samples);
  if (samples)
    return {relaxed(model.cycles) / samples, true, false};
  return {0, false, false};
}

} // namespace loom::rt
