// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites of scf.while by the counted-loop projection.

#include "loom/Structured/Raise/CountedLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using loom::CountedLoop;

namespace {

bool isDefinedOutside(Value value, Operation *op) {
  return !op->isAncestor(value.getParentRegion()->getParentOp());
}

void convert(scf::WhileOp loop, const CountedLoop &counted,
             IRRewriter &rewriter) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(
        rewriter, loc, rewriter.getIntegerAttr(counted.upper.getType(), value));
  };

  // Carried values: the before-arguments but the induction variable, then the
  // results of the loop that are not carried (their value before the first
  // iteration is never seen, since there is one).
  SmallVector<Value> inits;
  SmallVector<unsigned> carried;
  DenseMap<unsigned, unsigned> resultOfOperand; // condition operand -> iter arg
  SmallVector<Value> yields;
  SmallVector<Value> fallbacks; // per result, where it is not carried
  for (unsigned i = 0; i < loop.getInits().size(); ++i) {
    if (i == counted.iv)
      continue;
    // An argument of the after region, which only forwards, or a value from
    // outside of the loop.
    Value next = loop.getYieldOp().getOperand(i);
    if (auto argument = dyn_cast<BlockArgument>(next);
        argument && argument.getOwner() == loop.getAfterBody()) {
      resultOfOperand.try_emplace(argument.getArgNumber(),
                                  unsigned(inits.size()));
      next = condition.getArgs()[argument.getArgNumber()];
    }
    carried.push_back(i);
    inits.push_back(loop.getInits()[i]);
    yields.push_back(next);
  }
  for (unsigned k = 0; k < loop.getNumResults(); ++k) {
    Value value = condition.getArgs()[k];
    // The induction variable after the loop is the count.
    fallbacks.push_back(value == counted.next ? counted.upper : value);
    if (value == counted.next || loop.getResult(k).use_empty() ||
        isDefinedOutside(value, loop) || resultOfOperand.contains(k))
      continue;
    resultOfOperand[k] = unsigned(inits.size());
    inits.push_back(
        isa<IntegerType, FloatType>(value.getType())
            ? ub::PoisonOp::create(rewriter, loc, value.getType()).getResult()
            : LLVM::PoisonOp::create(rewriter, loc, value.getType())
                  .getResult());
    yields.push_back(value);
  }

  auto counting =
      scf::ForOp::create(rewriter, loc, constant(counted.lower), counted.upper,
                         constant(counted.step), inits);
  counting.setUnsignedCmp(counted.isUnsigned);
  counting->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = counting.getBody();
  if (Operation *terminator = body->empty() ? nullptr : &body->back())
    rewriter.eraseOp(terminator);
  rewriter.setInsertionPointToEnd(body);
  scf::YieldOp::create(rewriter, loc, yields);
  rewriter.eraseOp(condition);
  Block *before = loop.getBeforeBody();
  // Values for the before-arguments, in their order.
  SmallVector<Value> arguments(before->getNumArguments());
  arguments[counted.iv] = counting.getInductionVar();
  for (auto [number, index] : llvm::enumerate(carried))
    arguments[index] = counting.getRegionIterArg(unsigned(number));
  rewriter.inlineBlockBefore(before, body, body->without_terminator().end(),
                             arguments);
  SmallVector<Value> replacements;
  for (Value value : fallbacks) {
    unsigned k = unsigned(replacements.size());
    auto found = resultOfOperand.find(k);
    replacements.push_back(found == resultOfOperand.end()
                               ? value
                               : counting.getResult(found->second));
  }
  rewriter.replaceOp(loop, replacements);
}

SmallVector<scf::WhileOp> loopsOf(Operation *root) {
  SmallVector<scf::WhileOp> loops;
  root->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  return loops;
}

} // namespace

void loom::recoverRegionLoops(Operation *root) {
  IRRewriter rewriter(root->getContext());
  for (scf::WhileOp loop : loopsOf(root)) {
    auto counted = projectCountedLoop(loop, /*completes=*/true);
    if (counted && counted->next.getType().isInteger(64) &&
        counted->lower.isZero() && counted->step.isOne() &&
        !counted->isUnsigned)
      convert(loop, *counted, rewriter);
  }
}

void loom::recoverCountedLoops(Operation *root) {
  IRRewriter rewriter(root->getContext());
  for (scf::WhileOp loop : loopsOf(root))
    if (auto counted = projectCountedLoop(loop))
      convert(loop, *counted, rewriter);
}
