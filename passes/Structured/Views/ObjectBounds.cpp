// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from "an access stays inside one object, and no object has 2^63
// bytes" (LLVM's rule; all pointers made from one root reach one object): upper
// bounds of iteration numbers and of inputs, and addresses that don't wrap.

#include "Memory.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include <algorithm>

using namespace mlir;
using namespace loom;
using namespace loom::views;

namespace {

using Limits = std::map<unsigned, Integer>;

void lower(Limits &limits, unsigned variable, const Integer &most) {
  auto [slot, isNew] = limits.try_emplace(variable, most);
  if (!isNew)
    slot->second = std::min(slot->second, most);
}

bool reachesOneObject(const Root &root) {
  return !root.value.getDefiningOp<LLVM::IntToPtrOp>();
}

/// Loops from `op` outwards to `last`, if nothing but counted loops lies in
/// between and those inside `last` always run, or run equally often in each of
/// its iterations: if they run at all in one, they do in each.
bool isRectangular(AffineValues &values, Operation *op, Operation *last) {
  for (op = op->getParentOp(); op != last; op = op->getParentOp()) {
    auto inner = dyn_cast<scf::ForOp>(op);
    if (!inner)
      return false;
    LinearForm room =
        values.form(inner.getUpperBound()) - values.form(inner.getLowerBound());
    if (!inner.getUnsignedCmp() && values.range(room).lo >= 1)
      continue;
    for (Value limit :
         {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
      if (values.varies(values.scopeOf(limit), last))
        return false;
  }
  return true;
}

/// Everything in the body ends: only a while loop may not.
bool completes(scf::ForOp loop) {
  return !loop.getBody()
              ->walk([](scf::WhileOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

} // namespace

/// Bounds from one access that `loop` makes in each iteration.
void Memory::limitFrom(const Access &access, Operation *loop,
                       Limits &limits) const {
  auto counted = dyn_cast<scf::ForOp>(loop);
  const Root &root = roots[access.root];
  if (!counted || !access.known || values.varies(root.scope, loop) ||
      !reachesOneObject(root) || !isRectangular(values, access.op, loop))
    return;
  LinearForm offset = access.offset;
  for (Operation *op = access.op->getParentOp(); op != loop;
       op = op->getParentOp())
    offset = substitute(offset, values.iteration(op), LinearForm());
  unsigned number = values.iteration(loop);
  auto term = offset.terms.find(number);
  if (term == offset.terms.end() ||
      values.varies(substitute(offset, number, LinearForm()), loop))
    return;
  Integer stride = llvm::abs(term->second);
  if (stride >= powerOfTwo(63))
    return;
  // The access was made in all iterations before this one.
  Integer most =
      (powerOfTwo(63) - 1 - Integer(int64_t(access.width))) / stride + 1;
  lower(limits, number, most);

  // A loop that runs to its end makes it `trips` times.
  APInt step;
  if (!completes(counted) ||
      !matchPattern(counted.getStep(), m_ConstantInt(&step)))
    return;
  LinearForm room = values.form(counted.getUpperBound()) -
                    values.form(counted.getLowerBound());
  if (room.terms.size() == 1 && room.terms.begin()->second == 1)
    lower(limits, room.terms.begin()->first,
          most * Integer(step.getSExtValue()) - room.constant);
}

Limits Memory::limits(Block *block) const {
  Limits result;
  Operation *region = values.getRegion();
  for (const Access &access : accesses) {
    // The block of the access must enclose `block`, or be it.
    Block *around = access.op->getBlock();
    if (around != block &&
        !around->findAncestorOpInBlock(*block->getParentOp()))
      continue;
    for (Operation *op = access.op->getParentOp(); op != region && isLoop(op);
         op = op->getParentOp())
      limitFrom(access, op, result);
  }
  return result;
}

/// Change of `offset` from one iteration of `loop` to the next.
std::optional<Interval>
Memory::moveOf(const LinearForm &offset, Operation *loop,
               llvm::function_ref<Interval(const LinearForm &)> rangeOf) const {
  unsigned own = values.iteration(loop);
  Interval move{Integer(0), Integer(0)};
  for (const auto &[number, factor] : offset.terms) {
    const AffineValues::Variable &v = values.variable(number);
    if (number == own) {
      move.lo += factor;
      move.hi += factor;
    } else if (v.factors.size() == 2 && values.varies(v.scope, loop)) {
      // A moving factor times one that stands still.
      bool first = values.varies(v.factors[0], loop);
      const LinearForm &still = v.factors[first ? 1 : 0];
      if (values.varies(still, loop))
        return std::nullopt;
      std::optional<Interval> m =
          moveOf(v.factors[first ? 0 : 1], loop, rangeOf);
      if (!m)
        return std::nullopt;
      Interval s = rangeOf(still);
      Integer products[] = {m->lo * s.lo * factor, m->lo * s.hi * factor,
                            m->hi * s.lo * factor, m->hi * s.hi * factor};
      move.lo += *std::min_element(products, products + 4);
      move.hi += *std::max_element(products, products + 4);
    } else if (v.kind != VariableView::Iteration &&
               values.varies(v.scope, loop)) {
      return std::nullopt;
    }
  }
  return move;
}

bool Memory::unwrapped(const Access &access,
                       llvm::function_ref<Interval(const LinearForm &)> rangeOf,
                       LinearForm &start) const {
  const Root &root = roots[access.root];
  if (!access.known || !reachesOneObject(root))
    return false;
  std::vector<Operation *> inside;
  for (Operation *op = access.op->getParentOp();
       op != values.getRegion() && op != root.scope; op = op->getParentOp())
    if (isLoop(op))
      inside.push_back(op);
  const Integer half = powerOfTwo(63);
  start = access.offset;
  for (Operation *loop : inside) {
    std::optional<Interval> move = moveOf(access.offset, loop, rangeOf);
    if (!move || move->lo <= -half || move->hi >= half)
      return false;
    bool moves = move->lo != 0 || move->hi != 0;
    if (moves &&
        (!isa<scf::ForOp>(loop) || !isRectangular(values, access.op, loop)))
      return false;
    start = substitute(start, values.iteration(loop), LinearForm());
  }
  // Products that are zero at the start.
  LinearForm at = LinearForm::of(start.constant);
  for (const auto &[number, factor] : start.terms) {
    const AffineValues::Variable &v = values.variable(number);
    bool varies = llvm::any_of(
        inside, [&](Operation *loop) { return values.varies(v.scope, loop); });
    if (!varies) {
      at.terms.emplace(number, factor);
      continue;
    }
    bool zero = false;
    for (LinearForm form : v.factors) {
      for (Operation *loop : inside)
        form = substitute(form, values.iteration(loop), LinearForm());
      zero |= form.isConstant() && form.constant == 0;
    }
    if (!zero)
      return false;
  }
  start = at;
  return true;
}
