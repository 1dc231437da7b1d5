// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dataflow graph of a region as DOT.

#ifndef LOOM_DRIVER_TOOL_DOT_H
#define LOOM_DRIVER_TOOL_DOT_H

#include "Image/Region.h"
#include "ImageFile.h"

namespace loom::tool {

/// The DOT text of a region, or why the graph can't be shown.
llvm::Expected<std::string> dotOf(const RegionRef &ref);

/// What an actor does: "load : i32", "7 : i64".
std::string actorLabel(const rt::ActorInfo &actor);

} // namespace loom::tool

#endif
