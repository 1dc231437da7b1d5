// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests of a link that are compiled together, in an MLIR context of their own:
// what one batch does, no other sees, so that batches may run side by side.

#ifndef LOOM_PLUGIN_BATCH_H
#define LOOM_PLUGIN_BATCH_H

#include "Compile.h"
#include "RoundTrip.h"
#include "loom/Dataflow/Image/ImageWriter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace loom {
namespace fabric {
class CapabilityView;
struct Target;
} // namespace fabric
class SpatialRegionOp;
struct RootFootprint;

class RegionBatch {
  mlir::MLIRContext context; // first: all else lives in it

public:
  /// `target` and `capabilities` outlive the batch; batches share them.
  RegionBatch(const fabric::Target &target,
              const fabric::CapabilityView &capabilities);
  ~RegionBatch();
  RegionBatch(const RegionBatch &) = delete;
  RegionBatch &operator=(const RegionBatch &) = delete;

  /// Takes the nests over. All that touches LLVM's context happens here, but
  /// for the functional gate.
  void import(std::unique_ptr<llvm::Module> scratch,
              std::vector<RegionSource> nests);
  /// Raises, lowers and verifies what was imported.
  void compile();

  std::vector<std::optional<Refused>> results; ///< one a nest; none: a region
  std::vector<ImageRegion> regions;
  std::vector<KeptArtifact> artifacts; ///< one a region
  std::vector<std::string> gateNotes;  ///< one a region
  std::optional<RoundTrip> roundTrip;

private:
  Refused failure(llvm::ArrayRef<Refused> refusals,
                  RefusalKind otherwise) const;
  std::optional<Refused> compileOne(mlir::LLVM::LLVMFuncOp function,
                                    const RegionSource &source);
  mlir::FailureOr<dataflow::GraphOp>
  makeGraph(const RegionSource &source, SpatialRegionOp region,
            llvm::ArrayRef<int32_t> partitions, mlir::ModuleOp scratch,
            llvm::SmallVectorImpl<Refused> &refusals);
  std::optional<Refused> passGate(const ImageRegion &image);
  void addGuard(SpatialRegionOp region, llvm::ArrayRef<RootFootprint> roots,
                mlir::ModuleOp scratch, const RegionSource &source,
                ImageRegion &image);
  void addSpatial(SpatialRegionOp region, llvm::ArrayRef<RootFootprint> roots,
                  ImageRegion &image);
  void dump(const RegionSource &source, llvm::StringRef stage,
            mlir::Operation *op);
  void dumpText(const RegionSource &source, llvm::StringRef suffix,
                llvm::StringRef text);

  const fabric::Target &target;
  const fabric::CapabilityView &capabilities;
  mlir::FrozenRewritePatternSet patterns;
  std::string lastError;
  std::string graphNote; ///< what is unusual about the graph of this region
  std::vector<RegionSource> sources;
  std::unique_ptr<llvm::Module> spare; ///< the nests as outlined, for the gate
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> imported;
  std::vector<mlir::LLVM::LLVMFuncOp> functions; ///< one a nest, may be null
  /// Modules that own the graphs of `regions`.
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

} // namespace loom

#endif
