// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimOptions.h"
#include "Core/Options.h"
#include "Devices/Sim/Critical.h"
#include "Devices/Sim/ResolveTiming.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace loom::tool;

namespace {
struct NumberOption {
  StringLiteral name;
  uint64_t SimOptions::*field;
  uint64_t least, most;
};
} // namespace

static constexpr NumberOption numberOptions[] = {
    {"--budget", &SimOptions::budget, 1, uint64_t(1) << 40},
    {"--events", &SimOptions::events, 0, 10000000},
    {"--latency", &SimOptions::latency, 0, 65535},
    {"--memory-latency", &SimOptions::memoryLatency, 0, 65535},
    {"--queue", &SimOptions::queue, 1, 1u << 20},
    {"--ports", &SimOptions::ports, 0, 1u << 20},
    {"--bandwidth", &SimOptions::bandwidth, 0, 1u << 20}};

const char *loom::tool::parseSim(Words words, bool traces,
                                 SimOptions &options) {
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (!word.starts_with("-")) {
      if (!options.path.empty() || word.empty())
        return "one capture is wanted";
      options.path = word;
      continue;
    }
    if (i + 1 == words.size() || words[i + 1].empty())
      return "an option is unknown or lacks its value";
    StringRef value = words[++i];
    if (word == "--image") {
      options.image = value;
      continue;
    }
    if (traces && word == "--trace") {
      options.trace = value;
      continue;
    }
    const NumberOption *option = find_if(
        numberOptions, [&](const NumberOption &o) { return o.name == word; });
    if (option == std::end(numberOptions) || (!traces && word == "--events"))
      return "an option is unknown";
    uint64_t &field = options.*option->field;
    if (!rt::parseCount(value.str().c_str(), field) || field < option->least ||
        field > option->most)
      return "the value of an option is no number or out of bounds";
  }
  return options.path.empty() ? "one capture is wanted" : nullptr;
}

bool loom::tool::timingOf(const rt::TargetInfo &target,
                          const rt::LoadedRegion &region,
                          const SimOptions &options, rt::RegionTiming &timing,
                          uint32_t &missing) {
  if (!rt::resolveTiming(target, region, timing, missing))
    return false;
  for (size_t a = 0; a < region.actors.size; ++a) {
    uint64_t latency = rt::isAccess(region.actors[a]) ? options.memoryLatency
                                                      : options.latency;
    if (latency != asTarget)
      timing.costs[a] = {static_cast<uint16_t>(latency), 1};
  }
  if (options.queue != asTarget)
    timing.queueCapacity = static_cast<uint32_t>(options.queue);
  if (options.ports != asTarget)
    timing.ports = static_cast<uint32_t>(options.ports);
  if (options.bandwidth != asTarget)
    timing.bandwidth = options.bandwidth;
  return true;
}
