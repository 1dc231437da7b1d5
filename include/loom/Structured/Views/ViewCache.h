// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cache of analysis views in the memory of one process. It can be emptied or
// left out at any time without changing a result: whatever takes part in a
// derivation is in the key.

#ifndef LOOM_STRUCTURED_VIEWS_VIEWCACHE_H
#define LOOM_STRUCTURED_VIEWS_VIEWCACHE_H

#include "loom/Structured/Views/Views.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <map>
#include <memory>
#include <mutex>

namespace loom::views {

using Digest = std::array<uint8_t, 32>;

struct ViewKey {
  Digest candidate{};   ///< identity of the region
  std::string analyzer; ///< semantic identity and version
  ViewConfig config;
  /// Everything else that the analysis reads: `viewKeyOf` puts the envelope's
  /// facts and the source lines here.
  std::vector<Digest> subjects;

  bool operator<(const ViewKey &other) const;
};

/// The key of `region` by its own text: for callers without an artifact
/// identity, and to learn the subjects.
ViewKey viewKeyOf(SpatialRegionOp region,
                  const ViewConfig &config = ViewConfig());

class ViewCache {
public:
  explicit ViewCache(size_t capacity = 256) : capacity(capacity) {}

  /// The views of `key`, made by `derive` if they are not here. Any number of
  /// threads; two of them may derive the same views, with the same result.
  std::shared_ptr<const RegionViews>
  get(const ViewKey &key, llvm::function_ref<RegionViews()> derive);

  void clear();
  size_t size() const;
  uint64_t hits() const;

private:
  struct Entry {
    std::shared_ptr<const RegionViews> views;
    uint64_t used = 0;
  };
  size_t capacity;
  mutable std::mutex mutex;
  std::map<ViewKey, Entry> entries;
  uint64_t clock = 0, found = 0;
};

} // namespace loom::views

#endif
