// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --loom-views: prints the analysis views of every region. Changes nothing.

#include "loom/Structured/Views/Views.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace loom;

namespace {

struct ViewsPass : PassWrapper<ViewsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ViewsPass)
  ViewsPass() = default;
  ViewsPass(const ViewsPass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "loom-views"; }
  StringRef getDescription() const override {
    return "print the analysis views of each spatial region";
  }
  void runOnOperation() override {
    views::ViewConfig config;
    config.operations = operations;
    config.queryOperations = queryOperations;
    config.queries = queries;
    config.pairs = pairs;
    getOperation().walk([&](SpatialRegionOp region) {
      views::print(views::analyzeRegion(region, config), llvm::outs());
    });
    markAllAnalysesPreserved();
  }
  Option<uint64_t> operations{*this, "operations",
                              llvm::cl::desc("budget of one region"),
                              llvm::cl::init(views::ViewConfig().operations)};
  Option<uint64_t> queryOperations{
      *this, "query-operations", llvm::cl::desc("budget of one question"),
      llvm::cl::init(views::ViewConfig().queryOperations)};
  Option<unsigned> queries{*this, "queries",
                           llvm::cl::desc("questions about one region"),
                           llvm::cl::init(views::ViewConfig().queries)};
  Option<unsigned> pairs{*this, "pairs",
                         llvm::cl::desc("pairs of accesses that are looked at"),
                         llvm::cl::init(views::ViewConfig().pairs)};
};

} // namespace

namespace loom {
void registerViewsPass() { PassRegistration<ViewsPass>(); }
} // namespace loom
