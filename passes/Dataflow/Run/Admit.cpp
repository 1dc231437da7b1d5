// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Admit.h"
#include "Activation.h"
#include "Program.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::run;

namespace {
class Admission {
public:
  std::optional<RunFailure> run(Operation *entry) {
    reach(entry);
    while (!failure && !work.empty())
      check(work.pop_back_val());
    return failure;
  }

private:
  void reach(Operation *definition) {
    if (seen.insert(definition).second)
      work.push_back(definition);
  }

  void refuse(RunFault fault, Operation *op, const Twine &why) {
    if (!failure)
      failure = RunFailure{fault, nameOf(op) + ": " + why.str()};
  }

  void checkTypes(Operation *op, TypeRange types) {
    for (Type type : types) {
      if (laneCount(type) || type == getMemoryType(type.getContext()) ||
          isa<ChannelType, ThreadTokenType>(type))
        continue;
      std::string text;
      llvm::raw_string_ostream(text) << "a value of type " << type;
      refuse(RunFault::Type, op, text);
    }
  }

  void check(Operation *definition) {
    definition->walk([&](Operation *op) {
      checkTypes(op, op->getResultTypes());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          checkTypes(op, block.getArgumentTypes());
      if (op != definition && !failure)
        isa<GraphOp>(definition) ? checkActor(op) : checkStep(op);
    });
  }

  void checkActor(Operation *op) {
    if (auto constant = dyn_cast<ConstantOp>(op);
        constant &&
        !tokenOf(constant.getValue(), constant.getResult().getType()))
      return refuse(RunFault::Type, op, "a constant without lanes");
    if (isa<GraphReturnOp>(op) || controlRule(op) || loopRule(op) ||
        vectorRule(op) || memoryRule(op))
      return;
    std::string why = whyNotComputed(op);
    if (!why.empty())
      refuse(RunFault::Op, op, why);
  }

  void checkStep(Operation *op) {
    if (isa<func::CallOp, LLVM::CallOp>(op))
      return checkCall(op);
    if (auto launch = dyn_cast<ThreadLaunchOp>(op))
      reach(SymbolTable::lookupNearestSymbolFrom(op, launch.getCalleeAttr()));
    else if (auto launch = dyn_cast<GraphLaunchOp>(op))
      reach(SymbolTable::lookupNearestSymbolFrom(op, launch.getCalleeAttr()));
    if (isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::IndexSwitchOp,
            scf::YieldOp, scf::ConditionOp, func::ReturnOp, LLVM::ReturnOp,
            cf::BranchOp, cf::CondBranchOp, LLVM::BrOp, LLVM::CondBrOp,
            ThreadLaunchOp, ThreadWaitOp, ThreadYieldOp, GraphLaunchOp,
            GraphWaitOp, ChannelCreateOp, ChannelSendOp, ChannelReceiveOp,
            SyncOp>(op))
      return;
    std::string why = whyNotStep(op);
    if (!why.empty())
      refuse(RunFault::Op, op, why);
  }

  void checkCall(Operation *op) {
    auto call = cast<CallOpInterface>(op);
    auto symbol =
        dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
    Operation *callee =
        symbol ? SymbolTable::lookupNearestSymbolFrom(op, symbol) : nullptr;
    if (!isa_and_nonnull<func::FuncOp, LLVM::LLVMFuncOp>(callee) ||
        callee->getRegion(0).empty() ||
        callee->getRegion(0).getNumArguments() != call.getArgOperands().size())
      return refuse(RunFault::Op, op, "calls no function of the module");
    reach(callee);
  }

  std::optional<RunFailure> failure;
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Operation *> work;
};
} // namespace

std::optional<RunFailure> loom::run::admit(Operation *entry) {
  if (failed(verify(entry->getParentOp())))
    return RunFailure{RunFault::Unverified, ""};
  return Admission().run(entry);
}
