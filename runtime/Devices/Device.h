// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device is to the runtime. The engines of `sim` (docs/simulator.md) are
// behind this interface; `auto` and `model` are policies over it.

#ifndef LOOM_RUNTIME_DEVICES_DEVICE_H
#define LOOM_RUNTIME_DEVICES_DEVICE_H

#include "Core/Error.h"
#include "Devices/Sim/TouchedLines.h"
#include "Devices/Sim/Watch.h"
#include "Devices/Usage.h"
#include "Image/Region.h"

namespace loom::rt {

/// Who wants to know when an actor fires. Timed engines tell; the order of the
/// calls is that of the cycles.
struct FireListener {
  void (*onFire)(void *data, uint32_t actor, uint64_t cycle) = nullptr;
  void *data = nullptr;
};

/// One launch. The device writes memory only after noting it in `undo`; it
/// never rolls back itself.
struct LaunchContext {
  const uint64_t *in;
  uint64_t *out;
  uint64_t budget; // firings this launch may take
  UndoLog *undo;
  ReadLog *reads = nullptr;   // the launch is captured: notes what is read
  Overlay *overlay = nullptr; // the launch is a replay: in place of memory
  FireListener listener = {};
  Usage *usage = nullptr;          // filled when the launch was timed
  TouchedLines *touched = nullptr; // filled by engines that have a clock
};

struct Engine; // a device's reusable state for one region

class Device {
public:
  constexpr Device() = default;
  /// Name in LOOM_DEVICE and in the statistics.
  virtual const char *name() const;
  /// State for launches of a region, used by one launch at a time; null when
  /// memory runs out or the device needs none.
  virtual Engine *prepare(const LoadedRegion &region) const;
  virtual void discard(Engine *engine) const;
  /// Runs one launch. On success `out` is filled and memory is final; otherwise
  /// the caller rolls back.
  virtual Outcome run(const LoadedRegion &region, Engine *engine,
                      const LaunchContext &context) const;
};

/// The device that runs nothing: host code does.
const Device &hostDevice();
/// The simulator.
const Device &simDevice();

} // namespace loom::rt

#endif
