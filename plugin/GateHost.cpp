// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GateHost.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace loom;

std::vector<GateSlot> loom::gateFacts(const Module &nests, StringRef name) {
  std::vector<GateSlot> facts;
  const Function *function = nests.getFunction(name);
  if (!function)
    return facts;
  for (const Argument &argument : function->args()) {
    GateSlot slot;
    slot.dereferenceable = argument.getDereferenceableBytes();
    std::optional<ConstantRange> range = argument.getRange();
    if (range && !range->isFullSet() && range->getBitWidth() <= 64) {
      slot.low = range->getLower().getZExtValue();
      slot.size = (range->getUpper() - range->getLower()).getZExtValue();
    }
    facts.push_back(slot);
  }
  return facts;
}

/// A value as the 64 bits of a slot.
static Value *toSlot(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  if (type->isPointerTy())
    return builder.CreatePtrToInt(value, builder.getInt64Ty());
  if (!type->isIntegerTy())
    value = builder.CreateBitCast(
        value, builder.getIntNTy(unsigned(type->getPrimitiveSizeInBits())));
  return builder.CreateZExt(value, builder.getInt64Ty());
}

static Value *fromSlot(IRBuilder<> &builder, Value *bits, Type *type) {
  if (type->isPointerTy())
    return builder.CreateIntToPtr(bits, type);
  Value *narrow = builder.CreateTrunc(
      bits, builder.getIntNTy(unsigned(type->getPrimitiveSizeInBits())));
  return type->isIntegerTy() ? narrow : builder.CreateBitCast(narrow, type);
}

namespace {
/// Adds the functions around an outlined nest to a module of its own.
class Wrapper {
public:
  explicit Wrapper(Module &module)
      : module(module), context(module.getContext()),
        pointer(PointerType::getUnqual(context)) {
    out = global("loom.gate.out");
    broken = global("loom.gate.broken");
  }
  void defineYield(Function &yield);
  void watchAssumptions(Function &nest);
  void defineEntry(Function &nest);

private:
  GlobalVariable *global(StringRef name) {
    return new GlobalVariable(module, pointer, false,
                              GlobalValue::InternalLinkage,
                              Constant::getNullValue(pointer), name);
  }
  Module &module;
  LLVMContext &context;
  PointerType *pointer;
  GlobalVariable *out, *broken;
};
} // namespace

void Wrapper::defineYield(Function &yield) {
  IRBuilder<> builder(BasicBlock::Create(context, "", &yield));
  Value *base = builder.CreateLoad(pointer, out);
  for (Argument &argument : yield.args())
    builder.CreateStore(toSlot(builder, &argument),
                        builder.CreateConstGEP1_64(builder.getInt64Ty(), base,
                                                   argument.getArgNo()));
  builder.CreateRetVoid();
}

/// An input for which the code's own assumptions don't hold proves nothing.
void Wrapper::watchAssumptions(Function &nest) {
  SmallVector<AssumeInst *> assumptions;
  for (BasicBlock &block : nest)
    for (Instruction &instruction : block)
      if (auto *assume = dyn_cast<AssumeInst>(&instruction))
        assumptions.push_back(assume);
  for (AssumeInst *assume : assumptions) {
    IRBuilder<> builder(assume);
    Value *flag = builder.CreateLoad(pointer, broken);
    Value *wrong = builder.CreateZExt(
        builder.CreateNot(assume->getArgOperand(0)), builder.getInt8Ty());
    Value *before = builder.CreateLoad(builder.getInt8Ty(), flag);
    builder.CreateStore(builder.CreateOr(before, wrong), flag);
    assume->eraseFromParent();
  }
}

void Wrapper::defineEntry(Function &nest) {
  auto *type = FunctionType::get(Type::getVoidTy(context),
                                 {pointer, pointer, pointer}, false);
  Function *entry =
      Function::Create(type, GlobalValue::ExternalLinkage, "loom.gate", module);
  IRBuilder<> builder(BasicBlock::Create(context, "", entry));
  builder.CreateStore(entry->getArg(1), out);
  builder.CreateStore(entry->getArg(2), broken);
  SmallVector<Value *> arguments;
  for (Argument &argument : nest.args()) {
    Value *at = builder.CreateConstGEP1_64(
        builder.getInt64Ty(), entry->getArg(0), argument.getArgNo());
    Value *bits = builder.CreateLoad(builder.getInt64Ty(), at);
    arguments.push_back(fromSlot(builder, bits, argument.getType()));
  }
  builder.CreateCall(&nest, arguments);
  builder.CreateRetVoid();
}

Expected<SmallVector<char, 0>> loom::gateBitcode(const Module &nests,
                                                 StringRef name) {
  ValueToValueMapTy map;
  std::unique_ptr<Module> module =
      CloneModule(nests, map, [&](const GlobalValue *value) {
        return value->getName() == name;
      });
  Function *nest = module->getFunction(name);
  Function *yield = module->getFunction(("loom.yield." + name).str());
  if (!nest || nest->isDeclaration() || !yield)
    return createStringError("there is no host code");
  Wrapper wrapper(*module);
  wrapper.defineYield(*yield);
  wrapper.watchAssumptions(*nest);
  nest->setLinkage(GlobalValue::InternalLinkage);
  nest->setComdat(nullptr);
  wrapper.defineEntry(*nest);
  for (Function &function : make_early_inc_range(*module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  for (GlobalVariable &variable : make_early_inc_range(module->globals())) {
    if (variable.isDeclaration() && variable.use_empty())
      variable.eraseFromParent();
    else if (variable.isDeclaration())
      return createStringError("it names a variable of the program: " +
                               variable.getName());
  }
  StripDebugInfo(*module);
  if (verifyModule(*module))
    return createStringError("the host code does not verify");
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  WriteBitcodeToFile(*module, stream);
  return bytes;
}

Expected<GateFunction> loom::gateCompile(ArrayRef<char> bitcode) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto context = std::make_unique<LLVMContext>();
  MemoryBufferRef buffer(StringRef(bitcode.data(), bitcode.size()), "gate");
  Expected<std::unique_ptr<Module>> module = parseBitcodeFile(buffer, *context);
  if (!module)
    return module.takeError();
  Triple host(sys::getProcessTriple());
  if ((*module)->getTargetTriple().getArch() != host.getArch())
    return createStringError("the target is not this machine");
  // The features are those that the functions ask for, not all of this machine:
  // they decide what a contracted multiply-add is.
  orc::JITTargetMachineBuilder machine((*module)->getTargetTriple());
  machine.setRelocationModel(Reloc::PIC_);
  // Nothing here may make a thread: this is the child of a fork.
  auto control = orc::SelfExecutorProcessControl::Create(
      nullptr, std::make_unique<orc::InPlaceTaskDispatcher>());
  if (!control)
    return control.takeError();
  auto jit = orc::LLJITBuilder()
                 .setExecutorProcessControl(std::move(*control))
                 .setJITTargetMachineBuilder(std::move(machine))
                 .setPlatformSetUp(orc::setUpInactivePlatform)
                 .create();
  if (!jit)
    return jit.takeError();
  if (Error error = (*jit)->addIRModule(
          orc::ThreadSafeModule(std::move(*module), std::move(context))))
    return std::move(error);
  Expected<orc::ExecutorAddr> address = (*jit)->lookup("loom.gate");
  if (!address)
    return address.takeError();
  (void)jit->release(); // the code stays
  return address->toPtr<GateFunction>();
}
