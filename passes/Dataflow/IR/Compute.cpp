// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of compute actors.

#include "loom/Dataflow/IR/Compute.h"
#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Image/loom_image_generated.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using loom::image::Op;

namespace loom::dataflow {

std::optional<uint8_t> lookupComputeName(StringRef name) {
  Op op = llvm::StringSwitch<Op>(name)
              .Case("arith.addi", Op::AddI)
              .Case("arith.subi", Op::SubI)
              .Case("arith.muli", Op::MulI)
              .Case("arith.divsi", Op::DivSI)
              .Case("arith.divui", Op::DivUI)
              .Case("arith.remsi", Op::RemSI)
              .Case("arith.remui", Op::RemUI)
              .Case("arith.andi", Op::AndI)
              .Case("arith.ori", Op::OrI)
              .Case("arith.xori", Op::XorI)
              .Case("arith.shli", Op::ShlI)
              .Case("arith.shrsi", Op::ShrSI)
              .Case("arith.shrui", Op::ShrUI)
              .Case("arith.minsi", Op::MinSI)
              .Case("arith.maxsi", Op::MaxSI)
              .Case("arith.minui", Op::MinUI)
              .Case("arith.maxui", Op::MaxUI)
              .Case("arith.cmpi", Op::CmpI)
              .Case("arith.select", Op::Select)
              .Case("arith.extsi", Op::ExtSI)
              .Case("arith.extui", Op::ExtUI)
              .Case("arith.trunci", Op::TruncI)
              .Case("arith.addf", Op::AddF)
              .Case("arith.subf", Op::SubF)
              .Case("arith.mulf", Op::MulF)
              .Case("arith.divf", Op::DivF)
              .Case("arith.remf", Op::RemF)
              .Case("arith.negf", Op::NegF)
              .Case("arith.cmpf", Op::CmpF)
              .Case("arith.minnumf", Op::MinNumF)
              .Case("arith.maxnumf", Op::MaxNumF)
              .Case("arith.minimumf", Op::MinimumF)
              .Case("arith.maximumf", Op::MaximumF)
              .Case("arith.sitofp", Op::SIToFP)
              .Case("arith.uitofp", Op::UIToFP)
              .Case("arith.fptosi", Op::FPToSI)
              .Case("arith.fptoui", Op::FPToUI)
              .Case("arith.extf", Op::ExtF)
              .Case("arith.truncf", Op::DemoteF)
              .Case("arith.bitcast", Op::Bitcast)
              .Case("math.absi", Op::AbsI)
              .Case("math.ctpop", Op::CtPop)
              .Case("math.ctlz", Op::CtLz)
              .Case("math.cttz", Op::CtTz)
              .Case("math.absf", Op::AbsF)
              .Case("math.sqrt", Op::Sqrt)
              .Case("math.floor", Op::Floor)
              .Case("math.ceil", Op::Ceil)
              .Case("math.trunc", Op::TruncF)
              .Case("math.round", Op::Round)
              .Case("math.roundeven", Op::RoundEven)
              .Case("math.copysign", Op::CopySign)
              .Case("math.fma", Op::Fma)
              .Case("llvm.intr.fshl", Op::FShl)
              .Case("llvm.intr.fshr", Op::FShr)
              .Case("llvm.intr.bswap", Op::BSwap)
              .Case("llvm.intr.bitreverse", Op::BitReverse)
              .Case("llvm.intr.sadd.sat", Op::AddSatS)
              .Case("llvm.intr.uadd.sat", Op::AddSatU)
              .Case("llvm.intr.ssub.sat", Op::SubSatS)
              .Case("llvm.intr.usub.sat", Op::SubSatU)
              .Case("llvm.getelementptr", Op::PtrAdd)
              .Case("llvm.ptrtoint", Op::PtrToInt)
              .Case("llvm.inttoptr", Op::IntToPtr)
              .Default(Op::None);
  if (op == Op::None)
    return std::nullopt;
  return static_cast<uint8_t>(op);
}

std::optional<ComputeActor> lookupCompute(Operation *op) {
  std::optional<uint8_t> number =
      lookupComputeName(op->getName().getStringRef());
  if (!number || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return std::nullopt;
  auto isScalar = [](Type type) {
    return isTokenType(type) && !isa<NoneType>(type);
  };
  if (!llvm::all_of(op->getOperandTypes(), isScalar) ||
      !isScalar(op->getResult(0).getType()))
    return std::nullopt;
  ComputeActor actor;
  actor.op = *number;
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    actor.pred = static_cast<uint8_t>(cmp.getPredicate());
  else if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    actor.pred = static_cast<uint8_t>(cmp.getPredicate());
  else if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
    if (!gep.getElemType().isInteger(8) || gep->getNumOperands() != 2 ||
        !gep->getOperand(1).getType().isSignlessInteger(64) ||
        gep.getRawConstantIndices().size() != 1)
      return std::nullopt;
  } else if (isa<LLVM::PtrToIntOp>(op)) {
    if (!op->getResult(0).getType().isSignlessInteger(64))
      return std::nullopt;
  } else if (isa<LLVM::IntToPtrOp>(op)) {
    if (!op->getOperand(0).getType().isSignlessInteger(64))
      return std::nullopt;
  } else if (*number == static_cast<uint8_t>(Op::BSwap)) {
    if (op->getResult(0).getType().getIntOrFloatBitWidth() % 16 != 0)
      return std::nullopt;
  }
  return actor;
}

} // namespace loom::dataflow
