// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loom-cc adds to a command line, and why.

#ifndef LOOM_DRIVER_CC_PLAN_H
#define LOOM_DRIVER_CC_PLAN_H

#include "CommandLine.h"

namespace loom::cc {

/// One thing that is added or left out.
struct Part {
  bool on = true;
  const char *reason = "";
};

struct Plan {
  Part compile; ///< -flto=full without vectoriser and unroller
  Part linker;  ///< lld of this LLVM
  Part plugin;  ///< the pass plugin in lld
  Part runtime; ///< libloom_rt.a
};

/// What the environment says about this invocation.
struct Environment {
  const char *offReason = nullptr; ///< set: pass everything through
  std::string ldPath;              ///< lld of this LLVM
};

Plan makePlan(const CommandLine &line, const Environment &environment);

/// Words that carry the remarks a link asks for to lld: clang keeps them to
/// its own passes.
std::vector<std::string> remarkWords(const CommandLine &line, const Plan &plan);

/// The configuration files of a plan, by name, in order.
std::vector<const char *> configFiles(const Plan &plan);

} // namespace loom::cc

#endif
