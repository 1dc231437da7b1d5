// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A captured launch and the region it is of, both read with the runtime's own
// checks.

#ifndef LOOM_DRIVER_TOOL_CAPTUREFILE_H
#define LOOM_DRIVER_TOOL_CAPTUREFILE_H

#include "Capture/Rerun.h"
#include "Image/Target.h"
#include "ImageFile.h"
#include <optional>

namespace loom::tool {

/// A capture that was read from a file.
class CaptureFile {
public:
  static llvm::Expected<CaptureFile> read(llvm::StringRef path);
  CaptureFile(CaptureFile &&other) : capture(other.capture) {
    other.capture = {};
  }
  CaptureFile &operator=(CaptureFile &&) = delete;
  ~CaptureFile() { capture.release(); }

  const rt::Capture &operator*() const { return capture; }
  const rt::Capture *operator->() const { return &capture; }

private:
  CaptureFile() = default;
  rt::Capture capture;
};

/// A decoded region.
class Region {
public:
  /// The region of a capture. `path`: an executable, a shared library or an
  /// image that `loom extract` wrote; empty: the file that the capture names.
  /// Of several regions with the name the one with the captured graph.
  static llvm::Expected<Region> find(const rt::Capture &capture,
                                     llvm::StringRef path);
  Region(Region &&other)
      : region(other.region), timing(other.timing), mlir(std::move(other.mlir)),
        partitions(std::move(other.partitions)), same(other.same) {
    other.region = {};
    other.timing = {};
  }
  Region &operator=(Region &&) = delete;
  ~Region() {
    region.release();
    timing.release();
  }

  const rt::LoadedRegion &operator*() const { return region; }
  const rt::LoadedRegion *operator->() const { return &region; }
  /// Whether the graphs are those of the capture.
  bool isCaptured() const { return same; }
  /// What the image says of its target.
  const rt::TargetInfo &target() const { return timing; }
  /// The structured program, as text; empty when the image has none.
  const std::string &structured() const { return mlir; }
  /// The order partition of each launch slot in the graph for disjoint roots,
  /// -1 where the guard has none; empty without a guard.
  llvm::ArrayRef<int64_t> apartPartitions() const { return partitions; }

private:
  Region() = default;
  rt::LoadedRegion region;
  rt::TargetInfo timing;
  std::string mlir;
  std::vector<int64_t> partitions;
  bool same = false;
};

/// A capture and the region that it is of.
struct CapturedLaunch {
  CaptureFile file;
  Region region;
};

/// Opens both; complains when one can't be read. Of another graph than the
/// captured one it only says so, or with `sameGraph` complains.
std::optional<CapturedLaunch> openLaunch(llvm::StringRef command,
                                         llvm::StringRef path,
                                         llvm::StringRef image, bool sameGraph);

/// "saxpy.0 launch 3"
std::string nameOf(const rt::Capture &capture);

} // namespace loom::tool

#endif
