// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Splice.h"
#include "Outline.h"
#include "RoundTrip.h"
#include "loom/Runtime/loom_rt.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using loom::Nest;

namespace {

StructType *descriptorType(LLVMContext &context) {
  Type *i32 = Type::getInt32Ty(context);
  Type *pointer = PointerType::get(context, 0);
  return StructType::get(context, {i32, i32, i32, i32, pointer,
                                   Type::getInt64Ty(context), pointer});
}

/// Field numbers of loom_rt_region.
enum DescriptorField {
  FieldState = 2,
  FieldChecks = 3,
  FieldImage = 4,
  FieldImageSize = 5
};

FunctionCallee runtimeFunction(Module &module, StringRef name, Type *result,
                               ArrayRef<Type *> parameters) {
  FunctionCallee callee = module.getOrInsertFunction(
      name, FunctionType::get(result, parameters, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee())) {
    function->addFnAttr(Attribute::NoUnwind);
    function->addFnAttr(Attribute::NoFree);
  }
  return callee;
}

/// A value as a 64-bit launch slot: zero-extended bits.
Value *toSlot(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  if (type->isPointerTy())
    return builder.CreatePtrToInt(value, builder.getInt64Ty());
  if (type->isFloatTy())
    value = builder.CreateBitCast(value, builder.getInt32Ty());
  else if (type->isDoubleTy())
    return builder.CreateBitCast(value, builder.getInt64Ty());
  return builder.CreateZExt(value, builder.getInt64Ty());
}

Value *fromSlot(IRBuilder<> &builder, Value *slot, Type *type) {
  if (type->isPointerTy())
    return builder.CreateIntToPtr(slot, type);
  if (type->isFloatTy())
    return builder.CreateBitCast(
        builder.CreateTrunc(slot, builder.getInt32Ty()), type);
  if (type->isDoubleTy())
    return builder.CreateBitCast(slot, type);
  return builder.CreateTrunc(slot, type);
}

Value *slotAddress(IRBuilder<> &builder, Value *slots, unsigned index) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), slots, index);
}

/// The convention of the out-of-line calls. They are cold, so they save the
/// registers themselves: the nest's live-ins then stay where they are on the
/// path that does not call. Only where the back end has it.
CallingConv::ID coldCallConvention(const Module &module) {
  const Triple &triple = module.getTargetTriple();
  bool preserves = triple.isOSLinux() && (triple.getArch() == Triple::x86_64 ||
                                          triple.getArch() == Triple::aarch64);
  return preserves ? CallingConv::PreserveAll : CallingConv::C;
}

Function *createOutOfLine(Module &module, const Nest &nest, StringRef prefix,
                          Type *result, ArrayRef<Type *> parameters) {
  Function *function = Function::Create(
      FunctionType::get(result, parameters, false),
      GlobalValue::InternalLinkage, (prefix + nest.name).str(), module);
  function->setCallingConv(coldCallConvention(module));
  function->addFnAttr(Attribute::NoInline);
  // Straight marshalling: not worth the time of the link's optimiser.
  function->addFnAttr(Attribute::OptimizeNone);
  function->addFnAttr(Attribute::Cold);
  function->addFnAttr(Attribute::NoUnwind);
  // Code for the same machine as the host function.
  for (StringRef name : {"target-cpu", "target-features", "tune-cpu"})
    if (nest.host->hasFnAttribute(name))
      function->addFnAttr(nest.host->getFnAttribute(name));
  if (nest.host->hasUWTable())
    function->setUWTableKind(nest.host->getUWTableKind());
  return function;
}

