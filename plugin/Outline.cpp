// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Outline.h"
#include "Legality.h"
#include "Places.h"
#include "WideIntegers.h"
#include "loom/Runtime/loom_rt.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using loom::Nest;

namespace {

class Outliner {
public:
  Outliner(Nest &nest, BasicBlock *header, ArrayRef<BasicBlock *> exits,
           ValueToValueMapTy &toHost, const TargetLibraryInfo &tli,
           Module &scratch)
      : nest(nest), header(header), exits(exits.begin(), exits.end()),
        toHost(toHost), tli(tli), scratch(scratch),
        context(scratch.getContext()), places(nest.file) {}

  bool run() {
    collectBlocks();
    if (failed)
      return false;
    collectOutputs();
    collectInputs();
    if (failed)
      return false;
    createFunction();
    copyBlocks();
    createExit();
    if (failed)
      return false;
    computeErrnoCalls();
    clean();
    return true;
  }

  /// Takes back what was put into the host function.
  void undo() {
    for (Instruction *extract : hostLanes)
      extract->eraseFromParent();
  }

private:
  /// What runs between the header and the exits, in the order of the function;
  /// one block outside enters it.
  void collectBlocks() {
    inside = loom::regionBlocks(*header, exits);
    for (BasicBlock &block : *header->getParent())
      if (inside.contains(&block))
        blocks.push_back(&block);
    for (BasicBlock *block : blocks)
      for (BasicBlock *predecessor : predecessors(block)) {
        if (inside.contains(predecessor))
          continue;
        if (block != header || (preheader && preheader != predecessor))
          return fail("several ways into the nest");
        preheader = predecessor;
      }
    if (!preheader)
      fail("no way into the nest");
  }

  /// Live-outs are all phis of the exit blocks: the nest is in loop-closed
  /// form.
  void collectOutputs() {
    for (auto [index, pair] : enumerate(zip(nest.exits, exits))) {
      auto [hostExit, exit] = pair;
      auto hostPhis = hostExit->phis();
      for (PHINode &phi : exit->phis())
        exitPhis.push_back({unsigned(index), &phi});
      for (PHINode &phi : hostPhis)
        nest.outputs.push_back({unsigned(index), &phi});
    }
    // The expansion of memory intrinsics may add phis to exits of the copy;
    // the host's live-outs decide, matched through the clone map.
    SmallVector<std::pair<unsigned, PHINode *>> matched;
    for (loom::NestOutput &output : nest.outputs) {
      PHINode *found = nullptr;
      for (auto [exit, phi] : exitPhis)
        if (exit == output.exit && toHost.lookup(phi) == output.phi)
          found = phi;
      if (!found)
        fail("a live-out changed when memory intrinsics were expanded");
      matched.push_back({output.exit, found});
    }
    exitPhis = std::move(matched);
    SmallVector<loom::NestOutput> lanes;
    for (const loom::NestOutput &output : nest.outputs)
      if (unsigned count = lanesOf(output.phi->getType()))
        for (unsigned lane = 0; lane < count; ++lane)
          lanes.push_back({output.exit, output.phi, int(lane)});
      else
        lanes.push_back(output);
    nest.outputs = std::move(lanes);
  }

  /// 0: no vector.
  static unsigned lanesOf(const Type *type) {
    auto *vector = dyn_cast<FixedVectorType>(type);
    return vector ? vector->getNumElements() : 0;
  }

  /// A lane of a vector of the host function, in front of its nest. Only the
  /// launch uses it, so it ends up there.
  Value *hostLane(Value *vector, unsigned lane) {
    BasicBlock *before = nullptr;
    for (BasicBlock *predecessor : predecessors(nest.header))
      if (!nest.blocks.contains(predecessor))
        before = predecessor;
    auto *extract = ExtractElementInst::Create(
        vector, ConstantInt::get(Type::getInt64Ty(context), lane), "",
        before->getTerminator()->getIterator());
    extract->setDebugLoc(before->getTerminator()->getDebugLoc());
    hostLanes.push_back(extract);
    return extract;
  }

