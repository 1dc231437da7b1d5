// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plan.h"
#include <climits>
#include <cstdlib>
#include <cstring>

namespace loom::cc {

static bool isNativeTarget(const std::string &target) {
  if (target.empty())
    return true;
  std::string arch = target.substr(0, target.find('-'));
  if (arch == "amd64")
    arch = "x86_64";
  if (arch == "arm64")
    arch = "aarch64";
  if (arch != LOOM_HOST_ARCH || target.find("linux") == std::string::npos)
    return false;
  // The environment is the last component: the runtime is built for glibc.
  std::string last = target.substr(target.rfind('-') + 1);
  return last == "gnu" || last == "linux";
}

static bool isOurLinker(const std::string &name, const std::string &ldPath) {
  if (name.empty() || name == "lld" || name == "ld.lld" || name == "lld-22" ||
      name == "ld.lld-22")
    return true;
  char mine[PATH_MAX], theirs[PATH_MAX];
  return realpath(name.c_str(), theirs) && realpath(ldPath.c_str(), mine) &&
         std::string(mine) == theirs;
}

/// Reasons to be plain clang, whatever the command does.
static const char *passThroughReason(const CommandLine &line,
                                     const Environment &environment) {
  if (environment.offReason)
    return environment.offReason;
  if (line.internal)
    return "an internal clang invocation (-cc1)";
  if (line.m32)
    return "32-bit code (-m32)";
  if (!isNativeTarget(line.target))
    return "cross compilation (--target)";
  if (line.accelerator)
    return "an accelerator language has its own links";
  if (line.freestanding)
    return "freestanding or kernel code";
  if (!line.inputs && !line.linkerArgs)
    return "nothing to compile or link";
  return nullptr;
}

Plan makePlan(const CommandLine &line, const Environment &environment) {
  Plan plan;
  if (const char *reason = passThroughReason(line, environment)) {
    plan.compile = plan.linker = plan.plugin = plan.runtime = {false, reason};
    return plan;
  }

  if (line.lto == Lto::Off) {
    const char *reason = "-fno-lto";
    plan.compile = plan.plugin = plan.runtime = {false, reason};
  } else if (line.lto == Lto::Thin) {
    plan.compile = {false, "-flto=thin keeps its own pipeline"};
  } else if (line.assembly && !line.emitLLVM && line.lto == Lto::Unset) {
    plan.compile = {false, "-S asks for assembler text, not for bitcode"};
  } else if (line.stops && line.onlyAssembler) {
    plan.compile = {false, "assembler input"};
  }

  if (line.stops) {
    // Only the link uses the rest; leaving it in place gives every compile the
    // same command line.
    return plan;
  }
  if (!isOurLinker(line.linker, environment.ldPath)) {
    const char *reason = "another linker was asked for";
    plan.linker = plan.plugin = plan.runtime = {false, reason};
  } else if (!line.inputs) {
    const char *reason = "no input, the linker is only being asked something";
    plan.plugin = plan.runtime = {false, reason};
  } else if (line.noLibs && !line.libc && plan.plugin.on) {
    const char *reason = "a link without the C library";
    plan.plugin = plan.runtime = {false, reason};
  } else if (line.relocatable && plan.runtime.on) {
    plan.runtime = {false, "a relocatable link (-r); the final link adds it"};
  }
  return plan;
}

std::vector<std::string> remarkWords(const CommandLine &line,
                                     const Plan &plan) {
  std::vector<std::string> words;
  if (line.stops || !line.inputs || !plan.plugin.on)
    return words;
  for (const std::string &remark : line.remarks) {
    // -Rpass-missed=X is -pass-remarks-missed=X inside LLVM.
    std::string option = "-pass-remarks" + remark.substr(strlen("-Rpass"));
    for (const char *word : {"-Xlinker", "-mllvm", "-Xlinker", option.c_str()})
      words.push_back(word);
  }
  return words;
}

std::vector<const char *> configFiles(const Plan &plan) {
  if (plan.compile.on && plan.linker.on && plan.plugin.on && plan.runtime.on)
    return {"loom.cfg"};
  std::vector<const char *> files;
  if (plan.compile.on)
    files.push_back("loom-compile.cfg");
  if (plan.linker.on)
    files.push_back("loom-linker.cfg");
  if (plan.plugin.on)
    files.push_back("loom-plugin.cfg");
  if (plan.runtime.on)
    files.push_back("loom-runtime.cfg");
  return files;
}

} // namespace loom::cc
