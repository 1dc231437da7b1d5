// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dot.h"
#include "Explanation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>

using namespace llvm;
using namespace loom::tool;

static constexpr size_t mostBusy = 5;

std::string loom::tool::actorText(const TimedLaunch &launch, uint32_t actor) {
  const rt::ActorInfo &info = launch.region.actors[actor];
  std::string text = "actor " + std::to_string(actor) + ", " + actorLabel(info);
  if (info.line)
    text += ", line " + std::to_string(info.line);
  return text;
}

std::string loom::tool::quotient(uint64_t part, uint64_t whole) {
  std::string text;
  raw_string_ostream(text) << format(
      "%.1f", whole ? double(part) / double(whole) : 0.0);
  return text;
}

std::string loom::tool::percent(uint64_t part, uint64_t whole) {
  std::string text;
  raw_string_ostream(text) << format(
      "%.1f%%", whole ? 100.0 * double(part) / double(whole) : 0.0);
  return text;
}

std::string loom::tool::bandwidthText(const TimedLaunch &launch) {
  return std::to_string(launch.timing.bandwidth) +
         (launch.timing.bandwidth == 1 ? " byte" : " bytes") + " a cycle";
}

static uint64_t busyCycles(const TimedLaunch &launch, uint32_t actor) {
  return launch.result.actors[actor].count *
         launch.timing.costs[actor].interval;
}

/// Loops end with firings that no output waits for, so the actors can be busy a
/// little longer than the launch takes.
static uint64_t spanOf(const TimedLaunch &launch) {
  uint64_t span = launch.result.cycles;
  for (uint32_t a = 0; a < launch.region.actors.size; ++a)
    if (launch.result.actors[a].count)
      span = std::max(span, launch.result.actors[a].last +
                                launch.timing.costs[a].interval);
  return span;
}

namespace {
struct ActorClass {
  StringLiteral name;
  uint64_t actors = 0;
  uint64_t busy = 0;
};
} // namespace

void loom::tool::writeOccupancy(raw_ostream &out, const TimedLaunch &launch) {
  ActorClass classes[] = {{"compute"}, {"memory"}, {"loops and routing"}};
  std::vector<uint32_t> order;
  for (uint32_t a = 0; a < launch.region.actors.size; ++a) {
    const rt::ActorInfo &info = launch.region.actors[a];
    ActorClass &its = info.kind == rt::Kind::Compute ? classes[0]
                      : rt::isAccess(info)           ? classes[1]
                                                     : classes[2];
    ++its.actors;
    its.busy += busyCycles(launch, a);
    if (launch.result.actors[a].count)
      order.push_back(a);
  }
  const uint64_t span = spanOf(launch);
  out << "busy:\n";
  for (const ActorClass &its : classes)
    if (its.actors)
      out << "  " << percent(its.busy, span * its.actors) << " of "
          << its.actors << (its.actors == 1 ? " actor" : " actors") << " for "
          << its.name << "\n";
  llvm::stable_sort(order, [&](uint32_t x, uint32_t y) {
    return busyCycles(launch, x) > busyCycles(launch, y);
  });
  out << "busiest actors:\n";
  for (uint32_t a : ArrayRef(order).take_front(mostBusy))
    out << "  " << percent(busyCycles(launch, a), span) << " "
        << actorText(launch, a) << ": " << launch.result.actors[a].count
        << " firings, interval " << launch.timing.costs[a].interval << "\n";
}

void loom::tool::writeBound(raw_ostream &out, const TimedLaunch &launch) {
  rt::LowerBound bound =
      rt::lowerBound(launch.region, launch.timing, launch.result);
  out << "bound: intervals"
      << (launch.timing.bandwidth ? ", ports and the memory's bandwidth"
                                  : " and ports")
      << " alone allow " << bound.cycles << " cycles (";
  switch (bound.by) {
  case rt::LowerBound::Ports:
    out << launch.timing.ports
        << (launch.timing.ports == 1 ? " port" : " ports");
    break;
  case rt::LowerBound::Bandwidth:
    out << bandwidthText(launch);
    break;
  case rt::LowerBound::Actor:
    out << actorText(launch, bound.actor);
    break;
  }
  out << "); the launch takes " << quotient(launch.result.cycles, bound.cycles)
      << " times that\n";
}
