// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `loom sim` and `loom explain` share: a captured launch that runs on the
// timed simulator.

#ifndef LOOM_DRIVER_TOOL_TIMEDRUN_H
#define LOOM_DRIVER_TOOL_TIMEDRUN_H

#include "CaptureFile.h"
#include "Devices/Sim/Transfers.h"
#include "SimOptions.h"

namespace loom::tool {

/// One launch, and everything of it that has to be released.
class TimedRun {
public:
  /// On `target`, which is that of the region's image or another.
  TimedRun(llvm::StringRef command, const CaptureFile &file,
           const Region &region, const rt::TargetInfo &target,
           const SimOptions &options);
  TimedRun(const TimedRun &) = delete;
  ~TimedRun();

  /// Resolves the timing. False: complained.
  bool prepare();
  /// Runs; `times` is filled. False: the runtime refused, complained.
  bool run(rt::FireListener listener = {});
  /// What the launch costs around its graph, where memory is moved for it.
  void writeTransfers(llvm::raw_ostream &out) const;
  /// Whether the launch ended early; complains.
  bool endedEarly() const;
  /// Says whether the result was the recorded one; the exit code.
  int finish() const;

  int fail(const llvm::Twine &text) const;
  const rt::LoadedRegion &graph() const;
  std::string name() const { return nameOf(*file); }
  llvm::StringRef target() const { return machine.name; }

  const SimOptions &options;
  rt::RegionTiming timing;
  rt::EventResult times;
  rt::RerunResult result;
  rt::TouchedLines touched; // where memory is moved
  rt::Transfers transfers;  // of a launch that ended well

private:
  llvm::StringRef command;
  const CaptureFile &file;
  const Region &region;
  const rt::TargetInfo &machine;
  bool apart;
};

/// A command: reads its words and the capture, and hands over the run.
struct TimedCommand {
  llvm::StringRef name, help;
  bool traces; // there are --trace and --events
  int (*body)(TimedRun &run);
};
int runTimed(const TimedCommand &command, Words words);

} // namespace loom::tool

#endif
