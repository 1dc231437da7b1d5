// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"
#include "llvm/ADT/StringRef.h"
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

static loom::PluginOptions read() {
  loom::PluginOptions options;
  options.off = env("LOOM_OFFLOAD") == "off" || isSet("LOOM_DISABLE");
  options.reportPath = env("LOOM_REPORT").str();
  options.dumpDir = env("LOOM_DUMP").str();
  options.programDir = env("LOOM_S0").str();
  options.storeDir = env("LOOM_STORE").str();
  options.inject = env("LOOM_INJECT_REFUSAL").str();
  options.verifyEach = isSet("LOOM_VERIFY_EACH");
  options.roundTrip = isSet("LOOM_ROUNDTRIP");
  options.graphs = env("LOOM_GRAPHS").str();
  options.roundTripDefect = env("LOOM_ROUNDTRIP_DEFECT").str();
  options.gate = isSet("LOOM_GATE");
  options.gateInputs = env("LOOM_GATE_INPUTS").str();
  options.gateDefect = env("LOOM_GATE_DEFECT").str();
  unsigned limit = 0;
  if (!env("LOOM_MAX_NEST").empty() &&
      !env("LOOM_MAX_NEST").getAsInteger(10, limit))
    options.maxInstructions = limit;
  return options;
}

const loom::PluginOptions &loom::PluginOptions::get() {
  static const PluginOptions options = read();
  return options;
}
