// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the cycles of a region can be relied on, as text.

#include "Devices/Sim/ResolveTiming.h"
#include "Stats/Stats.h"

namespace loom::rt {

const char *unmodelledReason(const RegionState &state, DeviceKind kind) {
  if (kind == DeviceKind::Host || !state.usable())
    return nullptr;
  RegionTiming timing;
  uint32_t missing = noActor;
  bool costs =
      resolveTiming(targetOf(state.region), state.region, timing, missing);
  timing.costs.release();
  if (!costs && missing != noActor)
    return "the target has no cost for an actor";
  return state.model && kind == options().device ? state.model->unmodelled()
                                                 : nullptr;
}

void appendModelError(Text &text, const RegionState &state, DeviceKind kind) {
  if (state.model && kind == options().device) {
    const ModelError &within = state.model->within;
    text.str(",\"model\":{\"checked\":").num(counted(within.checked));
    text.str(",\"error\":");
    appendShare(text, counted(within.off), counted(within.of));
    text.str(",\"worst\":");
    appendShare(text, counted(within.worst), 1000);
    text.str("}");
  }
  text.str(",\"unmodelled\":");
  if (const char *why = unmodelledReason(state, kind))
    text.str("\"").json(why).str("\"");
  else
    text.str("null");
}

} // namespace loom::rt
