// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes of the lowering. A scope is a place where tokens have one phase: the
// graph, the head of a loop (one token more than iterations), a lane of a
// selection or the body of a loop. A value from outside is projected into a
// scope when it is first used there.

#ifndef LOOM_DATAFLOW_LOWER_SCOPE_H
#define LOOM_DATAFLOW_LOWER_SCOPE_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace loom::lower {

/// The lanes of one selector: one demux for every value that enters them.
struct Selection {
  Selection(mlir::Value selector, unsigned lanes, mlir::Location loc)
      : selector(selector), lanes(lanes), loc(loc) {}
  mlir::Value selector;
  unsigned lanes;
  mlir::Location loc;
  llvm::DenseMap<mlir::Value, mlir::Operation *> demuxes;
};

/// An operand that is known only when the loop around it is complete.
struct OpenOperand {
  mlir::Operation *op;
  unsigned number;
};

struct Scope {
  enum Kind { Root, Head, Lane };

  Kind kind = Root;
  Scope *parent = nullptr;
  Selection *selection = nullptr;     // Lane
  unsigned lane = 0;                  // Lane
  mlir::Value phase;                  // Head; null while it is unknown
  std::vector<OpenOperand> openPhase; // Head: operands that wait for `phase`

  llvm::DenseMap<mlir::Value, mlir::Value> values;  // S0 value -> token
  llvm::DenseMap<mlir::Value, mlir::Value> offsets; // rooted pointer -> offset
  llvm::DenseMap<mlir::Value, mlir::Value> projected;
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>, mlir::Value> constants;

  /// Permission to execute here.
  mlir::Value execution;
  /// Per partition: the write tail; null: covered by `execution`.
  llvm::SmallVector<mlir::Value> write;
  /// Per class: what the next write must wait for; empty: `execution` covers
  /// it. The tokens are joined when they are needed.
  llvm::SmallVector<llvm::SmallVector<mlir::Value, 2>> read;
  /// The class of a partition. Partitions that a loop only reads share one.
  llvm::SmallVector<unsigned> readClass;

  llvm::SmallVector<mlir::Value, 2> &readOf(unsigned partition) {
    return read[readClass[partition]];
  }
};

} // namespace loom::lower

#endif
