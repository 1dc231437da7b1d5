// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analytic model of a region: what a launch that the host runs would have
// cost on the device. Launches fall into classes by their integer live-ins,
// which is what trip counts come from; pointers and floats are left out. A
// class learns its cycles from launches that were simulated; where the control
// of a region depends on nothing else its launches cost the same, and the model
// is exact. Where it depends on memory, the class knows the mean of its
// samples.

#ifndef LOOM_RUNTIME_DEVICES_MODEL_MODEL_H
#define LOOM_RUNTIME_DEVICES_MODEL_MODEL_H

#include "Image/Region.h"

namespace loom::rt {

/// The launches of one class. Counters are updated with relaxed atomics.
struct LaunchClass {
  uint64_t key; // never 0
  uint64_t seen;
  uint64_t samples;
  uint64_t cycles; // of all samples
};

struct RegionModel {
  static constexpr uint32_t mostClasses = 256; // a power of two
  static constexpr uint32_t mostMisfits = 4;

  LaunchClass classes[mostClasses]; // open addressing
  uint64_t samples;                 // of all classes
  uint64_t cycles;
  uint32_t misfits; // simulations that did not end: too long, or refused

  /// The class of a launch; null when there are too many.
  LaunchClass *classOf(const LoadedRegion &region, const uint64_t *in);
  /// Whether this launch of the class, counted from 1, is simulated: the first,
  /// the second, and every one whose number is a power of four.
  bool wantsSample(const LaunchClass *of, uint64_t number) const;
  void learn(LaunchClass *of, uint64_t cycles);
  void misfit() { __atomic_fetch_add(&misfits, 1u, __ATOMIC_RELAXED); }
};

/// What the model says of a launch. `exact`: from its own class.
struct Estimate {
  uint64_t cycles;
  bool known;
  bool exact;
};
Estimate estimate(const RegionModel &model, const LaunchClass *of);

} // namespace loom::rt

#endif
