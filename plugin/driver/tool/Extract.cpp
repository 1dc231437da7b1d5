// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom extract and loom spatial: what travels in the image, as files.

#include "Commands.h"
#include "LoomOpt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;

namespace {
/// The regions a command works on and the folder it writes to.
class Target {
public:
  /// Reads the words; nothing when the command ends here with `code`.
  static std::optional<Target> open(StringRef command, Words words, int &code);

  Error write(const Twine &name, StringRef contents) const {
    SmallString<128> path(directory);
    sys::path::append(path, name);
    Error error = writeFile(path, contents);
    if (!error)
      outs() << "wrote " << path << "\n";
    return error;
  }

  ImageFile file;
  std::vector<RegionRef> regions;
  StringRef path, directory;
};
} // namespace

std::optional<Target> Target::open(StringRef command, Words words, int &code) {
  code = Failed;
  StringRef usage = "EXE [REGION] -o DIR";
  auto arguments = parseArguments(command, usage, words, 1, 2);
  if (!arguments)
    return std::nullopt;
  if (arguments->output.empty()) {
    errs() << "usage: loom " << command << " " << usage << "\n";
    return std::nullopt;
  }
  StringRef path = arguments->positional[0];
  std::optional<ImageFile> file = openImages(command, path, code);
  if (!file)
    return std::nullopt;
  StringRef name =
      arguments->positional.size() > 1 ? arguments->positional[1] : StringRef();
  std::vector<RegionRef> regions = selectRegions(*file, name);
  if (regions.empty() && !name.empty()) {
    code = fail(command, path + " has no region '" + printable(name) +
                             "'; `loom graph " + path + "` lists them");
    return std::nullopt;
  }
  if (std::error_code error = sys::fs::create_directories(arguments->output)) {
    code = fail(command,
                "can't make " + arguments->output + ": " + error.message());
    return std::nullopt;
  }
  code = Done;
  return Target{std::move(*file), std::move(regions), path, arguments->output};
}

static Error extractAll(const Target &target) {
  NameSpace names;
  for (const SealedImage &image : target.file.images())
    if (Error error = target.write(names.unique("image") + ".loom",
                                   toStringRef(image.bytes())))
      return error;
  for (const RegionRef &ref : target.regions) {
    std::string name = names.unique(text(ref.region->name()));
    StringRef mlir = text(ref.region->structured());
    if (mlir.empty())
      continue;
    if (Error error = target.write(name + ".structured.mlir", mlir))
      return error;
    // The graph as text: lowering the same program gives the same graph.
    SmallString<128> graph(target.directory);
    sys::path::append(graph, name + ".dataflow.mlir");
    if (Error error = runLoomOpt("--loom-lower-to-dataflow", mlir, graph))
      return error;
  }
  return Error::success();
}

int loom::tool::extract(Words words) {
  int code = Done;
  std::optional<Target> target = Target::open("extract", words, code);
  if (!target)
    return code;
  if (Error error = extractAll(*target))
    return fail("extract", toString(std::move(error)));
  return Done;
}

static constexpr StringLiteral spatialNotes =
    R"(Spatial apps of the regions of one executable, written by `loom spatial`.

NAME.scala        the app. The comment at its head lists its arguments, all of
                  them files: launch slots, memories before, then the files it
                  writes: memories after, results.
NAME_check.scala  the same app; its last arguments are the expected files, and
                  it prints PASS or FAIL.

The memories of real launches: run the executable with LOOM_CAPTURE=DIR, then
`loom capture DIR/REGION.1.loomcap -o launch` writes launch/mem0.in.bin,
mem0.out.bin and so on, and slots and results as text. The app wants slots and
results as files of 64-bit little-endian words.

With the Spatial toolchain: put the app into a Spatial project and run
  sbt "runMain NAME --sim", then the generated run.sh with the arguments.

Without it: a checkout of Loom has the language as a small library,
  scalac -d out test/spatial-shim/*.scala NAME.scala
  scala -cp out NAME ARGUMENTS
)";

static Error writeApps(const Target &target, unsigned &written) {
  NameSpace names;
  for (const RegionRef &ref : target.regions) {
    StringRef app = text(ref.region->spatial());
    if (app.empty()) {
      StringRef code = text(ref.region->spatial_refusal());
      outs() << "no app for " << printable(text(ref.region->name())) << ": "
             << printable(code);
      if (StringRef meaning = meaningOf(code); !meaning.empty())
        outs() << " (" << meaning << ")";
      outs() << "\n";
      continue;
    }
    StringRef object = text(ref.region->spatial_object());
    std::string name =
        names.unique(object.empty() ? text(ref.region->name()) : object);
    if (Error error = target.write(name + ".scala", app))
      return error;
    ++written;
    if (StringRef check = text(ref.region->spatial_check()); !check.empty())
      if (Error error = target.write(name + "_check.scala", check))
        return error;
  }
  return written ? target.write("README.txt", spatialNotes) : Error::success();
}

int loom::tool::spatial(Words words) {
  int code = Done;
  std::optional<Target> target = Target::open("spatial", words, code);
  if (!target)
    return code;
  unsigned written = 0;
  if (Error error = writeApps(*target, written))
    return fail("spatial", toString(std::move(error)));
  return written ? Done : Nothing;
}
