// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The MLIR half of the plugin: outlined nests in, image out. Keeps MLIR out of
// the translation units that see LLVM's pass machinery.

#ifndef LOOM_PLUGIN_COMPILE_H
#define LOOM_PLUGIN_COMPILE_H

#include "Artifacts.h"
#include "loom/Support/Refusal.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace loom {

/// One outlined nest on its way to a region.
struct RegionSource {
  std::string name; ///< of the function in the scratch module
  std::string function;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  llvm::SmallVector<int> partitions;
  llvm::SmallVector<int> exits; ///< per result, the selector first (-1)
  llvm::SmallVector<std::string> slotNames;
};

/// One row of the report.
struct CandidateRow {
  std::string function;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  unsigned depth = 0;
  unsigned loops = 0;
  std::string code;
  std::string detail;
  int region = -1;
  KeptArtifact artifact; ///< of the region, with LOOM_STORE
};

class RegionCompiler {
public:
  RegionCompiler();
  ~RegionCompiler();

  /// Nests that are worth a batch of their own.
  static constexpr size_t batchSize = 128;
  /// Are there threads for work beside the caller's?
  static bool worksBeside();

  /// Takes the nests of `scratch`, outlined, to raise, lower and verify them:
  /// at once if they are the last, otherwise perhaps later, on a thread.
  void submit(std::unique_ptr<llvm::Module> scratch,
              std::vector<RegionSource> sources, bool isLast);
  /// Waits for what was submitted. One entry per source, in order: nothing when
  /// it became a region, else the refusal. Regions are numbered by their order
  /// among the successes.
  const std::vector<std::optional<Refused>> &finish();

  /// What a user should know of a region that was taken, by its number: that
  /// its graph is the lowered one, what the functional gate says. Mostly empty.
  llvm::StringRef gateNote(unsigned region) const;

  /// What LOOM_STORE made of a region, by its number.
  const KeptArtifact &artifact(unsigned region) const;

  /// The sealed image of the regions; empty when it can't be written.
  std::vector<uint8_t> writeImage(llvm::StringRef output,
                                  llvm::ArrayRef<CandidateRow> candidates);

  /// In round-trip mode: links the lowered regions into the program.
  void linkRoundTrip(llvm::Module &program);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace loom

#endif
