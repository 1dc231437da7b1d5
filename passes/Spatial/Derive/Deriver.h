// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of one derivation. Its methods are in Derive.cpp (memories and
// results), Control.cpp (loops and branches), Compute.cpp and Bits.cpp (scalar
// operations) and Address.cpp (element indices).

#ifndef LOOM_PASSES_SPATIAL_DERIVE_DERIVER_H
#define LOOM_PASSES_SPATIAL_DERIVE_DERIVER_H

#include "loom/Spatial/Derive/Derive.h"
#include "loom/Structured/Views/LinearForms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace loom::spatial {

class Deriver {
public:
  Deriver(mlir::OpBuilder &builder, SpatialRegionOp region,
          llvm::ArrayRef<RootFootprint> footprints,
          llvm::SmallVectorImpl<Refused> &refusals)
      : b(builder), region(region), footprints(footprints), refusals(refusals) {
  }

  mlir::FailureOr<AppOp> run();

private:
  mlir::LogicalResult refuse(RefusalKind kind, const llvm::Twine &detail,
                             mlir::Location loc);

  // Derive.cpp
  mlir::LogicalResult checkPointers();
  mlir::LogicalResult checkRoots();
  mlir::LogicalResult checkType(mlir::Value value, mlir::Location loc);
  void hostMemories(mlir::Location loc);
  mlir::LogicalResult accelerate(mlir::Location loc);
  mlir::Value fromSlot(mlir::Value slot, mlir::Type type, mlir::Location loc);
  mlir::Value toSlot(mlir::Value value, mlir::Location loc);
  mlir::LogicalResult block(mlir::Block &source);
  mlir::LogicalResult operation(mlir::Operation *op);
  mlir::LogicalResult access(mlir::Operation *op);
  mlir::Value get(mlir::Value value) { return values.lookup(value); }

  // Control.cpp
  mlir::LogicalResult forLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult countedLoop(mlir::scf::ForOp loop, bool normalised);
  mlir::LogicalResult stateLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult whileLoop(mlir::scf::WhileOp loop);
  mlir::LogicalResult branch(mlir::scf::IfOp op);
  mlir::LogicalResult switchOn(mlir::scf::IndexSwitchOp op);
  mlir::LogicalResult switchFrom(mlir::scf::IndexSwitchOp op, unsigned index,
                                 llvm::ArrayRef<mlir::Value> registers);
  mlir::LogicalResult arm(mlir::Region &source,
                          llvm::ArrayRef<mlir::Value> registers);
  mlir::Value makeRegister(mlir::Type type, bool keep, mlir::Location loc);
  void write(llvm::ArrayRef<mlir::Value> data,
             llvm::ArrayRef<mlir::Value> registers, mlir::Location loc);
  void carry(llvm::ArrayRef<mlir::Value> data,
             llvm::ArrayRef<mlir::Value> registers, mlir::Location loc);
  void readInto(mlir::ValueRange sources, llvm::ArrayRef<mlir::Value> registers,
                mlir::Location loc);

  // Compute.cpp, Bits.cpp
  mlir::LogicalResult compute(mlir::Operation *op);
  mlir::Value logic(mlir::Operation *op);
  mlir::Value expand(mlir::Operation *op);
  mlir::Value expandFloat(mlir::Operation *op);
  mlir::Value constant(mlir::Type type, int64_t value, mlir::Location loc);
  mlir::Value popCount(mlir::Value x, mlir::Location loc);
  mlir::Value swapBytes(mlir::Value x, mlir::Location loc);
  mlir::Value copySign(mlir::Value magnitude, mlir::Value sign,
                       mlir::Location loc);

  // Address.cpp
  mlir::Value elementIndex(mlir::Value address, const RootFootprint &root,
                           mlir::Location loc);
  mlir::Value divided(mlir::Value value, unsigned divisor, mlir::Location loc,
                      unsigned depth = 0);

  mlir::OpBuilder &b;
  SpatialRegionOp region;
  llvm::ArrayRef<RootFootprint> footprints;
  llvm::SmallVectorImpl<Refused> &refusals;
  LinearForms forms;
  mlir::IRMapping values;    ///< S0 values to values of the app
  mlir::IRMapping iterators; ///< S0 induction variables to 32-bit iterators
  llvm::DenseMap<unsigned, mlir::Value> drams, srams; ///< by argument number
  mlir::Value slots, results;                         ///< DRAMs
};

/// Removes dead values, registers nobody reads and empty statements, and moves
/// constants that Spatial gets wrong into host registers.
void cleanUp(AppOp app);

} // namespace loom::spatial

#endif
