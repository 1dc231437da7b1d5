// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host device, which is also the default of every device method: there is
// nothing to run, the program's own code does the work.

#include "Devices/Device.h"

namespace loom::rt {

const char *Device::name() const { return "host"; }

Engine *Device::prepare(const LoadedRegion &) const { return nullptr; }

void Device::discard(Engine *) const {}

Outcome Device::run(const LoadedRegion &, Engine *,
                    const LaunchContext &) const {
  return {Reason::Internal, "the host device runs no graphs", -1, 0};
}

static constexpr Device theHost;

const Device &hostDevice() { return theHost; }

} // namespace loom::rt
