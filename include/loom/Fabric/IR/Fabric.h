// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fabric` dialect.

#ifndef LOOM_FABRIC_IR_FABRIC_H
#define LOOM_FABRIC_IR_FABRIC_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"

#include "loom/Fabric/IR/FabricDialect.h.inc"
#include "loom/Fabric/IR/FabricEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "loom/Fabric/IR/FabricTypes.h.inc"

#define GET_OP_CLASSES
#include "loom/Fabric/IR/FabricOps.h.inc"

namespace loom::fabric {

/// The bits of `fastmath` flags by their names, in this order from bit 0:
/// reassoc, nnan, ninf, nsz, arcp, contract, afn. Those of arith.
std::optional<unsigned> fastMathBit(llvm::StringRef name);
llvm::ArrayRef<llvm::StringLiteral> fastMathNames();

} // namespace loom::fabric

#endif
