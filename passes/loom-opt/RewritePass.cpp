// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rewrites of dataflow graphs as a pass, for tests.

#include "loom/Dataflow/Rewrite/Rewrite.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace loom;

namespace {

struct RewritePass : PassWrapper<RewritePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RewritePass)
  RewritePass() = default;
  RewritePass(const RewritePass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "loom-rewrite-dataflow"; }
  StringRef getDescription() const override {
    return "rewrite every dataflow graph to a smaller one with the same "
           "results, memory and completion";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<dataflow::DataflowDialect, arith::ArithDialect>();
  }
  void runOnOperation() override {
    SmallVector<StringRef> names;
    for (const std::string &name : only) {
      if (!llvm::is_contained(rewriteNames(), name)) {
        getOperation().emitError("no rewrite is called '") << name << "'";
        return signalPassFailure();
      }
      names.push_back(name);
    }
    for (auto graph : getOperation().getOps<dataflow::GraphOp>())
      rewriteGraph(graph, names);
  }
  ListOption<std::string> only{
      *this, "only", llvm::cl::desc("the rewrites to run; all if none")};
};

} // namespace

void loom::registerRewritePass() { PassRegistration<RewritePass>(); }
