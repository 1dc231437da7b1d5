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
using ImageOp = loom::image::Op;

namespace loom::dataflow {

std::optional<uint8_t> lookupComputeName(StringRef name) {
  ImageOp op = llvm::StringSwitch<ImageOp>(name)
                   .Case("arith.addi", ImageOp::AddI)
                   .Case("arith.subi", ImageOp::SubI)
                   .Case("arith.muli", ImageOp::MulI)
                   .Case("arith.divsi", ImageOp::DivSI)
                   .Case("arith.divui", ImageOp::DivUI)
                   .Case("arith.remsi", ImageOp::RemSI)
                   .Case("arith.remui", ImageOp::RemUI)
                   .Case("arith.andi", ImageOp::AndI)
                   .Case("arith.ori", ImageOp::OrI)
                   .Case("arith.xori", ImageOp::XorI)
                   .Case("arith.shli", ImageOp::ShlI)
                   .Case("arith.shrsi", ImageOp::ShrSI)
                   .Case("arith.shrui", ImageOp::ShrUI)
                   .Case("arith.minsi", ImageOp::MinSI)
                   .Case("arith.maxsi", ImageOp::MaxSI)
                   .Case("arith.minui", ImageOp::MinUI)
                   .Case("arith.maxui", ImageOp::MaxUI)
                   .Case("arith.cmpi", ImageOp::CmpI)
                   .Case("arith.select", ImageOp::Select)
                   .Case("arith.extsi", ImageOp::ExtSI)
                   .Case("arith.extui", ImageOp::ExtUI)
                   .Case("arith.trunci", ImageOp::TruncI)
                   .Case("arith.addf", ImageOp::AddF)
                   .Case("arith.subf", ImageOp::SubF)
                   .Case("arith.mulf", ImageOp::MulF)
                   .Case("arith.divf", ImageOp::DivF)
                   .Case("arith.remf", ImageOp::RemF)
                   .Case("arith.negf", ImageOp::NegF)
                   .Case("arith.cmpf", ImageOp::CmpF)
                   .Case("arith.minnumf", ImageOp::MinNumF)
                   .Case("arith.maxnumf", ImageOp::MaxNumF)
                   .Case("arith.minimumf", ImageOp::MinimumF)
                   .Case("arith.maximumf", ImageOp::MaximumF)
                   .Case("arith.sitofp", ImageOp::SIToFP)
                   .Case("arith.uitofp", ImageOp::UIToFP)
                   .Case("arith.fptosi", ImageOp::FPToSI)
                   .Case("arith.fptoui", ImageOp::FPToUI)
                   .Case("arith.extf", ImageOp::ExtF)
                   .Case("arith.truncf", ImageOp::DemoteF)
                   .Case("arith.bitcast", ImageOp::Bitcast)
                   .Case("math.absi", ImageOp::AbsI)
                   .Case("math.ctpop", ImageOp::CtPop)
                   .Case("math.ctlz", ImageOp::CtLz)
                   .Case("math.cttz", ImageOp::CtTz)
                   .Case("math.absf", ImageOp::AbsF)
                   .Case("math.sqrt", ImageOp::Sqrt)
                   .Case("math.floor", ImageOp::Floor)
                   .Case("math.ceil", ImageOp::Ceil)
                   .Case("math.trunc", ImageOp::TruncF)
                   .Case("math.round", ImageOp::Round)
                   .Case("math.roundeven", ImageOp::RoundEven)
                   .Case("math.copysign", ImageOp::CopySign)
                   .Case("math.fma", ImageOp::Fma)
                   .Case("llvm.intr.fshl", ImageOp::FShl)
                   .Case("llvm.intr.fshr", ImageOp::FShr)
                   .Case("llvm.intr.bswap", ImageOp::BSwap)
                   .Case("llvm.intr.bitreverse", ImageOp::BitReverse)
                   .Case("llvm.intr.sadd.sat", ImageOp::AddSatS)
                   .Case("llvm.intr.uadd.sat", ImageOp::AddSatU)
                   .Case("llvm.intr.ssub.sat", ImageOp::SubSatS)
                   .Case("llvm.intr.usub.sat", ImageOp::SubSatU)
                   .Case("llvm.getelementptr", ImageOp::PtrAdd)
                   .Case("llvm.ptrtoint", ImageOp::PtrToInt)
                   .Case("llvm.inttoptr", ImageOp::IntToPtr)
                   .Default(ImageOp::None);
  if (op == ImageOp::None)
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
  } else if (*number == static_cast<uint8_t>(ImageOp::BSwap)) {
    if (op->getResult(0).getType().getIntOrFloatBitWidth() % 16 != 0)
      return std::nullopt;
  }
  return actor;
}

} // namespace loom::dataflow
