// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analytic model of a region: what a launch that the host runs would have
// cost on the device. Launches fall into classes by their integer live-ins,
// which is what trip counts come from; pointers and floats are left out. A
// class learns its cycles from launches that were simulated; where the control
// of a region depends on nothing else its launches cost the same, and the model
// is exact. Where it depends on memory, the class knows the mean of its
// samples. What a sample costs is compared with what the model would have said.
//
// A launch that is not simulated costs a look into the table and one count;
// what the launches cost in all is worked out when somebody asks.

#ifndef LOOM_RUNTIME_DEVICES_MODEL_MODEL_H
#define LOOM_RUNTIME_DEVICES_MODEL_MODEL_H

#include "Core/Error.h"
#include "Image/Region.h"

#include <sys/single_threaded.h>

namespace loom::rt {

/// The launches of one class. Counters are updated with relaxed atomics.
struct LaunchClass {
  uint64_t key; // never 0
  uint64_t seen;
  uint64_t told; // of these, what a report has told
  uint64_t samples;
  uint64_t cycles; // of all samples
};

/// How far the model was off, at samples that it had an opinion of.
struct ModelError {
  uint64_t checked;
  uint64_t worst; // in thousandths of what the sample took
  uint64_t off;   // the differences...
  uint64_t of;    // ...and the cycles, in all
};

/// What the launches since the last report cost.
struct ModelTotals {
  uint64_t launches = 0;
  uint64_t cycles = 0;
  uint64_t estimated = 0; // cost the mean of the region
  uint64_t untimed = 0;   // have no cycles
};

struct RegionModel {
  static constexpr uint32_t mostClasses = 256; // a power of two
  static constexpr uint32_t mostMisfits = 4;
  static constexpr uint32_t mostScalars = 64; // others don't tell classes apart
  static constexpr uint64_t tolerated = 200;  // thousandths

  struct Scalar {
    uint64_t mask;
    uint32_t slot;
  };
  Scalar scalars[mostScalars];
  uint32_t scalarCount;
  bool drives;                      // launches are its own: `auto` and `model`
  bool counting;                    // somebody wants the totals
  uint32_t misfits;                 // simulations that did not end
  LaunchClass classes[mostClasses]; // open addressing
  uint64_t unclassed, unclassedTold;
  uint64_t samples; // of all classes
  uint64_t cycles;
  ModelError within; // a class's mean against its next sample
  ModelError across; // the region's mean against the first of a class

  /// Of zeroed memory.
  void init(const LoadedRegion &region, bool drives, bool counting);
  /// The class of a launch; null when there are too many.
  LaunchClass *classOf(const uint64_t *in);
  /// Whether simulations still make sense.
  bool trusts() const {
    return __atomic_load_n(&misfits, __ATOMIC_RELAXED) < mostMisfits;
  }
  void learn(LaunchClass *of, uint64_t cycles);
  /// What a launch would be said to cost; `noCycles`: nothing is known.
  uint64_t predict(const LaunchClass *of) const;
  /// A device that simulates every launch asks what the model makes of one that
  /// took `cycles`. It learns from those that it would have had simulated.
  uint64_t watch(const uint64_t *in, uint64_t cycles);
  void misfit() { __atomic_fetch_add(&misfits, 1u, __ATOMIC_RELAXED); }

  ModelTotals totals() const;
  /// Null, or why the cycles of the region are not to be relied on.
  const char *unmodelled() const;
  /// What was said of a launch against what it took.
  void compare(const LaunchClass *of, uint64_t cycles);
  /// What there is has been told. What was learned stays.
  void forget();
};

/// Whether this launch of a class, counted from 1, is simulated: the first, the
/// second, and every one whose number is a power of four.
inline bool isSampleNumber(uint64_t number) {
  return number == 2 ||
         ((number & (number - 1)) == 0 && (__builtin_ctzll(number) & 1) == 0);
}

/// Adds one and returns the sum; without a bus lock as long as there is one
/// thread.
inline uint64_t countUp(uint64_t &counter) {
  if (!__libc_single_threaded)
    return __atomic_add_fetch(&counter, uint64_t(1), __ATOMIC_RELAXED);
  uint64_t sum = __atomic_load_n(&counter, __ATOMIC_RELAXED) + 1;
  __atomic_store_n(&counter, sum, __ATOMIC_RELAXED);
  return sum;
}

} // namespace loom::rt

#endif
