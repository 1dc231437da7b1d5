// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Inlining.h"
#include "Legality.h"
#include "MultiplyAdd.h"
#include "Outline.h"
#include "Prepare.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using loom::NestInliner;

/// A callee larger than this, with its own callees, stays a call.
static constexpr unsigned mostInstructions = 400;

/// Attributes that change what the same instructions compute or where they may
/// run: the device's copy must mean what the callee means.
static bool sameTarget(const Function &callee, const Function &host) {
  for (StringRef name : {"target-cpu", "target-features", "denormal-fp-math",
                         "denormal-fp-math-f32"})
    if (callee.getFnAttribute(name).getValueAsString() !=
        host.getFnAttribute(name).getValueAsString())
      return false;
  return true;
}

/// A block that is only reached as the impossible default of switches.
static bool isImpossibleDefault(const BasicBlock &block) {
  return isa<UnreachableInst>(block.front()) &&
         all_of(predecessors(&block), [&](const BasicBlock *predecessor) {
           auto *select = dyn_cast<SwitchInst>(predecessor->getTerminator());
           if (!select || select->getDefaultDest() != &block ||
               select->getNumCases() == 0)
             return false;
           return none_of(select->cases(), [&](const auto &choice) {
             return choice.getCaseSuccessor() == &block;
           });
         });
}

/// An impossible default may go anywhere: to where the first case goes.
static void dropImpossibleDefaults(Function &function) {
  for (BasicBlock &block : function) {
    auto *select = dyn_cast<SwitchInst>(block.getTerminator());
    if (!select || !isImpossibleDefault(*select->getDefaultDest()))
      continue;
    BasicBlock *target = select->case_begin()->getCaseSuccessor();
    for (PHINode &phi : target->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(&block), &block);
    select->setDefaultDest(target);
  }
  removeUnreachableBlocks(function);
}

/// Things about the function itself, beside its instructions.
static StringRef refuseFunction(const Function &callee) {
  if (callee.isDeclaration())
    return "not defined here";
  if (callee.isInterposable() || callee.hasAvailableExternallyLinkage())
    return "may be replaced at run time";
  if (callee.hasFnAttribute(Attribute::NoDuplicate))
    return "noduplicate";
  if (callee.isVarArg())
    return "variable arguments";
  if (callee.hasPersonalityFn())
    return "exception handling";
  for (const Argument &argument : callee.args())
    if (argument.hasPassPointeeByValueCopyAttr() ||
        argument.hasStructRetAttr() || argument.hasSwiftErrorAttr())
      return "a struct passed in memory";
  for (const BasicBlock &block : callee)
    if (isa<UnreachableInst>(block.getTerminator()) &&
        !isImpossibleDefault(block))
      return "does not always return";
  return "";
}

NestInliner::Verdict NestInliner::judge(Function &callee) {
  Verdict verdict;
  verdict.why = refuseFunction(callee).str();
  if (!verdict.why.empty())
    return verdict;
  auto refused = [&](const loom::Refused &why) {
    verdict.why = loom::refusalCode(why.kind).str();
    if (!why.detail.empty())
      verdict.why += " " + why.detail;
    return verdict;
  };
  if (std::optional<loom::Refused> why = loom::checkFunction(callee))
    return refused(*why);
  auto cycles = analyses.getResult<CycleAnalysis>(callee).toplevel_cycles();
  if (any_of(cycles, [](const Cycle *cycle) { return !cycle->isReducible(); }))
    return refused({loom::RefusalKind::Irreducible, ""});
  // What someone keeps apart and has loops is a region of its own. Else it is a
  // wish about the host's code and none about the device's copy.
  if (callee.hasFnAttribute(Attribute::NoInline) && !cycles.empty()) {
    verdict.why = "noinline, with loops of its own";
    return verdict;
  }
  const auto &tli = analyses.getResult<TargetLibraryAnalysis>(callee);
  auto policy = [&](const CallBase &call) {
    Function *inner = call.getCalledFunction();
    const Verdict &nested = ask(*inner, callee);
    verdict.instructions += nested.instructions;
    return nested.why;
  };
  for (BasicBlock &block : callee)
    for (Instruction &instruction : block) {
      ++verdict.instructions;
      if (std::optional<loom::Refused> why =
              loom::checkInstruction(instruction, tli, policy))
        return refused(*why);
    }
  if (verdict.instructions > mostInstructions)
    verdict.why = std::to_string(verdict.instructions) + " instructions";
  return verdict;
}

const NestInliner::Verdict &NestInliner::ask(Function &callee,
                                             const Function &host) {
  static const Verdict recursive{"recursive", 0};
  static const Verdict foreign{"compiled for another target", 0};
  if (active.contains(&callee))
    return recursive;
  if (!callee.isDeclaration() && !sameTarget(callee, host))
    return foreign;
  if (auto known = verdicts.find(&callee); known != verdicts.end())
    return known->second;
  active.insert(&callee);
  Verdict verdict = judge(callee);
  active.erase(&callee);
  return verdicts[&callee] = std::move(verdict);
}

Function &NestInliner::prepared(Function &callee) {
  Function *&body = bodies[&callee];
  if (!body) {
    ValueToValueMapTy map;
    body = CloneFunction(&callee, map);
    body->setLinkage(GlobalValue::InternalLinkage);
    body->setVisibility(GlobalValue::DefaultVisibility);
    body->setComdat(nullptr);
    body->setName("loom.callee");
    clones.push_back(body);
    inlined.push_back(&callee);
    decideMultiplyAdds(*body);
    prepareFunction(*body, analyses);
    // After it: SimplifyCFG makes new ones of complete switches.
    dropImpossibleDefaults(*body);
    analyses.invalidate(*body, PreservedAnalyses::none());
  }
  return *body;
}

bool NestInliner::inlineCalls(Function &source, BasicBlock &header,
                              ArrayRef<BasicBlock *> exits) {
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    SmallPtrSet<BasicBlock *, 16> region = regionBlocks(header, exits);
    SmallVector<CallBase *> calls;
    for (BasicBlock &block : source)
      if (region.contains(&block))
        for (Instruction &instruction : block)
          if (auto *call = dyn_cast<CallBase>(&instruction);
              call && !isa<IntrinsicInst>(call) && call->getCalledFunction() &&
              !call->getCalledFunction()->isDeclaration())
            calls.push_back(call);
    for (CallBase *call : calls) {
      Function *callee = call->getCalledFunction();
      call->setCalledFunction(&prepared(*callee));
      InlineFunctionInfo info;
      if (!InlineFunction(*call, info).isSuccess()) {
        call->setCalledFunction(callee);
        return changed;
      }
      changed = again = true;
    }
  }
  if (changed) {
    analyses.invalidate(source, PreservedAnalyses::none());
    restoreLoopForm(source, analyses);
  }
  return changed;
}

void NestInliner::discard() {
  for (Function *clone : clones) {
    analyses.clear(*clone, clone->getName());
    clone->eraseFromParent();
  }
  clones.clear();
  bodies.clear();
}
