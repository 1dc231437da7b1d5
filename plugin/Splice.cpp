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

/// Does a value of the type fill a slot as it is?
bool fillsSlot(Type *type, const DataLayout &layout) {
  return type->isDoubleTy() ||
         (type->isPointerTy() && layout.getTypeSizeInBits(type) == 64);
}

/// A value as it is stored in a 64-bit launch slot: zero-extended bits.
Value *toSlot(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  if (fillsSlot(type, builder.GetInsertBlock()->getDataLayout()))
    return value;
  if (type->isPointerTy())
    return builder.CreatePtrToInt(value, builder.getInt64Ty());
  if (type->isFloatTy())
    value = builder.CreateBitCast(value, builder.getInt32Ty());
  return builder.CreateZExt(value, builder.getInt64Ty());
}

/// Reads the slot at `address`. Every instruction here is one in the host
/// function of a region, of which there are many: no conversion where the load
/// itself can do it.
Value *fromSlot(IRBuilder<> &builder, Value *address, Type *type) {
  const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
  bool atItsStart = layout.isLittleEndian() &&
                    (type->isFloatTy() || layout.typeSizeEqualsStoreSize(type));
  if (fillsSlot(type, layout) || (atItsStart && !type->isPointerTy()))
    return builder.CreateAlignedLoad(type, address, Align(8));
  Value *slot =
      builder.CreateAlignedLoad(builder.getInt64Ty(), address, Align(8));
  if (type->isPointerTy())
    return builder.CreateIntToPtr(slot, type);
  if (type->isFloatTy())
    return builder.CreateBitCast(
        builder.CreateTrunc(slot, builder.getInt32Ty()), type);
  return builder.CreateTrunc(slot, type);
}

Value *slotAddress(IRBuilder<> &builder, Value *slots, unsigned index) {
  return index == 0 ? slots
                    : builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(),
                                                         slots, index);
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

/// The attributes that decide how a function is called and which registers it
/// can save.
constexpr StringRef targetAttributes[] = {"target-cpu", "target-features",
                                          "tune-cpu"};

bool sameTarget(const Function &a, const Function &b) {
  return all_of(targetAttributes, [&](StringRef name) {
    return a.getFnAttribute(name) == b.getFnAttribute(name);
  });
}

Function *createOutOfLine(const Function &host, const Twine &name, Type *result,
                          ArrayRef<Type *> parameters) {
  Module &module = *const_cast<Module *>(host.getParent());
  Function *function =
      Function::Create(FunctionType::get(result, parameters, false),
                       GlobalValue::InternalLinkage, name, module);
  function->setCallingConv(coldCallConvention(module));
  function->addFnAttr(Attribute::NoInline);
  // Straight marshalling: not worth the time of the link's optimiser.
  function->addFnAttr(Attribute::OptimizeNone);
  function->addFnAttr(Attribute::Cold);
  function->addFnAttr(Attribute::NoUnwind);
  // Code for the same machine as the host function.
  for (StringRef name : targetAttributes)
    if (host.hasFnAttribute(name))
      function->addFnAttr(host.getFnAttribute(name));
  if (host.hasUWTable())
    function->setUWTableKind(host.getUWTableKind());
  return function;
}

/// One function per target, made at its first use.
template <typename BuildT>
Function *outOfLine(const Function &host, const Twine &prefix, Type *result,
                    ArrayRef<Type *> parameters, BuildT build) {
  std::string name = prefix.str();
  for (unsigned number = 1;; ++number) {
    Function *known = host.getParent()->getFunction(name);
    if (known && sameTarget(*known, host))
      return known;
    if (!known) {
      Function *function = createOutOfLine(host, name, result, parameters);
      // The runtime keeps no pointer to the slots.
      for (Argument &argument : drop_begin(function->args()))
        if (argument.getType()->isPointerTy())
          argument.addAttr(Attribute::getWithCaptureInfo(host.getContext(),
                                                         CaptureInfo::none()));
      IRBuilder<> builder(BasicBlock::Create(host.getContext(), "", function));
      build(*function, builder);
      return function;
    }
    name = (prefix + "." + Twine(number)).str();
  }
}

/// What loom.launch answers when the host code has to run; else it is the exit
/// that the device took.
constexpr uint32_t runHost = UINT32_MAX;

