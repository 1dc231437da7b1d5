// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom graph: a region as DOT, or as a picture through graphviz.

#include "Commands.h"
#include "Dot.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;

static void listRegions(ArrayRef<RegionRef> regions) {
  for (const RegionRef &ref : regions) {
    const loom::image::Graph *graph = ref.region->graph();
    outs() << formatv("{0}  {1}  {2}:{3}  {4} actors\n",
                      printable(text(ref.region->name())),
                      printable(text(ref.region->function())),
                      printable(text(ref.region->file())), ref.region->line(),
                      graph ? items(graph->actors()).size() : 0);
  }
}

/// Runs graphviz on `text`; `format` is one of its output formats.
static Error runDot(StringRef text, StringRef format, StringRef output) {
  ErrorOr<std::string> dot = sys::findProgramByName("dot");
  if (!dot)
    return createStringError(
        "dot is not installed (Debian package graphviz); -o x.dot needs none");
  SmallString<128> temporary;
  if (std::error_code error =
          sys::fs::createTemporaryFile("loom", "dot", temporary))
    return createStringError(error, "can't write a temporary file");
  FileRemover remover(temporary);
  if (Error error = writeFile(temporary, text))
    return error;
  std::string type = ("-T" + format).str(), message;
  if (sys::ExecuteAndWait(*dot, {*dot, type, "-o", output, temporary},
                          std::nullopt, {}, 0, 0, &message) != 0)
    return createStringError("dot failed" +
                             (message.empty() ? "" : ": " + message));
  return Error::success();
}

static Error writeGraph(StringRef text, StringRef output) {
  if (output.empty() || output == "-") {
    outs() << text;
    return Error::success();
  }
  StringRef format = sys::path::extension(output).drop_front(
      sys::path::extension(output).empty() ? 0 : 1);
  if (format == "svg" || format == "png" || format == "pdf")
    return runDot(text, format, output);
  return writeFile(output, text);
}

int loom::tool::graph(Words words) {
  auto arguments =
      parseArguments("graph", "EXE [REGION] [-o x.dot|x.svg]", words, 1, 2);
  if (!arguments)
    return Failed;
  StringRef path = arguments->positional[0];
  int code = Done;
  std::optional<ImageFile> file = openImages("graph", path, code);
  if (!file)
    return code;
  if (arguments->positional.size() == 1) {
    listRegions(file->regions());
    return Done;
  }
  StringRef name = arguments->positional[1];
  std::vector<RegionRef> chosen = selectRegions(*file, name);
  if (chosen.size() != 1) {
    fail("graph",
         path +
             (chosen.empty() ? " has no region '" : " has several regions '") +
             printable(name) + "'; it has:");
    listRegions(chosen.empty() ? file->regions() : chosen);
    return Failed;
  }
  Expected<std::string> dot = dotOf(chosen.front());
  if (!dot)
    return fail("graph", path + ": " + toString(dot.takeError()));
  if (Error error = writeGraph(*dot, arguments->output))
    return fail("graph", toString(std::move(error)));
  return Done;
}
