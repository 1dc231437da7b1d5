// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operand and result types of the compute operations.

#include "Image/Signature.h"
#include "Image/Flat.h"

namespace loom::rt {

using image::Op;

Signature signatureOf(uint8_t op) {
  switch (static_cast<Op>(op)) {
  case Op::AddI:
  case Op::SubI:
  case Op::MulI:
  case Op::DivSI:
  case Op::DivUI:
  case Op::RemSI:
  case Op::RemUI:
  case Op::AndI:
  case Op::OrI:
  case Op::XorI:
  case Op::ShlI:
  case Op::ShrSI:
  case Op::ShrUI:
  case Op::MinSI:
  case Op::MaxSI:
  case Op::MinUI:
  case Op::MaxUI:
  case Op::AddSatS:
  case Op::AddSatU:
  case Op::SubSatS:
  case Op::SubSatU:
    return {Form::Int, 2};
  case Op::AbsI:
  case Op::CtPop:
  case Op::CtLz:
  case Op::CtTz:
  case Op::BSwap:
  case Op::BitReverse:
    return {Form::Int, 1};
  case Op::FShl:
  case Op::FShr:
    return {Form::Int, 3};
  case Op::CmpI:
    return {Form::CompareInt, 2};
  case Op::Select:
    return {Form::Select, 3};
  case Op::ExtSI:
  case Op::ExtUI:
    return {Form::Widen, 1};
  case Op::TruncI:
    return {Form::Narrow, 1};
  case Op::AddF:
  case Op::SubF:
  case Op::MulF:
  case Op::DivF:
  case Op::RemF:
  case Op::CopySign:
  case Op::MinNumF:
  case Op::MaxNumF:
  case Op::MinimumF:
  case Op::MaximumF:
    return {Form::Float, 2};
  case Op::NegF:
  case Op::AbsF:
  case Op::Sqrt:
  case Op::Floor:
  case Op::Ceil:
  case Op::TruncF:
  case Op::Round:
  case Op::RoundEven:
    return {Form::Float, 1};
  case Op::Fma:
    return {Form::Float, 3};
  case Op::CmpF:
    return {Form::CompareFloat, 2};
  case Op::SIToFP:
  case Op::UIToFP:
    return {Form::IntToFloat, 1};
  case Op::FPToSI:
  case Op::FPToUI:
    return {Form::FloatToInt, 1};
  case Op::ExtF:
    return {Form::WidenFloat, 1};
  case Op::DemoteF:
    return {Form::NarrowFloat, 1};
  case Op::Bitcast:
    return {Form::Bitcast, 1};
  case Op::PtrAdd:
    return {Form::PointerAdd, 2};
  case Op::PtrToInt:
    return {Form::PointerToInt, 1};
  case Op::IntToPtr:
    return {Form::IntToPointer, 1};
  case Op::Copy:
    return {Form::Copy, 1};
  case Op::None:
    break;
  }
  return {Form::None, 0};
}

bool isStepKind(uint8_t op) {
  switch (static_cast<Op>(op)) {
  case Op::AddI:
  case Op::SubI:
  case Op::MulI:
  case Op::DivSI:
  case Op::DivUI:
  case Op::ShlI:
  case Op::ShrSI:
  case Op::ShrUI:
    return true;
  default:
    return false;
  }
}

ImageError checkCompute(const ActorInfo &actor) {
  bool good = true;
  switch (signatureOf(actor.op).form) {
  case Form::None:
    return ImageError::ActorOp;
  case Form::Int:
    if (static_cast<Op>(actor.op) == Op::BSwap && actor.width % 16 != 0)
      return ImageError::ActorWidth;
    good = isInteger(actor.type);
    break;
  case Form::CompareInt:
    if (actor.pred > 9)
      return ImageError::ActorPredicate;
    good = actor.type == Ty::I1 &&
           (isInteger(actor.from) || actor.from == Ty::Ptr);
    break;
  case Form::CompareFloat:
    if (actor.pred > 15)
      return ImageError::ActorPredicate;
    good = actor.type == Ty::I1 && isFloat(actor.from);
    break;
  case Form::Widen:
    good = isInteger(actor.type) && isInteger(actor.from);
    if (good && actor.width <= actor.fromWidth)
      return ImageError::ActorWidth;
    break;
  case Form::Narrow:
    good = isInteger(actor.type) && isInteger(actor.from);
    if (good && actor.width >= actor.fromWidth)
      return ImageError::ActorWidth;
    break;
  case Form::Float:
    good = isFloat(actor.type);
    break;
  case Form::IntToFloat:
    good = isFloat(actor.type) && isInteger(actor.from);
    break;
  case Form::FloatToInt:
    good = isInteger(actor.type) && isFloat(actor.from);
    break;
  case Form::WidenFloat:
    good = actor.type == Ty::F64;
    break;
  case Form::NarrowFloat:
    good = actor.type == Ty::F32;
    break;
  case Form::Bitcast: {
    auto bits = [](Ty type, unsigned width) {
      return isInteger(type) ? width : 8 * typeBytes(type);
    };
    good = (isInteger(actor.type) || isFloat(actor.type)) &&
           (isInteger(actor.from) || isFloat(actor.from)) &&
           bits(actor.type, actor.width) == bits(actor.from, actor.fromWidth);
    break;
  }
  case Form::PointerAdd:
  case Form::IntToPointer:
    good = actor.type == Ty::Ptr;
    break;
  case Form::PointerToInt:
    good = isInteger(actor.type);
    break;
  case Form::Select:
  case Form::Copy:
    break;
  }
  return good ? ImageError::None : ImageError::ActorType;
}

bool computeOperandsMatch(const ActorInfo &actor, const ValueType *operands) {
  ValueType type = {actor.type, actor.width};
  ValueType from = {actor.from, actor.fromWidth};
  Signature signature = signatureOf(actor.op);
  switch (signature.form) {
  case Form::None:
    return false;
  case Form::Int:
  case Form::Float:
  case Form::Copy:
    for (unsigned i = 0; i < signature.operands; ++i)
      if (operands[i] != type)
        return false;
    return true;
  case Form::CompareInt:
  case Form::CompareFloat:
    return operands[0] == from && operands[1] == from;
  case Form::Select:
    return operands[0] == ValueType{Ty::I1, 1} && operands[1] == type &&
           operands[2] == type;
  case Form::Widen:
  case Form::Narrow:
  case Form::IntToFloat:
  case Form::FloatToInt:
  case Form::Bitcast:
    return operands[0] == from;
  case Form::WidenFloat:
    return operands[0] == ValueType{Ty::F32, 0};
  case Form::NarrowFloat:
    return operands[0] == ValueType{Ty::F64, 0};
  case Form::PointerAdd:
    return operands[0] == ValueType{Ty::Ptr, 0} &&
           operands[1] == ValueType{Ty::I64, 64};
  case Form::PointerToInt:
    return operands[0] == ValueType{Ty::Ptr, 0};
  case Form::IntToPointer:
    return isInteger(operands[0].type);
  }
  return false;
}

} // namespace loom::rt