Value *exitOrHost(IRBuilder<> &builder, Value *ticket, Value *selector) {
  Value *done = builder.CreateICmpEQ(
      ticket, ConstantInt::get(ticket->getType(), LOOM_RT_DONE));
  return builder.CreateSelect(done, selector, builder.getInt32(runHost));
}

/// loom.launch(descriptor, inputs, outputs) -> exit or runHost: the call of the
/// runtime, out of line so that the host code keeps its registers, and what
/// every guard would do with the ticket.
Function *launchFunction(const Function &host) {
  Type *i32 = Type::getInt32Ty(host.getContext());
  Type *pointer = PointerType::get(host.getContext(), 0);
  SmallVector<Type *> parameters(3, pointer);
  return outOfLine(
      host, "loom.launch", i32, parameters,
      [&](Function &function, IRBuilder<> &builder) {
        FunctionCallee launch = runtimeFunction(
            *function.getParent(), "loom_rt_launch", i32, parameters);
        Value *ticket =
            builder.CreateCall(launch, {function.getArg(0), function.getArg(1),
                                        function.getArg(2)});
        Value *selector = builder.CreateTrunc(
            builder.CreateLoad(builder.getInt64Ty(), function.getArg(2)), i32);
        builder.CreateRet(exitOrHost(builder, ticket, selector));
      });
}

/// loom.check(descriptor, outputs, exit): hands the host's live-outs over.
Function *checkFunction(const Function &host) {
  Type *result = Type::getVoidTy(host.getContext());
  Type *i32 = Type::getInt32Ty(host.getContext());
  Type *pointer = PointerType::get(host.getContext(), 0);
  return outOfLine(
      host, "loom.check", result, {pointer, pointer, i32},
      [&](Function &function, IRBuilder<> &builder) {
        FunctionCallee check = runtimeFunction(
            *function.getParent(), "loom_rt_check", result, {pointer, pointer});
        builder.CreateStore(
            builder.CreateZExt(function.getArg(2), builder.getInt64Ty()),
            function.getArg(1));
        builder.CreateCall(check, {function.getArg(0), function.getArg(1)});
        builder.CreateRetVoid();
      });
}

/// What a launch returned: the exit (runHost: none) and the live-outs.
struct Launched {
  Value *exit;
  SmallVector<Value *> outputs;
};

/// The round trip calls the region's S0 through a function of its own.
Function *roundTripFunction(const Nest &nest) {
  LLVMContext &context = nest.host->getContext();
  Type *i32 = Type::getInt32Ty(context);
  SmallVector<Type *> parameters, fields{i32, i32};
  for (Value *input : nest.inputs)
    parameters.push_back(input->getType());
  for (const loom::NestOutput &output : nest.outputs)
    fields.push_back(output.type());
  Function *function =
      createOutOfLine(*nest.host, "loom.launch." + nest.name,
                      StructType::get(context, fields), parameters);
  loom::createRoundTripLaunch(nest, *function);
  return function;
}

/// Calls the region's S0.
Launched callRoundTrip(const Nest &nest, IRBuilder<> &builder) {
  Function *callee = roundTripFunction(nest);
  CallInst *call =
      builder.CreateCall(callee, SmallVector<Value *>(nest.inputs));
  call->setCallingConv(callee->getCallingConv());
  Launched launched;
  launched.exit = exitOrHost(builder, builder.CreateExtractValue(call, 0),
                             builder.CreateExtractValue(call, 1));
  for (unsigned i = 0; i < nest.outputs.size(); ++i)
    launched.outputs.push_back(builder.CreateExtractValue(call, i + 2));
  return launched;
}

/// Stores the live-ins into `slots`, calls the runtime and reads the live-outs
/// (whatever they are when the host code has to run). Through memory rather
/// than in registers: the call then asks nothing of the nest's registers, and
/// needs no function per signature.
Launched callLaunch(const Nest &nest, GlobalVariable &descriptor, Value *slots,
                    IRBuilder<> &builder) {
  unsigned inputs = unsigned(nest.inputs.size());
  for (auto [index, input] : enumerate(nest.inputs))
    builder.CreateAlignedStore(toSlot(builder, input),
                               slotAddress(builder, slots, unsigned(index)),
                               Align(8));
  Function *callee = launchFunction(*nest.host);
  CallInst *call = builder.CreateCall(
      callee, {&descriptor, slots, slotAddress(builder, slots, inputs)});
  call->setCallingConv(callee->getCallingConv());
  Launched launched;
  launched.exit = call;
  for (auto [index, output] : enumerate(nest.outputs))
    launched.outputs.push_back(fromSlot(
        builder, slotAddress(builder, slots, inputs + 1 + unsigned(index)),
        output.type()));
  return launched;
}

