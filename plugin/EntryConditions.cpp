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

/// How far up a proof is looked for, along dominators and through joins.
constexpr unsigned mostDominators = 64, mostJoins = 3, mostBlocks = 128;

/// What is known of a count, a signed number.
struct Knowledge {
  bool positive = false, nonNegative = false, nonZero = false;
  bool suffices() const { return positive || (nonNegative && nonZero); }
};

class Prover {
public:
  Prover(const SCEV *count, const DominatorTree &dominators,
         ScalarEvolution &se)
      : count(count), dominators(dominators), se(se), i64(count->getType()) {}

  bool run(BasicBlock *entry) {
    Knowledge known;
    known.nonNegative = se.getUnsignedRangeMax(count).isNonNegative();
    return isProvenAt(entry, known, 0);
  }

private:
  /// At the end of `block`: by the branches whose taken edge dominates it, or
  /// on each of the ways that join before it.
  bool isProvenAt(BasicBlock *block, Knowledge known, unsigned joins) {
    auto *node = dominators.getNode(block);
    for (unsigned step = 0; node && step < mostDominators;
         ++step, node = node->getIDom()) {
      BasicBlock *above = node->getBlock();
      if (++blocksSeen > mostBlocks)
        return false;
      auto *branch = dyn_cast<BranchInst>(above->getTerminator());
      if (!branch || !branch->isConditional())
        continue;
      for (unsigned side = 0; side < 2; ++side)
        if (dominators.dominates(
                BasicBlockEdge(above, branch->getSuccessor(side)), block))
          learn(branch->getCondition(), side == 0, known);
      if (known.suffices())
        return true;
    }
    if (joins == mostJoins)
      return false;
    while (BasicBlock *only = block->getSinglePredecessor())
      block = only;
    if (pred_empty(block) || !isAbove(block))
      return false;
    for (BasicBlock *from : predecessors(block)) {
      Knowledge onEdge = known;
      if (auto *branch = dyn_cast<BranchInst>(from->getTerminator());
          branch && branch->isConditional() &&
          branch->getSuccessor(0) != branch->getSuccessor(1))
        learn(branch->getCondition(), branch->getSuccessor(0) == block, onEdge);
      if (!onEdge.suffices() && !isProvenAt(from, onEdge, joins + 1))
        return false;
    }
    return true;
  }

  /// Is all that the count is made of computed before `join`? Otherwise a way
  /// into it may be a way back, and tell of the value of an earlier iteration.
  bool isAbove(BasicBlock *join) {
    return !SCEVExprContains(count, [&](const SCEV *expr) {
      if (isa<SCEVAddRecExpr>(expr))
        return true;
      auto *unknown = dyn_cast<SCEVUnknown>(expr);
      auto *made =
          unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
      return made && !dominators.properlyDominates(made->getParent(), join);
    });
  }

