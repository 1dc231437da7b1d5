// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes dataflow graphs into the sealed image of loom_image.fbs.

#ifndef LOOM_DATAFLOW_IMAGE_IMAGEWRITER_H
#define LOOM_DATAFLOW_IMAGE_IMAGEWRITER_H

#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Dataflow/Lower/Guard.h"
#include "loom/Fabric/Capability/Target.h"
#include "loom/Support/Refusal.h"
#include <cstdint>
#include <string>
#include <vector>

namespace loom {

/// A launch slot: one live-in of the nest. The position is its number.
struct ImageSlot {
  mlir::Type type; // i1..i64, f32, f64 or !llvm.ptr
  std::string name;
};

/// What is known about the memory behind a pointer slot. Reads, writes and the
/// partition are taken from the graph. A slot that no graph memory uses is
/// ignored; a memory without an entry has an unknown footprint.
struct ImageMemory {
  unsigned slot = 0;
  bool known = false; // [lo, hi): bytes relative to the base pointer
  int64_t lo = 0;
  int64_t hi = 0;
  mlir::Type element; // may be null
  std::string name;
};

/// The graph with roots apart and what has to hold for it.
struct ImageGuard {
  dataflow::GraphOp graph; // null: no guard
  LaunchGuard plan;
};

struct ImageRegion {
  dataflow::GraphOp graph;
  ImageGuard guard;
  std::string name;
  std::string function;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::vector<ImageSlot> slots;
  std::vector<ImageMemory> memories;
  std::string spatialObject;
  std::string spatial;
  std::string spatialCheck;
  std::string spatialRefusal;
  std::string structured;
};

struct ImageCandidate {
  std::string function;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  unsigned depth = 0;
  unsigned loops = 0;
  std::string code;
  std::string detail;
  int region = -1;
};

struct ImageContents {
  std::string producer;
  std::string output;
  std::vector<ImageRegion> regions;
  std::vector<ImageCandidate> candidates;
  const fabric::Target *target = nullptr; // null: none, the reader's default
};

/// Whether a graph fits the image format, in its size and in that the format
/// has a word for all of it; adds refusals and fails when not. A graph that
/// passes can't make `writeImage` fail.
mlir::LogicalResult checkImageLimits(dataflow::GraphOp graph,
                                     llvm::SmallVectorImpl<Refused> &refusals);

/// Whether a module has only regions of an image: an image has no threads and no
/// channels. Adds a refusal for each operation that it can't carry.
mlir::LogicalResult checkImageModule(mlir::ModuleOp module,
                                     llvm::SmallVectorImpl<Refused> &refusals);

/// Whether `guard` is worth its place next to `graph`: the graphs differ, the
/// guarded one uses no memory and no access that the other lacks, and it is not
/// large.
bool isGuardUseful(dataflow::GraphOp graph, const ImageGuard &guard);

/// The sealed bytes (header and FlatBuffers payload). Equal contents give equal
/// bytes.
mlir::FailureOr<std::vector<uint8_t>>
writeImage(const ImageContents &contents,
           llvm::SmallVectorImpl<Refused> &refusals);

} // namespace loom

#endif
