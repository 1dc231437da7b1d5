// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the nests of a module: maximal loop nests without a refused construct,
// on prepared clones, outlined into one scratch module.

#ifndef LOOM_PLUGIN_CANDIDATES_H
#define LOOM_PLUGIN_CANDIDATES_H

#include "Compile.h"
#include "Inlining.h"
#include "Outline.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/PassManager.h"

namespace loom {

/// A nest that may become a region.
struct CandidateNest {
  std::unique_ptr<Nest> nest;
  llvm::Function *original = nullptr;
  llvm::DebugLoc location;
  unsigned row = 0; ///< in CandidateFinder::rows()
};

class CandidateFinder {
public:
  CandidateFinder(llvm::Module &module,
                  llvm::FunctionAnalysisManager &analyses);
  ~CandidateFinder();

  /// Looks at one function. Everything happens on clones.
  void visit(llvm::Function &function);

  /// One row per nest looked at, taken or not, in module order.
  std::vector<CandidateRow> &rows() { return reportRows; }
  const std::vector<CandidateNest> &nests() const { return found; }

  /// The module with the nests outlined since the last call.
  std::unique_ptr<llvm::Module> takeScratch();
  /// The functions that some nest was raised with.
  llvm::ArrayRef<llvm::Function *> inlinedFunctions() const {
    return inliner.inlinedFunctions();
  }
  /// The clone now belongs to the caller.
  void release(llvm::Function &clone);
  /// Erases the clones that were not released.
  void discardClones();

private:
  struct Visit;
  unsigned addRow(const llvm::Function &function, const llvm::Loop *loop,
                  const llvm::DebugLoc &location, const Refused *refused);
  void refuse(llvm::Function &original, const llvm::Loop &loop,
              const Refused &refused);
  std::optional<Refused> check(llvm::Loop &loop, llvm::Function &host);
  void walk(llvm::Function &original, llvm::Function &clone, llvm::Loop &loop);
  void reportIrreducible(llvm::Function &function);
  void outline(llvm::Function &original, llvm::Function &clone, size_t first);
  void assignPartitions(Nest &nest, llvm::Function &clone);
  std::string regionName(llvm::StringRef function);

  llvm::Module &module;
  llvm::FunctionAnalysisManager &analyses;
  NestInliner inliner;
  std::unique_ptr<llvm::Module> scratch;
  std::vector<CandidateRow> reportRows;
  std::vector<CandidateNest> found;
  std::vector<llvm::Function *> clones;
  llvm::StringSet<> names;
};

} // namespace loom

#endif
