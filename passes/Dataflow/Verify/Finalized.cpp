// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole program: what may be in it, what is reachable, what its launches
// bind.

#include "Finalized.h"
#include "loom/Dataflow/Verify/Verify.h"
#include "loom/Support/Refusal.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

// Transient operations, and casts that stand for something undecided.
static LogicalResult verifyNoResidue(ModuleOp module) {
  bool failed = false;
  module.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    bool isLoom =
        op->getDialect() && op->getDialect()->getNamespace() == "loom";
    if (!isLoom && name != "builtin.unrealized_conversion_cast")
      return;
    op->emitOpError("must not be in a finalized program");
    failed = true;
  });
  return failure(failed);
}

// A private definition that nothing launches is left over.
static LogicalResult verifyReachable(ModuleOp module) {
  DenseSet<StringAttr> launched;
  module.walk([&](Operation *op) {
    if (auto launch = dyn_cast<GraphLaunchOp>(op))
      launched.insert(launch.getCalleeAttr().getAttr());
    else if (auto launch = dyn_cast<ThreadLaunchOp>(op))
      launched.insert(launch.getCalleeAttr().getAttr());
  });
  bool failed = false;
  for (Operation &op : *module.getBody()) {
    auto graph = dyn_cast<GraphOp>(op);
    if (!isa<ThreadOp>(op) && !(graph && !graph.isRegion()))
      continue;
    if (launched.contains(SymbolTable::getSymbolName(&op)))
      continue;
    op.emitOpError("is never launched");
    failed = true;
  }
  return failure(failed);
}

// A thread may call what stays an ordinary program.
static bool isOrdinary(Operation *callee, SmallPtrSetImpl<Operation *> &known) {
  if (!known.insert(callee).second)
    return true;
  if (callee->getNumRegions() == 0 || callee->getRegion(0).empty())
    return false; // a declaration proves nothing
  WalkResult result = callee->walk([&](Operation *op) {
    if (isa_and_nonnull<DataflowDialect>(op->getDialect()))
      return WalkResult::interrupt();
    auto call = dyn_cast<CallOpInterface>(op);
    if (!call)
      return WalkResult::advance();
    auto symbol =
        dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
    Operation *next =
        symbol ? SymbolTable::lookupNearestSymbolFrom(op, symbol) : nullptr;
    return next && isOrdinary(next, known) ? WalkResult::advance()
                                           : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

static LogicalResult verifyCalls(ThreadOp thread) {
  bool failed = false;
  SmallPtrSet<Operation *, 8> known;
  thread.walk([&](CallOpInterface call) {
    Operation *op = call;
    auto callable = call.getCallableForCallee();
    auto symbol = dyn_cast_if_present<SymbolRefAttr>(callable);
    Operation *callee =
        symbol ? SymbolTable::lookupNearestSymbolFrom(op, symbol) : nullptr;
    if (callee && isOrdinary(callee, known))
      return;
    op->emitOpError("in a thread must call a function of the module that holds "
                    "none of the dataflow dialect");
    failed = true;
  });
  return failure(failed);
}

static LogicalResult verifyExtents(ThreadLaunchOp launch) {
  for (auto [index, extent] : llvm::enumerate(launch.getExtents())) {
    APInt value;
    if (matchPattern(extent, m_ConstantInt(&value)) && value.isNegative())
      return launch.emitOpError("extent ")
             << index << " is negative: " << value.getSExtValue();
  }
  return success();
}

// An address that no program has may not name memory.
static LogicalResult verifyPointers(Operation *launch, ValueRange operands) {
  for (Value operand : operands) {
    Operation *op = operand.getDefiningOp();
    if (op && isa<LLVM::PoisonOp, LLVM::UndefOp, ub::PoisonOp>(op) &&
        isa<LLVM::LLVMPointerType>(operand.getType()))
      return launch->emitOpError("binds a pointer that is undefined");
  }
  return success();
}

// A memory of a launch is a memory input of the thread, or what an earlier
// launch handed on: one root.
static LogicalResult verifyMemories(GraphLaunchOp launch) {
  auto thread = launch->getParentOfType<ThreadOp>();
  for (auto [index, memory] : llvm::enumerate(launch.getMemories())) {
    Value root = memory;
    while (auto from = root.getDefiningOp<GraphLaunchOp>()) {
      unsigned number = cast<OpResult>(root).getResultNumber() -
                        from.getValueResults().size();
      auto graph = SymbolTable::lookupNearestSymbolFrom<GraphOp>(
          from, from.getCalleeAttr());
      auto handed =
          dyn_cast<BlockArgument>(graph.getReturn().getMemories()[number]);
      unsigned first =
          graph.getBlock().getNumArguments() - graph.getNumMemories();
      root = from.getMemories()[handed.getArgNumber() - first];
    }
    auto argument = dyn_cast<BlockArgument>(root);
    if (!argument || argument.getOwner() != &thread.getBlock())
      return launch.emitOpError("memory ")
             << index << " is not a memory input of the thread";
  }
  return success();
}

// What the caller may do with a result slot before the thread has retired.
static LogicalResult verifySlots(ThreadLaunchOp launch) {
  auto thread = SymbolTable::lookupNearestSymbolFrom<ThreadOp>(
      launch, launch.getCalleeAttr());
  for (auto [input, slot] : llvm::enumerate(launch.getArgs())) {
    if (!thread.isResultSlot(input))
      continue;
    if (!slot.getDefiningOp<LLVM::AllocaOp>())
      return launch.emitOpError("expected a result slot that the caller "
                                "allocates as argument ")
             << input;
    for (Operation *user : slot.getUsers()) {
      if (user == launch)
        continue;
      bool waits =
          llvm::any_of(launch.getToken().getUsers(), [&](Operation *w) {
            return isa<ThreadWaitOp>(w) && w->getBlock() == user->getBlock() &&
                   w->isBeforeInBlock(user);
          });
      if (!isa<LLVM::LoadOp>(user) || !waits)
        return user->emitOpError("must not use a result slot before the thread "
                                 "has been waited for");
    }
  }
  return success();
}

static LogicalResult verifyGraphs(ModuleOp module) {
  bool failed = false;
  for (auto graph : module.getOps<GraphOp>()) {
    std::optional<Refused> refused = verifyGraph(graph);
    if (!refused)
      continue;
    emitError(graph.getLoc())
        << refusalCode(refused->kind) << ": " << refused->detail;
    failed = true;
  }
  return failure(failed);
}

LogicalResult loom::verifyFinalized(ModuleOp module) {
  bool failed = mlir::failed(verifyNoResidue(module));
  failed |= mlir::failed(verifyReachable(module));
  failed |= mlir::failed(verifyGraphs(module));
  for (auto thread : module.getOps<ThreadOp>()) {
    failed |= mlir::failed(verifyCalls(thread));
    failed |= mlir::failed(verifyFrontier(thread));
  }
  module.walk([&](Operation *op) {
    if (auto launch = dyn_cast<ThreadLaunchOp>(op)) {
      failed |= mlir::failed(verifyExtents(launch));
      failed |= mlir::failed(verifyPointers(op, launch.getArgs()));
      failed |= mlir::failed(verifySlots(launch));
    } else if (auto launch = dyn_cast<GraphLaunchOp>(op)) {
      failed |= mlir::failed(verifyPointers(op, launch.getValues()));
      failed |= mlir::failed(verifyMemories(launch));
    } else if (auto create = dyn_cast<ChannelCreateOp>(op)) {
      failed |= mlir::failed(verifyChannel(create));
    }
  });
  return failure(failed);
}