/// loom.launch.<name>(inputs) -> {ticket, selector, outputs...}: marshals the
/// slots, out of line so that the host code keeps its registers.
Function *createLaunch(const Nest &nest, GlobalVariable &descriptor) {
  Module &module = *nest.host->getParent();
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context);
  Type *pointer = PointerType::get(context, 0);
  SmallVector<Type *> parameters;
  for (Value *input : nest.inputs)
    parameters.push_back(input->getType());
  SmallVector<Type *> fields{i32, i32};
  for (const loom::NestOutput &output : nest.outputs)
    fields.push_back(output.phi->getType());
  StructType *result = StructType::get(context, fields);

  Function *function =
      createOutOfLine(module, nest, "loom.launch.", result, parameters);
  if (loom::roundTripWanted()) {
    loom::createRoundTripLaunch(nest, *function);
    return function;
  }
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  auto slots = [&](size_t count) {
    return builder.CreateAlloca(
        ArrayType::get(builder.getInt64Ty(), std::max<size_t>(count, 1)));
  };
  Value *in = slots(nest.inputs.size());
  Value *out = slots(nest.outputs.size() + 1);
  for (Argument &argument : function->args())
    builder.CreateStore(toSlot(builder, &argument),
                        slotAddress(builder, in, argument.getArgNo()));
  FunctionCallee launch = runtimeFunction(module, "loom_rt_launch", i32,
                                          {pointer, pointer, pointer});
  Value *ticket = builder.CreateCall(launch, {&descriptor, in, out});
  Value *value = PoisonValue::get(result);
  value = builder.CreateInsertValue(value, ticket, 0);
  BasicBlock *done = BasicBlock::Create(context, "", function);
  BasicBlock *host = BasicBlock::Create(context, "", function);
  builder.CreateCondBr(
      builder.CreateICmpEQ(ticket, builder.getInt32(LOOM_RT_DONE)), done, host);
  builder.SetInsertPoint(host);
  builder.CreateRet(value);
  builder.SetInsertPoint(done);
  for (unsigned i = 0; i <= nest.outputs.size(); ++i) {
    Value *slot =
        builder.CreateLoad(builder.getInt64Ty(), slotAddress(builder, out, i));
    value = builder.CreateInsertValue(
        value, fromSlot(builder, slot, fields[i + 1]), i + 1);
  }
  builder.CreateRet(value);
  return function;
}

/// loom.check.<name>(selector, outputs...): hands the host's live-outs over.
Function *createCheck(const Nest &nest, GlobalVariable &descriptor) {
  Module &module = *nest.host->getParent();
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0);
  Type *nothing = Type::getVoidTy(context);
  SmallVector<Type *> parameters{Type::getInt32Ty(context)};
  for (const loom::NestOutput &output : nest.outputs)
    parameters.push_back(output.phi->getType());
  Function *function =
      createOutOfLine(module, nest, "loom.check.", nothing, parameters);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Value *out = builder.CreateAlloca(
      ArrayType::get(builder.getInt64Ty(), parameters.size()));
  for (Argument &argument : function->args())
    builder.CreateStore(toSlot(builder, &argument),
                        slotAddress(builder, out, argument.getArgNo()));
  FunctionCallee check =
      runtimeFunction(module, "loom_rt_check", nothing, {pointer, pointer});
  builder.CreateCall(check, {&descriptor, out});
  builder.CreateRetVoid();
  return function;
}

/// The address of a stack slot is now used before its lifetime markers inside
/// the nest: such slots live as long as the function.
void dropLifetimeMarkers(const Nest &nest) {
  for (Value *input : nest.inputs) {
    auto *slot = dyn_cast<AllocaInst>(input);
    if (!slot)
      continue;
    for (User *user : make_early_inc_range(slot->users()))
      if (auto *marker = dyn_cast<IntrinsicInst>(user);
          marker && marker->isLifetimeStartOrEnd())
        marker->eraseFromParent();
  }
}

/// A word of the descriptor, which another thread may be changing.
Value *flag(IRBuilder<> &builder, GlobalVariable &descriptor,
            DescriptorField field) {
  Value *address = builder.CreateStructGEP(descriptorType(builder.getContext()),
                                           &descriptor, field);
  LoadInst *load =
      builder.CreateAlignedLoad(builder.getInt32Ty(), address, Align(4));
  load->setAtomic(AtomicOrdering::Monotonic);
  return load;
}

