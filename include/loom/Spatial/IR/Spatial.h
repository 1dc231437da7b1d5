// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `spatial` dialect: the program of one Spatial app.

#ifndef LOOM_SPATIAL_IR_SPATIAL_H
#define LOOM_SPATIAL_IR_SPATIAL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "loom/Spatial/IR/SpatialDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "loom/Spatial/IR/SpatialTypes.h.inc"

#define GET_OP_CLASSES
#include "loom/Spatial/IR/SpatialOps.h.inc"

#endif
