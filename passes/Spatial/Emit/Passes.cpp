// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the Spatial room.

#include "loom/Spatial/Passes.h"
#include "loom/Spatial/Derive/Derive.h"
#include "loom/Spatial/Emit/Emit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace loom;

namespace {

/// One line per refusal, for people and tests.
void report(SpatialRegionOp region, ArrayRef<Refused> refusals) {
  for (const Refused &refused : refusals)
    llvm::outs() << "refused " << region.getRegionName() << ": "
                 << refusalCode(refused.kind) << ": " << refused.detail << "\n";
}

std::vector<SpatialRegionOp> regionsOf(ModuleOp module) {
  std::vector<SpatialRegionOp> regions;
  module.walk([&](SpatialRegionOp region) { regions.push_back(region); });
  return regions;
}

struct PrintFootprints
    : public PassWrapper<PrintFootprints, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintFootprints)
  StringRef getArgument() const override { return "loom-print-footprints"; }
  StringRef getDescription() const override {
    return "print the footprints of the memory roots of each region";
  }
  void runOnOperation() override {
    for (SpatialRegionOp region : regionsOf(getOperation())) {
      llvm::outs() << "region " << region.getRegionName()
                   << (hasUnrootedAccess(region) ? " unrooted" : "") << "\n";
      for (const RootFootprint &f : computeFootprints(region)) {
        llvm::outs() << "  arg " << f.argument << ":"
                     << (f.reads ? " reads" : "")
                     << (f.writes ? " writes" : "");
        if (!f.accessed()) {
          llvm::outs() << " unused\n";
          continue;
        }
        if (f.known)
          llvm::outs() << " [" << f.lo << ", " << f.hi << ")";
        else
          llvm::outs() << " unknown";
        if (f.element)
          llvm::outs() << " of " << f.element
                       << (f.elementAligned ? "" : " unaligned");
        else
          llvm::outs() << " of several types";
        llvm::outs() << "\n";
      }
    }
    markAllAnalysesPreserved();
  }
};

struct DeriveSpatial
    : public PassWrapper<DeriveSpatial, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeriveSpatial)
  StringRef getArgument() const override { return "loom-derive-spatial"; }
  StringRef getDescription() const override {
    return "put the Spatial app of each region at the end of the module";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registerSpatialDialects(registry);
  }
  void runOnOperation() override {
    for (SpatialRegionOp region : regionsOf(getOperation())) {
      OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
      SmallVector<Refused> refusals;
      if (failed(spatial::deriveApp(builder, region, computeFootprints(region),
                                    refusals)))
        report(region, refusals);
    }
  }
};

struct EmitSpatial : public PassWrapper<EmitSpatial, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EmitSpatial)
  EmitSpatial() = default;
  EmitSpatial(const EmitSpatial &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "loom-emit-spatial"; }
  StringRef getDescription() const override {
    return "print the Spatial app of each region, or why there is none";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registerSpatialDialects(registry);
  }
  void runOnOperation() override {
    for (SpatialRegionOp region : regionsOf(getOperation())) {
      SmallVector<Refused> refusals;
      FailureOr<SpatialApp> app =
          emitSpatialApp(region, computeFootprints(region), refusals);
      if (failed(app))
        report(region, refusals);
      else
        llvm::outs() << (check ? app->checkSource : app->source);
    }
    markAllAnalysesPreserved();
  }
  Option<bool> check{*this, "check", llvm::cl::desc("the self-checking form"),
                     llvm::cl::init(false)};
};

} // namespace

void loom::registerSpatialPasses() {
  PassRegistration<PrintFootprints>();
  PassRegistration<DeriveSpatial>();
  PassRegistration<EmitSpatial>();
}

void loom::registerSpatialDialects(DialectRegistry &registry) {
  registry.insert<spatial::SpatialDialect, arith::ArithDialect,
                  math::MathDialect>();
}
