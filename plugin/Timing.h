// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stages of a link cost: a timer group that LLVM's -time-passes prints
// (for a link: -Wl,-mllvm,-time-passes).

#ifndef LOOM_PLUGIN_TIMING_H
#define LOOM_PLUGIN_TIMING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Pass.h"
#include "llvm/Support/Timer.h"

namespace loom {

/// Times a scope as `stage`, if -time-passes is on.
class StageTimer {
public:
  explicit StageTimer(llvm::StringRef stage)
      : timer(stage, stage, "loom", "Loom's stages",
              llvm::TimePassesIsEnabled) {}

private:
  llvm::NamedRegionTimer timer;
};

/// The result of `work`, timed as `stage`.
template <typename WorkT>
auto timed(llvm::StringRef stage, WorkT work) {
  StageTimer timer(stage);
  return work();
}

} // namespace loom

#endif
