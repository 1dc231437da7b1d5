// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The derived gate: can a candidate be lowered mechanically to dataflow? Never
// stored, since the answer changes with the lowering.

#ifndef LOOM_ARTIFACT_FINALIZABLE_H
#define LOOM_ARTIFACT_FINALIZABLE_H

#include "loom/Artifact/StructuredProgram.h"
#include "loom/Support/Refusal.h"

namespace loom {

/// What of the configuration the gate depends on.
struct LoweringConfig {
  /// Also refuse what the image format can't hold.
  bool imageLimits = true;
};

struct FinalizabilityReason {
  StructuredEntityRef region; ///< the spatial region, an operation
  Refused refused;
};

struct Finalizability {
  unsigned regions = 0; ///< selected spatial regions
  std::vector<FinalizabilityReason> reasons;
  bool finalizable() const { return reasons.empty(); }
};

/// Lowers every selected region of a private copy. The candidate is not
/// changed, and nothing is moved out of a region.
llvm::Expected<Finalizability>
checkFinalizable(const StructuredProgramCandidate &candidate,
                 const LoweringConfig &config = {});

} // namespace loom

#endif
