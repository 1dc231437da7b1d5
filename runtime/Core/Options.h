// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment, read once (docs/environment.md).

#ifndef LOOM_RUNTIME_CORE_OPTIONS_H
#define LOOM_RUNTIME_CORE_OPTIONS_H

#include <stdint.h>

namespace loom::rt {

/// Auto: the host, with launches simulated and checked now and then. Model: the
/// same without the check.
enum class DeviceKind : uint8_t { Host, Sim, Auto, Model };
constexpr unsigned deviceKinds = 4;

/// How the simulator runs a launch: the compiled plan, the plan interpreted, or
/// tokens through the graph's actors.
enum class SimEngine : uint8_t { Plan, Interpreter, Tokens };

enum InfoBits : unsigned { InfoSummary = 1, InfoLaunch = 2, InfoFallback = 4 };

constexpr uint64_t unlimited = ~uint64_t(0);
constexpr uint64_t defaultBudget = 200000000;
constexpr uint64_t defaultSampling = 20000000; // Auto, Model

struct Options {
  DeviceKind device = DeviceKind::Auto;
  bool mandatory = false;
  bool verify = false;
  bool randomOrder = false;
  uint64_t orderSeed = 1;
  SimEngine engine = SimEngine::Plan;
  bool timing = true;
  uint64_t budget = defaultBudget; // firings
  unsigned info = 0;
  char *stats = nullptr;   // absolute path
  char *capture = nullptr; // absolute path
  uint64_t captureLaunches = 1;

  bool models() const {
    return device == DeviceKind::Auto || device == DeviceKind::Model;
  }
  /// Who wants every launch verified, captured or offloaded gets just that.
  bool every() const { return verify || capture || mandatory; }
  /// Whether somebody will look at the counters.
  bool counting() const { return stats || info; }
};

/// Looks variables up by name; a test passes its own.
using Lookup = const char *(*)(const char *name);

/// Parses the variables. Notes on stderr go through `note`.
void parseOptions(Options &options, Lookup lookup, void (*note)(const char *));

/// A number with an optional k, M or G, or "unlimited".
bool parseCount(const char *text, uint64_t &value);

/// Whether the runtime, the compiler or a tool reads the variable.
bool isKnownVariable(const char *name, unsigned length);

/// The options of the process, read at the first call.
const Options &options();

} // namespace loom::rt

#endif
