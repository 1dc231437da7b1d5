// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MultiplyAdd.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/NoFolder.h"

using namespace llvm;

/// Does the target fuse a multiply-add that may be fused?
static bool fusesMultiplyAdd(const Function &function) {
  return function.getFnAttribute("target-features")
      .getValueAsString()
      .contains("+fma");
}

bool loom::decideMultiplyAdds(Function &function) {
  SmallVector<IntrinsicInst *> undecided;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::fmuladd)
      undecided.push_back(call);
  bool fuses = fusesMultiplyAdd(function);
  for (IntrinsicInst *call : undecided) {
    // Operations of constants stay as they are: nothing is folded here.
    IRBuilder<NoFolder> builder(call);
    builder.setFastMathFlags(call->getFastMathFlags());
    Value *a = call->getArgOperand(0), *b = call->getArgOperand(1),
          *c = call->getArgOperand(2);
    Value *value = fuses ? builder.CreateIntrinsic(Intrinsic::fma,
                                                   {call->getType()}, {a, b, c})
                         : builder.CreateFAdd(builder.CreateFMul(a, b), c);
    call->replaceAllUsesWith(value);
    if (auto *instruction = dyn_cast<Instruction>(value))
      instruction->takeName(call);
    call->eraseFromParent();
  }
  return !undecided.empty();
}
