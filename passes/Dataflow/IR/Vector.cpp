// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the actors between scalars and vectors.

#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace loom::dataflow;

// One dimension, and the value is a lane.
static LogicalResult verifyGroup(Operation *op, Type vector, Type value) {
  auto lanes = cast<VectorType>(vector);
  if (lanes.getRank() != 1)
    return op->emitOpError("expected a vector of rank 1, got ") << vector;
  if (lanes.getElementType() != value)
    return op->emitOpError("expected lanes of type ")
           << value << ", got " << vector;
  return success();
}

LogicalResult ParallelizeOp::verify() {
  return verifyGroup(*this, getVector().getType(), getValue().getType());
}

LogicalResult SerializeOp::verify() {
  return verifyGroup(*this, getVector().getType(), getValue().getType());
}

static LogicalResult verifyBits(Operation *op, Type vector, Type bits) {
  auto lanes = cast<VectorType>(vector);
  if (!lanes.getElementType().isIntOrFloat())
    return op->emitOpError("expected lanes that are numbers, got ") << vector;
  // Divided, not multiplied: shapes may be huge.
  int64_t width = lanes.getElementTypeBitWidth();
  int64_t total = bits.getIntOrFloatBitWidth();
  if (total % width != 0 || lanes.getNumElements() != total / width)
    return op->emitOpError("expected an integer of exactly the bits of ")
           << vector << ", got " << bits;
  return success();
}

LogicalResult PackOp::verify() {
  return verifyBits(*this, getVector().getType(), getBits().getType());
}

LogicalResult UnpackOp::verify() {
  return verifyBits(*this, getVector().getType(), getBits().getType());
}