  /// Adds what `condition` being `holds` says.
  void learn(Value *condition, bool holds, Knowledge &known,
             unsigned depth = 0) {
    Value *a, *b;
    if (depth < 4) {
      if (match(condition, m_Not(m_Value(a))))
        return learn(a, !holds, known, depth + 1);
      if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
        learn(a, holds, known, depth + 1);
        return learn(b, holds, known, depth + 1);
      }
    }
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
      return;
    // Differences of the widths between would come near 2^63.
    unsigned width = compare->getOperand(0)->getType()->getIntegerBitWidth();
    if (width > 62 && width != 64)
      return;
    CmpPredicate kind =
        holds ? compare->getPredicate() : compare->getInversePredicate();
    const SCEV *larger = se.getSCEV(compare->getOperand(0));
    const SCEV *smaller = se.getSCEV(compare->getOperand(1));
    if (ICmpInst::isLT(kind) || ICmpInst::isLE(kind)) {
      std::swap(larger, smaller);
      kind = ICmpInst::getSwappedPredicate(kind);
    }
    if (kind == ICmpInst::ICMP_EQ)
      return;
    if (isDividendAtLeastDivisor(kind, larger, smaller))
      known.positive = true;
    if (larger->getType() == i64)
      return learnWide(kind, larger, smaller, known);
    if (kind == ICmpInst::ICMP_NE) {
      for (auto [x, y] :
           {std::pair(larger, smaller), std::pair(smaller, larger)})
        for (const SCEV *difference :
             {signedDifference(x, y), unsignedDifference(x, y),
              se.getZeroExtendExpr(se.getMinusSCEV(x, y), i64)})
          known.nonZero |= difference == count;
      return;
    }
    int64_t least = ICmpInst::isGT(kind) ? 1 : 0;
    auto atLeast = [&](const SCEV *difference) {
      learnDifference(difference, least, known);
    };
    // Either way x - y >= 0, so that it is right in its own width too, read as
    // unsigned.
    atLeast(se.getZeroExtendExpr(se.getMinusSCEV(larger, smaller), i64));
    if (ICmpInst::isSigned(kind))
      atLeast(signedDifference(larger, smaller));
    if (!ICmpInst::isSigned(kind))
      return atLeast(unsignedDifference(larger, smaller));
    // Above a number that isn't negative, both readings agree.
    if (!se.isKnownNonNegative(smaller))
      return;
    atLeast(unsignedDifference(larger, smaller));
    // In half of its range, so that a positive number can be added.
    if (const SCEV *more = addedTo(larger))
      atLeast(
          se.getMinusSCEV(unsignedDifference(more, smaller),
                          unsignedDifference(se.getMinusSCEV(more, larger),
                                             se.getZero(larger->getType()))));
    known.positive |= least == 1 && isLowBitsOf(larger);
  }

  /// x plus a positive constant, where the count has that zero-extended.
  const SCEV *addedTo(const SCEV *x) {
    const SCEV *found = nullptr;
    SCEVExprContains(count, [&](const SCEV *expr) {
      auto *extension = dyn_cast<SCEVZeroExtendExpr>(expr);
      if (!extension || extension->getOperand()->getType() != x->getType())
        return false;
      auto *more =
          dyn_cast<SCEVConstant>(se.getMinusSCEV(extension->getOperand(), x));
      if (more && more->getAPInt().isStrictlyPositive())
        found = extension->getOperand();
      return found != nullptr;
    });
    return found;
  }

  /// Is the count all bits but the sign bit of `x`?
  bool isLowBitsOf(const SCEV *x) {
    auto *whole = dyn_cast<SCEVTruncateExpr>(x);
    auto *extension = dyn_cast<SCEVZeroExtendExpr>(count);
    auto *low = extension ? dyn_cast<SCEVTruncateExpr>(extension->getOperand())
                          : nullptr;
    return whole && low && whole->getOperand() == low->getOperand() &&
           se.getTypeSizeInBits(low->getType()) + 1 ==
               se.getTypeSizeInBits(whole->getType());
  }

  /// Is the count x / c with c > 1, and does the comparison say x >= c?
  bool isDividendAtLeastDivisor(CmpPredicate kind, const SCEV *larger,
                                const SCEV *smaller) {
    auto *division = dyn_cast<SCEVUDivExpr>(count);
    auto *by = division ? dyn_cast<SCEVConstant>(division->getRHS()) : nullptr;
    auto *bound = dyn_cast<SCEVConstant>(smaller);
    if (!by || !bound || larger != division->getLHS() || by->getAPInt().ule(1))
      return false;
    return (kind == ICmpInst::ICMP_UGE &&
            bound->getAPInt().uge(by->getAPInt())) ||
           (kind == ICmpInst::ICMP_UGT &&
            bound->getAPInt().uge(by->getAPInt() - 1));
  }

  /// Differences of numbers of less than 64 bits are exact in i64.
  const SCEV *signedDifference(const SCEV *x, const SCEV *y) {
    return se.getMinusSCEV(se.getSignExtendExpr(x, i64),
                           se.getSignExtendExpr(y, i64));
  }
  const SCEV *unsignedDifference(const SCEV *x, const SCEV *y) {
    return se.getMinusSCEV(se.getZeroExtendExpr(x, i64),
                           se.getZeroExtendExpr(y, i64));
  }

  /// `difference` is at least `least`, and neither it nor a sum with a small
  /// number comes near 2^63.
  void learnDifference(const SCEV *difference, int64_t least,
                       Knowledge &known) {
    auto *rest = dyn_cast<SCEVConstant>(se.getMinusSCEV(count, difference));
    if (!rest || rest->getAPInt().abs().ugt(APInt(64, 1) << 32))
      return;
    int64_t countAtLeast = least + rest->getAPInt().getSExtValue();
    known.positive |= countAtLeast >= 1;
    known.nonNegative |= countAtLeast >= 0;
  }

  /// 64-bit numbers against a constant.
  void learnWide(CmpPredicate kind, const SCEV *larger, const SCEV *smaller,
                 Knowledge &known) {
    if (kind == ICmpInst::ICMP_NE) {
      known.nonZero |= se.getMinusSCEV(larger, smaller) == count ||
                       se.getMinusSCEV(smaller, larger) == count;
      return;
    }
    auto *bound = dyn_cast<SCEVConstant>(smaller);
    auto *rest = dyn_cast<SCEVConstant>(se.getMinusSCEV(count, larger));
    if (!bound || !rest || !rest->getAPInt().isNonPositive() ||
        !ICmpInst::isSigned(kind))
      return;
    // larger is in [bound (+ 1), 2^63), and the count not above it.
    APInt least = bound->getAPInt().sext(66) + rest->getAPInt().sext(66);
    if (kind == ICmpInst::ICMP_SGT)
      least += 1;
    known.positive |= least.sge(1);
    known.nonNegative |= least.sge(0);
  }

  const SCEV *count;
  const DominatorTree &dominators;
  ScalarEvolution &se;
  Type *i64;
  unsigned blocksSeen = 0;
};

