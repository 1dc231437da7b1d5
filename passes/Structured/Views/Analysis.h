// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of one analysis: what the parts of the views share while they are
// built. Views hold numbers; this holds the operations behind them.

#ifndef LOOM_PASSES_STRUCTURED_VIEWS_ANALYSIS_H
#define LOOM_PASSES_STRUCTURED_VIEWS_ANALYSIS_H

#include "Relations.h"

namespace loom::views {

struct Analysis {
  Analysis(SpatialRegionOp region, const ViewConfig &config);

  SpatialRegionOp region;
  ViewConfig config;
  llvm::DenseMap<mlir::Operation *, unsigned> order; ///< pre-order numbers
  std::vector<mlir::Operation *> loops;
  llvm::DenseMap<mlir::Operation *, unsigned> loopNumber;
  AffineValues values;
  Domains domains;
  Memory memory;
  IntegerSolver solver;
  Relations relations;
  RegionViews views;

  std::vector<unsigned> numbers(llvm::ArrayRef<mlir::Operation *> loops) const;

  // In the order of their dependences.
  void describeLoops();
  void describeVariables();
  void describeDomains();
  void describeMemory();
  void findReductions();
  void findDependences();
  void judgeLoops();
  void findFootprints();
  void findReuse();

private:
  void accessDependences(unsigned first, unsigned second);
  void record(const Access &source, const Access &target,
              llvm::ArrayRef<mlir::Operation *> common, unsigned level,
              const Conflict &conflict);
  void controlDependences();
  void carriedDependences();
  void footprintOf(unsigned root, bool isWrite);

  unsigned pairs = 0; ///< of accesses that were looked at
};

/// Source line of an operation, 0 if unknown.
unsigned lineOf(mlir::Operation *op);

} // namespace loom::views

#endif
