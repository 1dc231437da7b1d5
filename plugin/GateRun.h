// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One input of the functional gate: host code, then the graphs, then the
// comparison.

#ifndef LOOM_PLUGIN_GATERUN_H
#define LOOM_PLUGIN_GATERUN_H

#include "GateHost.h"

namespace loom {

enum class GateVerdict : uint32_t { Untested, Equal, Different };

/// Shared between processes: what is known of an input so far.
struct GateRecord {
  GateVerdict verdict;
  uint32_t inGraph; ///< the host code came to its end, the graph has begun
  char detail[200];

  void say(GateVerdict result, const char *text);
};

/// Runs one input in this process, which may not survive it.
void gateRun(GateFunction host, const rt::LoadedRegion &region,
             const GateInput &input, GateRecord &record);

} // namespace loom

#endif
