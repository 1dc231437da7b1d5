// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raising a whole module to S0: every llvm.func stays the envelope it is, its
// body is spelled canonically and structured in place. Nothing is owned.

#ifndef LOOM_STRUCTURED_RAISE_MODULE_H
#define LOOM_STRUCTURED_RAISE_MODULE_H

#include "loom/Support/Refusal.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace loom {

/// A declaration with this name may be called, with two constants of type i64,
/// once in the header of a loop. The first is a number: the report tells what
/// became of that loop. The second is 1 when it was proven that the loop counts
/// as its shape says, whatever its body does; else 0. The calls and the
/// declaration are erased.
inline constexpr llvm::StringLiteral loopMarkerName = "loom.loop.marker";

/// What became of a loop that had a marker.
enum class LoopForm {
  Counted,   ///< scf.for
  Uncounted, ///< scf.while
  Graph,     ///< its function kept its CFG
  Gone       ///< no loop is left around the marker
};

struct StructureReport {
  struct Function {
    std::string name;
    unsigned blocks = 0; ///< before
    /// Why it keeps its CFG; nothing when it is structured.
    std::optional<Refused> left;
  };
  std::vector<Function> functions; ///< those with a body, in module order
  unsigned countedLoops = 0;       ///< scf.for
  unsigned uncountedLoops = 0;     ///< scf.while
  /// `!llvm.loop` carriers: moved to their loop; erased because no backedge to
  /// a dominating header, or more than one, names an owner.
  unsigned loopHints = 0;
  unsigned orphanHints = 0;
  /// Branches with weights: on the structured operation; folded away with their
  /// branch.
  unsigned weightsKept = 0;
  unsigned weightsFolded = 0;
  std::map<int64_t, LoopForm> loops; ///< by the number of the marker
};

/// Raises every function of `module` in place. A function that can't be
/// structured keeps its CFG and is reported; that is not a failure.
void structureModule(mlir::ModuleOp module,
                     const mlir::FrozenRewritePatternSet &patterns,
                     StructureReport &report);

} // namespace loom

#endif