  void addInput(Value *value, StringRef fallback) {
    if (!inputIndex.try_emplace(value, unsigned(nest.inputs.size())).second)
      return;
    Value *host = value;
    if (!isa<Constant>(value))
      host = toHost.lookup(value);
    std::string name = value->hasName()  ? value->getName().str()
                       : host->hasName() ? host->getName().str()
                                         : "";
    if (name.empty())
      name = (fallback + Twine(nest.inputs.size())).str();
    unsigned lanes = lanesOf(value->getType());
    if (!lanes) {
      nest.inputs.push_back(host);
      nest.inputNames.push_back(name);
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {
      nest.inputs.push_back(hostLane(host, lane));
      nest.inputNames.push_back((name + "." + Twine(lane)).str());
    }
  }

  bool isInside(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction && inside.contains(instruction->getParent());
  }

  /// An instruction before the nest that is recomputed inside: pure address
  /// arithmetic (so that the root is the live-in), the widening of what can
  /// cross to what can't, and whatever the trip count expansion added.
  bool isRecomputed(Instruction *instruction) {
    if (isa<GetElementPtrInst>(instruction) ||
        (isa<ZExtInst, SExtInst>(instruction) &&
         loom::isWide(instruction->getType())))
      return true;
    if (toHost.count(instruction))
      return false;
    if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
      return false;
    return !instruction->mayReadOrWriteMemory() && !isa<PHINode>(instruction) &&
           !instruction->isTerminator() && !isa<AllocaInst>(instruction) &&
           !instruction->mayHaveSideEffects();
  }

  /// What an instruction needs; the callee of an intrinsic is not a value.
  void visitOperands(Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    for (Use &use : instruction.operands())
      if (!call || !call->isCallee(&use))
        visitUse(use.get());
  }

  void visitUse(Value *value) {
    if (isInside(value) || isa<BasicBlock>(value) ||
        isa<MetadataAsValue>(value))
      return;
    if (auto *constant = dyn_cast<Constant>(value))
      return visitConstant(constant);
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && isRecomputed(instruction)) {
      if (recomputed.insert(instruction).second) {
        visitOperands(*instruction);
        recomputedOrder.push_back(instruction);
      }
      return;
    }
    if (loom::checkType(value->getType()))
      return fail("a live-in of a type that can't cross");
    if (instruction && !toHost.count(value))
      return fail("a live-in without a counterpart in the host function");
    addInput(value, "v");
  }

  /// Addresses of globals are live-ins; constant expressions are unfolded.
  void visitConstant(Constant *constant) {
    if (auto *global = dyn_cast<GlobalValue>(constant)) {
      if (global->isThreadLocal() ||
          loom::checkType(global->getType()).has_value())
        return fail("the address of a thread-local variable");
      addInput(constant, "g");
      return;
    }
    if (isa<ConstantExpr, ConstantVector>(constant))
      for (Value *operand : constant->operands())
        visitUse(operand);
    else if (!isa<ConstantData>(constant))
      fail("a constant that is neither data nor an address");
  }

  void collectInputs() {
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : *block) {
        if (loom::isIgnoredCall(instruction))
          continue;
        // Incoming values of header phis from the preheader are live-ins too.
        visitOperands(instruction);
      }
    for (auto [exit, phi] : exitPhis)
      for (Value *incoming : phi->incoming_values())
        visitUse(incoming);
  }

  void createFunction() {
    SmallVector<Type *> types;
    SmallVector<Value *> order(nest.inputs.size());
    for (auto [value, index] : inputIndex)
      order[index] = value;
    for (Value *input : nest.inputs)
      types.push_back(input->getType());
    function = Function::Create(
        FunctionType::get(Type::getVoidTy(context), types, false),
        GlobalValue::ExternalLinkage, nest.name, scratch);
    entry = BasicBlock::Create(context, "", function);
    IRBuilder<> builder(entry);
    for (auto [index, value] : enumerate(order)) {
      Value *argument = function->getArg(unsigned(index));
      if (!value) // a lane but the first
        continue;
      if (unsigned lanes = lanesOf(value->getType())) {
        argument = PoisonValue::get(value->getType());
        for (unsigned lane = 0; lane < lanes; ++lane)
          argument = builder.CreateInsertElement(
              argument, function->getArg(unsigned(index) + lane),
              uint64_t(lane));
      }
      if (isa<Constant>(value))
        constants[cast<Constant>(value)] = argument;
      else
        map[value] = argument;
    }
    for (Instruction *instruction : recomputedOrder) {
      Instruction *copy = instruction->clone();
      copy->dropUnknownNonDebugMetadata();
      copy->setDebugLoc(places.of(instruction->getDebugLoc()));
      // Its operands first: constant expressions become instructions before it.
      remapOperands(*copy);
      builder.Insert(copy);
      map[instruction] = copy;
    }
    nest.outlined = function;
  }

