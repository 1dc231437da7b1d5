// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which scf.while counts. The shape (canonical after structuring a latch-tested
// loop):
//
//   %r:n = scf.while (%iv = lower, %a = init...) {
//     ...
//     %next = arith.addi %iv, step
//     %c = arith.cmpi ne, %next, %upper
//     scf.condition(%c) values...
//   } do { ^bb(args...): scf.yield permutation of args... }
//
// The body runs before the test, so it runs at least once, and %next takes the
// values lower + step, lower + 2 step, ... until one is %upper. Three proofs
// that this happens before the sum wraps:
//
// - Constant bounds: arithmetic.
// - From 0 by 1 and an enclosing branch says that %upper is positive.
// - From 0 by 1 and %next never wraps, by its flags: a count that is not
//   reached before would branch on poison, which is undefined. This needs that
//   iterations are not left in any other way (a call may exit or throw), or a
//   marker that says so.

#include "loom/Structured/Raise/CountedLoops.h"
#include "loom/Structured/Raise/Module.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using loom::CountedLoop;
using loom::CountedProof;

namespace {

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

/// A marker in the loop that says: counts as its shape says.
bool hasProvenMarker(scf::WhileOp loop) {
  for (auto call : loop.getBeforeBody()->getOps<LLVM::CallOp>()) {
    APInt proven;
    if (call.getCallee() && *call.getCallee() == loom::loopMarkerName &&
        call.getArgOperands().size() == 2 &&
        matchPattern(call.getArgOperands()[1], m_ConstantInt(&proven)))
      return proven.isOne();
  }
  return false;
}

/// Does every iteration that starts reach its end?
bool iterationsComplete(scf::WhileOp loop) {
  return !loop.walk([&](Operation *op) {
                bool completes =
                    op == loop.getOperation() ||
                    (!isa<scf::WhileOp, LLVM::InlineAsmOp,
                          LLVM::CallIntrinsicOp, LLVM::Trap, LLVM::UBSanTrap,
                          LLVM::DebugTrap, LLVM::UnreachableOp>(op));
                if (auto call = dyn_cast<CallOpInterface>(op)) {
                  auto direct = dyn_cast<LLVM::CallOp>(op);
                  completes = direct && direct.getCallee() &&
                              *direct.getCallee() == loom::loopMarkerName;
                } else if (auto access = dyn_cast<LLVM::LoadOp>(op)) {
                  completes &= !access.getVolatile_();
                } else if (auto access = dyn_cast<LLVM::StoreOp>(op)) {
                  completes &= !access.getVolatile_();
                }
                return completes ? WalkResult::advance()
                                 : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Does `condition`, or its opposite, say that `value` is positive?
bool impliesPositive(Value condition, bool holds, Value value) {
  if (holds)
    if (auto both = condition.getDefiningOp<arith::AndIOp>())
      return impliesPositive(both.getLhs(), true, value) ||
             impliesPositive(both.getRhs(), true, value);
  if (auto flip = condition.getDefiningOp<arith::XOrIOp>();
      flip && matchPattern(flip.getRhs(), m_One()))
    return impliesPositive(flip.getLhs(), !holds, value);
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  arith::CmpIPredicate kind = compare.getPredicate();
  if (!holds)
    kind = arith::invertPredicate(kind);
  using Kind = arith::CmpIPredicate;
  if (lhs == value)
    return (kind == Kind::sgt && matchPattern(rhs, m_Zero())) ||
           (kind == Kind::sge && matchPattern(rhs, m_One()));
  return rhs == value && ((kind == Kind::slt && matchPattern(lhs, m_Zero())) ||
                          (kind == Kind::sle && matchPattern(lhs, m_One())));
}

/// Is `value` positive wherever `op` runs, by a branch around it?
bool isGuardedPositive(Value value, Operation *op) {
  SmallVector<Value> equals{value};
  // An extension is positive when what it extends is, read as signed.
  if (auto wider = value.getDefiningOp<arith::ExtSIOp>())
    equals.push_back(wider.getIn());
  else if (auto wider = value.getDefiningOp<arith::ExtUIOp>())
    equals.push_back(wider.getIn());
  else if (auto wider = value.getDefiningOp<LLVM::ZExtOp>())
    equals.push_back(wider.getArg());
  for (Operation *parent = op->getParentOp(); parent;
       op = parent, parent = parent->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(parent);
    if (!branch)
      continue;
    bool holds = op->getParentRegion() == &branch.getThenRegion();
    for (Value equal : equals)
      if (impliesPositive(branch.getCondition(), holds, equal))
        return true;
  }
  return false;
}

/// Fills in the proof; false when there is none.
bool prove(CountedLoop &counted, scf::WhileOp loop,
           arith::IntegerOverflowFlags flags, bool completes) {
  APInt upper;
  if (matchPattern(counted.upper, m_ConstantInt(&upper))) {
    if (counted.lower.isNegative() || counted.step.isNegative() ||
        counted.step.isZero() || !upper.sgt(counted.lower) ||
        !(upper - counted.lower).urem(counted.step).isZero())
      return false;
    counted.proof = CountedProof::Constant;
    return true;
  }
  if (!counted.lower.isZero() || !counted.step.isOne())
    return false;
  if (isGuardedPositive(counted.upper, loop)) {
    counted.proof = CountedProof::Guarded;
    return true;
  }
  bool noUnsigned = bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nuw);
  bool noSigned = bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nsw);
  if (!noUnsigned ||
      (!completes && !hasProvenMarker(loop) && !iterationsComplete(loop)))
    return false;
  counted.proof = CountedProof::Flags;
  counted.isUnsigned = !noSigned;
  return true;
}

} // namespace

std::optional<APInt> CountedLoop::constantTrips() const {
  APInt last;
  if (proof != CountedProof::Constant ||
      !matchPattern(upper, m_ConstantInt(&last)))
    return std::nullopt;
  return (last - lower).udiv(step);
}

std::optional<CountedLoop> loom::projectCountedLoop(scf::WhileOp loop,
                                                    bool completes) {
  // The after region only forwards.
  if (&loop.getAfterBody()->front() != loop.getAfterBody()->getTerminator())
    return std::nullopt;
  scf::ConditionOp condition = loop.getConditionOp();
  auto test = matchTest(condition.getCondition(), loop);
  if (!test)
    return std::nullopt;
  auto [next, upper] = *test;
  auto add = next.getDefiningOp<arith::AddIOp>();
  if (!add || !add.getType().isSignlessInteger())
    return std::nullopt;
  CountedLoop counted;
  counted.next = next;
  counted.upper = upper;
  auto iv = dyn_cast<BlockArgument>(add.getLhs());
  if (!iv || iv.getOwner() != loop.getBeforeBody() ||
      !matchPattern(add.getRhs(), m_ConstantInt(&counted.step)) ||
      !matchPattern(loop.getInits()[iv.getArgNumber()],
                    m_ConstantInt(&counted.lower)))
    return std::nullopt;
  counted.iv = iv.getArgNumber();
  auto feedback = feedbackOf(loop, iv.getArgNumber());
  if (!feedback || condition.getArgs()[*feedback] != next)
    return std::nullopt;
  for (unsigned i = 0; i < loop.getInits().size(); ++i)
    if (!feedbackOf(loop, i) &&
        !isDefinedOutside(loop.getYieldOp().getOperand(i), loop))
      return std::nullopt;
  if (!prove(counted, loop, add.getOverflowFlags(), completes))
    return std::nullopt;
  return counted;
}
