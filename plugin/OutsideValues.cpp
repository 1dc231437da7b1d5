// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OutsideValues.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

class Speller : public SCEVRewriteVisitor<Speller> {
public:
  Speller(const SmallPtrSetImpl<BasicBlock *> &nest, const LoopInfo &loops,
          const DominatorTree &dominators, ScalarEvolution &se,
          const Instruction &at)
      : SCEVRewriteVisitor(se), nest(nest), loops(loops),
        dominators(dominators), at(at) {}

  // Visitors by the curiously recurring template pattern.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *expr) {
    const Loop *loop = expr->getLoop();
    if (nest.contains(loop->getHeader()))
      return SCEVRewriteVisitor::visitAddRecExpr(expr);
    if (expr->isAffine())
      for (PHINode *phi : candidates(*loop))
        if (isNeverPoison(*phi))
          if (const SCEV *spelled = shifted(expr, phi))
            return spelled;
    complete = false;
    return expr;
  }

  /// A value of a loop that has ended leaves it by a phi that ScalarEvolution
  /// looks through.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  const SCEV *visitUnknown(const SCEVUnknown *expr) {
    auto *value = dyn_cast<Instruction>(expr->getValue());
    const Loop *loop = value ? loops.getLoopFor(value->getParent()) : nullptr;
    if (!loop || nest.contains(value->getParent()) ||
        loop->contains(at.getParent()))
      return expr;
    for (PHINode *phi : candidates(*loop))
      if (SE.getSCEV(phi) == expr)
        return SE.getUnknown(phi);
    complete = false;
    return expr;
  }

  bool complete = true;

private:
  /// The phis that have a value of `loop` here: those of the header when it is
  /// still running, else those where it was left.
  SmallVector<PHINode *> candidates(const Loop &loop) const {
    SmallVector<BasicBlock *> blocks;
    if (loop.contains(at.getParent())) {
      blocks.push_back(loop.getHeader());
    } else {
      const Loop *ended = &loop;
      while (ended->getParentLoop() &&
             !ended->getParentLoop()->contains(at.getParent()))
        ended = ended->getParentLoop();
      ended->getUniqueExitBlocks(blocks);
    }
    SmallVector<PHINode *> phis;
    for (BasicBlock *block : blocks)
      if (dominators.dominates(block, at.getParent()))
        for (PHINode &phi : block->phis())
          if (SE.isSCEVable(phi.getType()))
            phis.push_back(&phi);
    return phis;
  }

  /// Another value of the loop may be poison where the expression is not: its
  /// increment may claim not to wrap. Then the program must be undefined.
  bool isNeverPoison(const PHINode &phi) const {
    auto proven = [](const Value *value) {
      auto *instruction = dyn_cast<Instruction>(value);
      return isGuaranteedNotToBePoison(value) ||
             (instruction && programUndefinedIfPoison(instruction));
    };
    return isGuaranteedNotToBePoison(&phi, /*AC=*/nullptr, &at, &dominators) ||
           proven(&phi) || all_of(phi.incoming_values(), proven);
  }

  /// The recurrence by the value of another of the same loop, whose step fits,
  /// if that is what `phi` has: in the same width, or cut or extended to it.
  const SCEV *shifted(const SCEVAddRecExpr *expr, PHINode *phi) {
    Type *type = expr->getType();
    const SCEV *known = SE.getSCEV(phi), *value = SE.getUnknown(phi);
    if (known->getType() == type)
      return shifted(expr, known, value);
    if (!type->isIntegerTy() || !known->getType()->isIntegerTy())
      return nullptr;
    if (SE.getTypeSizeInBits(known->getType()) > SE.getTypeSizeInBits(type))
      return shifted(expr, SE.getTruncateExpr(known, type),
                     SE.getTruncateExpr(value, type));
    if (const SCEV *spelled = shifted(expr, SE.getSignExtendExpr(known, type),
                                      SE.getSignExtendExpr(value, type)))
      return spelled;
    return shifted(expr, SE.getZeroExtendExpr(known, type),
                   SE.getZeroExtendExpr(value, type));
  }

  const SCEV *shifted(const SCEVAddRecExpr *expr, const SCEV *known,
                      const SCEV *value) {
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(known);
    if (!recurrence || !recurrence->isAffine() ||
        recurrence->getLoop() != expr->getLoop())
      return nullptr;
    const SCEV *start = recurrence->getStart();
    const SCEV *scale =
        ratio(expr->getStepRecurrence(SE), recurrence->getStepRecurrence(SE));
    if (!scale || (!scale->isOne() && value->getType()->isPointerTy()))
      return nullptr;
    if (!scale->isOne()) {
      start = SE.getMulExpr(scale, start);
      value = SE.getMulExpr(scale, value);
    }
    const SCEV *distance = SE.getMinusSCEV(expr->getStart(), start);
    if (isa<SCEVCouldNotCompute>(distance))
      return nullptr;
    return SE.getAddExpr(visit(distance), value);
  }

  /// How many of `step` make `wanted`, exactly; null when unknown.
  const SCEV *ratio(const SCEV *wanted, const SCEV *step) {
    if (wanted == step)
      return SE.getOne(step->getType());
    if (wanted == SE.getNegativeSCEV(step))
      return SE.getMinusOne(step->getType());
    auto *dividend = dyn_cast<SCEVConstant>(wanted);
    auto *divisor = dyn_cast<SCEVConstant>(step);
    if (!dividend || !divisor || divisor->isZero() ||
        !dividend->getAPInt().srem(divisor->getAPInt()).isZero())
      return nullptr;
    return SE.getConstant(dividend->getAPInt().sdiv(divisor->getAPInt()));
  }

  const SmallPtrSetImpl<BasicBlock *> &nest;
  const LoopInfo &loops;
  const DominatorTree &dominators;
  const Instruction &at;
};

} // namespace

const SCEV *loom::OutsideValues::spell(const SCEV *expr,
                                       const Instruction &at) const {
  Speller speller(nest, loops, dominators, se, at);
  const SCEV *spelled = speller.visit(expr);
  return speller.complete ? spelled : nullptr;
}
