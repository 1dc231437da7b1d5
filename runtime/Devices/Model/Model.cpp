// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of launches and what they cost.

#include "Devices/Model/Model.h"

namespace loom::rt {

static uint64_t relaxed(const uint64_t &value) {
  return __atomic_load_n(&value, __ATOMIC_RELAXED);
}

static void set(uint64_t &to, uint64_t value) {
  __atomic_store_n(&to, value, __ATOMIC_RELAXED);
}

static void add(uint64_t &to, uint64_t value) {
  __atomic_fetch_add(&to, value, __ATOMIC_RELAXED);
}

void RegionModel::init(const LoadedRegion &region, bool drive, bool count) {
  drives = drive;
  counting = count;
  for (const InputInfo &input : region.inputs)
    if (isInteger(input.type.type) && scalarCount < mostScalars)
      scalars[scalarCount++] = {typeMask(input.type), input.slot};
}

LaunchClass *RegionModel::classOf(const uint64_t *in) {
  uint64_t key = 0x9E3779B97F4A7C15ull;
  for (uint32_t s = 0; s < scalarCount; ++s) {
    key =
        (key ^ (in[scalars[s].slot] & scalars[s].mask)) * 0xD6E8FEB86659FD93ull;
    key ^= key >> 32;
  }
  key += key == 0;
  // A few probes: a table that is full of other classes says so quickly.
  for (uint32_t probe = 0; probe < 8; ++probe) {
    LaunchClass &at = classes[(key + probe) & (mostClasses - 1)];
    uint64_t found = relaxed(at.key);
    if (found == key)
      return &at;
    if (found == 0 &&
        __atomic_compare_exchange_n(&at.key, &found, key, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return &at;
    if (found == key)
      return &at;
  }
  return nullptr;
}

static uint64_t scaled(uint64_t count, uint64_t cycles, uint64_t samples) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(count) * cycles /
                               samples);
}

/// What the model says of a launch against what it took.
static void check(ModelError &error, uint64_t said, uint64_t took) {
  uint64_t off = said > took ? said - took : took - said;
  uint64_t share = scaled(off, 1000, took ? took : 1);
  add(error.checked, 1);
  add(error.off, off);
  add(error.of, took);
  if (share > relaxed(error.worst))
    set(error.worst, share);
}

uint64_t RegionModel::predict(const LaunchClass *of) const {
  if (uint64_t known = of ? relaxed(of->samples) : 0)
    return relaxed(of->cycles) / known;
  uint64_t all = relaxed(samples);
  return all ? relaxed(cycles) / all : noCycles;
}

void RegionModel::compare(const LaunchClass *of, uint64_t spent) {
  uint64_t said = predict(of);
  if (said != noCycles)
    check(of && relaxed(of->samples) ? within : across, said, spent);
}

uint64_t RegionModel::watch(const uint64_t *in, uint64_t spent) {
  LaunchClass *of = classOf(in);
  uint64_t number = countUp(of ? of->seen : unclassed);
  uint64_t said = predict(of);
  if (of && isSampleNumber(number))
    learn(of, spent);
  else
    compare(of, spent);
  return said;
}

void RegionModel::learn(LaunchClass *of, uint64_t spent) {
  compare(of, spent);
  if (of) {
    add(of->cycles, spent);
    add(of->samples, 1);
  }
  add(cycles, spent);
  add(samples, 1);
}

ModelTotals RegionModel::totals() const {
  ModelTotals sum;
  uint64_t others = relaxed(unclassed) - relaxed(unclassedTold);
  for (const LaunchClass &of : classes) {
    uint64_t launches = relaxed(of.seen) - relaxed(of.told);
    if (uint64_t known = relaxed(of.samples)) {
      sum.launches += launches;
      sum.cycles += scaled(launches, relaxed(of.cycles), known);
    } else {
      others += launches;
    }
  }
  sum.launches += others;
  if (uint64_t all = relaxed(samples)) {
    sum.estimated = others;
    sum.cycles += scaled(others, relaxed(cycles), all);
  } else {
    sum.untimed = others;
  }
  return sum;
}

const char *RegionModel::unmodelled() const {
  if (relaxed(within.worst) > tolerated)
    return "launches of a class differ";
  if (relaxed(across.worst) > tolerated && totals().estimated)
    return "classes differ, and some were never simulated";
  return nullptr;
}

void RegionModel::forget() {
  for (LaunchClass &of : classes)
    set(of.told, relaxed(of.seen));
  set(unclassedTold, relaxed(unclassed));
}

} // namespace loom::rt
