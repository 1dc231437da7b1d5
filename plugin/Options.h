// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the environment asks of the plugin, read once per process.

#ifndef LOOM_PLUGIN_OPTIONS_H
#define LOOM_PLUGIN_OPTIONS_H

#include <string>

namespace loom {

struct PluginOptions {
  bool off = false;        ///< LOOM_OFFLOAD=off or LOOM_DISABLE=1
  std::string reportPath;  ///< LOOM_REPORT=file: candidates as JSON
  std::string dumpDir;     ///< LOOM_DUMP=dir: the IR of every stage (debugging)
  std::string programDir;  ///< LOOM_S0=dir: the structured program
  std::string storeDir;    ///< LOOM_STORE=dir: artifacts of the link
  std::string target;      ///< LOOM_TARGET or -loom-target: name or file
  bool verifyEach = false; ///< LOOM_VERIFY_EACH=1: verify LLVM IR at every step
  std::string inject;      ///< LOOM_INJECT_REFUSAL=code: every nest is refused
                           ///< with it after raising (tests of the fallback)
  bool roundTrip = false; ///< LOOM_ROUNDTRIP=1: nests run as lowered S0 (tests)
  std::string roundTripDefect; ///< LOOM_ROUNDTRIP_DEFECT=lower-bound: a planted
                               ///< defect (do the tests notice?)
  unsigned threads = 0;        ///< LOOM_THREADS: threads beside the link's own
  unsigned maxInstructions = 4000; ///< LOOM_MAX_NEST: nest size limit
  bool gate = false;      ///< LOOM_GATE=1: graphs run against their host code
  std::string gateInputs; ///< LOOM_GATE_INPUTS=dir: captures for it
  std::string gateDefect; ///< LOOM_GATE_DEFECT=add|address: a planted defect of
                          ///< the graphs (does the gate notice?)
  std::string graphDefect; ///< LOOM_GRAPH_DEFECT=STAGE-WHAT: a planted
                           ///< defect (does the check of graphs notice?)
  std::string
      graphs; ///< LOOM_GRAPHS=short or d0: graphs that aren't rewritten,
              ///< lowered with or without the shortcuts (tests)

  /// The options of this process.
  static const PluginOptions &get();
};

/// Makes `-loom-target=` known: to hosts that load plugins before they parse
/// options (opt; not ld.lld).
void registerOptions();

} // namespace loom

#endif
