// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom views: the analysis views of regions.

#include "Commands.h"
#include "LoomOpt.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;

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

  bool any = false;
  for (const RegionRef &ref : regions) {
    StringRef mlir = text(ref.region->structured());
    if (mlir.empty())
      continue;
    any = true;
    if (Error error = runLoomOpt("--loom-views", mlir, "/dev/null"))
      return fail("views", printable(text(ref.region->name())) + ": " +
                               toString(std::move(error)));
  }
  if (!any)
    errs() << "loom views: " << path
           << " has no structured program of a region\n";
  return any ? Done : Nothing;
}
