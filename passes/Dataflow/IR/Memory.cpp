// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the memory actors.

#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace loom::dataflow;

// The address of an access: an offset with a memory, a pointer without; and
// its form: element, contiguous, indexed.
static LogicalResult verifyAccess(Operation *op, Value memory, Type address,
                                  Type data, Value mask) {
  auto addresses = dyn_cast<VectorType>(address);
  auto lanes = dyn_cast<VectorType>(data);
  Type lane = addresses ? addresses.getElementType() : address;
  if (memory && isPointerType(lane))
    return op->emitOpError("expected an i64 offset into the memory, got ")
           << address;
  if (!memory && !isPointerType(lane))
    return op->emitOpError("expected a !llvm.ptr address without a memory, "
                           "got ")
           << address;
  if (addresses && (!lanes || lanes.getShape() != addresses.getShape()))
    return op->emitOpError("expected data of the shape of the address ")
           << address << ", got " << data;
  if (mask && !lanes)
    return op->emitOpError("an element access has no mask");
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, getMemory(), getAddress().getType(),
                      getData().getType(), getMask());
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getMemory(), getAddress().getType(),
                      getData().getType(), getMask());
}
