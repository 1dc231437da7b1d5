// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering of one region. Actors.cpp makes actors and projects values,
// Leaves.cpp lowers accesses and computations, Loops.cpp and Selections.cpp the
// structured operations, Lower.cpp the graph around them.

#ifndef LOOM_DATAFLOW_LOWER_LOWERING_H
#define LOOM_DATAFLOW_LOWER_LOWERING_H

#include "Analysis.h"
#include "Scope.h"
#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Dataflow/Lower/Lower.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <deque>

namespace loom::lower {

/// The most operands a `sync` has.
constexpr unsigned maxSyncArity = 4;

class Lowering {
public:
  Lowering(SpatialRegionOp region, llvm::ArrayRef<int32_t> partitions,
           LoweringMode mode, mlir::OpBuilder &builder)
      : region(region), orderPartitions(partitions),
        mechanical(mode == LoweringMode::Mechanical),
        analysis(region, partitions, mechanical), b(builder) {}

  /// Makes the graph at the insertion point.
  dataflow::GraphOp run(llvm::StringRef name);

private:
  // Actors.cpp
  mlir::Value constant(Scope &scope, mlir::TypedAttr value, mlir::Type type,
                       mlir::Location loc);
  mlir::Value integer(Scope &scope, int64_t value, mlir::Type type,
                      mlir::Location loc);
  mlir::Value demux(Selection &selection, mlir::Value value, unsigned lane);
  mlir::Value mux(Selection &selection, llvm::ArrayRef<mlir::Value> lanes);
  mlir::Value carry(Scope &head, mlir::Value init, mlir::Location loc);
  mlir::Value project(Scope &scope, mlir::Value token);
  mlir::Value value(Scope &scope, mlir::Value v);
  mlir::Value offset(Scope &scope, mlir::Value pointer, mlir::Location loc);
  mlir::Value sync(llvm::ArrayRef<mlir::Value> tokens, mlir::Location loc);
  mlir::Value join(llvm::ArrayRef<mlir::Value> tokens, mlir::Location loc);
  bool reaches(mlir::Value from, mlir::Value to);
  void setPhase(Scope &head, mlir::Value phase);
  void openScope(Scope &scope, Scope &parent, Scope::Kind kind);

  // Leaves.cpp
  void lowerBlock(Scope &scope, mlir::Block &block);
  void lowerOp(Scope &scope, mlir::Operation *op);
  void lowerLoad(Scope &scope, mlir::LLVM::LoadOp op);
  void lowerStore(Scope &scope, mlir::LLVM::StoreOp op);
  void lowerPointer(Scope &scope, mlir::LLVM::GEPOp op);
  void lowerCompute(Scope &scope, mlir::Operation *op);
  mlir::Value resize(mlir::Value value, mlir::Type type, bool isSigned,
                     mlir::Location loc);
  mlir::Value gepIndex(Scope &scope, mlir::LLVM::GEPOp op);
  std::pair<mlir::Value, mlir::Value> address(Scope &scope, mlir::Value pointer,
                                              mlir::Location loc);
  mlir::Value readToken(Scope &scope, unsigned partition, mlir::Location loc);

  // Selections.cpp
  void lowerIf(Scope &scope, mlir::scf::IfOp op);
  void lowerSwitch(Scope &scope, mlir::scf::IndexSwitchOp op);
  void lowerLanes(Scope &scope, mlir::Operation *op, Selection &selection,
                  llvm::ArrayRef<mlir::Region *> regions);

  // Loops.cpp
  struct Rings;
  void lowerFor(Scope &scope, mlir::scf::ForOp op);
  void lowerWhile(Scope &scope, mlir::scf::WhileOp op);
  void openRings(Scope &scope, mlir::Operation *loop, Scope &head,
                 Rings &rings);
  void enterBody(Scope &head, Scope &body, Rings &rings, Selection &selection);
  void closeRings(Scope &body, Rings &rings, mlir::Location loc);
  void leaveLoop(Scope &scope, Scope &head, Rings &rings, Selection &selection);

  // Lower.cpp
  void sweep(dataflow::GraphOp graph);
  void trimInputs(dataflow::GraphOp graph);
  void finish(Scope &scope, SpatialYieldOp yield);

  SpatialRegionOp region;
  llvm::ArrayRef<int32_t> orderPartitions; // per region argument
  bool mechanical;                         // no shortcuts
  Analysis analysis;
  mlir::OpBuilder &b;
  mlir::Value start;
  llvm::DenseMap<mlir::Value, mlir::Value> memories; // S0 pointer -> memory
  std::deque<Selection> selections;
};

} // namespace loom::lower

#endif
