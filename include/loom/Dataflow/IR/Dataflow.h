// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `dataflow` dialect: token graphs.

#ifndef LOOM_DATAFLOW_IR_DATAFLOW_H
#define LOOM_DATAFLOW_IR_DATAFLOW_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
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

/// Whether a token may have this type: none, i1 to i64, f32, f64, !llvm.ptr.
bool isTokenType(mlir::Type type);

/// Whether one access may move it: i8, i16, i32, i64, f32, f64, !llvm.ptr.
bool isMemoryDataType(mlir::Type type);

/// Whether it is an `!llvm.ptr` of address space 0.
bool isPointerType(mlir::Type type);

} // namespace loom::dataflow

#define GET_OP_CLASSES
#include "loom/Dataflow/IR/DataflowOps.h.inc"

#endif
