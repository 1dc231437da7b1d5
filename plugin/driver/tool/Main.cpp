// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom: reads back what Loom left in executables.

#include "Commands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;

namespace {
struct Command {
  StringLiteral name;
  int (*run)(Words);
  StringLiteral usage;
  StringLiteral text;
};
} // namespace

static constexpr Command commands[] = {
    {"report", report, "EXE|REPORT [--json]",
     "every candidate loop nest: offloaded, or why not"},
    {"graph", graph, "EXE [REGION] [-o x.dot|x.svg]",
     "the dataflow graph of a region; without REGION, the regions"},
    {"spatial", spatial, "EXE [REGION] -o DIR",
     "writes the Spatial apps of the regions"},
    {"extract", extract, "EXE [REGION] -o DIR",
     "writes the image and the MLIR text of the regions"},
    {"views", views, "EXE [REGION]",
     "what is known of loops, accesses and dependences of the regions"},
    {"capture", capture, "CAPTURE [-o DIR]",
     "what is in a captured launch; as files"},
    {"replay", replay, "CAPTURE [OPTIONS]",
     "runs a captured launch again and compares; --help"},
    {"sim", sim, "CAPTURE [OPTIONS]",
     "a captured launch in simulated time; a trace; --help"},
    {"explain", explain, "CAPTURE [OPTIONS]",
     "what limits a captured launch on its target; --help"},
    {"explore", explore, "CAPTURE [OPTIONS]",
     "what schedules of the loops would do to a captured launch; --help"},
    {"target", target, "[NAME|FILE]",
     "what a target can do; without one, the built-in targets"},
    {"doctor", doctor, "", "checks the installation"},
};

static void help(raw_ostream &out) {
  out << "usage: loom COMMAND ...\n\n";
  for (const Command &command : commands) {
    std::string left = (command.name + " " + command.usage).str();
    out << "  " << left_justify(left, 38) << " " << command.text << "\n";
  }
  out << "  " << left_justify("help, --version", 38)
      << " this text; the version\n";
  out << "\nExit codes: 0 done, 1 nothing of the kind in the file or a replay "
         "that "
         "differs,\n2 error.\n";
}

int main(int argc, char **argv) {
  SmallVector<StringRef> words;
  for (int i = 1; i < argc; ++i)
    words.push_back(argv[i]);
  if (words.empty()) {
    help(errs());
    return Failed;
  }
  StringRef name = words.front();
  if (name == "help" || name == "--help" || name == "-h") {
    help(outs());
    return Done;
  }
  if (name == "--version" || name == "version") {
    outs() << "loom " LOOM_VERSION_STRING " (LLVM " LOOM_LLVM_VERSION ")\n";
    return Done;
  }
  for (const Command &command : commands)
    if (command.name == name)
      return command.run(ArrayRef(words).drop_front());
  errs() << "loom: there is no command '" << printable(name)
         << "'; `loom help` lists them\n";
  return Failed;
}
