// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom sim: a captured launch in simulated time.

#include "CaptureFile.h"
#include "Commands.h"
#include "Devices/Sim/Critical.h"
#include "SimOptions.h"
#include "Trace.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;
namespace rt = loom::rt;

static constexpr StringLiteral help =
    R"(usage: loom sim CAPTURE [OPTIONS]

Runs a launch that LOOM_CAPTURE recorded on the timed simulator.

  --image FILE       the program, a shared library or an image of `loom extract`;
                     otherwise the file that the capture names
  --trace FILE.json  a Chrome trace: a track per actor, a cycle a microsecond
  --events N         events of the trace at most (200k); firings of an actor that
                     follow each other without a pause are one event
  --latency N        cycles of an actor, --memory-latency N of an access
  --queue N          places of a queue
  --ports N          accesses in a cycle; 0: one for each access actor
  --budget N         firings, with k, M or G

What isn't given is as the target of the image says.

Exit codes: 0 done, 1 another result than the recorded one, 2 could not be run.
)";

static Error writeTrace(const Trace &trace, StringRef path, StringRef title) {
  std::string text;
  raw_string_ostream out(text);
  trace.write(out, title);
  return writeFile(path, text);
}

static int run(const CaptureFile &file, const Region &region,
               const SimOptions &request) {
  const rt::Capture &capture = *file;
  bool apart = rt::rerunIsApart(capture, *region);
  const rt::LoadedRegion &graph = apart ? *region->apart : *region;
  rt::RegionTiming timing;
  uint32_t missing = 0;
  if (!timingOf(region.target(), graph, request, timing, missing))
    return fail("sim", nameOf(capture) + ": target " +
                           printable(region.target().name) +
                           " has no cost for actor " + Twine(missing));
  rt::EventResult times;
  Trace trace(graph, request.trace.empty() ? 0 : request.events);
  rt::RerunRequest how;
  how.apart = apart;
  how.budget = request.budget ? request.budget : rt::rerunBudget(capture);
  how.timing = &timing;
  how.times = &times;
  if (!request.trace.empty())
    how.listener = trace.listener();
  rt::RerunResult result = rt::rerunCapture(capture, *region, how);
  uint64_t accesses = 0;
  for (size_t a = 0; a < times.actors.size && a < graph.actors.size; ++a)
    if (rt::isAccess(graph.actors[a]))
      accesses += times.actors[a].count;
  times.release();
  timing.costs.release();
  if (result.refusal != rt::RerunRefusal::None)
    return fail("sim",
                nameOf(capture) + ": " + rt::rerunRefusalText(result.refusal));
  // What happened before the end of a launch that ended early is worth a look.
  if (!request.trace.empty())
    if (Error error = writeTrace(trace, request.trace, nameOf(capture)))
      return fail("sim", toString(std::move(error)));
  if (result.outcome.reason != rt::Reason::None)
    return fail("sim", nameOf(capture) + " ended early: " +
                           rt::reasonName(result.outcome.reason) + ", " +
                           result.outcome.detail);
  outs() << nameOf(capture) << ": " << times.cycles << " cycles, "
         << result.outcome.firings << " firings, " << accesses
         << " accesses on target " << printable(region.target().name) << "\n";
  if (!request.trace.empty()) {
    outs() << "wrote " << request.trace << ": " << trace.events() << " events";
    if (trace.dropped())
      outs() << ", " << trace.dropped() << " firings left out (--events)";
    outs() << "\n";
  }
  if (result.equal())
    return Done;
  outs() << "the result differs from the recorded one; see loom replay\n";
  return Different;
}

int loom::tool::sim(Words words) {
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    outs() << help;
    return Done;
  }
  SimOptions request;
  if (const char *wrong = parseSim(words, /*traces=*/true, request)) {
    errs() << "loom sim: " << wrong << "; `loom sim --help`\n";
    return Failed;
  }
  Expected<CaptureFile> file = CaptureFile::read(request.path);
  if (!file)
    return fail("sim",
                printable(request.path) + ": " + toString(file.takeError()));
  Expected<Region> region = Region::find(**file, request.image);
  if (!region)
    return fail("sim", toString(region.takeError()));
  if (!region->isCaptured())
    outs() << "note: " << nameOf(**file)
           << ": the graph is another than the captured one\n";
  return run(*file, *region, request);
}
