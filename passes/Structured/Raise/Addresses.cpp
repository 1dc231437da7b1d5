// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of regions: base plus one byte offset, pointers as 64-bit integers.

#include "Speller.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

static uint64_t fieldOffset(LLVM::LLVMStructType structure, int64_t field,
                            const DataLayout &layout) {
  uint64_t offset = 0;
  for (auto [index, type] : llvm::enumerate(structure.getBody())) {
    if (!structure.isPacked())
      offset = llvm::alignTo(offset, layout.getTypeABIAlignment(type));
    if (int64_t(index) == field)
      return offset;
    offset += layout.getTypeSize(type).getFixedValue();
  }
  return offset;
}

/// An address becomes base + one byte offset of 64 bits.
void loom::Speller::spellAddress(LLVM::GEPOp op) {
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type(), i8 = builder.getI8Type();
  DataLayout layout = DataLayout::closest(op);
  Value offset;
  int64_t constantBytes = 0;
  auto add = [&](Value bytes) {
    offset =
        offset ? arith::AddIOp::create(builder, loc, offset, bytes).getResult()
               : bytes;
  };
  auto addIndex = [&](auto index, uint64_t size) {
    if (auto attribute = dyn_cast<IntegerAttr>(index)) {
      constantBytes += attribute.getInt() * int64_t(size);
      return;
    }
    Value value = cast<Value>(index);
    auto type = dyn_cast<IntegerType>(value.getType());
    if (!type) {
      refuse(op, "index");
      return;
    }
    if (type.getWidth() < 64)
      value = arith::ExtSIOp::create(builder, loc, i64, value);
    else if (type.getWidth() > 64)
      value = arith::TruncIOp::create(builder, loc, i64, value);
    if (size != 1)
      value = arith::MulIOp::create(builder, loc, value,
                                    constant(loc, i64, int64_t(size)));
    add(value);
  };
  Type current = op.getElemType();
  bool first = true;
  for (auto index : op.getIndices()) {
    if (first) {
      addIndex(index, layout.getTypeSize(current).getFixedValue());
      first = false;
      continue;
    }
    if (auto structure = dyn_cast<LLVM::LLVMStructType>(current)) {
      auto field = dyn_cast<IntegerAttr>(index);
      if (!field)
        return refuse(op, "field");
      constantBytes += int64_t(fieldOffset(structure, field.getInt(), layout));
      current = structure.getBody()[size_t(field.getInt())];
    } else if (auto array = dyn_cast<LLVM::LLVMArrayType>(current)) {
      current = array.getElementType();
      addIndex(index, layout.getTypeSize(current).getFixedValue());
    } else {
      return refuse(op, "indexed type");
    }
    if (failed)
      return;
  }
  if (constantBytes || !offset)
    add(constant(loc, i64, constantBytes));
  replace<LLVM::GEPOp>(op, op.getType(), i8, op.getBase(),
                       ArrayRef<LLVM::GEPArg>{offset});
}

void loom::Speller::comparePointers(LLVM::ICmpOp op,
                                    arith::CmpIPredicate predicate) {
  auto asInteger = [&](Value pointer) -> Value {
    return LLVM::PtrToIntOp::create(builder, op.getLoc(), builder.getI64Type(),
                                    pointer);
  };
  Value lhs = asInteger(op.getLhs()), rhs = asInteger(op.getRhs());
  replace<arith::CmpIOp>(op, predicate, lhs, rhs);
}

void loom::Speller::pointerToInteger(LLVM::PtrToIntOp op) {
  auto integer = dyn_cast<IntegerType>(op.getType());
  if (!integer)
    return refuse(op);
  if (integer.getWidth() == 64)
    return;
  Value value = LLVM::PtrToIntOp::create(builder, op.getLoc(),
                                         builder.getI64Type(), op.getArg());
  if (integer.getWidth() < 64)
    replace<arith::TruncIOp>(op, integer, value);
  else
    replace<arith::ExtUIOp>(op, integer, value);
}

void loom::Speller::integerToPointer(LLVM::IntToPtrOp op) {
  Value value = op.getArg();
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type)
    return refuse(op);
  Type i64 = builder.getI64Type();
  if (type.getWidth() == 64)
    return;
  if (type.getWidth() < 64)
    value = arith::ExtUIOp::create(builder, op.getLoc(), i64, value);
  else
    value = arith::TruncIOp::create(builder, op.getLoc(), i64, value);
  replace<LLVM::IntToPtrOp>(op, op.getType(), value);
}
