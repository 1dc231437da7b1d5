// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `loom` dialect.

#ifndef LOOM_STRUCTURED_IR_LOOM_H
#define LOOM_STRUCTURED_IR_LOOM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "loom/Structured/IR/LoomDialect.h.inc"

#define GET_OP_CLASSES
#include "loom/Structured/IR/LoomOps.h.inc"

#endif
