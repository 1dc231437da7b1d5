// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants and computations of programs.

#include "Program.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;

/// A constant; undefined values are poison.
static std::optional<Token> constantOf(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return tokenOf(constant.getValue(), constant.getType());
  if (auto constant = dyn_cast<LLVM::ConstantOp>(op))
    return tokenOf(constant.getValue(), constant.getType());
  bool zero = isa<LLVM::ZeroOp>(op);
  if (!zero && !isa<ub::PoisonOp, LLVM::PoisonOp, LLVM::UndefOp>(op))
    return std::nullopt;
  Token token;
  token.lanes.assign(laneCount(op->getResult(0).getType()).value_or(0),
                     Lane{0, !zero});
  return token;
}

// Between index and integers of any width.
static bool isIndexCast(Operation *op) {
  return isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
         !isa<VectorType>(op->getOperand(0).getType());
}

static Lane castIndex(Operation *op, Lane lane) {
  unsigned from = laneWidth(op->getOperand(0).getType());
  unsigned to = laneWidth(op->getResult(0).getType());
  APInt value(from, lane.bits);
  value = isa<arith::IndexCastOp>(op) ? value.sextOrTrunc(to)
                                      : value.zextOrTrunc(to);
  return {value.getZExtValue(), lane.poison};
}

// An integer computation on indices is that on i64; the table of actors has
// none of them.
static bool computesIndices(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
             arith::RemUIOp, arith::CmpIOp, arith::SelectOp, arith::MinUIOp,
             arith::MaxUIOp, arith::MinSIOp, arith::MaxSIOp>(op) &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           return type.isIndex() || type.isInteger(1);
         });
}

Step Program::values(Operation *op) {
  if (std::optional<Token> constant = constantOf(op)) {
    bind(op->getResult(0), Datum::of(std::move(*constant)));
    return Step::Next;
  }
  if (!allReady(op->getOperands()))
    return Step::Wait;
  SmallVector<const Token *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(ready(operand));
  Token result;
  if (isIndexCast(op)) {
    result.lanes.push_back(castIndex(op, operands[0]->lanes.front()));
  } else if (auto failure =
                 machine.computationOf(op).compute(operands, result)) {
    return fail(op, failure->fault, failure->detail);
  }
  bind(op->getResult(0), Datum::of(std::move(result)));
  return Step::Next;
}

static bool isPlain(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_() &&
           load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  auto store = cast<LLVM::StoreOp>(op);
  return !store.getVolatile_() &&
         store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
}

/// Operations of programs that depend on their form; nullopt: others.
static std::optional<std::string> whyNotForm(Operation *op) {
  if (isa<LLVM::LoadOp, LLVM::StoreOp>(op)) {
    Type data = isa<LLVM::LoadOp>(op) ? op->getResult(0).getType()
                                      : op->getOperand(0).getType();
    if (!isPlain(op))
      return "is volatile or atomic";
    return bytesOf(data) ? "" : "moves a type that memory doesn't have";
  }
  if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
    bool one = gep.getRawConstantIndices().size() == 1 &&
               !isa<VectorType>(gep.getType()) && bytesOf(gep.getElemType());
    return one ? "" : "has not exactly one index";
  }
  if (auto alloca = dyn_cast<LLVM::AllocaOp>(op))
    return bytesOf(alloca.getElemType()) ? "" : "allocates no data";
  if (constantOf(op) || isIndexCast(op) || computesIndices(op))
    return "";
  return std::nullopt;
}

std::string loom::run::whyNotStep(Operation *op) {
  std::optional<std::string> why = whyNotForm(op);
  return why ? *why : whyNotComputed(op);
}
