// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/IR/Loom.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

using namespace mlir;

#include "loom/Structured/IR/LoomDialect.cpp.inc"

#define GET_OP_CLASSES
#include "loom/Structured/IR/LoomOps.cpp.inc"

void loom::LoomDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "loom/Structured/IR/LoomOps.cpp.inc"
      >();
}

LogicalResult loom::SpatialRegionOp::verify() {
  Block &block = getBody().front();
  if (block.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("block arguments must have the types of the inputs");
  if (getPartitions().size() != getInputs().size())
    return emitOpError("expects one partition per input, got ")
           << getPartitions().size() << " for " << getInputs().size();
  for (auto [type, partition] :
       llvm::zip(block.getArgumentTypes(), getPartitions()))
    if (isa<LLVM::LLVMPointerType>(type) != (partition >= 0))
      return emitOpError("a partition belongs to each pointer input and to no "
                         "other input");
  if (getExits().size() != getOutputs().size())
    return emitOpError("expects one exit per result, got ")
           << getExits().size() << " for " << getOutputs().size();
  if (getOutputs().empty() || !getOutputs().front().getType().isInteger(32))
    return emitOpError("the first result must be the i32 exit selector");
  auto yield = dyn_cast<SpatialYieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("expects a loom.spatial_yield terminator");
  if (yield.getValues().getTypes() != getOutputs().getTypes())
    return emitOpError("the yielded types must be the result types");
  return success();
}
