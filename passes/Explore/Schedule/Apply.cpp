// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One decision as a transaction: resolve on the parent, prove, rewrite a clone,
// clean up, finalise.

#include "StaticLoop.h"
#include "Transforms.h"
#include "loom/Explore/Schedule.h"
#include "loom/Structured/Raise/Raise.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace loom;
using namespace loom::schedule;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

/// The operation of the clone that stands where `op` stands in its module.
static Operation *counterpart(Operation *op, ModuleOp parent, ModuleOp clone) {
  Operation *found = nullptr;
  SmallVector<Operation *> originals;
  parent->walk<WalkOrder::PreOrder>(
      [&](Operation *each) { originals.push_back(each); });
  size_t next = 0;
  clone->walk<WalkOrder::PreOrder>([&](Operation *each) {
    if (next < originals.size() && originals[next++] == op)
      found = each;
  });
  return found;
}

static Error rewrite(scf::ForOp loop, const StaticLoop &bounds,
                     const ScheduleDecision &decision) {
  LogicalResult done = failure();
  switch (decision.kind) {
  case ScheduleKind::Unroll:
    done = unroll(loop, decision.factor);
    break;
  case ScheduleKind::Tile:
    done = tile(loop, bounds, decision.factor);
    break;
  case ScheduleKind::UnrollAndJam:
    done = unrollAndJam(loop, bounds, decision.factor);
    break;
  }
  return succeeded(done) ? Error::success()
                         : artifactError(ArtifactFault::ScheduleScope,
                                         nameOf(decision.kind) +
                                             " does not take this loop");
}

/// The same patterns in the same order for every child.
static void cleanUp(Operation *function) {
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  // Failure to converge leaves valid IR.
  (void)applyPatternsGreedily(function,
                              cleanUpPatterns(*function->getContext()), config);
}

Expected<std::optional<FinalizedProgram>>
loom::applySchedule(const StructuredProgramCandidate &parent,
                    const ScheduleDecision &decision) {
  Expected<Operation *> op = parent.resolveOperation(decision.loop);
  if (!op)
    return op.takeError();
  auto loop = dyn_cast<scf::ForOp>(*op);
  if (!loop)
    return artifactError(ArtifactFault::ScheduleScope,
                         (*op)->getName().getStringRef() +
                             " is no counted loop");
  std::optional<StaticLoop> bounds = staticLoop(loop);
  if (!bounds)
    return artifactError(ArtifactFault::ScheduleFactor,
                         "the trip count is not constant");
  if (decision.factor == 0 || bounds->trips % decision.factor != 0)
    return artifactError(ArtifactFault::ScheduleFactor,
                         Twine(decision.factor) + " does not divide " +
                             Twine(bounds->trips));
  if (decision.factor == 1)
    return std::nullopt;
  if (decision.kind == ScheduleKind::UnrollAndJam) {
    if (!isJamShape(loop))
      return artifactError(ArtifactFault::ScheduleScope,
                           "not one inner loop with bounds of its own");
    if (std::string why = dependsBetweenIterations(loop); !why.empty())
      return artifactError(ArtifactFault::ScheduleProof, why);
  }
  OwningOpRef<ModuleOp> clone = parent.module().clone();
  auto target =
      cast<scf::ForOp>(counterpart(loop, parent.module(), clone.get()));
  Operation *function = target->getParentOfType<FunctionOpInterface>();
  if (Error error = rewrite(target, *bounds, decision))
    return std::move(error);
  cleanUp(function);
  Expected<FinalizedProgram> child = finalizeProgram(*clone);
  if (!child)
    return child.takeError();
  if (child->candidate->identity() == parent.identity())
    return std::nullopt;
  return std::move(*child);
}
