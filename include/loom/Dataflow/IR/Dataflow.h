// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `dataflow` dialect: token graphs.

#ifndef LOOM_DATAFLOW_IR_DATAFLOW_H
#define LOOM_DATAFLOW_IR_DATAFLOW_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "loom/Dataflow/IR/DataflowDialect.h.inc"

#include "loom/Dataflow/IR/DataflowEnums.h.inc"

namespace loom::dataflow {

class GraphReturnOp;

/// The one type of a memory input: bytes, `memref<?xi8>`.
mlir::MemRefType getMemoryType(mlir::MLIRContext *context);

/// Whether a token may have this type: a scalar, a vector, `index`.
bool isTokenType(mlir::Type type);

/// none, i1 to i64, f32, f64, !llvm.ptr: what the image's tokens carry.
bool isScalarTokenType(mlir::Type type);

/// A vector of scalars (not none) of fixed shape and rank 1 or more.
bool isVectorTokenType(mlir::Type type);

/// Whether one access may move it: i8, i16, i32, i64, f32, f64, !llvm.ptr, or a
/// vector of one of them.
bool isMemoryDataType(mlir::Type type);

/// i64, !llvm.ptr, or a vector of one of them.
bool isAddressType(mlir::Type type);

/// i1 or a vector of i1.
bool isMaskType(mlir::Type type);

/// The mask of a value: its shape with i1.
mlir::Type getMaskType(mlir::Type type);

/// Whether it is an `!llvm.ptr` of address space 0.
bool isPointerType(mlir::Type type);

/// The three parts of the inputs or results of a graph, in this order.
struct Segments {
  unsigned values = 0;
  unsigned streams = 0;
  unsigned memories = 0;
};

/// Why `map` can't be the source map of a consumer with `rank` coordinates;
/// empty if it can.
std::string whyNoSourceMap(mlir::AffineMap map, unsigned rank);

/// Fails with a diagnostic unless `op` is in the body of a thread.
mlir::LogicalResult verifyInThread(mlir::Operation *op);

/// Fails with a diagnostic if `op` is in a thread or a graph.
mlir::LogicalResult verifyInHost(mlir::Operation *op);

} // namespace loom::dataflow

#define GET_TYPEDEF_CLASSES
#include "loom/Dataflow/IR/DataflowTypes.h.inc"

#define GET_OP_CLASSES
#include "loom/Dataflow/IR/DataflowOps.h.inc"

#endif
