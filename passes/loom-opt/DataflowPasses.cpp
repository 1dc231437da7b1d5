// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dataflow room as passes, for tests.

#include "loom/Dataflow/Image/ImageWriter.h"
#include "loom/Dataflow/Lower/Guard.h"
#include "loom/Dataflow/Lower/Lower.h"
#include "loom/Dataflow/Verify/Verify.h"
#include "loom/Structured/Views/SymbolicFootprint.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace loom;

static void report(Location loc, ArrayRef<Refused> refusals) {
  for (const Refused &refused : refusals) {
    InFlightDiagnostic error = emitError(loc)
                               << "refused: " << refusalCode(refused.kind)
                               << ": " << refused.detail;
    if (refused.line)
      error << " (line " << refused.line << ")";
  }
}

namespace {

struct LowerPass : PassWrapper<LowerPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPass)
  LowerPass() = default;
  LowerPass(const LowerPass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "loom-lower-to-dataflow"; }
  StringRef getDescription() const override {
    return "replace the functions that hold spatial regions by the dataflow "
           "graphs of the regions";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<dataflow::DataflowDialect, arith::ArithDialect,
                    math::MathDialect, LLVM::LLVMDialect, scf::SCFDialect,
                    ub::UBDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<SpatialRegionOp> regions;
    module.walk([&](SpatialRegionOp op) { regions.push_back(op); });
    OwningOpRef<ModuleOp> scratch = ModuleOp::create(module.getLoc());
    bool failed = false;
    for (SpatialRegionOp region : regions) {
      SmallVector<Refused> refusals;
      if (succeeded(lowerRegion(region, *scratch, refusals,
                                mechanical ? LoweringMode::Mechanical
                                           : LoweringMode::Short)))
        continue;
      report(region.getLoc(), refusals);
      failed = true;
    }
    if (failed)
      return signalPassFailure();
    llvm::SmallPtrSet<Operation *, 8> holders;
    for (SpatialRegionOp region : regions) {
      Operation *op = region;
      while (op->getParentOp() != module)
        op = op->getParentOp();
      if (holders.insert(op).second)
        op->setDiscardableAttr("loom.lowered", UnitAttr::get(&getContext()));
    }
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (op.hasAttr("loom.lowered"))
        op.erase();
    for (Operation &op : llvm::make_early_inc_range(*scratch->getBody()))
      op.moveBefore(module.getBody(), module.getBody()->end());
  }
  Option<bool> mechanical{
      *this, "mechanical",
      llvm::cl::desc("D0: by the plain algebra, without shortcuts"),
      llvm::cl::init(false)};
};

struct SymbolicPass : PassWrapper<SymbolicPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SymbolicPass)
  StringRef getArgument() const override {
    return "loom-print-symbolic-footprints";
  }
  StringRef getDescription() const override {
    return "print the bytes that each region may touch, as functions of its "
           "inputs";
  }
  void runOnOperation() override {
    getOperation().walk([&](SpatialRegionOp region) {
      SymbolicFootprints footprints =
          computeSymbolicFootprints(region, computeFootprints(region));
      llvm::outs() << "region " << region.getRegionName()
                   << (footprints.unrooted ? " unrooted" : "") << "\n";
      printSymbolicFootprints(llvm::outs(), footprints);
    });
    markAllAnalysesPreserved();
  }
};

struct GuardPass : PassWrapper<GuardPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GuardPass)
  StringRef getArgument() const override { return "loom-print-guards"; }
  StringRef getDescription() const override {
    return "print the launch guard that each region could have";
  }
  void runOnOperation() override {
    getOperation().walk([&](SpatialRegionOp region) {
      std::optional<LaunchGuard> guard = planGuard(
          region, computeSymbolicFootprints(region, computeFootprints(region)));
      llvm::outs() << "region " << region.getRegionName() << "\n"
                   << (guard ? printGuard(*guard) : "no guard\n");
    });
    markAllAnalysesPreserved();
  }
};

