// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OutParameters.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// The call is an allocator whose first argument is the address of the result.
/// It keeps no copy of that address (POSIX.1-2017, posix_memalign), and when it
/// fails, what the slot holds is not specified.
static bool isAllocator(const CallBase &call, const TargetLibraryInfo &tli) {
  LibFunc function;
  const Function *callee = call.getCalledFunction();
  return isa<CallInst>(call) && !call.isNoBuiltin() && callee &&
         callee->isDeclaration() && tli.getLibFunc(call, function) &&
         tli.has(function) && function == LibFunc_posix_memalign;
}

/// The one call that writes the slot. Null: others write, or see its address.
static CallInst *writerOf(const AllocaInst &slot,
                          const TargetLibraryInfo &tli) {
  CallInst *writer = nullptr;
  if (!slot.getAllocatedType()->isPointerTy() || slot.isArrayAllocation())
    return nullptr;
  for (const Use &use : slot.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (user->isLifetimeStartOrEnd())
      continue;
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (!load->isSimple() || load->getType() != slot.getAllocatedType())
        return nullptr;
      continue;
    }
    auto *call = dyn_cast<CallInst>(user);
    if (!call || writer || use.getOperandNo() != 0 || !isAllocator(*call, tli))
      return nullptr;
    writer = call;
  }
  return writer;
}

bool loom::forwardOutParameters(Function &function,
                                const TargetLibraryInfo &tli,
                                const DominatorTree &dominators) {
  bool changed = false;
  for (Instruction &instruction : function.getEntryBlock()) {
    auto *slot = dyn_cast<AllocaInst>(&instruction);
    CallInst *writer = slot ? writerOf(*slot, tli) : nullptr;
    if (!writer)
      continue;
    // The last execution of the call is the one that every load behind it sees.
    SmallVector<LoadInst *> loads;
    for (User *user : slot->users())
      if (auto *load = dyn_cast<LoadInst>(user))
        if (dominators.dominates(writer, load))
          loads.push_back(load);
    if (loads.empty())
      continue;
    IRBuilder<> builder(writer->getNextNode());
    builder.SetCurrentDebugLocation(writer->getDebugLoc());
    LoadInst *result = builder.CreateAlignedLoad(slot->getAllocatedType(), slot,
                                                 slot->getAlign());
    for (LoadInst *load : loads) {
      load->replaceAllUsesWith(result);
      load->eraseFromParent();
    }
    changed = true;
  }
  return changed;
}

/// The slot of an allocation.
static const AllocaInst *slotOf(const Value *value,
                                const TargetLibraryInfo &tli) {
  auto *load = dyn_cast<LoadInst>(value);
  auto *slot = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  const CallInst *writer = slot ? writerOf(*slot, tli) : nullptr;
  // Directly behind the call: later, another execution may have come between.
  return writer && writer->getNextNode() == load ? slot : nullptr;
}

bool loom::isOutParameter(const Value *value, const TargetLibraryInfo &tli) {
  return slotOf(value, tli) != nullptr;
}

bool loom::areApart(const Value *a, const Value *b,
                    const TargetLibraryInfo &tli) {
  const Value *x = getUnderlyingObject(a), *y = getUnderlyingObject(b);
  const AllocaInst *first = slotOf(x, tli), *second = slotOf(y, tli);
  if (!first) {
    std::swap(x, y);
    std::swap(first, second);
  }
  if (!first)
    return false;
  // One slot: the call may run again, and both may be of different times.
  if (second)
    return first != second;
  // Other objects, and what was there before the function began.
  return isIdentifiedObject(y) || isa<Argument>(y);
}
