// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom views: the analysis views of regions. This tool knows nothing of MLIR;
// the loom-opt beside it reads the structured program and prints them.

#include "Commands.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;

static constexpr unsigned Seconds = 120;
static constexpr unsigned Megabytes = 4096;

/// The text in the image comes from outside: whatever loom-opt does with it, it
/// does in a process of its own.
static Error show(StringRef loomOpt, StringRef mlir) {
  SmallString<128> file;
  if (std::error_code error =
          sys::fs::createTemporaryFile("loom", "mlir", file))
    return createStringError(error, "can't write a temporary file");
  FileRemover remover(file);
  if (Error error = writeFile(file, mlir))
    return error;
  outs().flush();
  std::string message;
  StringRef words[] = {loomOpt, "--loom-views", file, "-o", "/dev/null"};
  int code = sys::ExecuteAndWait(loomOpt, words, std::nullopt, {}, Seconds,
                                 Megabytes, &message);
  if (code == 0)
    return Error::success();
  return createStringError("loom-opt failed" +
                           (message.empty() ? "" : ": " + message));
}

int loom::tool::views(Words words) {
  auto arguments = parseArguments("views", "EXE [REGION]", words, 1, 2);
  if (!arguments || !arguments->output.empty()) {
    if (arguments)
      errs() << "usage: loom views EXE [REGION]\n";
    return Failed;
  }
  StringRef path = arguments->positional[0];
  int code = Done;
  std::optional<ImageFile> file = openImages("views", path, code);
  if (!file)
    return code;
  StringRef name =
      arguments->positional.size() > 1 ? arguments->positional[1] : StringRef();
  std::vector<RegionRef> regions = selectRegions(*file, name);
  if (regions.empty() && !name.empty())
    return fail("views", path + " has no region '" + printable(name) +
                             "'; `loom graph " + path + "` lists them");

  SmallString<128> loomOpt(
      sys::fs::getMainExecutable("loom", reinterpret_cast<void *>(&views)));
  sys::path::remove_filename(loomOpt);
  sys::path::append(loomOpt, "loom-opt");
  if (!sys::fs::can_execute(loomOpt))
    return fail("views", loomOpt + " is missing");
  bool any = false;
  for (const RegionRef &ref : regions) {
    StringRef mlir = text(ref.region->structured());
    if (mlir.empty())
      continue;
    any = true;
    if (Error error = show(loomOpt, mlir))
      return fail("views", printable(text(ref.region->name())) + ": " +
                               toString(std::move(error)));
  }
  if (!any)
    errs() << "loom views: " << path
           << " has no structured program of a region\n";
  return any ? Done : Nothing;
}