/// Where inserted calls say they come from.
DebugLoc guardLocation(const Nest &nest, const BasicBlock &preheader) {
  for (const Instruction &instruction : *nest.header)
    if (const DebugLoc &loc = instruction.getDebugLoc())
      return loc;
  if (const DebugLoc &loc = preheader.getTerminator()->getDebugLoc())
    return loc;
  if (DISubprogram *program = nest.host->getSubprogram())
    return DILocation::get(program->getContext(), 0, 0, program);
  return DebugLoc();
}

} // namespace

GlobalVariable *loom::createDescriptor(Module &module, const Nest &nest,
                                       unsigned index) {
  LLVMContext &context = module.getContext();
  StructType *type = descriptorType(context);
  auto i32 = [&](unsigned value) {
    return ConstantInt::get(Type::getInt32Ty(context), value);
  };
  Constant *null = ConstantPointerNull::get(PointerType::get(context, 0));
  Constant *zero = ConstantInt::get(Type::getInt64Ty(context), 0);
  Constant *initial = ConstantStruct::get(type, {i32(LOOM_RT_ABI), i32(index),
                                                 i32(LOOM_RT_STATE_ASK), i32(0),
                                                 null, zero, null});
  auto *descriptor = new GlobalVariable(module, type, /*isConstant=*/false,
                                        GlobalValue::InternalLinkage, initial,
                                        "loom.region." + nest.name);
  descriptor->setAlignment(Align(8));
  // The runtime changes it behind the compiler's back.
  descriptor->setExternallyInitialized(true);
  return descriptor;
}

void loom::bindImage(GlobalVariable &descriptor, GlobalVariable &image,
                     unsigned long long size) {
  auto *initial = cast<ConstantStruct>(descriptor.getInitializer());
  SmallVector<Constant *> fields;
  for (Use &field : initial->operands())
    fields.push_back(cast<Constant>(field.get()));
  fields[FieldImage] = &image;
  fields[FieldImageSize] =
      ConstantInt::get(Type::getInt64Ty(descriptor.getContext()), size);
  descriptor.setInitializer(
      ConstantStruct::get(cast<StructType>(initial->getType()), fields));
}

