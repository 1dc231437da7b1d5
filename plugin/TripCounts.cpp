// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TripCounts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

bool loom::iterationsComplete(const Loop &loop, ScalarEvolution &se) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (instruction.isVolatile() ||
          !isGuaranteedToTransferExecutionToSuccessor(&instruction))
        return false;
  for (const Loop *inner : loop.getLoopsInPreorder())
    if (inner != &loop && !isMustProgress(inner) &&
        !se.hasLoopInvariantBackedgeTakenCount(inner))
      return false;
  return true;
}

namespace {

/// An extension to 64 bits, and what is under it.
const SCEV *stripSignExtension(const SCEV *expr) {
  if (auto *extension = dyn_cast<SCEVSignExtendExpr>(expr))
    return extension->getOperand();
  return expr;
}

/// `count` as larger - smaller, in the type that both were sign-extended from,
/// when it is such a difference.
std::pair<const SCEV *, const SCEV *> matchDifference(const SCEV *count,
                                                      ScalarEvolution &se) {
  auto *sum = dyn_cast<SCEVAddExpr>(count);
  if (!sum || sum->getNumOperands() != 2)
    return {};
  for (unsigned side = 0; side < 2; ++side) {
    auto *negated = dyn_cast<SCEVMulExpr>(sum->getOperand(side));
    if (!negated || negated->getNumOperands() != 2 ||
        !negated->getOperand(0)->isAllOnesValue())
      continue;
    const SCEV *larger = sum->getOperand(1 - side);
    const SCEV *smaller = negated->getOperand(1);
    if (isa<SCEVSignExtendExpr>(larger) && isa<SCEVSignExtendExpr>(smaller)) {
      larger = stripSignExtension(larger);
      smaller = stripSignExtension(smaller);
    }
    if (larger->getType() == smaller->getType())
      return {larger, smaller};
  }
  return {};
}

/// The greatest number of iterations that a latch test without undefined
/// behaviour allows: a recurrence that doesn't wrap is compared in every one.
/// Null width when there is no such test. 65 bits.
std::optional<APInt> mostByComparison(Loop &loop, ScalarEvolution &se) {
  auto *branch = dyn_cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  auto *compare = branch && branch->isConditional()
                      ? dyn_cast<ICmpInst>(branch->getCondition())
                      : nullptr;
  if (!compare || !se.isSCEVable(compare->getOperand(0)->getType()))
    return std::nullopt;
  for (Value *operand : compare->operands()) {
    auto *counter = dyn_cast<SCEVAddRecExpr>(se.getSCEV(operand));
    if (!counter || counter->getLoop() != &loop || !counter->isAffine() ||
        !counter->getType()->isIntegerTy() || !counter->hasNoSignedWrap())
      continue;
    unsigned width = unsigned(se.getTypeSizeInBits(counter->getType()));
    auto *step = dyn_cast<SCEVConstant>(counter->getStepRecurrence(se));
    if (width > 64 || !step || step->isZero())
      continue;
    APInt by = step->getAPInt().sext(66);
    APInt from = se.getSignedRangeMin(counter->getStart()).sext(66);
    APInt to = APInt::getSignedMaxValue(width).sext(66);
    if (by.isNegative()) {
      by.negate();
      from = APInt::getSignedMinValue(width).sext(66);
      to = se.getSignedRangeMax(counter->getStart()).sext(66);
    }
    // start + (count - 1) * step is still in range.
    return (to - from).udiv(by) + 1;
  }
  return std::nullopt;
}

/// Is there an access in every iteration whose address moves by a constant? Its
/// addresses are distinct bytes of one object, or come back only after a whole
/// turn through the address space; no object has 2^63 bytes.
bool accessMoves(Loop &loop, const DominatorTree &dominators,
                 ScalarEvolution &se) {
  const DataLayout &layout = loop.getHeader()->getParent()->getDataLayout();
  for (BasicBlock *block : loop.blocks()) {
    if (!dominators.dominates(block, loop.getLoopLatch()))
      continue;
    // Once an iteration of this loop, not of an inner one, is enough too.
    for (Instruction &instruction : *block) {
      Value *pointer =
          const_cast<Value *>(getLoadStorePointerOperand(&instruction));
      if (!pointer || pointer->getType()->getPointerAddressSpace() != 0 ||
          layout.getTypeStoreSize(getLoadStoreType(&instruction)).isZero())
        continue;
      auto *address = dyn_cast<SCEVAddRecExpr>(se.getSCEV(pointer));
      if (!address || address->getLoop() != &loop || !address->isAffine() ||
          se.getTypeSizeInBits(address->getType()) != 64 ||
          !isa<SCEVUnknown>(se.getPointerBase(address)))
        continue;
      auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(se));
      if (step && !step->isZero())
        return true;
    }
  }
  return false;
}

} // namespace

bool loom::isProvenByGuards(const SCEV *count, Loop &loop,
                            ScalarEvolution &se) {
  // larger - smaller in a type that can't overflow is positive exactly when
  // the comparison in the narrower type says so.
  auto [larger, smaller] = matchDifference(count, se);
  return larger && se.getTypeSizeInBits(larger->getType()) < 64 &&
         (se.isKnownPredicate(ICmpInst::ICMP_SGT, larger, smaller) ||
          se.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_SGT, larger,
                                      smaller));
}

bool loom::isProvenByExecution(const SCEV *count, Loop &loop,
                               const DominatorTree &dominators,
                               ScalarEvolution &se) {
  if (!iterationsComplete(loop, se))
    return false;
  APInt limit = APInt::getSignedMaxValue(64).zext(66);
  APInt most = APInt(66, 1) << 64; // the true count is in [1, 2^64]
  if (std::optional<APInt> byTest = mostByComparison(loop, se))
    most = APIntOps::umin(most, *byTest);
  if (most.ugt(limit) && accessMoves(loop, dominators, se))
    most = limit;
  if (most.ule(limit))
    return true;
  // A count that reads as negative or zero would be at least 2^64 + minimum.
  APInt minimum = se.getSignedRangeMin(count).sext(66);
  if (!minimum.isNegative())
    minimum = APInt(66, 0);
  return most.ult((APInt(66, 1) << 64) + minimum);
}

const SCEV *loom::backedgeCount(Loop &loop, ScalarEvolution &se) {
  const SCEV *taken = se.getBackedgeTakenCount(&loop);
  return isa<SCEVCouldNotCompute>(taken) ||
                 se.getTypeSizeInBits(taken->getType()) > 64
             ? nullptr
             : taken;
}

const SCEV *loom::unsignedTripCount(Loop &loop, ScalarEvolution &se) {
  const SCEV *taken = backedgeCount(loop, se);
  if (!taken)
    return nullptr;
  Type *i64 = Type::getInt64Ty(se.getContext());
  const SCEV *count = se.getTripCountFromExitCount(taken, i64, &loop);
  // It is in [1, 2^64], so it is what it reads as unless that is zero.
  APInt most = se.getUnsignedRangeMax(taken).zext(65) + 1;
  if (most.ult(APInt(65, 1) << 64) ||
      se.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_NE, count,
                                  se.getZero(i64)))
    return count;
  auto [larger, smaller] = matchDifference(count, se);
  if (larger)
    for (auto kind :
         {ICmpInst::ICMP_NE, ICmpInst::ICMP_SGT, ICmpInst::ICMP_UGT})
      if (se.isLoopEntryGuardedByCond(&loop, kind, larger, smaller))
        return count;
  return nullptr;
}
