// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CountedLoops.h"
#include "EntryConditions.h"
#include "OutsideValues.h"
#include "TripCounts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

/// The exact trip count of a latch-tested loop as an i64 expression, proven to
/// be in [1, 2^63); null when any of it is unknown. A do-while loop runs its
/// body before the test, so the count is BTC + 1 and the proof is that this
/// sum wraps neither way.
const SCEV *provenTripCount(Loop &loop, const DominatorTree &dominators,
                            ScalarEvolution &se) {
  const SCEV *taken = loom::backedgeCount(loop, se);
  if (!taken)
    return nullptr;
  Type *i64 = Type::getInt64Ty(se.getContext());
  const SCEV *count = se.getTripCountFromExitCount(taken, i64, &loop);
  const APInt limit = APInt::getSignedMaxValue(64);
  auto provenBelow = [&](const SCEV *expr) {
    return se.getUnsignedRangeMax(expr).zext(64).ult(limit);
  };
  if (provenBelow(taken) || provenBelow(se.applyLoopGuards(taken, &loop)))
    return count;
  const SCEV *zero = se.getZero(i64);
  // In [0, 2^63) by its range, and the loop is entered only when it isn't zero.
  if (se.getUnsignedRangeMax(count).ule(limit) &&
      se.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_NE, count, zero))
    return count;
  if (se.isKnownPredicate(ICmpInst::ICMP_SGT, count, zero) ||
      se.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_SGT, count, zero) ||
      loom::isProvenByGuards(count, loop, se) ||
      loom::isProvenByDominators(count, loop, dominators, se) ||
      loom::isProvenByExecution(count, loop, dominators, se))
    return count;
  return nullptr;
}

/// Divisions that were made before the loop, by expression. (SCEVExpander makes
/// no division that could trap, and does not look for one that was made.)
class DivisionReuser : public SCEVRewriteVisitor<DivisionReuser> {
public:
  DivisionReuser(Loop &loop, const DominatorTree &dominators,
                 ScalarEvolution &se)
      : SCEVRewriteVisitor(se) {
    for (Instruction &instruction :
         instructions(*loop.getHeader()->getParent()))
      if (instruction.getOpcode() == Instruction::UDiv &&
          se.isSCEVable(instruction.getType()) &&
          !loop.contains(&instruction) &&
          dominators.dominates(&instruction, loop.getHeader()))
        made.try_emplace(se.getSCEV(&instruction), &instruction);
  }

  // A visitor by the curiously recurring template pattern.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  const SCEV *visitUDivExpr(const SCEVUDivExpr *expr) {
    auto found = made.find(expr);
    return found == made.end() ? SCEVRewriteVisitor::visitUDivExpr(expr)
                               : SE.getUnknown(found->second);
  }

private:
  DenseMap<const SCEV *, Value *> made; // only looked up
};

/// Rewrites affine recurrences of one loop over its canonical `iv`.
class RecurrenceRewriter {
public:
  RecurrenceRewriter(Loop &loop, ScalarEvolution &se,
                     const loom::OutsideValues &outside, SCEVExpander &expander,
                     PHINode *iv)
      : loop(loop), se(se), outside(outside), expander(expander), iv(iv) {}

  void run() {
    SmallVector<PHINode *> phis;
    for (PHINode &phi : loop.getHeader()->phis())
      if (&phi != iv)
        phis.push_back(&phi);
    for (PHINode *phi : phis) {
      rewriteExtensions(phi);
      rewritePhi(phi);
    }
  }

private:
  const SCEVAddRecExpr *affine(Value *value) {
    if (!se.isSCEVable(value->getType()))
      return nullptr;
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(se.getSCEV(value));
    if (!recurrence || recurrence->getLoop() != &loop ||
        !recurrence->isAffine())
      return nullptr;
    return recurrence;
  }

  /// What to compute in the preheader for `expr`; null when it can't be.
  const SCEV *expandable(const SCEV *expr) {
    const Instruction *at = loop.getLoopPreheader()->getTerminator();
    expr = outside.spell(expr, *at);
    return expr && expander.isSafeToExpandAt(expr, at) ? expr : nullptr;
  }

  Value *inPreheader(const SCEV *expr, Type *type) {
    return expander.expandCodeFor(expr, type,
                                  loop.getLoopPreheader()->getTerminator());
  }

