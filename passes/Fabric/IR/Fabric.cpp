// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fabric` dialect: registration and what a target as a whole must have.

#include "loom/Fabric/IR/Fabric.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace loom::fabric;

#include "loom/Fabric/IR/FabricDialect.cpp.inc"
#include "loom/Fabric/IR/FabricEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "loom/Fabric/IR/FabricTypes.cpp.inc"

#define GET_OP_CLASSES
#include "loom/Fabric/IR/FabricOps.cpp.inc"

void FabricDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "loom/Fabric/IR/FabricTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "loom/Fabric/IR/FabricOps.cpp.inc"
      >();
}

static constexpr llvm::StringLiteral flags[] = {
    "reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"};

ArrayRef<llvm::StringLiteral> loom::fabric::fastMathNames() { return flags; }

std::optional<unsigned> loom::fabric::fastMathBit(StringRef name) {
  for (auto [bit, flag] : llvm::enumerate(flags))
    if (flag == name)
      return 1u << bit;
  return std::nullopt;
}

LogicalResult
PointerType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    unsigned space, unsigned bits) {
  if (space > 0xffffff || (bits != 16 && bits != 32 && bits != 64))
    return emitError() << "a pointer has 16, 32 or 64 bits and an address "
                          "space below 2^24";
  return success();
}

static bool isGoodName(StringRef name) {
  return !name.empty() && name.size() <= 64 && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '.' || c == '_' || c == '-';
  });
}

LogicalResult TargetOp::verify() {
  if (!isGoodName(getSymName()))
    return emitOpError("the name must have 1 to 64 of A-Z a-z 0-9 . _ -");
  unsigned rows = 0, abis = 0, systems = 0, shared = 0, locals = 0;
  for (Operation &row : getBody().front()) {
    ++rows;
    abis += isa<AbiOp>(row);
    systems += isa<SystemOp>(row);
    shared += isa<SystemMemoryOp>(row);
    locals += isa<LocalMemoryOp>(row);
    if (row.getName().getDialectNamespace() != "fabric")
      return row.emitOpError("does not belong into a target");
    // A word with a typing error would otherwise mean nothing, silently.
    for (NamedAttribute attribute : row.getDiscardableAttrs())
      return row.emitOpError()
             << "has the unknown attribute " << attribute.getName();
  }
  if (rows > 1024)
    return emitOpError("has more than 1024 rows");
  if (abis != 1 || systems != 1 || shared != 1)
    return emitOpError("expects exactly one fabric.abi, fabric.system and "
                       "fabric.system_memory");
  if (locals > 16)
    return emitOpError("has more than 16 local memories");
  return success();
}