void loom::spliceGuard(Nest &nest, GlobalVariable &descriptor,
                       DenseMap<Value *, Value *> &merges) {
  LLVMContext &context = nest.host->getContext();
  BasicBlock *preheader = nullptr;
  for (BasicBlock *pred : predecessors(nest.header))
    if (!nest.blocks.contains(pred))
      preheader = pred;
  // A live-in may be the live-out of a nest that was spliced before.
  for (Value *&input : nest.inputs)
    while (Value *merged = merges.lookup(input))
      input = merged;
  Function *launch = createLaunch(nest, descriptor);
  Function *check = createCheck(nest, descriptor);
  dropLifetimeMarkers(nest);

  DebugLoc location = guardLocation(nest, *preheader);
  MDNode *unlikely = MDBuilder(context).createUnlikelyBranchWeights();

  // preheader -> ask? -> host; the header's phis now come from `host`.
  BasicBlock *host =
      BasicBlock::Create(context, "loom.host", nest.host, nest.header);
  BasicBlock *ask = BasicBlock::Create(context, "loom.ask", nest.host, host);
  BasicBlock *dispatch =
      BasicBlock::Create(context, "loom.done", nest.host, host);
  nest.header->replacePhiUsesWith(preheader, host);
  Instruction *old = preheader->getTerminator();
  IRBuilder<> builder(old);
  builder.SetCurrentDebugLocation(location);
  Value *asks = builder.CreateICmpNE(flag(builder, descriptor, FieldState),
                                     builder.getInt32(LOOM_RT_STATE_HOST));
  builder.CreateCondBr(asks, ask, host, unlikely);
  old->eraseFromParent();

  builder.SetInsertPoint(ask);
  CallInst *launched = builder.CreateCall(launch, nest.inputs);
  launched->setCallingConv(launch->getCallingConv());
  launched->setDebugLoc(location);
  Value *ticket = builder.CreateExtractValue(launched, 0);
  builder.CreateCondBr(
      builder.CreateICmpEQ(ticket, builder.getInt32(LOOM_RT_DONE)), dispatch,
      host);

  builder.SetInsertPoint(host);
  builder.CreateBr(nest.header);

  // Device results leave `dispatch` by the exit the device took.
  builder.SetInsertPoint(dispatch);
  SmallVector<Value *> deviceValues;
  for (unsigned i = 0; i < nest.outputs.size(); ++i)
    deviceValues.push_back(builder.CreateExtractValue(launched, i + 2));
  Value *selector = builder.CreateExtractValue(launched, 1);

  SmallVector<BasicBlock *> continuations;
  for (auto [index, exit] : enumerate(nest.exits)) {
    BasicBlock *continuation =
        exit->splitBasicBlock(exit->getFirstNonPHIOrDbg()->getIterator());
    continuations.push_back(continuation);
    BasicBlock *checking =
        BasicBlock::Create(context, "loom.check", nest.host, continuation);
    exit->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(exit);
    builder.SetCurrentDebugLocation(location);
    // Read again rather than kept since the launch: nothing of the guard is
    // alive across the nest.
    builder.CreateCondBr(
        builder.CreateICmpNE(flag(builder, descriptor, FieldChecks),
                             builder.getInt32(0)),
        checking, continuation, unlikely);
    builder.SetInsertPoint(checking);
    SmallVector<Value *> arguments{builder.getInt32(unsigned(index))};
    for (const NestOutput &output : nest.outputs)
      arguments.push_back(output.exit == index
                              ? static_cast<Value *>(output.phi)
                              : PoisonValue::get(output.phi->getType()));
    // Values of other exits are not compared; zero keeps the call defined.
    for (unsigned i = 1; i < arguments.size(); ++i)
      if (isa<PoisonValue>(arguments[i]))
        arguments[i] = Constant::getNullValue(arguments[i]->getType());
    CallInst *checked = builder.CreateCall(check, arguments);
    checked->setCallingConv(check->getCallingConv());
    checked->setDebugLoc(location);
    builder.CreateBr(continuation);

    for (auto [number, output] : enumerate(nest.outputs)) {
      if (output.exit != index)
        continue;
      PHINode *merged =
          PHINode::Create(output.phi->getType(), 3, "", continuation->begin());
      output.phi->replaceUsesWithIf(merged, [&](Use &use) {
        auto *user = cast<Instruction>(use.getUser());
        return user->getParent() != checking && user != merged;
      });
      merges[output.phi] = merged;
      merged->addIncoming(output.phi, exit);
      merged->addIncoming(output.phi, checking);
      merged->addIncoming(deviceValues[number], dispatch);
    }
  }
  builder.SetInsertPoint(dispatch);
  builder.SetCurrentDebugLocation(location);
  if (continuations.size() == 1) {
    builder.CreateBr(continuations.front());
    return;
  }
  SwitchInst *by = builder.CreateSwitch(selector, continuations.front(),
                                        unsigned(continuations.size() - 1));
  for (unsigned i = 1; i < continuations.size(); ++i)
    by->addCase(builder.getInt32(i), continuations[i]);
}

void loom::replaceBody(Function &original, Function &clone) {
  for (BasicBlock &block : original)
    block.dropAllReferences();
  while (!original.empty())
    original.begin()->eraseFromParent();
  original.splice(original.begin(), &clone);
  for (auto [from, to] : zip(clone.args(), original.args()))
    from.replaceAllUsesWith(&to);
  original.setSubprogram(clone.getSubprogram());
  clone.eraseFromParent();
  // The launch reads and writes on behalf of the nest, through addresses that
  // were turned into integers: what was inferred about the old body is stale.
  original.removeFnAttr(Attribute::Memory);
  original.removeFnAttr(Attribute::NoSync);
  original.removeFnAttr(Attribute::NoCallback);
  original.removeFnAttr(Attribute::Speculatable);
  for (Argument &argument : original.args())
    for (Attribute::AttrKind kind :
         {Attribute::Captures, Attribute::ReadNone, Attribute::ReadOnly,
          Attribute::WriteOnly, Attribute::Initializes})
      argument.removeAttr(kind);
}
