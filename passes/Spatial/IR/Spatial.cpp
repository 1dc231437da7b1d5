// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `spatial` dialect: registration and verifiers.

#include "loom/Spatial/IR/Spatial.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace loom::spatial;

#include "loom/Spatial/IR/SpatialDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "loom/Spatial/IR/SpatialTypes.cpp.inc"

#define GET_OP_CLASSES
#include "loom/Spatial/IR/SpatialOps.cpp.inc"

void SpatialDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "loom/Spatial/IR/SpatialTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "loom/Spatial/IR/SpatialOps.cpp.inc"
      >();
}

namespace {

bool isScalar(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isF32() || type.isF64();
}

LogicalResult verifyMemory(llvm::function_ref<InFlightDiagnostic()> emitError,
                           int64_t size, Type element) {
  if (size < 1 || size > INT32_MAX)
    return emitError() << "a memory has 1 to 2^31 - 1 elements, not " << size;
  if (!isScalar(element) || element.isInteger(1))
    return emitError() << "a memory can't hold elements of type " << element;
  return success();
}

LogicalResult verifyTransfer(Operation *op, DramType dram, SramType sram) {
  if (dram.getSize() != sram.getSize() ||
      dram.getElement() != sram.getElement())
    return op->emitOpError("transfers between memories of different shape: ")
           << dram << " and " << sram;
  return success();
}

LogicalResult verifyElement(Operation *op, Type element, Type value) {
  if (element != value)
    return op->emitOpError("moves a ")
           << value << " where a " << element << " is stored";
  return success();
}

} // namespace

LogicalResult
DramType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 int64_t size, Type element) {
  return verifyMemory(emitError, size, element);
}

LogicalResult
SramType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 int64_t size, Type element) {
  return verifyMemory(emitError, size, element);
}

LogicalResult
RegType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                Type element) {
  if (!isScalar(element))
    return emitError() << "a register can't hold a value of type " << element;
  return success();
}

LogicalResult AppOp::verify() {
  unsigned accels = 0;
  for (Operation &op : getBody().front()) {
    if (accels)
      return emitOpError("spatial.accel must come last and only once");
    if (isa<AccelOp>(op))
      ++accels;
    else if (!isa<DramOp, ArgInOp>(op))
      return emitOpError("holds only memories, registers and spatial.accel, "
                         "not ")
             << op.getName();
  }
  if (!accels)
    return emitOpError("expects a spatial.accel");
  if (getExits().size() != getFloats().size() || getExits().empty())
    return emitOpError("expects one exit and one float width per output");
  return success();
}

LogicalResult DramOp::verify() {
  if (!llvm::is_contained({"slots", "memory", "outputs"}, getRole()))
    return emitOpError("has the unknown role \"") << getRole() << "\"";
  if (getRole() != "memory" &&
      !getMemory().getType().getElement().isInteger(64))
    return emitOpError("slots and outputs are 64-bit integers");
  return success();
}

LogicalResult ArgInOp::verify() {
  if (!isa<IntegerType>(getReg().getType().getElement()))
    return emitOpError("holds an integer");
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyTransfer(*this, getDram().getType(), getSram().getType());
}

LogicalResult StoreOp::verify() {
  return verifyTransfer(*this, getDram().getType(), getSram().getType());
}

LogicalResult ReadOp::verify() {
  return verifyElement(*this, getMemory().getType().getElement(),
                       getValue().getType());
}

LogicalResult WriteOp::verify() {
  return verifyElement(*this, getMemory().getType().getElement(),
                       getValue().getType());
}

LogicalResult RegReadOp::verify() {
  return verifyElement(*this, getReg().getType().getElement(),
                       getValue().getType());
}

LogicalResult RegWriteOp::verify() {
  if (getReg().getDefiningOp<ArgInOp>())
    return emitOpError("writes a host register");
  return verifyElement(*this, getReg().getType().getElement(),
                       getValue().getType());
}

LogicalResult ForeachOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 1 ||
      !body.getArgument(0).getType().isInteger(32))
    return emitOpError("expects the 32-bit iterator as block argument");
  return success();
}

LogicalResult FsmOp::verify() {
  Type state = getInit().getType();
  Type expected[] = {IntegerType::get(getContext(), 1), Type(), state};
  for (auto [region, type] : llvm::zip(getRegions(), expected)) {
    Block &block = region->front();
    if (block.getNumArguments() != 1 || block.getArgument(0).getType() != state)
      return emitOpError("each region has the state as its block argument");
    auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
    if (!yield)
      return emitOpError("each region ends in spatial.yield");
    Type yielded = yield.getValue() ? yield.getValue().getType() : Type();
    if (yielded != type)
      return emitOpError("yields the condition, nothing and the next state");
  }
  return success();
}
