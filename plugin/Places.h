// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source places of the device's copy of a nest. The copy must not name the
// debug information of the program: what imports or clones the copy would take
// types and descriptions of whole functions along. So its locations are lines
// and columns in one scope that describes nothing else. All are of the file
// that the region is reported in: code that was inlined from another one has
// the place of the call.

#ifndef LOOM_PLUGIN_PLACES_H
#define LOOM_PLUGIN_PLACES_H

#include "llvm/IR/DebugLoc.h"

namespace llvm {
class DIFile;
class DISubprogram;
} // namespace llvm

namespace loom {

class Places {
public:
  /// Without a file nothing has a place.
  explicit Places(llvm::DIFile *file) : file(file) {}

  /// The place of `location`; none if it has no line in the file.
  llvm::DebugLoc of(const llvm::DebugLoc &location);

private:
  llvm::DIFile *file;
  llvm::DISubprogram *scope = nullptr;
};

} // namespace loom

#endif
