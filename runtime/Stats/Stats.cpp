// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics: a line of JSON per region and device, and the summary.

#include "Stats/Stats.h"

#include <fcntl.h>
#include <unistd.h>

namespace loom::rt {

static const char *const deviceNames[deviceKinds] = {"host", "sim", "auto",
                                                     "model"};

void appendPlace(Text &text, const RegionState &state) {
  text.str("region ").str(state.name());
  if (!state.region.name) {
    text.str(" (number ").num(state.index).str(" of a bad image)");
    return;
  }
  text.str(" (").str(state.region.function).str(", ");
  text.str(state.region.file).str(":").num(state.region.line).str(")");
}

static bool isModelled(DeviceKind kind) {
  return kind == DeviceKind::Auto || kind == DeviceKind::Model;
}

/// What was counted, and what the model makes of the launches that it counted.
static ModelTotals totalsOf(const RegionState &state, DeviceKind kind) {
  const Counters &counters = state.counters[unsigned(kind)];
  ModelTotals sum;
  if (isModelled(kind))
    if (const RegionModel *model = modelFor(state, kind))
      sum = model->totals();
  sum.launches += counted(counters.launches);
  sum.cycles += counted(counters.cycles);
  sum.untimed += counted(counters.untimed);
  return sum;
}

static bool wasReached(const RegionState &state, DeviceKind kind) {
  const Counters &counters = state.counters[unsigned(kind)];
  uint64_t sum = totalsOf(state, kind).launches | counted(counters.mismatches);
  for (const uint64_t &fallbacks : counters.fallbacks)
    sum |= counted(fallbacks);
  return sum != 0;
}

void appendStats(Text &text, const RegionState &state, DeviceKind kind) {
  const Counters &counters = state.counters[unsigned(kind)];
  const LoadedRegion &region = state.region;
  const ModelTotals sum = totalsOf(state, kind);
  text.str("{\"region\":\"").json(state.name());
  text.str("\",\"function\":\"").json(region.function ? region.function : "");
  text.str("\",\"file\":\"").json(region.file ? region.file : "");
  text.str("\",\"line\":").num(region.line);
  text.str(",\"device\":\"").str(deviceNames[unsigned(kind)]);
  text.str("\",\"launches\":").num(sum.launches);
  text.str(",\"firings\":").num(counted(counters.firings));
  // A sum that leaves launches out would be believed.
  if (kind != DeviceKind::Host && sum.untimed == 0)
    text.str(",\"cycles\":").num(sum.cycles);
  else
    text.str(",\"cycles\":null");
  if (isModelled(kind)) {
    text.str(",\"sampled\":").num(counted(counters.sampled));
    text.str(",\"estimated\":").num(sum.estimated);
    text.str(",\"untimed\":").num(sum.untimed);
  }
  if (kind != DeviceKind::Host)
    appendModelError(text, state, kind);
  text.str(",\"fallbacks\":{");
  const char *separator = "";
  for (unsigned r = 1; r < unsigned(Reason::Count); ++r) {
    uint64_t fallbacks = counted(counters.fallbacks[r]);
    if (fallbacks == 0)
      continue;
    text.str(separator).str("\"").str(reasonName(static_cast<Reason>(r)));
    text.str("\":").num(fallbacks);
    separator = ",";
  }
  text.str("},\"mismatches\":").num(counted(counters.mismatches));
  text.str(",\"guard\":");
  if (region.apart && kind != DeviceKind::Host) {
    separator = "{";
    for (unsigned v = 0; v < unsigned(GuardVerdict::Count); ++v) {
      text.str(separator).str("\"");
      text.str(guardVerdictName(static_cast<GuardVerdict>(v))).str("\":");
      text.num(counted(counters.guards[v]));
      separator = ",";
    }
    text.str("}");
  } else {
    text.str("null");
  }
  appendUsage(text, readUsage(counters.usage));
  text.str("}\n");
}

static void appendSummary(const RegionState &state, DeviceKind kind) {
  const Counters &counters = state.counters[unsigned(kind)];
  const ModelTotals sum = totalsOf(state, kind);
  Text text;
  appendPlace(text, state);
  text.str(" on ").str(deviceNames[unsigned(kind)]).str(": ");
  text.num(sum.launches).str(" launches, ");
  text.num(counted(counters.firings)).str(" firings");
  if (sum.cycles)
    text.str(", ").num(sum.cycles).str(" cycles");
  if (uint64_t sampled = counted(counters.sampled))
    text.str(" (").num(sampled).str(" simulated)");
  if (sum.estimated)
    text.str(" (").num(sum.estimated).str(" launches estimated)");
  if (sum.untimed)
    text.str(" (").num(sum.untimed).str(" launches untimed)");
  if (const char *why = unmodelledReason(state, kind))
    text.str(", unmodelled (").str(why).str(")");
  appendUsageText(text, readUsage(counters.usage));
  for (unsigned r = 1; r < unsigned(Reason::Count); ++r)
    if (uint64_t fallbacks = counted(counters.fallbacks[r]))
      text.str(", ")
          .num(fallbacks)
          .str(" on the host (")
          .str(reasonName(static_cast<Reason>(r)))
          .str(")");
  const char *separator = ", guard ";
  for (unsigned v = 0; v < unsigned(GuardVerdict::Count); ++v)
    if (uint64_t times = counted(counters.guards[v])) {
      text.str(separator).num(times).str(" ");
      text.str(guardVerdictName(static_cast<GuardVerdict>(v)));
      separator = " ";
    }
  if (uint64_t mismatches = counted(counters.mismatches))
    text.str(", ").num(mismatches).str(" MISMATCHES");
  sayLine(text);
}

static void writeStats(const char *path, const Text &text) {
  if (text.bytes.size == 0)
    return;
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0 || !writeAll(fd, text.bytes.data, text.bytes.size)) {
    Text line;
    line.str("can't write the statistics to ").str(path);
    sayLine(line);
  }
  if (fd >= 0)
    close(fd);
}

void reportAll() {
  // Nothing was launched: leave the environment unread.
  if (!allStates())
    return;
  const Options &set = options();
  if (!set.counting())
    return;
  lockRuntime();
  // First reached, first written.
  Vec<RegionState *> order;
  for (RegionState *state = allStates(); state; state = state->next)
    if (!order.push(state))
      break;
  Text text;
  for (size_t i = order.size; i-- > 0;)
    for (unsigned kind = 0; kind < deviceKinds; ++kind) {
      if (!wasReached(*order[i], static_cast<DeviceKind>(kind)))
        continue;
      if (set.stats)
        appendStats(text, *order[i], static_cast<DeviceKind>(kind));
      if (set.info & InfoSummary)
        appendSummary(*order[i], static_cast<DeviceKind>(kind));
    }
  for (RegionState *state : order)
    state->forget();
  if (set.stats)
    writeStats(set.stats, text);
  text.release();
  order.release();
  unlockRuntime();
}

/// At exit, after the program's own handlers.
__attribute__((destructor)) static void reportAtExit() { reportAll(); }

} // namespace loom::rt
