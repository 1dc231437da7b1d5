// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Firings of a timed launch as a Chrome trace (chrome://tracing, Perfetto): a
// track per actor, a cycle being a microsecond of the viewer's.

#ifndef LOOM_DRIVER_TOOL_TRACE_H
#define LOOM_DRIVER_TOOL_TRACE_H

#include "Devices/Device.h"
#include "Image/Region.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace loom::tool {

/// Collects firings. Those of one actor that follow each other without a pause
/// are one event; beyond the most events that were asked for, firings are only
/// counted.
class Trace {
public:
  Trace(const rt::LoadedRegion &region, size_t mostEvents);
  rt::FireListener listener() { return {&Trace::onFire, this}; }

  /// The trace as JSON. Equal launches give equal bytes.
  void write(llvm::raw_ostream &out, llvm::StringRef title) const;

  size_t events() const { return list.size(); }
  uint64_t dropped() const { return left; }

private:
  struct Event {
    uint64_t begin;
    uint64_t end; // the cycle after the last firing
    uint32_t actor;
  };
  static void onFire(void *data, uint32_t actor, uint64_t cycle);
  void fire(uint32_t actor, uint64_t cycle);

  const rt::LoadedRegion &region;
  size_t most;
  std::vector<Event> list;    // in the order of their begin
  std::vector<size_t> latest; // event of an actor + 1, 0: none
  uint64_t left = 0;
};

} // namespace loom::tool

#endif
