// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Threading.h"
#include <cstdlib>

using namespace llvm;

static StringRef env(const char *name) {
  const char *value = std::getenv(name);
  return value ? StringRef(value) : StringRef();
}

static bool isSet(const char *name) {
  StringRef value = env(name);
  return !value.empty() && value != "0";
}

static constexpr StringLiteral targetOption = "loom-target";

void loom::registerOptions() {
  // A second copy of the plugin must not register the name again: LLVM would
  // end the process.
  if (cl::getRegisteredOptions().count(targetOption))
    return;
  static cl::opt<std::string> target(
      StringRef(targetOption),
      cl::desc("Loom's target: a built-in one, or a file"), cl::Hidden);
}

/// What `-mllvm -loom-target=` says; it goes before the environment.
static std::string targetOfCommandLine() {
  auto &options = cl::getRegisteredOptions();
  auto found = options.find(targetOption);
  if (found == options.end() || !found->second->getNumOccurrences())
    return "";
  return *static_cast<cl::opt<std::string> *>(found->second);
}

static loom::PluginOptions read() {
  loom::PluginOptions options;
  options.off = env("LOOM_OFFLOAD") == "off" || isSet("LOOM_DISABLE");
  options.reportPath = env("LOOM_REPORT").str();
  options.dumpDir = env("LOOM_DUMP").str();
  options.programDir = env("LOOM_S0").str();
  options.storeDir = env("LOOM_STORE").str();
  options.target = targetOfCommandLine();
  if (options.target.empty())
    options.target = env("LOOM_TARGET").str();
  options.inject = env("LOOM_INJECT_REFUSAL").str();
  options.verifyEach = isSet("LOOM_VERIFY_EACH");
  options.roundTrip = isSet("LOOM_ROUNDTRIP");
  options.graphs = env("LOOM_GRAPHS").str();
  options.roundTripDefect = env("LOOM_ROUNDTRIP_DEFECT").str();
  options.gate = isSet("LOOM_GATE");
  options.gateInputs = env("LOOM_GATE_INPUTS").str();
  options.gateDefect = env("LOOM_GATE_DEFECT").str();
  options.graphDefect = env("LOOM_GRAPH_DEFECT").str();
  unsigned limit = 0;
  if (!env("LOOM_MAX_NEST").empty() &&
      !env("LOOM_MAX_NEST").getAsInteger(10, limit))
    options.maxInstructions = limit;
  // More threads than these find nothing to do: the nests are found on one.
  constexpr unsigned mostThreads = 16;
  unsigned cores = hardware_concurrency().compute_thread_count();
  options.threads = std::min(cores > 1 ? cores - 1 : 0, 4u);
  unsigned threads = 0;
  if (!env("LOOM_THREADS").empty() &&
      !env("LOOM_THREADS").getAsInteger(10, threads))
    options.threads = std::min(threads, mostThreads);
  return options;
}

const loom::PluginOptions &loom::PluginOptions::get() {
  static const PluginOptions options = read();
  return options;
}
