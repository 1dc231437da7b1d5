// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the cycles of a region can be relied on, as text.

#include "Devices/Sim/ResolveTiming.h"
#include "Stats/Stats.h"

namespace loom::rt {

const RegionModel *modelFor(const RegionState &state, DeviceKind kind) {
  const RegionModel *model = __atomic_load_n(&state.model, __ATOMIC_ACQUIRE);
  if (!model)
    return nullptr;
  DeviceKind its = model->drives ? options().device : DeviceKind::Sim;
  return kind == its ? model : nullptr;
}

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
  if (counted(state.counters[unsigned(kind)].exceeded))
    return "a launch exceeds the local memory";
  const RegionModel *model = modelFor(state, kind);
  // On `sim` nothing rests on the model.
  return model && model->drives ? model->unmodelled() : nullptr;
}

static void appendError(Text &text, const ModelError &error) {
  text.str("\"checked\":").num(counted(error.checked)).str(",\"error\":");
  appendShare(text, counted(error.off), counted(error.of));
  text.str(",\"worst\":");
  appendShare(text, counted(error.worst), 1000);
}

void appendModelError(Text &text, const RegionState &state, DeviceKind kind) {
  if (const RegionModel *model = modelFor(state, kind)) {
    text.str(",\"model\":{");
    appendError(text, model->within);
    text.str(",\"others\":{");
    appendError(text, model->across);
    text.str("}}");
  }
  text.str(",\"unmodelled\":");
  if (const char *why = unmodelledReason(state, kind))
    text.str("\"").json(why).str("\"");
  else
    text.str("null");
}

} // namespace loom::rt
