// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramFacts.h"
#include "OutParameters.h"
#include "loom/Structured/Raise/Module.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace loom;

namespace {

/// Why a loop isn't counted, from the strictest obstacle to the loosest.
std::string whyUncounted(const Loop &loop, ScalarEvolution &se, bool exact) {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.empty())
    return "no-exit";
  if (!loop.getLoopLatch() || !loop.getLoopPreheader())
    return "not-simplified";
  bool some = any_of(exiting, [&](BasicBlock *block) {
    return !isa<SCEVCouldNotCompute>(se.getExitCount(&loop, block));
  });
  if (exiting.size() > 1)
    return exact  ? "several-exits-all-counted"
           : some ? "several-exits-some-counted"
                  : "several-exits";
  if (exiting.front() != loop.getLoopLatch())
    return exact ? "exit-before-latch-counted" : "exit-before-latch";
  auto *branch = dyn_cast<BranchInst>(exiting.front()->getTerminator());
  if (!branch)
    return "exit-by-switch";
  if (exact)
    return "count-not-proven";
  auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (!compare)
    return "condition-not-a-comparison";
  // What feeds the comparison inside the loop?
  SmallVector<const Value *> work(compare->operand_values());
  SmallPtrSet<const Value *, 16> seen;
  bool carried = false;
  while (!work.empty()) {
    auto *instruction = dyn_cast<Instruction>(work.pop_back_val());
    if (!instruction || !loop.contains(instruction) ||
        !seen.insert(instruction).second)
      continue;
    if (instruction->mayReadFromMemory())
      return isa<LoadInst>(instruction) ? "condition-on-load"
                                        : "condition-on-call";
    if (isa<PHINode>(instruction)) {
      carried = true;
      continue;
    }
    append_range(work, instruction->operand_values());
  }
  return carried ? "recurrence-not-affine" : "condition-unknown";
}

class AccessClassifier {
public:
  AccessClassifier(Function &function, LoopInfo &loops, ScalarEvolution &se,
                   const TargetLibraryInfo &tli, AccessFacts &facts)
      : function(function), loops(loops), se(se), tli(tli), facts(facts) {}

  void run() {
    for (Instruction &instruction : instructions(function))
      if (const Value *pointer = getLoadStorePointerOperand(&instruction))
        classify(instruction, const_cast<Value *>(pointer));
  }

private:
  void classify(Instruction &access, Value *pointer) {
    ++facts.all;
    const SCEV *address = se.getSCEV(pointer);
    auto *base = dyn_cast<SCEVUnknown>(se.getPointerBase(address));
    if (!base || !base->getType()->isPointerTy()) {
      ++facts.unrooted["address-not-a-pointer-plus-offset"];
      return;
    }
    const Loop *inner = loops.getLoopFor(access.getParent());
    const Loop *outer = inner ? inner->getOutermostLoop() : nullptr;
    const Value *root = base->getValue();
    auto [kind, resolved] = rootKind(root, outer);
    if (!resolved) {
      ++facts.unrooted[kind];
      return;
    }
    ++facts.rooted;
    ++facts.roots[kind];
    std::string open = whyOpen(se.getMinusSCEV(address, base), outer);
    if (open.empty())
      ++facts.closed;
    else
      ++facts.notClosed[open];
  }

  /// The kind of a base value, and if it is one object for all the time that
  /// the loops around the access run.
  std::pair<std::string, bool> rootKind(const Value *root, const Loop *outer) {
    if (isa<GlobalValue>(root))
      return {"global", true};
    if (isa<Constant>(root))
      return {"constant-address", true};
    if (isa<Argument>(root))
      return {"argument", true};
    auto *instruction = cast<Instruction>(root);
    bool inside = outer && outer->contains(instruction);
    if (isa<AllocaInst>(root))
      return {"stack", !inside};
    std::string suffix = inside ? "-in-loop" : "";
    if (isa<LoadInst>(root))
      return {(isOutParameter(root, tli) ? "allocation" : "loaded-pointer") +
                  suffix,
              !inside};
    if (auto *call = dyn_cast<CallBase>(root))
      return {(isNoAliasCall(call) || isAllocationFn(call, &tli)
                   ? "allocation"
                   : "call-result") +
                  suffix,
              !inside};
    if (isa<PHINode>(root))
      return {"phi" + suffix, !inside};
    if (isa<SelectInst>(root))
      return {"select" + suffix, !inside};
    if (isa<IntToPtrInst>(root))
      return {"integer" + suffix, !inside};
    return {"other" + suffix, !inside};
  }

  /// Empty when the offset is a closed expression of induction variables and of
  /// values from outside of the nest.
  std::string whyOpen(const SCEV *offset, const Loop *outer) {
    struct Finder {
      const Loop *outer;
      std::string why;
      bool follow(const SCEV *expr) {
        if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(expr)) {
          if (!recurrence->isAffine())
            why = "not-affine";
        } else if (isa<SCEVCouldNotCompute>(expr)) {
          why = "unknown";
        } else if (auto *unknown = dyn_cast<SCEVUnknown>(expr)) {
          auto *value = dyn_cast<Instruction>(unknown->getValue());
          if (value && outer && outer->contains(value))
            why = isa<LoadInst>(value)   ? "index-loaded"
                  : isa<PHINode>(value)  ? "index-carried"
                  : isa<CallBase>(value) ? "index-from-call"
                                         : "index-computed";
        }
        return why.empty();
      }
      bool isDone() const { return !why.empty(); }
    } finder{outer, ""};
    visitAll(offset, finder);
    return finder.why;
  }

  Function &function;
  LoopInfo &loops;
  ScalarEvolution &se;
  const TargetLibraryInfo &tli;
  AccessFacts &facts;
};

void mark(Loop &loop, size_t number, bool proven) {
  BasicBlock *header = loop.getHeader();
  auto position = header->getFirstInsertionPt();
  if (position == header->end())
    return;
  IRBuilder<> builder(header, position);
  Module &module = *header->getModule();
  FunctionCallee marker =
      module.getOrInsertFunction(loopMarkerName, builder.getVoidTy(),
                                 builder.getInt64Ty(), builder.getInt64Ty());
  builder.CreateCall(marker,
                     {builder.getInt64(number), builder.getInt64(proven)});
}

} // namespace

void loom::collectFacts(Function &function, FunctionAnalysisManager &analyses,
                        const SmallPtrSetImpl<BasicBlock *> &counted,
                        ProgramFacts &facts) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  ScalarEvolution &se = analyses.getResult<ScalarEvolutionAnalysis>(function);
  AccessClassifier(function, loops, se,
                   analyses.getResult<TargetLibraryAnalysis>(function),
                   facts.accesses)
      .run();
  size_t first = facts.loops.size();
  SmallVector<Loop *> all = loops.getLoopsInPreorder();
  for (Loop *loop : all) {
    LoopFact fact;
    fact.function = function.getName().str();
    if (DebugLoc location = loop->getStartLoc())
      fact.line = location.getLine();
    fact.depth = loop->getLoopDepth();
    fact.exact = se.hasLoopInvariantBackedgeTakenCount(loop);
    fact.why = whyUncounted(*loop, se, fact.exact);
    facts.loops.push_back(std::move(fact));
  }
  for (auto [index, loop] : enumerate(all))
    mark(*loop, first + index, counted.contains(loop->getHeader()));
}
