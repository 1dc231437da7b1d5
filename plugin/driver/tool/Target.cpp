// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom target: the built-in targets, or what one target says.

#include "Commands.h"
#include "LoomOpt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;

int loom::tool::target(Words words) {
  StringRef usage = "[NAME|FILE]";
  auto arguments = parseArguments("target", usage, words, 0, 1);
  if (!arguments || !arguments->output.empty()) {
    if (arguments)
      errs() << "usage: loom target " << usage << "\n";
    return Failed;
  }
  std::string module = "module {}\n";
  if (!arguments->positional.empty()) {
    raw_string_ostream text(module);
    module = "module attributes {loom.target = \"";
    printEscapedString(arguments->positional[0], text);
    text << "\"} {}\n";
  }
  // Parsing a stranger's MLIR is for another process, with limits.
  if (Error error = runLoomOpt("--loom-print-target", module, "/dev/null")) {
    std::string why = toString(std::move(error));
    // It has said in one line what is wrong with the target.
    return why == "loom-opt failed" ? Failed : fail("target", why);
  }
  return Done;
}