  /// The value of a constant inside the copy; expressions become instructions
  /// at the end of the entry block.
  Value *materialize(Constant *constant) {
    auto known = constants.find(constant);
    if (known != constants.end())
      return known->second;
    if (auto *lanes = dyn_cast<ConstantVector>(constant))
      return constants[constant] = materializeLanes(*lanes);
    auto *expression = dyn_cast<ConstantExpr>(constant);
    if (!expression)
      return constant;
    Instruction *instruction = expression->getAsInstruction();
    for (Use &use : instruction->operands())
      use.set(materialize(cast<Constant>(use.get())));
    insertIntoEntry(*instruction);
    constants[constant] = instruction;
    return instruction;
  }

  /// A vector with a lane that is no plain constant here.
  Value *materializeLanes(ConstantVector &vector) {
    Value *value = &vector;
    for (auto [lane, operand] : enumerate(vector.operands())) {
      Value *inside = materialize(cast<Constant>(operand.get()));
      if (inside == operand.get())
        continue;
      auto *insert = InsertElementInst::Create(
          value, inside, ConstantInt::get(Type::getInt64Ty(context), lane));
      insertIntoEntry(*insert);
      value = insert;
    }
    return value;
  }

  void insertIntoEntry(Instruction &instruction) {
    if (Instruction *terminator = entry->getTerminator())
      instruction.insertBefore(terminator->getIterator());
    else
      instruction.insertInto(entry, entry->end());
  }

  void remapOperands(Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    for (Use &use : instruction.operands()) {
      if (call && call->isCallee(&use))
        continue;
      Value *value = use.get();
      if (auto *constant = dyn_cast<Constant>(value)) {
        use.set(materialize(constant));
      } else {
        auto found = map.find(value);
        if (found != map.end())
          use.set(found->second);
      }
    }
    if (call)
      if (Function *callee = call->getCalledFunction())
        call->setCalledFunction(scratch.getOrInsertFunction(
            callee->getName(), callee->getFunctionType()));
  }

  void copyBlocks() {
    for (BasicBlock *block : blocks)
      map[block] = BasicBlock::Create(context, "", function);
    merge = BasicBlock::Create(context, "", function);
    for (BasicBlock *block : blocks) {
      auto *copyBlock = cast<BasicBlock>(map[block]);
      for (Instruction &instruction : *block) {
        if (loom::isIgnoredCall(instruction))
          continue;
        Instruction *copy = instruction.clone();
        copy->insertInto(copyBlock, copyBlock->end());
        if (auto *call = dyn_cast<CallInst>(&instruction))
          if (auto kind = loom::errnoMath(*call, tli);
              kind != loom::ErrnoMath::None)
            errnoCalls.push_back({cast<CallInst>(copy), kind});
        copy->dropUnknownNonDebugMetadata();
        copy->setDebugLoc(places.of(instruction.getDebugLoc()));
        map[&instruction] = copy;
      }
    }
    map[preheader] = entry;
    for (BasicBlock *block : blocks)
      for (Instruction &copy : *cast<BasicBlock>(map[block]))
        if (!copy.isTerminator())
          remapOperands(copy);
    for (BasicBlock *block : blocks)
      for (Instruction &copy : *cast<BasicBlock>(map[block]))
        if (auto *phi = dyn_cast<PHINode>(&copy))
          for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
            phi->setIncomingBlock(
                i, cast<BasicBlock>(map[phi->getIncomingBlock(i)]));
    BranchInst::Create(cast<BasicBlock>(map[header]), entry);
  }

