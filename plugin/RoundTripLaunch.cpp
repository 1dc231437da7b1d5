// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Outline.h"
#include "RoundTrip.h"
#include "loom/Runtime/loom_rt.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// The row of a region in section loom_roundtrip. Programs that want to know
/// read it between __start_loom_roundtrip and __stop_loom_roundtrip.
static GlobalVariable *createRow(Module &module, StringRef name) {
  LLVMContext &context = module.getContext();
  Constant *text = ConstantDataArray::getString(context, name);
  auto *string =
      new GlobalVariable(module, text->getType(),
                         /*isConstant=*/true, GlobalValue::InternalLinkage,
                         text, "loom.roundtrip.name");
  Type *i64 = Type::getInt64Ty(context);
  Constant *initial =
      ConstantStruct::getAnon({string, ConstantInt::get(i64, 0)});
  auto *row =
      new GlobalVariable(module, initial->getType(),
                         /*isConstant=*/false, GlobalValue::InternalLinkage,
                         initial, "loom.roundtrip.row");
  row->setSection("loom_roundtrip");
  row->setAlignment(Align(16));
  return row;
}

void loom::createRoundTripLaunch(const Nest &nest, Function &launch) {
  Module &module = *launch.getParent();
  auto *result = cast<StructType>(launch.getReturnType());
  IRBuilder<> builder(BasicBlock::Create(launch.getContext(), "", &launch));
  auto answer = [&](Value *value, int32_t ticket) {
    builder.CreateRet(
        builder.CreateInsertValue(value, builder.getInt32(ticket), 0));
  };
  // The type that lowering gives: all results but the ticket.
  auto *type = FunctionType::get(
      StructType::get(launch.getContext(), result->elements().drop_front()),
      launch.getFunctionType()->params(), false);
  if (nest.declines) { // nothing could roll it back
    errs() << "loom: round trip: " << nest.name
           << ": may set errno, stays host code\n";
    return answer(PoisonValue::get(result), LOOM_RT_HOST);
  }
  Function *native = module.getFunction("loom.roundtrip." + nest.name);
  if (!native)
    return answer(PoisonValue::get(result), LOOM_RT_HOST);
  if (native->getFunctionType() != type) {
    errs() << "loom: round trip: " << nest.name << ": the signatures differ\n";
    return answer(PoisonValue::get(result), LOOM_RT_HOST);
  }
  native->setLinkage(GlobalValue::InternalLinkage);
  native->addFnAttr(Attribute::NoInline);
  // Code for the same machine as the host function: an fma that is an
  // instruction there must be one here.
  for (StringRef name : {"target-cpu", "target-features", "tune-cpu"})
    if (nest.host->hasFnAttribute(name))
      native->addFnAttr(nest.host->getFnAttribute(name));

  GlobalVariable *row = createRow(module, nest.name);
  builder.CreateAtomicRMW(
      AtomicRMWInst::Add, builder.CreateStructGEP(row->getValueType(), row, 1),
      builder.getInt64(1), Align(8), AtomicOrdering::Monotonic);
  SmallVector<Value *> arguments;
  for (Argument &argument : launch.args())
    arguments.push_back(&argument);
  Value *outputs = builder.CreateCall(native, arguments);
  Value *value = PoisonValue::get(result);
  for (unsigned i = 1; i < result->getNumElements(); ++i)
    value = builder.CreateInsertValue(
        value, builder.CreateExtractValue(outputs, i - 1), i);
  answer(value, LOOM_RT_DONE);
}