  /// start + iv * step, modulo the width of the type: exact for narrow types.
  Value *affineValue(Value *start, Value *step, Type *type) {
    IRBuilder<> builder(&*loop.getHeader()->getFirstInsertionPt());
    Type *integer = type->isPointerTy() ? step->getType() : type;
    Value *position = builder.CreateZExtOrTrunc(iv, integer);
    auto *constant = dyn_cast<ConstantInt>(step);
    Value *distance = constant && constant->isOne()
                          ? position
                          : builder.CreateMul(position, step);
    if (type->isPointerTy())
      return builder.CreatePtrAdd(start, distance);
    return builder.CreateAdd(start, distance);
  }

  void rewritePhi(PHINode *phi) {
    const SCEVAddRecExpr *recurrence = affine(phi);
    // The counter is exact modulo 2^64, so no wider recurrence follows from it.
    if (!recurrence || se.getTypeSizeInBits(phi->getType()) > 64)
      return;
    const SCEV *step = expandable(recurrence->getStepRecurrence(se));
    if (!step || (phi->getType()->isPointerTy() &&
                  se.getTypeSizeInBits(step->getType()) != 64))
      return;
    Value *start = phi->getIncomingValueForBlock(loop.getLoopPreheader());
    Value *value =
        affineValue(start, inPreheader(step, step->getType()), phi->getType());
    se.forgetValue(phi);
    phi->replaceUsesWithIf(value, [&](Use &use) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      return user && user != value;
    });
  }

  /// sext/zext of a narrow recurrence whose own value is a 64-bit recurrence:
  /// computed directly in 64 bits, so that addresses stay visibly affine.
  void rewriteExtensions(PHINode *phi) {
    if (!phi->getType()->isIntegerTy() || phi->getType()->isIntegerTy(64))
      return;
    SmallVector<CastInst *> extensions;
    auto collect = [&](Value *value) {
      for (User *user : value->users())
        if (auto *cast = dyn_cast<CastInst>(user);
            cast && (isa<SExtInst>(cast) || isa<ZExtInst>(cast)) &&
            cast->getType()->isIntegerTy(64) && loop.contains(cast))
          extensions.push_back(cast);
    };
    collect(phi);
    for (User *user : phi->users())
      if (isa<BinaryOperator>(user))
        collect(user);
    for (CastInst *cast : extensions) {
      const SCEVAddRecExpr *recurrence = affine(cast);
      if (!recurrence)
        continue;
      const SCEV *start = expandable(recurrence->getStart());
      const SCEV *step = expandable(recurrence->getStepRecurrence(se));
      if (!start || !step)
        continue;
      Value *first = inPreheader(start, cast->getType());
      Value *value = affineValue(first, inPreheader(step, cast->getType()),
                                 cast->getType());
      se.forgetValue(cast);
      cast->replaceAllUsesWith(value);
    }
  }

  Loop &loop;
  ScalarEvolution &se;
  const loom::OutsideValues &outside;
  SCEVExpander &expander;
  PHINode *iv;
};

/// The canonical counter that a loop already has: an i64 phi that starts at 0
/// and steps by one.
PHINode *existingCounter(Loop &loop) {
  for (PHINode &phi : loop.getHeader()->phis()) {
    auto *start = dyn_cast<ConstantInt>(
        phi.getIncomingValueForBlock(loop.getLoopPreheader()));
    auto *next = dyn_cast<BinaryOperator>(
        phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!phi.getType()->isIntegerTy(64) || !start || !start->isZero() ||
        !next || next->getOpcode() != Instruction::Add)
      continue;
    for (unsigned side = 0; side < 2; ++side) {
      auto *step = dyn_cast<ConstantInt>(next->getOperand(side));
      if (step && step->isOne() && next->getOperand(1 - side) == &phi)
        return &phi;
    }
  }
  return nullptr;
}

/// Does a counter make anything simpler? A pointer that steps becomes a root
/// and an offset; a widened narrow recurrence a 64-bit one; several recurrences
/// become one.
bool wantsCounter(Loop &loop, ScalarEvolution &se) {
  unsigned affine = 0;
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (!se.isSCEVable(phi.getType()))
      continue;
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(se.getSCEV(&phi));
    if (!recurrence || recurrence->getLoop() != &loop ||
        !recurrence->isAffine())
      continue;
    ++affine;
    if (phi.getType()->isPointerTy())
      return true;
    if (!phi.getType()->isIntegerTy(64))
      for (User *user : phi.users())
        if (isa<SExtInst>(user) || isa<ZExtInst>(user))
          return true;
  }
  return affine > 1;
}

