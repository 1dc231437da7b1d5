// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule decisions of a program, and the child that one of them makes.

#include "Commands.h"
#include "loom/Explore/Schedule.h"
#include "loom/Structured/IR/Loom.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/raw_ostream.h"

using namespace loom;
using llvm::Error;
using llvm::Expected;
using llvm::isa;
using llvm::SmallVector;
using llvm::StringRef;

/// Its number among the loops of its region, as `loom views` counts them.
static unsigned numberInRegion(mlir::Operation *loop) {
  mlir::Operation *region = loop->getParentOfType<SpatialRegionOp>();
  unsigned number = 0, found = 0;
  (region ? region : loop)
      ->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
        if (!isa<mlir::scf::ForOp, mlir::scf::WhileOp>(op))
          return;
        if (op == loop)
          found = number;
        ++number;
      });
  return found;
}

Error tool::listSchedules(SmallVector<StringRef> args) {
  StringRef limit = option(args, "--loops");
  unsigned loops = 64;
  if (args.size() != 1 ||
      (!limit.empty() && (limit.getAsInteger(10, loops) || loops == 0)))
    return artifactError(ArtifactFault::ScheduleScope,
                         "schedules takes an object and --loops 1 or more");
  auto candidate = load(args[0]);
  if (!candidate)
    return candidate.takeError();
  for (const ScheduleDecision &decision :
       scheduleCoordinates(**candidate, loops))
    llvm::outs()
        << nameOf(decision.kind) << " " << decision.loop.ordinal << " "
        << decision.factor << " L"
        << numberInRegion(
               (*candidate)->entities().operation(decision.loop.ordinal))
        << "\n";
  return Error::success();
}

Error tool::transform(SmallVector<StringRef> args) {
  Outputs outputs(args);
  // A line of `schedules` has a fifth word.
  if (args.size() == 5)
    args.pop_back();
  if (args.size() != 4)
    return artifactError(ArtifactFault::ScheduleScope,
                         "transform takes OBJECT KIND ORDINAL FACTOR");
  auto parent = load(args[0]);
  if (!parent)
    return parent.takeError();
  ScheduleDecision decision;
  std::optional<ScheduleKind> kind = scheduleKind(args[1]);
  if (!kind)
    return artifactError(ArtifactFault::ScheduleScope, args[1]);
  decision.kind = *kind;
  decision.loop.parent = (*parent)->identity();
  if (args[2].getAsInteger(10, decision.loop.ordinal))
    return artifactError(ArtifactFault::RefRange, args[2]);
  if (args[3].getAsInteger(10, decision.factor))
    return artifactError(ArtifactFault::ScheduleFactor, args[3]);
  Expected<std::optional<FinalizedProgram>> child =
      applySchedule(**parent, decision);
  if (!child)
    return child.takeError();
  if (!*child) {
    llvm::outs() << "no-op\n";
    return Error::success();
  }
  if (Error error = outputs.write(**child))
    return error;
  llvm::outs() << (*child)->candidate->identity().hex() << "\n";
  return Error::success();
}
