// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom explain: what limits a captured launch.

#include "Explanation.h"
#include "TimedRun.h"

using namespace llvm;
using namespace loom::tool;
namespace rt = loom::rt;

static constexpr StringLiteral help =
    R"(usage: loom explain CAPTURE [OPTIONS]

Runs a launch that LOOM_CAPTURE recorded on the timed simulator and prints what
it waited for: how busy the actors were, the ring of actors that limits it, and
the cycles that intervals, ports and bandwidth alone would allow.

  --image FILE       the program, a shared library or an image of `loom extract`;
                     otherwise the file that the capture names
  --latency N        cycles of an actor, --memory-latency N of an access
  --queue N          places of a queue
  --ports N          accesses in a cycle; 0: one for each access actor
  --bandwidth N      bytes of accesses in a cycle; 0: any number
  --budget N         firings, with k, M or G

What isn't given is as the target of the image says.

Exit codes: 0 done, 1 another result than the recorded one, 2 could not be run.
)";

namespace {
/// What the launch waited for.
struct Causes {
  rt::WaitLog waits;
  rt::Critical critical;
  Causes() = default;
  Causes(const Causes &) = delete;
  ~Causes() {
    waits.release();
    critical.release();
  }
};
} // namespace

static void writeTotals(raw_ostream &out, const rt::LoadedRegion &graph,
                        const rt::EventResult &times) {
  uint64_t accesses = 0;
  uint64_t bytes = 0;
  for (size_t a = 0; a < graph.actors.size; ++a) {
    const rt::ActorInfo &info = graph.actors[a];
    if (!rt::isAccess(info))
      continue;
    accesses += times.actors[a].count;
    bytes += times.actors[a].count * rt::typeBytes(info.type);
  }
  out << times.cycles << " cycles, " << times.firings << " firings, "
      << accesses << " accesses, " << bytes << " bytes of memory";
}

static int body(TimedRun &run) {
  Causes causes;
  run.times.waits = &causes.waits;
  if (!run.run() || run.endedEarly())
    return Failed;
  if (!rt::findCritical(run.graph(), run.timing, run.times, causes.critical))
    return run.fail("no memory");
  raw_ostream &out = outs();
  out << run.name() << ": ";
  writeTotals(out, run.graph(), run.times);
  out << " on target " << printable(run.target()) << "\n";
  run.writeTransfers(out);
  TimedLaunch launch = {run.graph(), run.timing, run.times, causes.critical};
  writeOccupancy(out, launch);
  if (run.transfers.cycles > run.times.cycles)
    out << "limit: transfers: moving the memory of the launch takes longer "
           "than "
           "the graph; what the graph itself waits for:\n";
  writeLimit(out, launch);
  writeBound(out, launch);
  writeAdvice(out, launch);
  return run.finish();
}

int loom::tool::explain(Words words) {
  return runTimed({"explain", help, /*traces=*/false, body}, words);
}
