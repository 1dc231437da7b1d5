// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOOM_SUPPORT_SOURCELINE_H
#define LOOM_SUPPORT_SOURCELINE_H

#include "mlir/IR/Location.h"

namespace loom {

/// The first line that a location names, 0 when it names none.
inline unsigned lineOf(mlir::Location location) {
  unsigned line = 0;
  location->walk([&](mlir::Location inner) {
    auto file = mlir::dyn_cast<mlir::FileLineColLoc>(inner);
    if (!file)
      return mlir::WalkResult::advance();
    line = file.getLine();
    return mlir::WalkResult::interrupt();
  });
  return line;
}

} // namespace loom

#endif
