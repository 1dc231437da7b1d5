// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straight-line code: accesses and computations.
//
// Order of accesses, per partition: `write` is the tail of the writes, `read`
// covers it and the reads after it. A read waits for `write`, a write for
// `read`. All tokens of a scope have its phase, so an access that waits for one
// doesn't need the permission to execute as well.

#include "Lowering.h"
#include "Preflight.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::lower;

void Lowering::lowerBlock(Scope &scope, Block &block) {
  for (Operation &op : block.without_terminator())
    lowerOp(scope, &op);
}

void Lowering::lowerOp(Scope &scope, Operation *op) {
  if (constantOf(op))
    return; // made where it is used
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](LLVM::LoadOp load) { lowerLoad(scope, load); })
      .Case([&](LLVM::StoreOp store) { lowerStore(scope, store); })
      .Case([&](LLVM::GEPOp gep) { lowerPointer(scope, gep); })
      .Case([&](scf::IfOp branch) { lowerIf(scope, branch); })
      .Case([&](scf::IndexSwitchOp branch) { lowerSwitch(scope, branch); })
      .Case([&](scf::ForOp loop) { lowerFor(scope, loop); })
      .Case([&](scf::WhileOp loop) { lowerWhile(scope, loop); })
      .Default([&](Operation *) { lowerCompute(scope, op); });
}

/// What a write to the partition waits for; null: the permission to execute.
Value Lowering::readToken(Scope &scope, unsigned partition, Location loc) {
  SmallVector<Value, 2> &tokens = scope.readOf(partition);
  if (tokens.empty())
    return {};
  Value token = join(tokens, loc);
  tokens.assign({token});
  return token;
}

/// Memory (null for an unrooted access) and address token.
std::pair<Value, Value> Lowering::address(Scope &scope, Value pointer,
                                          Location loc) {
  if (BlockArgument root = Analysis::rootOf(pointer))
    return {memories.lookup(root), offset(scope, pointer, loc)};
  return {Value(), value(scope, pointer)};
}

void Lowering::lowerLoad(Scope &scope, LLVM::LoadOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> waits;
  bool execution = mechanical;
  for (unsigned p : analysis.partitionsOf(op)) {
    waits.push_back(scope.write[p]);
    execution |= !scope.write[p];
  }
  if (execution)
    waits.push_back(scope.execution);
  auto [memory, at] = address(scope, op.getAddr(), loc);
  auto load = LoadOp::create(b, loc, op.getType(), b.getNoneType(), memory, at,
                             join(waits, loc));
  scope.values[op.getResult()] = load.getData();
  if (!analysis.isTracked(op))
    return;
  for (unsigned p : analysis.partitionsOf(op)) {
    SmallVector<Value, 2> &tokens = scope.readOf(p);
    if (!llvm::is_contained(tokens, load.getDone()))
      tokens.push_back(load.getDone());
    if (mechanical)
      readToken(scope, p, loc);
  }
}

void Lowering::lowerStore(Scope &scope, LLVM::StoreOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> waits;
  bool execution = mechanical;
  for (unsigned p : analysis.partitionsOf(op)) {
    waits.push_back(readToken(scope, p, loc));
    execution |= !waits.back();
  }
  if (execution)
    waits.push_back(scope.execution);
  auto [memory, at] = address(scope, op.getAddr(), loc);
  Value done = StoreOp::create(b, loc, b.getNoneType(), memory, at,
                               value(scope, op.getValue()), join(waits, loc));
  for (unsigned p : analysis.partitionsOf(op)) {
    scope.write[p] = done;
    scope.readOf(p).assign({done});
  }
}

Value Lowering::resize(Value value, Type type, bool isSigned, Location loc) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from > to)
    return arith::TruncIOp::create(b, loc, type, value);
  if (isSigned)
    return arith::ExtSIOp::create(b, loc, type, value);
  return arith::ExtUIOp::create(b, loc, type, value);
}

Value Lowering::gepIndex(Scope &scope, LLVM::GEPOp op) {
  if (op->getNumOperands() == 1)
    return integer(scope, op.getRawConstantIndices().front(), b.getI64Type(),
                   op.getLoc());
  return resize(value(scope, op->getOperand(1)), b.getI64Type(),
                /*isSigned=*/true, op.getLoc());
}

void Lowering::lowerPointer(Scope &scope, LLVM::GEPOp op) {
  Location loc = op.getLoc();
  Value index = gepIndex(scope, op);
  if (Analysis::rootOf(op.getBase())) {
    Value sum = index;
    if (!isa<BlockArgument>(op.getBase()))
      sum = arith::AddIOp::create(b, loc, offset(scope, op.getBase(), loc),
                                  index);
    scope.offsets[op.getResult()] = sum;
  }
  if (!analysis.isPointerData(op.getResult()) && Analysis::rootOf(op.getBase()))
    return;
  scope.values[op.getResult()] =
      LLVM::GEPOp::create(b, loc, op.getType(), b.getI8Type(),
                          value(scope, op.getBase()), ValueRange(index));
}

void Lowering::lowerCompute(Scope &scope, Operation *op) {
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  Type type = tokenType(result.getType());
  if (isa<LLVM::FreezeOp>(op)) {
    scope.values[result] = value(scope, op->getOperand(0));
    return;
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    scope.values[result] = resize(value(scope, op->getOperand(0)), type,
                                  isa<arith::IndexCastOp>(op), loc);
    return;
  }
  if (isa<LLVM::PtrToIntOp>(op)) {
    Value bits = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(),
                                          value(scope, op->getOperand(0)));
    scope.values[result] = resize(bits, type, /*isSigned=*/false, loc);
    return;
  }
  if (isa<LLVM::IntToPtrOp>(op)) {
    Value bits = resize(value(scope, op->getOperand(0)), b.getI64Type(),
                        /*isSigned=*/false, loc);
    scope.values[result] = LLVM::IntToPtrOp::create(b, loc, type, bits);
    return;
  }
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, value(scope, operand));
  Operation *clone = b.clone(*op, mapping);
  clone->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  clone->getResult(0).setType(type);
  scope.values[result] = clone->getResult(0);
}
