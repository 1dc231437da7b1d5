// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs of the functional gate: launch slots and the memory that they point
// to, made up or from a capture.

#ifndef LOOM_PLUGIN_GATEINPUTS_H
#define LOOM_PLUGIN_GATEINPUTS_H

#include "Capture/Read.h"
#include "Image/Region.h"
#include <cstdint>
#include <string>
#include <vector>

namespace loom {

/// What the outlined function promises of a slot.
struct GateSlot {
  uint64_t low = 0;  ///< integers: the values [low, low + size), modulo 2^width
  uint64_t size = 0; ///< 0: all
  uint64_t dereferenceable = 0;
};

/// Memory that a launch may touch; everything around it is out of reach.
struct GateBuffer {
  uint64_t begin;
  uint64_t size;
};

struct GateInput {
  std::vector<uint64_t> slots;
  std::vector<GateBuffer> buffers;
};

/// How many inputs are made up.
constexpr unsigned gateVariants = 6;

/// Makes up input number `variant`, the same for the same region and number
/// except for addresses. Integers are small: most of them are trip counts and
/// strides. False: `why` says what can't be made.
bool synthesise(const rt::LoadedRegion &region,
                const std::vector<GateSlot> &facts, unsigned variant,
                GateInput &input, std::string &why);

/// The memory of a capture, at its old addresses.
bool restore(const rt::Capture &capture, const rt::LoadedRegion &region,
             GateInput &input, std::string &why);

} // namespace loom

#endif