/// A loop whose trip count is unknown, or known but not proven in range, keeps
/// its exits; its recurrences are still affine in a counter, modulo 2^64.
bool countIterations(Loop &loop, ScalarEvolution &se,
                     const loom::OutsideValues &outside) {
  if (!wantsCounter(loop, se))
    return false;
  PHINode *iv = existingCounter(loop);
  if (!iv) {
    BasicBlock *latch = loop.getLoopLatch();
    Type *i64 = Type::getInt64Ty(loop.getHeader()->getContext());
    iv = PHINode::Create(i64, 2, "", loop.getHeader()->begin());
    auto *next =
        BinaryOperator::CreateAdd(iv, ConstantInt::get(i64, 1), "",
                                  latch->getTerminator()->getIterator());
    iv->addIncoming(ConstantInt::get(i64, 0), loop.getLoopPreheader());
    iv->addIncoming(next, latch);
  }
  SCEVExpander expander(se, "loom");
  RecurrenceRewriter(loop, se, outside, expander, iv).run();
  se.forgetTopmostLoop(&loop);
  return true;
}

/// Is the latch already `next != n` with the counter's increment, that can't
/// wrap, and an invariant n? (What splitLoop leaves.)
bool isCanonical(Loop &loop, PHINode *iv) {
  auto *branch = dyn_cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  auto *compare = branch && branch->isConditional()
                      ? dyn_cast<ICmpInst>(branch->getCondition())
                      : nullptr;
  auto *next = dyn_cast<BinaryOperator>(
      iv->getIncomingValueForBlock(loop.getLoopLatch()));
  return compare && next && compare->getPredicate() == ICmpInst::ICMP_NE &&
         compare->getOperand(0) == next && next->hasNoSignedWrap() &&
         next->hasNoUnsignedWrap() &&
         loop.isLoopInvariant(compare->getOperand(1)) &&
         branch->getSuccessor(0) == loop.getHeader();
}

bool canonicalizeLoop(Loop &loop, const DominatorTree &dominators,
                      ScalarEvolution &se, const loom::OutsideValues &outside,
                      SmallPtrSetImpl<BasicBlock *> *counted) {
  BasicBlock *latch = loop.getLoopLatch();
  BasicBlock *preheader = loop.getLoopPreheader();
  if (!latch || !preheader)
    return false;
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  if (loop.getExitingBlock() != latch || !branch || !branch->isConditional())
    return countIterations(loop, se, outside);
  if (PHINode *counter = existingCounter(loop);
      counter && isCanonical(loop, counter)) {
    SCEVExpander expander(se, "loom");
    RecurrenceRewriter(loop, se, outside, expander, counter).run();
    se.forgetTopmostLoop(&loop);
    return true;
  }
  const SCEV *count = provenTripCount(loop, dominators, se);
  bool isSigned = count;
  if (!count && counted)
    count = loom::unsignedTripCount(loop, se);
  if (!count)
    return countIterations(loop, se, outside);
  SCEVExpander expander(se, "loom");
  Instruction *insertion = preheader->getTerminator();
  if (!expander.isSafeToExpandAt(count, insertion))
    count = DivisionReuser(loop, dominators, se).visit(count);
  count = outside.spell(count, *insertion);
  if (!count || !expander.isSafeToExpandAt(count, insertion))
    return countIterations(loop, se, outside);
  Type *i64 = Type::getInt64Ty(loop.getHeader()->getContext());
  Value *tripCount = expander.expandCodeFor(count, i64, insertion);

  // Complete before anything asks ScalarEvolution about it.
  PHINode *iv = PHINode::Create(i64, 2, "", loop.getHeader()->begin());
  auto *next = BinaryOperator::CreateNUWAdd(iv, ConstantInt::get(i64, 1), "",
                                            branch->getIterator());
  next->setHasNoSignedWrap(isSigned);
  if (counted)
    counted->insert(loop.getHeader());
  iv->addIncoming(ConstantInt::get(i64, 0), preheader);
  iv->addIncoming(next, latch);
  RecurrenceRewriter(loop, se, outside, expander, iv).run();

  IRBuilder<> builder(branch);
  bool continueFirst = branch->getSuccessor(0) == loop.getHeader();
  branch->setCondition(continueFirst ? builder.CreateICmpNE(next, tripCount)
                                     : builder.CreateICmpEQ(next, tripCount));
  se.forgetTopmostLoop(&loop);
  return true;
}

} // namespace

unsigned loom::canonicalizeLoops(LoopInfo &loops,
                                 const DominatorTree &dominators,
                                 ScalarEvolution &se,
                                 const SmallPtrSetImpl<BasicBlock *> &region,
                                 SmallPtrSetImpl<BasicBlock *> *counted) {
  OutsideValues outside(region, loops, dominators, se);
  unsigned changed = 0;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (region.contains(loop->getHeader()))
      changed += canonicalizeLoop(*loop, dominators, se, outside, counted);
  return changed;
}
