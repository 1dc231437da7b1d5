// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ScalarEvolution knows about the loops and memory accesses of a prepared
// module: the denominators of the coverage report.

#ifndef LOOM_PLUGIN_PROGRAMFACTS_H
#define LOOM_PLUGIN_PROGRAMFACTS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"
#include <map>
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Module;
} // namespace llvm

namespace loom {

struct LoopFact {
  std::string function;
  unsigned line = 0;
  unsigned depth = 0;
  bool exact = false; ///< its trip count is known exactly
  /// Why it can't be counted, as far as LLVM IR shows.
  std::string why;
};

/// Counts of memory accesses.
struct AccessFacts {
  unsigned all = 0;
  unsigned rooted = 0; ///< one value that doesn't change while loops run
  unsigned closed = 0; ///< rooted, and the offset is a closed form
  std::map<std::string, unsigned> roots;     ///< kinds of resolved roots
  std::map<std::string, unsigned> unrooted;  ///< by reason
  std::map<std::string, unsigned> notClosed; ///< of the rooted ones, by reason
};

struct ProgramFacts {
  std::vector<LoopFact> loops; ///< the number of a marker is the index
  AccessFacts accesses;
  unsigned devirtualized = 0;  ///< indirect calls that became direct
  unsigned boundCallbacks = 0; ///< calls that go to a clone with its callback
};

/// Adds the facts about one function, and a call of the loop marker to the
/// header of each loop. `counted` are the headers of the loops whose count was
/// proven.
void collectFacts(llvm::Function &function,
                  llvm::FunctionAnalysisManager &analyses,
                  const llvm::SmallPtrSetImpl<llvm::BasicBlock *> &counted,
                  ProgramFacts &facts);

} // namespace loom

#endif
