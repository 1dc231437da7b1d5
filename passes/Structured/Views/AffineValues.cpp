// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineValues.h"
#include "loom/Structured/Views/Footprint.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include <algorithm>

using namespace mlir;
using namespace loom;
using namespace loom::views;

namespace {

constexpr unsigned MaxDepth = 300; // of the recursion over operands
constexpr unsigned MaxTerms = 24;

unsigned widthOf(Type type) {
  if (type.isIndex())
    return 64;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() >= 1 && integer.getWidth() <= 64
             ? integer.getWidth()
             : 0;
}

Interval signedRange(unsigned width) {
  return {-powerOfTwo(width - 1), powerOfTwo(width - 1) - 1};
}

bool within(const Interval &inner, const Interval &outer) {
  return inner.lo >= outer.lo && inner.hi <= outer.hi;
}

bool isPoison(Value value) {
  return isa_and_nonnull<ub::PoisonOp, LLVM::PoisonOp>(value.getDefiningOp());
}

bool isNsw(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

std::optional<Integer> constantOf(Value value) {
  APInt bits;
  if (matchPattern(value, m_ConstantInt(&bits)))
    return Integer(bits.getSExtValue());
  return std::nullopt;
}

} // namespace

Integer views::powerOfTwo(unsigned exponent) {
  Integer result(1);
  for (; exponent >= 32; exponent -= 32)
    result *= int64_t(1) << 32;
  return result * (int64_t(1) << exponent);
}

bool views::isLoop(Operation *op) {
  return isa_and_nonnull<scf::ForOp, scf::WhileOp>(op);
}

Operation *views::loopAround(Operation *op) {
  for (op = op->getParentOp(); op && !isa<SpatialRegionOp>(op);
       op = op->getParentOp())
    if (isLoop(op))
      return op;
  return nullptr;
}

LinearForm views::substitute(const LinearForm &form, unsigned number,
                             const LinearForm &by) {
  auto term = form.terms.find(number);
  if (term == form.terms.end())
    return form;
  LinearForm rest = form;
  rest.terms.erase(number);
  return rest + by * term->second;
}

LinearForm views::reduceModular(const LinearForm &form) {
  const Integer whole = powerOfTwo(64);
  auto least = [&](const Integer &x) {
    Integer rest = llvm::mod(x, whole);
    return rest * 2 >= whole ? rest - whole : rest;
  };
  LinearForm result = LinearForm::of(least(form.constant));
  for (const auto &[number, factor] : form.terms)
    if (Integer rest = least(factor); rest != 0)
      result.terms.emplace(number, rest);
  return result;
}

Interval AffineValues::range(const LinearForm &form) const {
  Interval result{form.constant, form.constant};
  for (const auto &[number, factor] : form.terms) {
    const Interval &r = variables[number].range;
    result.lo += factor * (factor > 0 ? r.lo : r.hi);
    result.hi += factor * (factor > 0 ? r.hi : r.lo);
  }
  return result;
}

bool AffineValues::varies(const LinearForm &form, Operation *loop) const {
  return llvm::any_of(form.terms, [&](const auto &term) {
    return varies(variables[term.first].scope, loop);
  });
}

Operation *AffineValues::scopeOf(Value value) {
  auto known = scopes.find(value);
  if (known != scopes.end())
    return known->second;
  Operation *result = nullptr;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    result = isLoop(owner)                 ? owner
             : isa<SpatialRegionOp>(owner) ? nullptr
                                           : loopAround(owner);
  } else {
    Operation *op = value.getDefiningOp();
    result = loopAround(op);
    if (result && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
        depth < MaxDepth) {
      // A function of its operands: varies with what they vary with.
      ++depth;
      Operation *deepest = nullptr;
      for (Value operand : op->getOperands())
        if (Operation *scope = scopeOf(operand);
            scope && (!deepest || deepest->isAncestor(scope)))
          deepest = scope;
      --depth;
      result = deepest;
    }
  }
  scopes[value] = result;
  return result;
}

unsigned AffineValues::fresh(Variable variable) {
  variables.push_back(std::move(variable));
  return variables.size() - 1;
}

/// The range that the envelope states for the argument behind an input.
void AffineValues::narrowInput(BlockArgument input, Interval &range) {
  auto argument =
      dyn_cast<BlockArgument>(region.getInputs()[input.getArgNumber()]);
  auto function =
      argument ? dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp())
               : LLVM::LLVMFuncOp();
  if (!function || argument.getOwner() != &function.getBody().front())
    return;
  auto stated = dyn_cast_or_null<LLVM::ConstantRangeAttr>(
      function.getArgAttr(argument.getArgNumber(), "llvm.range"));
  if (!stated || stated.getLower().getBitWidth() > 64 ||
      !stated.getLower().slt(stated.getUpper()))
    return; // wrapped: says nothing as a signed interval
  range.lo = std::max(range.lo, Integer(stated.getLower().getSExtValue()));
  range.hi = std::min(range.hi, Integer(stated.getUpper().getSExtValue()) - 1);
}

