// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.h"
#include "loom/Structured/Views/Footprint.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace loom;
using namespace loom::views;

static bool isPoison(Value value) {
  return isa_and_nonnull<ub::PoisonOp, LLVM::PoisonOp>(value.getDefiningOp());
}

Memory::Memory(AffineValues &values) : values(values) {
  // Roots in the order of the inputs first.
  for (BlockArgument argument :
       values.getRegion().getBody().front().getArguments())
    if (isa<LLVM::LLVMPointerType>(argument.getType()))
      rootNumber(argument);
  unsigned order = 0;
  values.getRegion().getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    unsigned number = order++;
    if (auto load = dyn_cast<LLVM::LoadOp>(op);
        load && !load.getVolatile_() &&
        load.getOrdering() == LLVM::AtomicOrdering::not_atomic)
      return addAccess(op, load.getAddr(), load.getType(), false, number);
    if (auto store = dyn_cast<LLVM::StoreOp>(op);
        store && !store.getVolatile_() &&
        store.getOrdering() == LLVM::AtomicOrdering::not_atomic)
      return addAccess(op, store.getAddr(), store.getValue().getType(), true,
                       number);
    if (op->getNumRegions() == 0 && !isMemoryEffectFree(op) &&
        !isa<LLVM::AllocaOp>(op))
      unknownEffects.push_back(op);
  });
}

unsigned Memory::rootNumber(Value value) {
  auto [entry, isNew] = numbers.try_emplace(value, roots.size());
  if (!isNew)
    return entry->second;
  Root root;
  root.value = value;
  root.scope = values.scopeOf(value);
  auto argument = dyn_cast<BlockArgument>(value);
  Block *top = &values.getRegion().getBody().front();
  if (argument && argument.getOwner() == top)
    root.kind = RootView::Argument;
  else if (auto local = value.getDefiningOp<LLVM::AllocaOp>();
           local && local->getBlock() == top)
    root.kind = RootView::Allocation;
  roots.push_back(root);
  return entry->second;
}

void Memory::addAccess(Operation *op, Value address, Type type, bool isWrite,
                       unsigned order) {
  Address resolved = resolve(address);
  Access access;
  access.op = op;
  access.order = order;
  access.isWrite = isWrite;
  access.width = accessSize(type);
  access.root = rootNumber(resolved.root);
  access.offset = reduceModular(resolved.offset);
  access.why = resolved.why;
  if (!access.width)
    access.why = "the size of its type is not known";
  access.known = access.why.empty();
  accesses.push_back(std::move(access));
}

Memory::Address Memory::resolve(Value pointer, unsigned depth) {
  Address result;
  LinearForm offset;
  std::string why;
  while (depth < 64) {
    if (auto gep = pointer.getDefiningOp<LLVM::GEPOp>()) {
      ArrayRef<int32_t> raw = gep.getRawConstantIndices();
      unsigned size = accessSize(gep.getElemType());
      if (raw.size() != 1 || !size)
        why = "an address computation of several indices";
      else if (raw.front() != LLVM::GEPOp::kDynamicIndex)
        offset = offset + LinearForm::of(Integer(int64_t(raw.front())) *
                                         Integer(int64_t(size)));
      else if (Value index = gep.getDynamicIndices().front();
               index.getType().getIntOrFloatBitWidth() <= 64)
        offset = offset + values.modularForm(index) * Integer(int64_t(size));
      else
        why = "an index wider than an address";
      pointer = gep.getBase();
      continue;
    }
    if (auto branch = pointer.getDefiningOp<scf::IfOp>()) {
      unsigned index = cast<OpResult>(pointer).getResultNumber();
      Value a = branch.thenYield().getOperand(index),
            b = branch.elseYield().getOperand(index);
      if (isPoison(a) || isPoison(b)) {
        pointer = isPoison(a) ? b : a;
        ++depth;
        continue;
      }
    }
    break;
  }
  auto argument = dyn_cast<BlockArgument>(pointer);
  if (argument && isLoop(argument.getOwner()->getParentOp()) && depth < 64)
    result = resolveArgument(argument, depth + 1);
  else
    result.root = pointer;
  result.offset = result.offset + offset;
  if (!why.empty())
    result.why = why;
  return result;
}

/// A pointer that a loop carries.
Memory::Address Memory::resolveArgument(BlockArgument argument,
                                        unsigned depth) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (auto around = dyn_cast<scf::WhileOp>(owner))
    if (argument.getOwner() == around.getAfterBody())
      return resolve(around.getConditionOp().getArgs()[argument.getArgNumber()],
                     depth);
  bool exact = false;
  if (std::optional<Integer> step = values.stepOf(argument, exact)) {
    Address result = resolve(values.initOf(argument), depth);
    result.offset =
        result.offset + LinearForm::variable(values.iteration(owner)) * *step;
    return result;
  }
  Address result;
  result.root = argument;
  return result;
}

AliasView Memory::alias(unsigned a, unsigned b) const {
  if (a == b)
    return {Alias::Must, "the same root"};
  const Root &x = roots[a], &y = roots[b];
  if (x.kind == RootView::Allocation && y.kind == RootView::Allocation)
    return {Alias::No, "distinct allocations"};
  bool oneLocal =
      x.kind == RootView::Allocation || y.kind == RootView::Allocation;
  bool oneInput = x.kind == RootView::Argument || y.kind == RootView::Argument;
  if (oneLocal && oneInput)
    return {Alias::No, "an allocation of the region and an input"};
  if (x.kind != RootView::Argument || y.kind != RootView::Argument)
    return {Alias::May, "a pointer that is not an input"};
  SpatialRegionOp region = values.getRegion();
  unsigned i = cast<BlockArgument>(x.value).getArgNumber(),
           j = cast<BlockArgument>(y.value).getArgNumber();
  ArrayRef<int32_t> partitions = region.getPartitions();
  if (partitions[i] != partitions[j])
    return {Alias::No, "different order partitions"};
  auto isNoAlias = [&](unsigned number) {
    auto argument = dyn_cast<BlockArgument>(region.getInputs()[number]);
    if (!argument)
      return false;
    auto function =
        dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp());
    return function && argument.getOwner() == &function.getBody().front() &&
           function.getArgAttr(argument.getArgNumber(), "llvm.noalias");
  };
  if (region.getInputs()[i] != region.getInputs()[j] && isNoAlias(i) &&
      isNoAlias(j))
    return {Alias::No, "both arguments are noalias"};
  return {Alias::May, "one order partition"};
}
