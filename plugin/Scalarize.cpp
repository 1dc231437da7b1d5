// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scalarize.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

bool hasVectors(const Function &function) {
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block) {
      if (instruction.getType()->isVectorTy())
        return true;
      for (const Value *operand : instruction.operands())
        if (operand->getType()->isVectorTy())
          return true;
    }
  return false;
}

/// The bits of an integer as the lanes of a vector; lane 0 is the low part, as
/// it is in little-endian memory.
Value *split(IRBuilder<> &builder, Value *whole, FixedVectorType *type) {
  Type *lane = type->getElementType();
  unsigned width = unsigned(lane->getPrimitiveSizeInBits());
  Value *vector = PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value *part =
        builder.CreateTrunc(builder.CreateLShr(whole, uint64_t(i) * width),
                            builder.getIntNTy(width));
    vector = builder.CreateInsertElement(
        vector, builder.CreateBitCast(part, lane), uint64_t(i));
  }
  return vector;
}

Value *join(IRBuilder<> &builder, Value *vector, IntegerType *type) {
  auto *from = cast<FixedVectorType>(vector->getType());
  unsigned width = unsigned(from->getElementType()->getPrimitiveSizeInBits());
  Value *whole = ConstantInt::get(type, 0);
  for (unsigned i = 0; i < from->getNumElements(); ++i) {
    Value *part = builder.CreateBitCast(builder.CreateExtractElement(vector, i),
                                        builder.getIntNTy(width));
    whole = builder.CreateOr(
        whole,
        builder.CreateShl(builder.CreateZExt(part, type), uint64_t(i) * width));
  }
  return whole;
}

/// A cast between a vector and a scalar becomes shifts, which the scalarizer
/// does not do itself. Through an integer of the same width on the way.
bool expandCasts(Function &function) {
  SmallVector<BitCastInst *> casts;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (auto *cast = dyn_cast<BitCastInst>(&instruction);
          cast &&
          cast->getSrcTy()->isVectorTy() != cast->getDestTy()->isVectorTy())
        casts.push_back(cast);
  bool changed = false;
  for (BitCastInst *cast : casts) {
    Type *scalar =
        cast->getSrcTy()->isVectorTy() ? cast->getDestTy() : cast->getSrcTy();
    unsigned width = unsigned(scalar->getPrimitiveSizeInBits());
    if (width == 0 || width > 64)
      continue;
    IRBuilder<> builder(cast);
    IntegerType *integer = builder.getIntNTy(width);
    Value *value = cast->getOperand(0);
    if (auto *to = dyn_cast<FixedVectorType>(cast->getDestTy()))
      value = split(builder, builder.CreateBitCast(value, integer), to);
    else if (isa<FixedVectorType>(cast->getSrcTy()))
      value = builder.CreateBitCast(join(builder, value, integer),
                                    cast->getDestTy());
    else
      continue;
    cast->replaceAllUsesWith(value);
    cast->eraseFromParent();
    changed = true;
  }
  return changed;
}

/// Phis of vectors that only feed each other, and the chains that built them.
void dropDead(Function &function) {
  for (BasicBlock &block : function) {
    SmallVector<WeakTrackingVH> phis;
    for (PHINode &phi : block.phis())
      phis.push_back(&phi);
    for (WeakTrackingVH &phi : phis)
      if (auto *live = dyn_cast_or_null<PHINode>(phi))
        RecursivelyDeleteDeadPHINode(live);
  }
  for (BasicBlock &block : function)
    SimplifyInstructionsInBlock(&block);
}

} // namespace

bool loom::scalarize(Function &outlined, FunctionAnalysisManager &analyses) {
  if (!hasVectors(outlined))
    return true;
  if (!outlined.getDataLayout().isLittleEndian())
    return false;
  ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  // The scalarizer cuts a cast between vectors into casts of parts.
  constexpr unsigned mostRounds = 4;
  bool left = true;
  for (unsigned round = 0; left && round < mostRounds; ++round) {
    expandCasts(outlined);
    ScalarizerPass(options).run(outlined, analyses);
    analyses.invalidate(outlined, PreservedAnalyses::none());
    dropDead(outlined);
    left = hasVectors(outlined);
  }
  analyses.clear(outlined, outlined.getName());
  return !left;
}
