// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EntryConditions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// How far up a proof is looked for.
constexpr unsigned mostDominators = 64;

class Prover {
public:
  Prover(const SCEV *count, ScalarEvolution &se)
      : count(count), se(se), i64(count->getType()) {}

  /// Is `condition` being `holds` enough?
  bool follows(Value *condition, bool holds, unsigned depth = 0) {
    Value *a, *b;
    if (depth < 4) {
      if (match(condition, m_Not(m_Value(a))))
        return follows(a, !holds, depth + 1);
      if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
        return follows(a, holds, depth + 1) || follows(b, holds, depth + 1);
    }
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy() ||
        compare->getOperand(0)->getType()->getIntegerBitWidth() > 64)
      return false;
    CmpPredicate kind =
        holds ? compare->getPredicate() : compare->getInversePredicate();
    const SCEV *larger = se.getSCEV(compare->getOperand(0));
    const SCEV *smaller = se.getSCEV(compare->getOperand(1));
    if (ICmpInst::isLT(kind) || ICmpInst::isLE(kind)) {
      std::swap(larger, smaller);
      kind = ICmpInst::getSwappedPredicate(kind);
    }
    if (larger->getType() == i64)
      return fromWide(kind, larger, smaller);
    if (kind == ICmpInst::ICMP_NE)
      return isCount(larger, smaller) || isCount(smaller, larger);
    if (kind == ICmpInst::ICMP_EQ)
      return false;
    int64_t least = ICmpInst::isGT(kind) ? 1 : 0;
    if (!ICmpInst::isSigned(kind))
      return fromDifference(larger, smaller, false, least);
    // Above a number that isn't negative, both readings agree.
    return fromDifference(larger, smaller, true, least) ||
           (se.isKnownNonNegative(smaller) &&
            fromDifference(larger, smaller, false, least));
  }

private:
  /// Numbers of less than 64 bits: their difference is exact in i64, and
  /// neither it nor a sum with a small number comes near 2^63. The number that
  /// the count is above it; nothing when that is not constant.
  std::optional<int64_t> aboveDifference(const SCEV *larger,
                                         const SCEV *smaller, bool isSigned) {
    auto widen = [&](const SCEV *expr) {
      return isSigned ? se.getSignExtendExpr(expr, i64)
                      : se.getZeroExtendExpr(expr, i64);
    };
    const SCEV *difference = se.getMinusSCEV(widen(larger), widen(smaller));
    auto *rest = dyn_cast<SCEVConstant>(se.getMinusSCEV(count, difference));
    if (!rest || rest->getAPInt().abs().ugt(APInt(64, 1) << 32))
      return std::nullopt;
    return rest->getAPInt().getSExtValue();
  }

  /// The difference is at least `least`; is the count at least 1?
  bool fromDifference(const SCEV *larger, const SCEV *smaller, bool isSigned,
                      int64_t least) {
    std::optional<int64_t> above = aboveDifference(larger, smaller, isSigned);
    return above && least + *above >= 1;
  }

  /// The difference isn't zero; is it the count, known not to be negative?
  bool isCount(const SCEV *larger, const SCEV *smaller) {
    return se.getUnsignedRangeMax(count).isNonNegative() &&
           (aboveDifference(larger, smaller, false) == 0 ||
            aboveDifference(larger, smaller, true) == 0);
  }

  /// 64-bit numbers against a constant: `larger` > `smaller` as signed.
  bool fromWide(CmpPredicate kind, const SCEV *larger, const SCEV *smaller) {
    auto *bound = dyn_cast<SCEVConstant>(smaller);
    auto *rest = dyn_cast<SCEVConstant>(se.getMinusSCEV(count, larger));
    if (!bound || !rest || !rest->getAPInt().isNonPositive())
      return false;
    if (kind != ICmpInst::ICMP_SGT && kind != ICmpInst::ICMP_SGE)
      return false;
    // larger is in [bound (+ 1), 2^63), and the count not above it.
    APInt least = bound->getAPInt().sext(66) + rest->getAPInt().sext(66);
    if (kind == ICmpInst::ICMP_SGT)
      least += 1;
    return least.sge(1);
  }

  const SCEV *count;
  ScalarEvolution &se;
  Type *i64;
};

} // namespace

bool loom::isProvenByDominators(const SCEV *count, const Loop &loop,
                                const DominatorTree &dominators,
                                ScalarEvolution &se) {
  Prover prover(count, se);
  const BasicBlock *entry = loop.getLoopPreheader();
  auto *node = entry ? dominators.getNode(entry) : nullptr;
  for (unsigned step = 0; node && step < mostDominators;
       ++step, node = node->getIDom()) {
    BasicBlock *block = node->getBlock();
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional())
      continue;
    for (unsigned side = 0; side < 2; ++side)
      if (dominators.dominates(
              BasicBlockEdge(block, branch->getSuccessor(side)), entry) &&
          prover.follows(branch->getCondition(), side == 0))
        return true;
  }
  return false;
}