LinearForm AffineValues::opaque(Value value) {
  unsigned width = widthOf(value.getType());
  Variable v;
  v.value = value;
  v.scope = scopeOf(value);
  v.range = signedRange(width ? width : 64);
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isa<SpatialRegionOp>(argument.getOwner()->getParentOp())) {
    v.kind = VariableView::Input;
    narrowInput(argument, v.range);
  } else if (!v.scope)
    v.kind = VariableView::Constant;
  if (width && !value.getType().isIndex()) {
    Interval r = ranges.range(value);
    v.range = {std::max(v.range.lo, r.lo), std::min(v.range.hi, r.hi)};
  }
  return LinearForm::variable(fresh(std::move(v)));
}

unsigned AffineValues::iteration(Operation *loop) {
  auto known = iterations.find(loop);
  if (known != iterations.end())
    return known->second;
  Variable v;
  v.kind = VariableView::Iteration;
  v.scope = loop;
  // Nothing runs for 2^64 iterations.
  v.range = {Integer(0), powerOfTwo(64)};
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    std::optional<Integer> step = constantOf(counted.getStep());
    Interval lb = range(form(counted.getLowerBound())),
             ub = range(form(counted.getUpperBound()));
    bool ordered = !counted.getUnsignedCmp() || (lb.lo >= 0 && ub.lo >= 0);
    if (step && *step > 0 && ordered)
      v.range.hi =
          std::max(Integer(0), llvm::floorDiv(ub.hi - 1 - lb.lo, *step));
  }
  unsigned number = fresh(std::move(v));
  iterations[loop] = number;
  return number;
}

/// `form` if it is certainly the value of `value`, else an opaque variable.
LinearForm AffineValues::exactOr(LinearForm form, Value value, bool flagged) {
  bool fits =
      flagged || within(range(form), signedRange(widthOf(value.getType())));
  return fits && form.terms.size() <= MaxTerms ? form : opaque(value);
}

LinearForm AffineValues::form(Value value) {
  auto known = cache.find(value);
  if (known != cache.end())
    return known->second;
  ++depth;
  LinearForm result = depth > MaxDepth ? opaque(value) : compute(value);
  --depth;
  cache[value] = result;
  return result;
}

LinearForm AffineValues::compute(Value value) {
  if (!widthOf(value.getType()))
    return opaque(value);
  if (std::optional<Integer> constant = constantOf(value))
    return LinearForm::of(*constant);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeArgument(argument);
  return computeOp(value.getDefiningOp(), value);
}

Value AffineValues::initOf(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(owner))
    return argument.getArgNumber()
               ? loop.getInitArgs()[argument.getArgNumber() - 1]
               : loop.getLowerBound();
  auto loop = cast<scf::WhileOp>(owner);
  return loop.getInits()[argument.getArgNumber()];
}

std::optional<Integer> AffineValues::stepOf(BlockArgument argument,
                                            bool &exact) {
  Operation *owner = argument.getOwner()->getParentOp();
  Value next;
  auto around = dyn_cast<scf::WhileOp>(owner);
  if (auto loop = dyn_cast<scf::ForOp>(owner)) {
    if (argument.getArgNumber() == 0)
      return std::nullopt;
    next = loop.getYieldedValues()[argument.getArgNumber() - 1];
  } else {
    if (!around || argument.getOwner() != around.getBeforeBody())
      return std::nullopt;
    next = around.getYieldOp().getResults()[argument.getArgNumber()];
  }
  Integer total(0);
  exact = true;
  for (unsigned steps = 0; steps < 64 && next != argument; ++steps) {
    if (auto passed = dyn_cast<BlockArgument>(next)) {
      if (!around || passed.getOwner() != around.getAfterBody())
        return std::nullopt;
      next = around.getConditionOp().getArgs()[passed.getArgNumber()];
      continue;
    }
    Operation *op = next.getDefiningOp();
    std::optional<Integer> by;
    if (isa<arith::AddIOp, arith::SubIOp>(op) &&
        (by = constantOf(op->getOperand(1)))) {
      total += isa<arith::AddIOp>(op) ? *by : -*by;
      exact &= isNsw(op);
      next = op->getOperand(0);
    } else if (isa<arith::AddIOp>(op) && (by = constantOf(op->getOperand(0)))) {
      total += *by;
      exact &= isNsw(op);
      next = op->getOperand(1);
    } else if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
      ArrayRef<int32_t> raw = gep.getRawConstantIndices();
      unsigned size = accessSize(gep.getElemType());
      if (raw.size() != 1 || !size)
        return std::nullopt;
      by = Integer(int64_t(raw.front()));
      if (raw.front() == LLVM::GEPOp::kDynamicIndex &&
          !(by = constantOf(gep.getDynamicIndices().front())))
        return std::nullopt;
      total += *by * Integer(int64_t(size));
      next = gep.getBase();
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      // The arm that leaves the loop hands over poison.
      unsigned index = cast<OpResult>(next).getResultNumber();
      if (branch.getElseRegion().empty())
        return std::nullopt;
      Value a = branch.thenYield().getOperand(index),
            b = branch.elseYield().getOperand(index);
      if (!isPoison(a) && !isPoison(b))
        return std::nullopt;
      next = isPoison(a) ? b : a;
    } else {
      return std::nullopt;
    }
  }
  if (next != argument)
    return std::nullopt;
  return total;
}

