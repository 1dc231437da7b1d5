// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/IR/RootRelativeAddress.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

bool loom::isRootRelative(Operation *op) {
  return op->hasAttrOfType<UnitAttr>(rootRelativeAddressName);
}

LogicalResult loom::verifyRootRelativeAddress(Operation *op,
                                              NamedAttribute attribute) {
  if (!isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError()
           << "'" << rootRelativeAddressName << "' has no payload";
  if (!isa<LLVM::LoadOp, LLVM::StoreOp>(op))
    return op->emitOpError() << "'" << rootRelativeAddressName
                             << "' belongs to an llvm.load or llvm.store";
  return success();
}
