// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scf.while to scf.for.
//
// The shape (canonical after structuring a latch-tested loop):
//
//   %r:n = scf.while (%iv = 0, %a = init...) {
//     ...
//     %next = arith.addi %iv, 1 overflow<nsw, nuw>
//     %c = arith.cmpi ne, %next, %count
//     scf.condition(%c) values...
//   } do { ^bb(args...): scf.yield permutation of args... }
//
// Proof: the body runs before the test, so it runs at least once; %next takes
// the values 1, 2, ... and by its flags never wraps, so the loop ends exactly
// when it reaches %count >= 1 (a count it can't reach would need a wrapping
// add, and to branch on its poison is undefined). Hence the body runs for %iv
// in [0, %count), signed.

#include "loom/Structured/Raise/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

struct CountedLoop {
  unsigned iv; ///< index of the before-argument
  Value count; ///< defined outside
  Value next;  ///< iv + 1
};

bool isDefinedOutside(Value value, Operation *op) {
  return !op->isAncestor(value.getParentRegion()->getParentOp());
}

/// The continuation test as (next, count), if it is `next != count`.
std::optional<std::pair<Value, Value>> matchTest(Value condition,
                                                 Operation *loop) {
  bool negated = false;
  while (auto flip = condition.getDefiningOp<arith::XOrIOp>()) {
    if (!matchPattern(flip.getRhs(), m_One()))
      return std::nullopt;
    negated = !negated;
    condition = flip.getLhs();
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  auto expected = negated ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne;
  if (compare.getPredicate() != expected)
    return std::nullopt;
  if (isDefinedOutside(compare.getRhs(), loop))
    return std::pair{compare.getLhs(), compare.getRhs()};
  if (isDefinedOutside(compare.getLhs(), loop))
    return std::pair{compare.getRhs(), compare.getLhs()};
  return std::nullopt;
}

/// For before-argument `argument`, the condition operand that feeds it.
std::optional<unsigned> feedbackOf(scf::WhileOp loop, unsigned argument) {
  auto after = dyn_cast<BlockArgument>(loop.getYieldOp().getOperand(argument));
  if (!after || after.getOwner() != loop.getAfterBody())
    return std::nullopt;
  return after.getArgNumber();
}

std::optional<CountedLoop> matchCounted(scf::WhileOp loop) {
  // The after region only forwards.
  if (&loop.getAfterBody()->front() != loop.getAfterBody()->getTerminator())
    return std::nullopt;
  scf::ConditionOp condition = loop.getConditionOp();
  auto test = matchTest(condition.getCondition(), loop);
  if (!test)
    return std::nullopt;
  auto [next, count] = *test;
  auto add = next.getDefiningOp<arith::AddIOp>();
  if (!add || !add.getType().isInteger(64) ||
      !matchPattern(add.getRhs(), m_One()))
    return std::nullopt;
  auto flags = add.getOverflowFlags();
  if (!bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nsw) ||
      !bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nuw))
    return std::nullopt;
  auto iv = dyn_cast<BlockArgument>(add.getLhs());
  if (!iv || iv.getOwner() != loop.getBeforeBody() ||
      !matchPattern(loop.getInits()[iv.getArgNumber()], m_Zero()))
    return std::nullopt;
  auto feedback = feedbackOf(loop, iv.getArgNumber());
  if (!feedback || condition.getArgs()[*feedback] != next)
    return std::nullopt;
  for (unsigned i = 0; i < loop.getInits().size(); ++i)
    if (!feedbackOf(loop, i))
      return std::nullopt;
  return CountedLoop{iv.getArgNumber(), count, next};
}

void convert(scf::WhileOp loop, const CountedLoop &counted,
             IRRewriter &rewriter) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getI64IntegerAttr(value));
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
    // matchCounted saw that every argument has one.
    unsigned operand = feedbackOf(loop, i).value_or(0);
    resultOfOperand.try_emplace(operand, unsigned(inits.size()));
    carried.push_back(i);
    inits.push_back(loop.getInits()[i]);
    yields.push_back(condition.getArgs()[operand]);
  }
  for (unsigned k = 0; k < loop.getNumResults(); ++k) {
    Value value = condition.getArgs()[k];
    // The induction variable after the loop is the count.
    fallbacks.push_back(value == counted.next ? counted.count : value);
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

  auto counting = scf::ForOp::create(rewriter, loc, constant(0), counted.count,
                                     constant(1), inits);
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

} // namespace

void loom::recoverCountedLoops(Operation *root) {
  SmallVector<scf::WhileOp> loops;
  root->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(root->getContext());
  for (scf::WhileOp loop : loops)
    if (auto counted = matchCounted(loop))
      convert(loop, *counted, rewriter);
}