struct VerifyPass : PassWrapper<VerifyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyPass)
  StringRef getArgument() const override { return "dataflow-verify-phases"; }
  StringRef getDescription() const override {
    return "check the token counts of every dataflow graph";
  }
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<dataflow::GraphOp>()) {
      std::string why;
      if (succeeded(verifyPhases(graph, &why)))
        continue;
      emitError(graph.getLoc())
          << refusalCode(RefusalKind::DataflowPhase) << ": " << why;
      signalPassFailure();
    }
  }
};

struct CompletionPass : PassWrapper<CompletionPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CompletionPass)
  StringRef getArgument() const override {
    return "dataflow-verify-completion";
  }
  StringRef getDescription() const override {
    return "check that the completion of every graph covers its effects";
  }
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<dataflow::GraphOp>()) {
      std::optional<Refused> refused = verifyGraph(graph);
      if (!refused)
        continue;
      emitError(graph.getLoc())
          << refusalCode(refused->kind) << ": " << refused->detail;
      signalPassFailure();
    }
  }
};

struct FinalizedPass : PassWrapper<FinalizedPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FinalizedPass)
  StringRef getArgument() const override { return "dataflow-verify-finalized"; }
  StringRef getDescription() const override {
    return "check a whole program of threads, channels and graphs";
  }
  void runOnOperation() override {
    if (failed(verifyFinalized(getOperation())))
      signalPassFailure();
  }
};

struct ImagePass : PassWrapper<ImagePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ImagePass)
  ImagePass() = default;
  ImagePass(const ImagePass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "dataflow-write-image"; }
  StringRef getDescription() const override {
    return "write the dataflow graphs of the module into a sealed image";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>(); // for the pointers of the slots
  }
  void runOnOperation() override {
    SmallVector<Refused> refusals;
    if (failed(checkImageModule(getOperation(), refusals))) {
      report(getOperation().getLoc(), refusals);
      return signalPassFailure();
    }
    ImageContents contents;
    contents.producer = "loom-opt";
    for (auto graph : getOperation().getOps<dataflow::GraphOp>()) {
      ImageRegion region;
      region.graph = graph;
      region.name = region.function =
          name.empty() ? graph.getSymName().str() : name;
      region.spatialRefusal = "spatial-footprint";
      for (auto [slot, type] :
           llvm::zip(graph.getSlots(), graph.getFunctionType().getInputs())) {
        if (region.slots.size() <= static_cast<size_t>(slot))
          region.slots.resize(slot + 1,
                              {IntegerType::get(&getContext(), 64), ""});
        region.slots[slot].type =
            isa<MemRefType>(type) ? LLVM::LLVMPointerType::get(&getContext())
                                  : type;
      }
      contents.regions.push_back(std::move(region));
    }
    FailureOr<std::vector<uint8_t>> bytes = writeImage(contents, refusals);
    if (failed(bytes)) {
      report(getOperation().getLoc(), refusals);
      return signalPassFailure();
    }
    std::error_code code;
    llvm::raw_fd_ostream file(path, code, llvm::sys::fs::OF_None);
    if (code) {
      getOperation().emitError("can't write '")
          << path << "': " << code.message();
      return signalPassFailure();
    }
    file.write(reinterpret_cast<const char *>(bytes->data()), bytes->size());
  }
  Option<std::string> path{*this, "path", llvm::cl::desc("the file to write"),
                           llvm::cl::init("-")};
  Option<std::string> name{
      *this, "name",
      llvm::cl::desc("the name of the region, if not that of its graph")};
};

} // namespace

void loom::registerDataflowPasses() {
  PassRegistration<LowerPass>();
  PassRegistration<SymbolicPass>();
  PassRegistration<GuardPass>();
  PassRegistration<VerifyPass>();
  PassRegistration<CompletionPass>();
  PassRegistration<FinalizedPass>();
  PassRegistration<ImagePass>();
}