/// x - min(..., x, ...) + c with c > 0, where x was zero-extended and the
/// minimum is not negative: the difference is in [0, x].
bool exceedsMinimum(const SCEV *count, ScalarEvolution &se) {
  auto *sum = dyn_cast<SCEVAddExpr>(count);
  if (!sum || sum->getNumOperands() != 3)
    return false;
  auto *least = dyn_cast<SCEVConstant>(sum->getOperand(0));
  if (!least || !least->getAPInt().isStrictlyPositive() ||
      least->getAPInt().getActiveBits() > 32)
    return false;
  for (unsigned side = 1; side < 3; ++side) {
    auto *negated = dyn_cast<SCEVMulExpr>(sum->getOperand(side));
    const SCEV *x = sum->getOperand(3 - side);
    if (!negated || negated->getNumOperands() != 2 ||
        !negated->getOperand(0)->isAllOnesValue() ||
        !isa<SCEVZeroExtendExpr>(x))
      continue;
    auto *minimum = dyn_cast<SCEVNAryExpr>(negated->getOperand(1));
    if (minimum && isa<SCEVSMinExpr, SCEVUMinExpr>(minimum) &&
        is_contained(minimum->operands(), x) && se.isKnownNonNegative(minimum))
      return true;
  }
  return false;
}

bool isProven(const SCEV *count, BasicBlock *entry,
              const DominatorTree &dominators, ScalarEvolution &se) {
  if (exceedsMinimum(count, se) || Prover(count, dominators, se).run(entry))
    return true;
  // A minimum of positive numbers.
  auto *extension = dyn_cast<SCEVCastExpr>(count);
  const SCEV *inner = extension ? extension->getOperand() : count;
  auto *minimum = dyn_cast<SCEVNAryExpr>(inner);
  if (!minimum || !isa<SCEVSMinExpr, SCEVUMinExpr>(minimum) ||
      (extension && !isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(extension)))
    return false;
  // (The sign-extension of an unsigned minimum may be negative.)
  bool isSigned = isa<SCEVSMinExpr>(minimum);
  if (!isSigned && isa_and_nonnull<SCEVSignExtendExpr>(extension))
    return false;
  return all_of(minimum->operands(), [&](const SCEV *operand) {
    const SCEV *wide = isSigned
                           ? se.getNoopOrSignExtend(operand, count->getType())
                           : se.getNoopOrZeroExtend(operand, count->getType());
    return se.isKnownPositive(wide) || Prover(wide, dominators, se).run(entry);
  });
}

} // namespace

bool loom::isProvenByDominators(const SCEV *count, const Loop &loop,
                                const DominatorTree &dominators,
                                ScalarEvolution &se) {
  BasicBlock *entry = loop.getLoopPreheader();
  return entry && isProven(count, entry, dominators, se);
}
