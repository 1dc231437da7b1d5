// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The finite domain of schedule decisions over one program.

#include "StaticLoop.h"
#include "Transforms.h"
#include "loom/Explore/Schedule.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace loom;
using namespace loom::schedule;

static constexpr llvm::StringLiteral kindNames[] = {"unroll", "tile",
                                                    "unroll-and-jam"};

StringRef loom::nameOf(ScheduleKind kind) {
  return kindNames[static_cast<unsigned>(kind)];
}

std::optional<ScheduleKind> loom::scheduleKind(StringRef name) {
  const auto *found = llvm::find(kindNames, name);
  if (found == std::end(kindNames))
    return std::nullopt;
  return static_cast<ScheduleKind>(found - kindNames);
}

/// The divisors of `number` other than 1 and itself, ascending. Beyond the
/// bound none is searched: a body copied that often is no schedule.
static SmallVector<uint64_t> properDivisors(uint64_t number) {
  constexpr uint64_t largestFactor = 1024;
  SmallVector<uint64_t> divisors;
  for (uint64_t factor = 2; factor <= largestFactor && factor <= number / 2;
       ++factor)
    if (number % factor == 0)
      divisors.push_back(factor);
  return divisors;
}

std::vector<ScheduleDecision>
loom::scheduleCoordinates(const StructuredProgramCandidate &parent,
                          unsigned loops) {
  std::vector<ScheduleDecision> decisions;
  const EntityIndex &entities = parent.entities();
  unsigned seen = 0;
  for (uint64_t n = 0, e = entities.count(StructuredEntityKind::Operation);
       n != e && seen != loops; ++n) {
    auto loop = dyn_cast<scf::ForOp>(entities.operation(n));
    if (!loop)
      continue;
    ++seen;
    std::optional<StaticLoop> bounds = staticLoop(loop);
    if (!bounds)
      continue;
    for (ScheduleKind kind : {ScheduleKind::Unroll, ScheduleKind::Tile,
                              ScheduleKind::UnrollAndJam}) {
      if (kind == ScheduleKind::UnrollAndJam && !isJamShape(loop))
        continue;
      for (uint64_t factor : properDivisors(bounds->trips))
        decisions.push_back({kind, parent.refTo(loop.getOperation()), factor});
    }
  }
  return decisions;
}
