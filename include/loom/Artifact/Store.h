// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A content-addressed store on disk: DIR/objects/ab/cdef..., one sealed object
// a file, named by its identity. Safe for concurrent writers; what is read is
// checked.

#ifndef LOOM_ARTIFACT_STORE_H
#define LOOM_ARTIFACT_STORE_H

#include "loom/Artifact/Identity.h"
#include <vector>

namespace loom {

class ArtifactStore {
public:
  explicit ArtifactStore(llvm::StringRef directory) : root(directory.str()) {}

  /// Puts one object of these semantic bytes. An equal object that is there
  /// already is checked and kept; a corrupt one is StoreCorrupt and stays.
  llvm::Expected<ArtifactIdentity> put(llvm::StringRef semantic) const;

  /// The sealed object: framing and digest are right, and it is the one asked
  /// for.
  llvm::Expected<std::string> get(const ArtifactIdentity &identity) const;

  struct Listing {
    std::vector<ArtifactIdentity> objects; ///< by name only, sorted
    std::vector<std::string> foreign; ///< paths that no object may have, sorted
  };
  llvm::Expected<Listing> list() const;

  /// Where the object is or would be.
  std::string pathOf(const ArtifactIdentity &identity) const;

private:
  std::string root;
};

} // namespace loom

#endif