  /// Every exit edge goes to one block that yields the selector and all
  /// live-outs; those of other exits are poison there.
  void createExit() {
    SmallVector<PHINode *> values;
    IRBuilder<> builder(merge);
    PHINode *selector = builder.CreatePHI(builder.getInt32Ty(), 4);
    for (auto [exit, phi] : exitPhis)
      values.push_back(builder.CreatePHI(phi->getType(), 4));

    // One forwarding block per exit edge, in block order: a terminator may
    // reach an exit by several edges.
    for (BasicBlock *block : blocks) {
      Instruction *terminator = cast<BasicBlock>(map[block])->getTerminator();
      for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
        BasicBlock *target = terminator->getSuccessor(i);
        if (inside.contains(target)) {
          terminator->setSuccessor(i, cast<BasicBlock>(map[target]));
          continue;
        }
        auto found = find(exits, target);
        if (found == exits.end())
          return fail("an exit that the host function does not have");
        unsigned exit = unsigned(found - exits.begin());
        BasicBlock *forward = BasicBlock::Create(context, "", function, merge);
        BranchInst::Create(merge, forward);
        terminator->setSuccessor(i, forward);
        selector->addIncoming(builder.getInt32(exit), forward);
        for (auto [index, output] : enumerate(exitPhis)) {
          auto [outputExit, phi] = output;
          Value *value = PoisonValue::get(phi->getType());
          if (outputExit == exit) {
            value = phi->getIncomingValueForBlock(block);
            if (auto *constant = dyn_cast<Constant>(value))
              value = materialize(constant);
            else if (auto mapped = map.find(value); mapped != map.end())
              value = mapped->second;
          }
          values[index]->addIncoming(value, forward);
        }
      }
      remapOperands(*terminator);
    }
    SmallVector<Type *> types{selector->getType()};
    SmallVector<Value *> arguments{selector};
    for (PHINode *value : values) {
      if (!lanesOf(value->getType()))
        arguments.push_back(value);
      for (unsigned lane = 0; lane < lanesOf(value->getType()); ++lane)
        arguments.push_back(builder.CreateExtractElement(value, lane));
    }
    for (Value *argument : drop_begin(arguments))
      types.push_back(argument->getType());
    FunctionCallee yield = scratch.getOrInsertFunction(
        "loom.yield." + nest.name,
        FunctionType::get(builder.getVoidTy(), types, false));
    yieldCall = builder.CreateCall(yield, arguments);
    builder.CreateRetVoid();
  }

  /// What the function returns, and whether it sets errno.
  static std::pair<Value *, Value *>
  exactMath(IRBuilder<> &builder, CallInst &call, loom::ErrnoMath kind) {
    Value *x = call.getArgOperand(0);
    Constant *zero = ConstantFP::get(x->getType(), 0.0);
    if (kind == loom::ErrnoMath::Sqrt)
      return {builder.CreateUnaryIntrinsic(Intrinsic::sqrt, x),
              builder.CreateFCmpOLT(x, zero)};
    Value *y = call.getArgOperand(1);
    auto isInfinite = [&](Value *value) {
      return builder.CreateFCmpOEQ(
          builder.CreateUnaryIntrinsic(Intrinsic::fabs, value),
          ConstantFP::getInfinity(value->getType()));
    };
    if (kind == loom::ErrnoMath::Fmod)
      return {builder.CreateFRem(x, y),
              builder.CreateOr(isInfinite(x), builder.CreateFCmpOEQ(y, zero))};
    // fdim: the positive difference; it reports one that is too large.
    Value *difference = builder.CreateFSub(x, y);
    Value *overflows = builder.CreateAnd(
        isInfinite(difference),
        builder.CreateNot(builder.CreateOr(isInfinite(x), isInfinite(y))));
    Value *none = builder.CreateFCmpOLE(x, y);
    return {builder.CreateSelect(none, zero, difference),
            builder.CreateAnd(overflows, builder.CreateNot(none))};
  }

  /// The operation itself, and a flag that errno would be set somewhere: then
  /// the whole region declines, and the host code sets it.
  void computeErrnoCalls() {
    if (errnoCalls.empty())
      return;
    nest.declines = true;
    Type *i1 = Type::getInt1Ty(context);
    auto *flag = new AllocaInst(i1, 0, "", entry->begin());
    new StoreInst(ConstantInt::getFalse(context), flag,
                  std::next(flag->getIterator()));
    for (auto [call, kind] : errnoCalls) {
      IRBuilder<> builder(call);
      auto [value, sets] = exactMath(builder, *call, kind);
      builder.CreateStore(builder.CreateOr(builder.CreateLoad(i1, flag), sets),
                          flag);
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
    IRBuilder<> builder(yieldCall);
    yieldCall->setArgOperand(
        0, builder.CreateSelect(builder.CreateLoad(i1, flag),
                                builder.getInt32(LOOM_RT_DECLINED),
                                yieldCall->getArgOperand(0)));
    DominatorTree dominators(*function);
    PromoteMemToReg(flag, dominators);
  }

  /// Drops what became dead.
  void clean() {
    for (BasicBlock &block : *function) {
      SmallVector<WeakTrackingVH> phis;
      for (PHINode &phi : block.phis())
        phis.push_back(&phi);
      for (WeakTrackingVH &phi : phis)
        if (auto *live = dyn_cast_or_null<PHINode>(phi))
          RecursivelyDeleteDeadPHINode(live);
    }
    for (BasicBlock &block : *function)
      SimplifyInstructionsInBlock(&block);
  }

  Nest &nest;
  BasicBlock *header;
  SmallVector<BasicBlock *> exits;
  ValueToValueMapTy &toHost;
  const TargetLibraryInfo &tli;
  Module &scratch;
  LLVMContext &context;
  // Found once: copied terminators are predecessors of the original blocks
  // until they are remapped.
  BasicBlock *preheader = nullptr;

  SmallPtrSet<BasicBlock *, 16> inside;
  SmallVector<BasicBlock *> blocks;
  SmallVector<std::pair<unsigned, PHINode *>> exitPhis;
  DenseMap<Value *, unsigned> inputIndex;
  SmallPtrSet<Instruction *, 16> recomputed;
  SmallVector<Instruction *> recomputedOrder;
  DenseMap<Constant *, Value *> constants;
  DenseMap<Value *, Value *> map;
  loom::Places places;
  Function *function = nullptr;
  BasicBlock *entry = nullptr;
  BasicBlock *merge = nullptr;
  CallInst *yieldCall = nullptr;
  SmallVector<Instruction *> hostLanes;
  SmallVector<std::pair<CallInst *, loom::ErrnoMath>> errnoCalls;
  bool failed = false;

  void fail(StringRef why) {
    failed = true;
    if (nest.failure.empty())
      nest.failure = why.str();
  }
};

} // namespace

Type *loom::NestOutput::type() const {
  return lane < 0 ? phi->getType() : phi->getType()->getScalarType();
}

SmallPtrSet<BasicBlock *, 16> loom::regionBlocks(BasicBlock &header,
                                                 ArrayRef<BasicBlock *> exits) {
  SmallPtrSet<BasicBlock *, 16> inside;
  SmallVector<BasicBlock *> work(1, &header);
  inside.insert(&header);
  while (!work.empty())
    for (BasicBlock *successor : successors(work.pop_back_val()))
      if (!is_contained(exits, successor) && inside.insert(successor).second)
        work.push_back(successor);
  return inside;
}

bool loom::outlineNest(Nest &nest, BasicBlock &header,
                       ArrayRef<BasicBlock *> exits, ValueToValueMapTy &toHost,
                       const TargetLibraryInfo &tli, Module &scratch) {
  Outliner outliner(nest, &header, exits, toHost, tli, scratch);
  bool done = outliner.run();
  if (!done)
    outliner.undo();
  if (!done && nest.outlined) {
    nest.outlined->eraseFromParent();
    nest.outlined = nullptr;
  }
  return done;
}