/// The device's value for each phi of an exit.
DenseMap<PHINode *, Value *>
deviceValues(const Nest &nest, const Launched &launched, IRBuilder<> &builder) {
  DenseMap<PHINode *, Value *> values;
  for (auto [output, value] : zip(nest.outputs, launched.outputs)) {
    if (output.lane < 0) {
      values[output.phi] = value;
      continue;
    }
    Value *&vector = values[output.phi];
    if (!vector)
      vector = PoisonValue::get(output.phi->getType());
    vector = builder.CreateInsertElement(vector, value, uint64_t(output.lane));
  }
  return values;
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

AllocaInst *loom::createSlots(Function &host, ArrayRef<const Nest *> nests) {
  size_t most = 1;
  for (const Nest *nest : nests)
    most = std::max(most, nest->inputs.size() + nest->outputs.size() + 1);
  IRBuilder<> builder(&*host.getEntryBlock().begin());
  return builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), most));
}

void loom::spliceGuard(Nest &nest, GlobalVariable &descriptor, Value &slots,
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
  Function *check = checkFunction(*nest.host);
  dropLifetimeMarkers(nest);

  DebugLoc location = guardLocation(nest, *preheader);
  MDNode *unlikely = MDBuilder(context).createUnlikelyBranchWeights();

  // preheader -> ask? -> host; the header's phis now come from `host`.
  BasicBlock *host =
      BasicBlock::Create(context, "loom.host", nest.host, nest.header);
  BasicBlock *ask = BasicBlock::Create(context, "loom.ask", nest.host, host);
  nest.header->replacePhiUsesWith(preheader, host);
  Instruction *old = preheader->getTerminator();
  IRBuilder<> builder(old);
  builder.SetCurrentDebugLocation(location);
  Value *asks = builder.CreateICmpNE(flag(builder, descriptor, FieldState),
                                     builder.getInt32(LOOM_RT_STATE_HOST));
  builder.CreateCondBr(asks, ask, host, unlikely);
  old->eraseFromParent();

  // Device results leave `ask` by the exit the device took.
  builder.SetInsertPoint(ask);
  builder.SetCurrentDebugLocation(location);
  Launched launched = roundTripWanted()
                          ? callRoundTrip(nest, builder)
                          : callLaunch(nest, descriptor, &slots, builder);
  DenseMap<PHINode *, Value *> device = deviceValues(nest, launched, builder);

  builder.SetInsertPoint(host);
  builder.CreateBr(nest.header);

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
    auto give = [&](unsigned slot, Value *value) {
      builder.CreateAlignedStore(value, slotAddress(builder, &slots, slot),
                                 Align(8));
    };
    auto hostValue = [&](const NestOutput &output) -> Value * {
      return output.lane < 0 ? output.phi
                             : builder.CreateExtractElement(
                                   output.phi, uint64_t(output.lane));
    };
    // Values of other exits are not compared; zero keeps the slot defined.
    for (auto [number, output] : enumerate(nest.outputs))
      give(unsigned(number) + 1, output.exit == index
                                     ? toSlot(builder, hostValue(output))
                                     : builder.getInt64(0));
    CallInst *checked = builder.CreateCall(
        check, {&descriptor, &slots, builder.getInt32(unsigned(index))});
    checked->setCallingConv(check->getCallingConv());
    builder.CreateBr(continuation);

    for (const NestOutput &output : nest.outputs) {
      if (output.exit != index || output.lane > 0)
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
      merged->addIncoming(device.lookup(output.phi), ask);
    }
  }
  builder.SetInsertPoint(ask);
  builder.SetCurrentDebugLocation(location);
  // The runtime answers with an exit of the region only.
  if (continuations.size() == 1) {
    builder.CreateCondBr(
        builder.CreateICmpEQ(launched.exit, builder.getInt32(runHost)), host,
        continuations.front());
    return;
  }
  SwitchInst *by =
      builder.CreateSwitch(launched.exit, host, unsigned(continuations.size()));
  for (auto [index, continuation] : enumerate(continuations))
    by->addCase(builder.getInt32(unsigned(index)), continuation);
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
