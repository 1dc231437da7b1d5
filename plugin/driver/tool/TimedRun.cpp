// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimedRun.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;
namespace rt = loom::rt;

TimedRun::TimedRun(StringRef command, const CaptureFile &file,
                   const Region &region, const rt::TargetInfo &target,
                   const SimOptions &options)
    : options(options), command(command), file(file), region(region),
      machine(target), apart(rt::rerunIsApart(*file, *region)) {}

TimedRun::~TimedRun() {
  timing.costs.release();
  times.release();
  touched.release();
}

int TimedRun::fail(const Twine &text) const {
  return loom::tool::fail(command, text);
}

const rt::LoadedRegion &TimedRun::graph() const {
  return apart ? *region->apart : *region;
}

bool TimedRun::prepare() {
  uint32_t missing = 0;
  if (timingOf(machine, graph(), options, timing, missing))
    return true;
  fail(name() + ": target " + printable(target()) + " has no cost for actor " +
       Twine(missing));
  return false;
}

bool TimedRun::run(rt::FireListener listener) {
  rt::RerunRequest how;
  how.apart = apart;
  how.budget = options.budget ? options.budget : rt::rerunBudget(*file);
  how.timing = &timing;
  how.times = &times;
  how.listener = listener;
  how.touched = rt::movesMemory(machine) ? &touched : nullptr;
  result = rt::rerunCapture(*file, *region, how);
  if (result.refusal == rt::RerunRefusal::None) {
    if (how.touched && !touched.full())
      transfers = rt::transfersOf(machine, touched);
    return true;
  }
  fail(name() + ": " + rt::rerunRefusalText(result.refusal));
  return false;
}

void TimedRun::writeTransfers(raw_ostream &out) const {
  if (!transfers.measured)
    return;
  out << "transfers: " << transfers.linesIn << " lines of 64 bytes in, "
      << transfers.linesOut << " out: " << transfers.cycles
      << " cycles; the launch takes " << machine.launchCycles << ", in all "
      << times.cycles + transfers.cycles + machine.launchCycles << " cycles\n";
  if (transfers.exceeds)
    out << "local memory exceeded: the launch touches " << transfers.lines * 64
        << " bytes, the target has " << machine.localCapacity
        << "; its cycles are not to be relied on\n";
}

bool TimedRun::endedEarly() const {
  if (result.outcome.reason == rt::Reason::None)
    return false;
  fail(name() + " ended early: " + rt::reasonName(result.outcome.reason) +
       ", " + result.outcome.detail);
  return true;
}

int TimedRun::finish() const {
  if (result.equal())
    return Done;
  outs() << "the result differs from the recorded one; see loom replay\n";
  return Different;
}

int loom::tool::runTimed(const TimedCommand &command, Words words) {
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    outs() << command.help;
    return Done;
  }
  SimOptions options;
  if (const char *wrong = parseSim(words, command.traces, options)) {
    errs() << "loom " << command.name << ": " << wrong << "; `loom "
           << command.name << " --help`\n";
    return Failed;
  }
  std::optional<CapturedLaunch> launch =
      openLaunch(command.name, options.path, options.image, false);
  if (!launch)
    return Failed;
  TimedRun run(command.name, launch->file, launch->region,
               launch->region.target(), options);
  return run.prepare() ? command.body(run) : Failed;
}