LinearForm AffineValues::computeArgument(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (isa<SpatialRegionOp>(owner)) {
    // One value handed over twice is one variable.
    OperandRange inputs = region.getInputs();
    unsigned first = 0;
    while (inputs[first] != inputs[argument.getArgNumber()])
      ++first;
    if (first < argument.getArgNumber())
      return form(argument.getOwner()->getArgument(first));
  }
  if (!isLoop(owner))
    return opaque(argument);
  if (auto around = dyn_cast<scf::WhileOp>(owner))
    if (argument.getOwner() == around.getAfterBody()) {
      // Handed over by the test of the same iteration.
      cache[argument] = opaque(argument);
      return form(around.getConditionOp().getArgs()[argument.getArgNumber()]);
    }
  auto loop = dyn_cast<scf::ForOp>(owner);
  if (!loop || argument != loop.getInductionVar()) {
    bool flagged = false;
    std::optional<Integer> step = stepOf(argument, flagged);
    if (!step)
      return opaque(argument);
    LinearForm value =
        form(initOf(argument)) + LinearForm::variable(iteration(owner)) * *step;
    return exactOr(value, argument, flagged);
  }
  LinearForm lb = form(loop.getLowerBound()), ub = form(loop.getUpperBound());
  std::optional<Integer> step = constantOf(loop.getStep());
  bool ordered =
      !loop.getUnsignedCmp() || (range(lb).lo >= 0 && range(ub).lo >= 0);
  if (step && *step > 0 && ordered)
    return lb + LinearForm::variable(iteration(loop)) * *step;
  LinearForm iv = opaque(argument);
  if (ordered) {
    unsigned number = iv.terms.begin()->first;
    variables[number].atLeastZero = {iv - lb,
                                     ub - LinearForm::of(Integer(1)) - iv};
  }
  return iv;
}

LinearForm AffineValues::modularForm(Value value) {
  if (depth > 64 || !value.getType().isInteger(64))
    return reduceModular(form(value));
  Operation *op = value.getDefiningOp();
  ++depth;
  LinearForm result;
  std::optional<Integer> by;
  if (isa_and_nonnull<arith::AddIOp>(op)) {
    result = modularForm(op->getOperand(0)) + modularForm(op->getOperand(1));
  } else if (isa_and_nonnull<arith::SubIOp>(op)) {
    result = modularForm(op->getOperand(0)) - modularForm(op->getOperand(1));
  } else if (isa_and_nonnull<arith::MulIOp>(op) &&
             (by = constantOf(op->getOperand(1)))) {
    result = modularForm(op->getOperand(0)) * *by;
  } else if (isa_and_nonnull<arith::ShLIOp>(op) &&
             (by = constantOf(op->getOperand(1))) && *by >= 0 && *by < 63) {
    result = modularForm(op->getOperand(0)) * powerOfTwo(int64_t(*by));
  } else if (auto argument = dyn_cast<BlockArgument>(value);
             argument && isLoop(argument.getOwner()->getParentOp())) {
    // A carried value that may wrap is still known modulo 2^64.
    bool flagged = false;
    result = form(value);
    bool isOpaque = result.terms.size() == 1 &&
                    variables[result.terms.begin()->first].value == value;
    if (isOpaque)
      if (std::optional<Integer> step = stepOf(argument, flagged))
        result = modularForm(initOf(argument)) +
                 LinearForm::variable(
                     iteration(argument.getOwner()->getParentOp())) *
                     *step;
  } else {
    result = form(value);
  }
  --depth;
  return reduceModular(result);
}
