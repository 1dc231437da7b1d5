// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites of scf.while by the projections: to scf.for, without repeated lanes,
// without results that every exit publishes from outside.

#include "loom/Structured/Raise/CountedLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/BitVector.h"

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

/// The earlier lane that lane `i` repeats.
std::optional<unsigned> repeats(scf::WhileOp loop, unsigned i) {
  OperandRange inits = loop.getInits();
  OperandRange passed = loop.getConditionOp().getArgs();
  OperandRange yielded = loop.getYieldOp().getOperands();
  auto isIdentity = [&](unsigned lane) {
    return lane < inits.size() && lane < passed.size() &&
           yielded[lane] == loop.getAfterArguments()[lane];
  };
  if (!isIdentity(i))
    return std::nullopt;
  for (unsigned j = 0; j < i; ++j)
    if (isIdentity(j) && inits[j] == inits[i] && passed[j] == passed[i])
      return j;
  return std::nullopt;
}

} // namespace

scf::WhileOp loom::removeDuplicateLanes(scf::WhileOp loop,
                                        RewriterBase &rewriter) {
  llvm::BitVector dead(
      unsigned(std::max(loop.getInits().size(), size_t(loop.getNumResults()))));
  for (unsigned i = 0; i < loop.getInits().size(); ++i)
    if (std::optional<unsigned> kept = repeats(loop, i)) {
      dead.set(i);
      loop.getBeforeArguments()[i].replaceAllUsesWith(
          loop.getBeforeArguments()[*kept]);
      loop.getAfterArguments()[i].replaceAllUsesWith(
          loop.getAfterArguments()[*kept]);
      loop.getResult(i).replaceAllUsesWith(loop.getResult(*kept));
    }
  if (dead.none())
    return loop;
  auto living = [&](auto range) {
    SmallVector<Value> values;
    for (auto [index, value] : llvm::enumerate(range))
      if (!dead.test(unsigned(index)))
        values.push_back(value);
    return values;
  };
  SmallVector<Value> inits = living(loop.getInits());
  SmallVector<Value> results = living(loop.getResults());
  SmallVector<Value> passed = living(loop.getConditionOp().getArgs());
  SmallVector<Value> yielded = living(loop.getYieldOp().getOperands());
  loop.getConditionOp().getArgsMutable().assign(passed);
  loop.getYieldOp().getResultsMutable().assign(yielded);
  loop.getBeforeBody()->eraseArguments([&](BlockArgument argument) {
    return dead.test(argument.getArgNumber());
  });
  loop.getAfterBody()->eraseArguments([&](BlockArgument argument) {
    return dead.test(argument.getArgNumber());
  });
  rewriter.setInsertionPoint(loop);
  auto slim = scf::WhileOp::create(rewriter, loop.getLoc(),
                                   ValueRange(results).getTypes(), inits);
  slim.getBefore().takeBody(loop.getBefore());
  slim.getAfter().takeBody(loop.getAfter());
  slim->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip(results, slim.getResults()))
    from.replaceAllUsesWith(to);
  rewriter.eraseOp(loop);
  return slim;
}

void loom::projectExits(scf::WhileOp loop) {
  for (auto [result, value] :
       llvm::zip(loop.getResults(), loop.getConditionOp().getArgs()))
    if (isDefinedOutside(value, loop))
      result.replaceAllUsesWith(value);
}

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
  for (scf::WhileOp loop : loopsOf(root)) {
    projectExits(loop);
    loop = removeDuplicateLanes(loop, rewriter);
    if (auto counted = projectCountedLoop(loop))
      convert(loop, *counted, rewriter);
  }
}
