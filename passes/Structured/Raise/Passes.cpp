// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/Raise/Passes.h"
#include "loom/Structured/Raise/Module.h"
#include "loom/Structured/Raise/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace {

struct RaisePass : PassWrapper<RaisePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RaisePass)
  StringRef getArgument() const override { return "loom-raise"; }
  StringRef getDescription() const override {
    return "Raise outlined nests (functions that end in loom.yield.*) to "
           "loom.spatial_region";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<loom::LoomDialect, LLVM::LLVMDialect, arith::ArithDialect,
                    math::MathDialect, scf::SCFDialect, cf::ControlFlowDialect,
                    ub::UBDialect>();
  }

  void runOnOperation() override {
    FrozenRewritePatternSet patterns = loom::cleanUpPatterns(getContext());
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      LLVM::CallOp yield;
      function.walk([&](LLVM::CallOp call) {
        if (call.getCallee() && call.getCallee()->starts_with("loom.yield."))
          yield = call;
      });
      if (!yield)
        continue;
      SmallVector<int32_t> partitions, exits(yield.getArgOperands().size(), -1);
      for (Type type : function.getArgumentTypes())
        partitions.push_back(isa<LLVM::LLVMPointerType>(type) ? 0 : -1);
      SmallVector<loom::Refused> refusals;
      if (succeeded(loom::raiseNest(function, function.getName(), partitions,
                                    exits, patterns, refusals)))
        continue;
      for (const loom::Refused &refused : refusals)
        function.emitError()
            << "refused [" << loom::refusalCode(refused.kind) << "] "
            << loom::refusalText(refused.kind)
            << (refused.detail.empty() ? "" : ": ") << refused.detail;
      signalPassFailure();
    }
  }
};

struct StructurePass : PassWrapper<StructurePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StructurePass)
  StringRef getArgument() const override { return "loom-structure"; }
  StringRef getDescription() const override {
    return "Raise every function of an imported module to S0 in place; a "
           "remark says which keep their CFG";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    RaisePass().getDependentDialects(registry);
  }

  void runOnOperation() override {
    loom::StructureReport report;
    loom::structureModule(getOperation(), loom::cleanUpPatterns(getContext()),
                          report);
    for (const loom::StructureReport::Function &row : report.functions)
      if (row.left)
        getOperation().lookupSymbol(row.name)->emitRemark()
            << "keeps its CFG [" << loom::refusalCode(row.left->kind) << "] "
            << row.left->detail;
  }
};

} // namespace

void loom::registerRaisePasses() {
  PassRegistration<RaisePass>();
  PassRegistration<StructurePass>();
}
