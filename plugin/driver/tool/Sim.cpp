// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom sim: a captured launch in simulated time.

#include "Devices/Sim/Critical.h"
#include "TimedRun.h"
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
  --bandwidth N      bytes of accesses in a cycle; 0: any number
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

static int body(TimedRun &run) {
  const SimOptions &options = run.options;
  const bool traced = !options.trace.empty();
  Trace trace(run.graph(), traced ? options.events : 0);
  if (!run.run(traced ? trace.listener() : rt::FireListener{}))
    return Failed;
  // What happened before the end of a launch that ended early is worth a look.
  if (traced)
    if (Error error = writeTrace(trace, options.trace, run.name()))
      return run.fail(toString(std::move(error)));
  if (run.endedEarly())
    return Failed;
  uint64_t accesses = 0;
  for (size_t a = 0; a < run.graph().actors.size; ++a)
    if (rt::isAccess(run.graph().actors[a]))
      accesses += run.times.actors[a].count;
  outs() << run.name() << ": " << run.times.cycles << " cycles, "
         << run.result.outcome.firings << " firings, " << accesses
         << " accesses on target " << printable(run.target()) << "\n";
  run.writeTransfers(outs());
  if (traced) {
    outs() << "wrote " << options.trace << ": " << trace.events() << " events";
    if (trace.dropped())
      outs() << ", " << trace.dropped() << " firings left out (--events)";
    outs() << "\n";
  }
  return run.finish();
}

int loom::tool::sim(Words words) {
  return runTimed({"sim", help, /*traces=*/true, body}, words);
}
