// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Prepare.h"
#include "OutParameters.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace llvm;

static SimplifyCFGOptions keepLoops() {
  return SimplifyCFGOptions().needCanonicalLoops(true);
}

void loom::prepareFunction(Function &clone, FunctionAnalysisManager &analyses) {
  if (forwardOutParameters(clone,
                           analyses.getResult<TargetLibraryAnalysis>(clone),
                           analyses.getResult<DominatorTreeAnalysis>(clone)))
    analyses.invalidate(clone, PreservedAnalyses::none());
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass());
  LoopPassManager rotate;
  rotate.addPass(LoopRotatePass());
  rotate.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotate),
                                                 /*UseMemorySSA=*/true));
  LoopPassManager induction;
  induction.addPass(IndVarSimplifyPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(induction)));
  passes.addPass(SimplifyCFGPass(keepLoops()));
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(clone, analyses);
  analyses.invalidate(clone, PreservedAnalyses::none());
}

namespace {

/// Below this many bytes a copy or fill becomes straight-line code.
constexpr uint64_t straightLineBytes = 64;

/// Splits `bytes` into the widest whole accesses, calling `emit(offset, type)`.
template <typename EmitT>
void forEachPiece(LLVMContext &context, uint64_t bytes, EmitT emit) {
  for (uint64_t offset = 0; offset < bytes;) {
    uint64_t width = 8;
    while (width > bytes - offset)
      width /= 2;
    emit(offset, IntegerType::get(context, unsigned(width * 8)));
    offset += width;
  }
}

/// memcpy and memmove of a few bytes: every load before every store, so that
/// overlap is right.
void expandSmallTransfer(MemTransferInst &transfer, uint64_t bytes) {
  IRBuilder<> builder(&transfer);
  SmallVector<std::pair<uint64_t, Value *>> pieces;
  forEachPiece(transfer.getContext(), bytes, [&](uint64_t offset, Type *type) {
    Value *from = builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                             transfer.getRawSource(), offset);
    pieces.push_back({offset, builder.CreateAlignedLoad(type, from, Align(1))});
  });
  for (auto [offset, value] : pieces) {
    Value *to = builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                           transfer.getRawDest(), offset);
    builder.CreateAlignedStore(value, to, Align(1));
  }
}

void expandSmallFill(MemSetInst &fill, uint64_t bytes) {
  IRBuilder<> builder(&fill);
  forEachPiece(fill.getContext(), bytes, [&](uint64_t offset, Type *type) {
    Value *splat = builder.CreateZExt(fill.getValue(), type);
    // Repeat the byte by multiplying with 0x0101...
    splat = builder.CreateMul(
        splat,
        ConstantInt::get(
            type, APInt::getSplat(type->getIntegerBitWidth(), APInt(8, 1))));
    Value *to = builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                           fill.getRawDest(), offset);
    builder.CreateAlignedStore(splat, to, Align(1));
  });
}

/// The type by which the nest accesses the object behind `pointer`, if it uses
/// one type only.
Type *accessType(const Value *pointer, const Loop &loop) {
  const Value *object = getUnderlyingObject(pointer);
  Type *found = nullptr;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      const Value *address = getLoadStorePointerOperand(&instruction);
      if (!address || getUnderlyingObject(address) != object)
        continue;
      Type *type = getLoadStoreType(&instruction);
      if (found && found != type)
        return nullptr;
      found = type;
    }
  return found;
}

/// A fill with zero, or a copy between distinct objects, of a constant length
/// becomes a loop over elements of the type that the nest uses, so that the
/// object keeps one element type.
bool expandByElement(MemIntrinsic &intrinsic, const Loop &loop) {
  auto *length = dyn_cast<ConstantInt>(intrinsic.getLength());
  auto *fill = dyn_cast<MemSetInst>(&intrinsic);
  auto *copy = dyn_cast<MemCpyInst>(&intrinsic);
  if (!length || (!fill && !copy) ||
      (fill && !match(fill->getValue(), PatternMatch::m_Zero())))
    return false;
  Type *type = accessType(intrinsic.getRawDest(), loop);
  if (copy) {
    Type *source = accessType(copy->getRawSource(), loop);
    if (type && source && type != source)
      return false;
    type = type ? type : source;
  }
  const DataLayout &layout = intrinsic.getModule()->getDataLayout();
  if (!type || !(type->isIntegerTy() || type->isFloatTy() ||
                 type->isDoubleTy() || type->isPointerTy()))
    return false;
  uint64_t width = layout.getTypeStoreSize(type).getFixedValue();
  if (layout.getTypeSizeInBits(type).getFixedValue() != 8 * width ||
      length->getZExtValue() % width != 0)
    return false;
  Value *count = ConstantInt::get(Type::getInt64Ty(intrinsic.getContext()),
                                  length->getZExtValue() / width);
  auto [before, index] =
      SplitBlockAndInsertSimpleForLoop(count, intrinsic.getIterator());
  IRBuilder<> builder(before);
  Value *to = builder.CreateGEP(type, intrinsic.getRawDest(), index);
  Value *value = Constant::getNullValue(type);
  if (copy)
    value = builder.CreateAlignedLoad(
        type, builder.CreateGEP(type, copy->getRawSource(), index), Align(1));
  builder.CreateAlignedStore(value, to, Align(1));
  return true;
}

void expandOne(MemIntrinsic &intrinsic, const Loop &loop,
               const TargetTransformInfo &tti) {
  auto *length = dyn_cast<ConstantInt>(intrinsic.getLength());
  bool small = length && length->getValue().ule(straightLineBytes);
  if (!small && expandByElement(intrinsic, loop)) {
    intrinsic.eraseFromParent();
    return;
  }
  if (auto *fill = dyn_cast<MemSetInst>(&intrinsic)) {
    if (small)
      expandSmallFill(*fill, length->getZExtValue());
    else
      expandMemSetAsLoop(fill);
  } else if (auto *transfer = dyn_cast<MemTransferInst>(&intrinsic)) {
    if (small)
      expandSmallTransfer(*transfer, length->getZExtValue());
    else if (auto *move = dyn_cast<MemMoveInst>(transfer))
      expandMemMoveAsLoop(move, tti);
    else
      expandMemCpyAsLoop(cast<MemCpyInst>(transfer), tti);
  }
  intrinsic.eraseFromParent();
}

} // namespace

void loom::restoreLoopForm(Function &clone, FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  passes.addPass(LoopSimplifyPass());
  LoopPassManager rotate;
  rotate.addPass(LoopRotatePass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotate)));
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(clone, analyses);
  analyses.invalidate(clone, PreservedAnalyses::none());
}

bool loom::expandMemoryIntrinsics(Function &clone, Loop &loop,
                                  FunctionAnalysisManager &analyses) {
  SmallVector<MemIntrinsic *> work;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *intrinsic = dyn_cast<MemIntrinsic>(&instruction))
        work.push_back(intrinsic);
  if (work.empty())
    return false;
  const auto &tti = analyses.getResult<TargetIRAnalysis>(clone);
  for (MemIntrinsic *intrinsic : work)
    expandOne(*intrinsic, loop, tti);
  analyses.invalidate(clone, PreservedAnalyses::none());
  restoreLoopForm(clone, analyses);
  return true;
}
