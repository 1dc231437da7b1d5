// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom explain: what limits a captured launch.

#include "Explanation.h"
#include "SimOptions.h"

using namespace llvm;
using namespace loom::tool;
namespace rt = loom::rt;

static constexpr StringLiteral help =
    R"(usage: loom explain CAPTURE [OPTIONS]

Runs a launch that LOOM_CAPTURE recorded on the timed simulator and prints what
it waited for: how busy the actors were, the ring of actors that limits it, and
the cycles that intervals and ports alone would allow.

  --image FILE       the program, a shared library or an image of `loom extract`;
                     otherwise the file that the capture names
  --latency N        cycles of an actor, --memory-latency N of an access
  --queue N          places of a queue
  --ports N          accesses in a cycle; 0: one for each access actor
  --budget N         firings, with k, M or G

What isn't given is as the target of the image says.

Exit codes: 0 done, 1 another result than the recorded one, 2 could not be run.
)";

namespace {
/// Everything of one run that has to be released.
struct Measured {
  rt::RegionTiming timing;
  rt::EventResult times;
  rt::WaitLog waits;
  rt::Critical critical;
  Measured() { times.waits = &waits; }
  Measured(const Measured &) = delete;
  ~Measured() {
    timing.costs.release();
    times.release();
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

static int run(const CaptureFile &file, const Region &region,
               const SimOptions &options) {
  const rt::Capture &capture = *file;
  bool apart = rt::rerunIsApart(capture, *region);
  const rt::LoadedRegion &graph = apart ? *region->apart : *region;
  Measured run;
  uint32_t missing = 0;
  if (!timingOf(region.target(), graph, options, run.timing, missing))
    return fail("explain", nameOf(capture) + ": target " +
                               printable(region.target().name) +
                               " has no cost for actor " + Twine(missing));
  rt::RerunRequest how;
  how.apart = apart;
  how.budget = options.budget ? options.budget : rt::rerunBudget(capture);
  how.timing = &run.timing;
  how.times = &run.times;
  rt::RerunResult result = rt::rerunCapture(capture, *region, how);
  if (result.refusal != rt::RerunRefusal::None)
    return fail("explain",
                nameOf(capture) + ": " + rt::rerunRefusalText(result.refusal));
  if (result.outcome.reason != rt::Reason::None)
    return fail("explain", nameOf(capture) + " ended early: " +
                               rt::reasonName(result.outcome.reason) + ", " +
                               result.outcome.detail);
  if (!rt::findCritical(graph, run.timing, run.times, run.critical))
    return fail("explain", "no memory");
  raw_ostream &out = outs();
  out << nameOf(capture) << ": ";
  writeTotals(out, graph, run.times);
  out << " on target " << printable(region.target().name) << "\n";
  TimedLaunch launch = {graph, run.timing, run.times, run.critical};
  writeOccupancy(out, launch);
  writeLimit(out, launch);
  writeBound(out, launch);
  writeAdvice(out, launch);
  if (result.equal())
    return Done;
  out << "the result differs from the recorded one; see loom replay\n";
  return Different;
}

int loom::tool::explain(Words words) {
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    outs() << help;
    return Done;
  }
  SimOptions options;
  if (const char *wrong = parseSim(words, /*traces=*/false, options)) {
    errs() << "loom explain: " << wrong << "; `loom explain --help`\n";
    return Failed;
  }
  Expected<CaptureFile> file = CaptureFile::read(options.path);
  if (!file)
    return fail("explain",
                printable(options.path) + ": " + toString(file.takeError()));
  Expected<Region> region = Region::find(**file, options.image);
  if (!region)
    return fail("explain", toString(region.takeError()));
  if (!region->isCaptured())
    outs() << "note: " << nameOf(**file)
           << ": the graph is another than the captured one\n";
  return run(*file, *region, options);
}
