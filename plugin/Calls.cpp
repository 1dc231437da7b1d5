// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/SCCP.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;

namespace {

/// Would a call of `target` through `call` be the same as a direct one?
bool fits(const CallBase &call, const Function &target) {
  return call.getFunctionType() == target.getFunctionType() &&
         call.getCallingConv() == target.getCallingConv();
}

void propagate(Module &module) {
  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager graphAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  PassBuilder builder;
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(graphAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses, graphAnalyses,
                               moduleAnalyses);
  IPSCCPPass(IPSCCPOptions(/*AllowFuncSpec=*/false))
      .run(module, moduleAnalyses);
}

/// Clones are bounded: a program of many small dispatchers must not explode.
constexpr unsigned mostClones = 256;
constexpr unsigned mostInstructions = 2000;

/// Which parameters of a function are bound to which functions.
using Binding = std::vector<std::pair<unsigned, Function *>>;

class CallbackBinder {
public:
  explicit CallbackBinder(Module &module) : module(module) {}

  unsigned run() {
    SmallVector<Function *> work;
    for (Function &function : module)
      work.push_back(&function);
    unsigned changed = 0;
    // Clones are appended: a dispatcher that passes its callback on is bound
    // inside of its clone too.
    for (size_t i = 0; i < work.size(); ++i) {
      SmallVector<CallBase *> calls;
      for (Instruction &instruction : instructions(*work[i]))
        if (auto *call = dyn_cast<CallBase>(&instruction))
          calls.push_back(call);
      for (CallBase *call : calls)
        changed += redirect(*call, work);
    }
    return changed;
  }

private:
  /// The parameters that the dispatcher calls, each with its calls.
  const std::vector<unsigned> &calledParameters(Function &dispatcher) {
    auto [entry, isNew] = called.try_emplace(&dispatcher);
    if (!isNew)
      return entry->second;
    if (!dispatcher.hasExactDefinition() || dispatcher.isVarArg() ||
        dispatcher.hasOptNone() ||
        dispatcher.getInstructionCount() > mostInstructions ||
        dispatcher.hasFnAttribute(Attribute::NoDuplicate) ||
        any_of(dispatcher,
               [](BasicBlock &block) { return block.hasAddressTaken(); }))
      return entry->second;
    for (Argument &argument : dispatcher.args())
      if (any_of(argument.uses(), isCallee))
        entry->second.push_back(argument.getArgNo());
    return entry->second;
  }

  static bool isCallee(const Use &use) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    return call && call->isCallee(&use);
  }

  /// Every call through the parameter would be the same as a direct one.
  static bool admits(Argument &parameter, Function &target) {
    return all_of(parameter.uses(), [&](const Use &use) {
      return !isCallee(use) || fits(*cast<CallBase>(use.getUser()), target);
    });
  }

  unsigned redirect(CallBase &call, SmallVectorImpl<Function *> &work) {
    Function *dispatcher = call.getCalledFunction();
    if (!dispatcher || dispatcher->isDeclaration() || !fits(call, *dispatcher))
      return 0;
    Binding binding;
    for (unsigned number : calledParameters(*dispatcher)) {
      auto *target = dyn_cast<Function>(call.getArgOperand(number));
      if (target && !target->isDeclaration() &&
          admits(*dispatcher->getArg(number), *target))
        binding.push_back({number, target});
    }
    if (binding.empty())
      return 0;
    Function *clone = cloneFor(*dispatcher, binding, work);
    if (!clone)
      return 0;
    call.setCalledFunction(clone);
    return 1;
  }

  Function *cloneFor(Function &dispatcher, const Binding &binding,
                     SmallVectorImpl<Function *> &work) {
    Function *&clone = clones[{&dispatcher, binding}];
    if (clone || clones.size() > mostClones)
      return clone;
    ValueToValueMapTy map;
    clone = CloneFunction(&dispatcher, map);
    clone->setLinkage(GlobalValue::InternalLinkage);
    clone->setVisibility(GlobalValue::DefaultVisibility);
    clone->setComdat(nullptr);
    std::string name = dispatcher.getName().str() + ".with";
    for (auto [number, target] : binding) {
      name += "." + target->getName().str();
      clone->getArg(number)->replaceAllUsesWith(target);
    }
    clone->setName(name);
    work.push_back(clone);
    return clone;
  }

  Module &module;
  std::map<Function *, std::vector<unsigned>> called;          // only looked up
  std::map<std::pair<Function *, Binding>, Function *> clones; // only looked up
};

} // namespace

unsigned loom::devirtualizeCalls(Module &module) {
  SmallVector<CallBase *> indirect;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && call->isIndirectCall())
        indirect.push_back(call);
  if (indirect.empty())
    return 0;
  ValueToValueMapTy map;
  std::unique_ptr<Module> proof = CloneModule(module, map);
  SmallVector<WeakVH> images;
  for (CallBase *call : indirect)
    images.emplace_back(static_cast<Value *>(map.lookup(call)));
  DenseMap<const Value *, Function *> originals;
  for (Function &function : module)
    originals[static_cast<Value *>(map.lookup(&function))] = &function;
  propagate(*proof);
  unsigned changed = 0;
  for (auto [call, image] : zip(indirect, images)) {
    auto *proven = dyn_cast_or_null<CallBase>(static_cast<Value *>(image));
    auto *target =
        proven ? dyn_cast<Function>(proven->getCalledOperand()) : nullptr;
    Function *original = target ? originals.lookup(target) : nullptr;
    if (!original || !fits(*call, *original))
      continue;
    call->setCalledOperand(original);
    ++changed;
  }
  return changed;
}

unsigned loom::bindCallbacks(Module &module) {
  return CallbackBinder(module).run();
}
