// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Artifact/Finalizable.h"
#include "Canonical.h"
#include "loom/Dataflow/Image/ImageWriter.h"
#include "loom/Dataflow/Lower/Lower.h"
#include "loom/Dataflow/Verify/Verify.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace loom;
using llvm::Expected;

/// Adds why `region` has no valid graph; its first refusal decides, as in the
/// plugin.
static void check(SpatialRegionOp region, const LoweringConfig &config,
                  SmallVectorImpl<Refused> &refusals) {
  if (region->getParentOfType<SpatialRegionOp>()) {
    refusals.push_back(
        {RefusalKind::DataflowOp, "a spatial region inside another"});
    return;
  }
  MLIRContext *context = region.getContext();
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(UnknownLoc::get(context));
  FailureOr<dataflow::GraphOp> graph = lowerRegion(region, *scratch, refusals);
  if (failed(graph)) {
    if (refusals.empty())
      refusals.push_back({RefusalKind::DataflowOp, "not lowered"});
    return;
  }
  if (failed(mlir::verify(*scratch)))
    refusals.push_back({RefusalKind::DataflowPhase, ""});
  else if (std::optional<Refused> refused = verifyGraph(*graph))
    refusals.push_back(*refused);
  else if (config.imageLimits)
    (void)checkImageLimits(*graph, refusals);
}

Expected<Finalizability>
loom::checkFinalizable(const StructuredProgramCandidate &candidate,
                       const LoweringConfig &config) {
  // A context of its own: the candidate's stays sealed.
  Expected<std::unique_ptr<StructuredProgramCandidate>> copy =
      importProgram(candidate.semanticBytes(), ImportMode::InProcess);
  if (!copy)
    return copy.takeError();
  ModuleOp module = (*copy)->module();
  loadLowerDialects(*module.getContext());
  ScopedDiagnosticHandler silent(module.getContext(),
                                 [](Diagnostic &) { return success(); });
  Finalizability result;
  module->walk<WalkOrder::PreOrder>([&](SpatialRegionOp region) {
    ++result.regions;
    SmallVector<Refused> refusals;
    check(region, config, refusals);
    for (Refused &refused : refusals)
      result.reasons.push_back(
          {(*copy)->refTo(region.getOperation()), std::move(refused)});
  });
  return result;
}
