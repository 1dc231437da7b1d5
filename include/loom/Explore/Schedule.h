// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedule decisions: one typed transform of one loop of an immutable
// structured program, and the child that it makes (contract: Transactional
// Decisions, Structured Schedule Generator).

#ifndef LOOM_EXPLORE_SCHEDULE_H
#define LOOM_EXPLORE_SCHEDULE_H

#include "loom/Artifact/StructuredProgram.h"
#include <vector>

namespace loom {

enum class ScheduleKind : uint8_t {
  /// The body `factor` times in a row, the step times `factor`.
  Unroll,
  /// A loop over blocks of `factor` iterations around a loop over one block.
  Tile,
  /// `factor` outer iterations share the control of the inner loops.
  UnrollAndJam
};

llvm::StringRef nameOf(ScheduleKind kind);
std::optional<ScheduleKind> scheduleKind(llvm::StringRef name);

struct ScheduleDecision {
  ScheduleKind kind = ScheduleKind::Unroll;
  StructuredEntityRef loop; ///< an scf.for of the parent
  uint64_t factor = 1;      ///< divides the exact trip count
};

/// The domain of the generator over one program: for each of the first `loops`
/// scf.for of exact trip count, in canonical operation order, every kind with
/// every proper divisor as factor, ascending. Of jams only those whose shape
/// fits; whether the iterations are independent is asked when one is applied.
std::vector<ScheduleDecision>
scheduleCoordinates(const StructuredProgramCandidate &parent, unsigned loops);

/// Applies the decision to a clone, cleans up, finalises. No value: a no-op,
/// the child would be the parent. The parent is never touched, and a failure
/// leaves nothing behind. Errors: those of references; ScheduleScope,
/// ScheduleFactor, ScheduleProof; those of finalisation.
llvm::Expected<std::optional<FinalizedProgram>>
applySchedule(const StructuredProgramCandidate &parent,
              const ScheduleDecision &decision);

} // namespace loom

#endif
