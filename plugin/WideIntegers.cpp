// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WideIntegers.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

constexpr unsigned halfWidth = 64;

struct Halves {
  Value *low = nullptr, *high = nullptr;
};

/// Operations on one function's wide values. What overflow or an exact shift
/// would make poison gets a value: a refinement.
class Splitter {
public:
  explicit Splitter(Function &function)
      : function(function),
        half(IntegerType::get(function.getContext(), halfWidth)),
        builder(function.getContext(),
                InstSimplifyFolder(function.getDataLayout())) {}

  bool run() {
    ReversePostOrderTraversal<Function *> order(&function);
    for (BasicBlock *block : order)
      for (PHINode &phi : block->phis())
        if (loom::isWide(phi.getType()))
          startPhi(phi);
    for (BasicBlock *block : order)
      for (Instruction &instruction : make_early_inc_range(*block)) {
        if (isa<PHINode>(instruction) || !touchesWide(instruction))
          continue;
        if (!loom::splitsIntoHalves(instruction))
          return false;
        builder.SetInsertPoint(&instruction);
        split(instruction);
        old.push_back(&instruction);
      }
    for (auto [phi, halves] : phis)
      finishPhi(*phi, halves);
    for (Instruction *instruction : reverse(old)) {
      instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
    for (auto [phi, halves] : phis)
      phi->eraseFromParent();
    return true;
  }

  static bool touchesWide(const Instruction &instruction) {
    return loom::isWide(instruction.getType()) ||
           any_of(instruction.operands(), [](const Use &operand) {
             return loom::isWide(operand->getType());
           });
  }

private:
  using Builder = IRBuilder<InstSimplifyFolder>;

  Halves halves(Value *value) {
    if (auto *constant = dyn_cast<ConstantInt>(value))
      return {ConstantInt::get(half, constant->getValue().trunc(halfWidth)),
              ConstantInt::get(half, constant->getValue().extractBits(
                                         halfWidth, halfWidth))};
    if (isa<PoisonValue>(value))
      return {PoisonValue::get(half), PoisonValue::get(half)};
    if (isa<UndefValue>(value))
      return {UndefValue::get(half), UndefValue::get(half)};
    return parts.lookup(value);
  }

  Value *number(uint64_t value) { return ConstantInt::get(half, value); }

  void startPhi(PHINode &phi) {
    builder.SetInsertPoint(&phi);
    unsigned count = phi.getNumIncomingValues();
    Halves made{builder.CreatePHI(half, count), builder.CreatePHI(half, count)};
    parts[&phi] = made;
    phis.push_back({&phi, made});
  }

  void finishPhi(PHINode &phi, Halves made) {
    for (auto [value, block] : zip(phi.incoming_values(), phi.blocks())) {
      Halves incoming = halves(value);
      cast<PHINode>(made.low)->addIncoming(incoming.low, block);
      cast<PHINode>(made.high)->addIncoming(incoming.high, block);
    }
  }

  /// The upper half of the product of two halves, from four products of
  /// quarters, none of which overflows.
  Value *highProduct(Value *a, Value *b) {
    constexpr unsigned quarter = halfWidth / 2;
    Value *mask = number(UINT32_MAX);
    Value *a0 = builder.CreateAnd(a, mask),
          *a1 = builder.CreateLShr(a, quarter);
    Value *b0 = builder.CreateAnd(b, mask),
          *b1 = builder.CreateLShr(b, quarter);
    Value *middle = builder.CreateAdd(
        builder.CreateMul(a1, b0),
        builder.CreateLShr(builder.CreateMul(a0, b0), quarter));
    Value *other = builder.CreateAdd(builder.CreateMul(a0, b1),
                                     builder.CreateAnd(middle, mask));
    return builder.CreateAdd(
        builder.CreateAdd(builder.CreateMul(a1, b1),
                          builder.CreateLShr(middle, quarter)),
        builder.CreateLShr(other, quarter));
  }

  Halves add(Halves a, Halves b) {
    Value *low = builder.CreateAdd(a.low, b.low);
    Value *carry = builder.CreateZExt(builder.CreateICmpULT(low, a.low), half);
    return {low, builder.CreateAdd(builder.CreateAdd(a.high, b.high), carry)};
  }

  Halves subtract(Halves a, Halves b) {
    Value *borrow =
        builder.CreateZExt(builder.CreateICmpULT(a.low, b.low), half);
    return {builder.CreateSub(a.low, b.low),
            builder.CreateSub(builder.CreateSub(a.high, b.high), borrow)};
  }

  Halves multiply(Halves a, Halves b) {
    Value *cross = builder.CreateAdd(builder.CreateMul(a.low, b.high),
                                     builder.CreateMul(a.high, b.low));
    return {builder.CreateMul(a.low, b.low),
            builder.CreateAdd(highProduct(a.low, b.low), cross)};
  }

  /// The bits that a shift by `by` < 64 moves across from the other half; by 0
  /// none, so it is a shift by one and then by 63 - `by`.
  Value *across(Value *other, Value *by, bool left) {
    Value *rest = builder.CreateXor(by, number(halfWidth - 1));
    return left ? builder.CreateLShr(builder.CreateLShr(other, 1), rest)
                : builder.CreateShl(builder.CreateShl(other, 1), rest);
  }

  /// Shifts by 128 and more are poison: only the low half of the amount counts.
  Halves shift(unsigned opcode, Halves a, Halves amount) {
    Value *by = builder.CreateAnd(amount.low, number(halfWidth - 1));
    Value *isFar = builder.CreateICmpUGE(amount.low, number(halfWidth));
    auto choose = [&](Value *far, Value *near) {
      return builder.CreateSelect(isFar, far, near);
    };
    if (opcode == Instruction::Shl) {
      Value *moved = builder.CreateShl(a.low, by);
      Value *high = builder.CreateOr(builder.CreateShl(a.high, by),
                                     across(a.low, by, /*left=*/true));
      return {choose(number(0), moved), choose(moved, high)};
    }
    bool isSigned = opcode == Instruction::AShr;
    Value *moved = isSigned ? builder.CreateAShr(a.high, by)
                            : builder.CreateLShr(a.high, by);
    Value *fill =
        isSigned ? builder.CreateAShr(a.high, halfWidth - 1) : number(0);
    Value *low = builder.CreateOr(builder.CreateLShr(a.low, by),
                                  across(a.high, by, /*left=*/false));
    return {choose(moved, low), choose(fill, moved)};
  }

  Value *compare(CmpInst::Predicate predicate, Halves a, Halves b) {
    Value *isEqual = builder.CreateICmpEQ(a.high, b.high);
    if (ICmpInst::isEquality(predicate)) {
      Value *both =
          builder.CreateAnd(isEqual, builder.CreateICmpEQ(a.low, b.low));
      return predicate == ICmpInst::ICMP_EQ ? both : builder.CreateNot(both);
    }
    return builder.CreateSelect(
        isEqual,
        builder.CreateICmp(ICmpInst::getUnsignedPredicate(predicate), a.low,
                           b.low),
        builder.CreateICmp(predicate, a.high, b.high));
  }

  Value *secondHalf(Value *address) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), address,
                                      halfWidth / 8);
  }

  Halves load(LoadInst &access) {
    Align align = access.getAlign();
    Value *address = access.getPointerOperand();
    Value *low = builder.CreateAlignedLoad(half, address, align);
    return {low,
            builder.CreateAlignedLoad(half, secondHalf(address),
                                      commonAlignment(align, halfWidth / 8))};
  }

  void store(StoreInst &access) {
    Align align = access.getAlign();
    Value *address = access.getPointerOperand();
    Halves value = halves(access.getValueOperand());
    builder.CreateAlignedStore(value.low, address, align);
    builder.CreateAlignedStore(value.high, secondHalf(address),
                               commonAlignment(align, halfWidth / 8));
  }

  Halves binary(BinaryOperator &operation) {
    Halves a = halves(operation.getOperand(0));
    Halves b = halves(operation.getOperand(1));
    switch (operation.getOpcode()) {
    case Instruction::Add:
      return add(a, b);
    case Instruction::Sub:
      return subtract(a, b);
    case Instruction::Mul:
      return multiply(a, b);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return shift(operation.getOpcode(), a, b);
    default:
      return {builder.CreateBinOp(operation.getOpcode(), a.low, b.low),
              builder.CreateBinOp(operation.getOpcode(), a.high, b.high)};
    }
  }

  /// A shift of two wide values by the amount modulo 128; across as above.
  Halves funnel(bool left, Halves a, Halves b, Value *amount) {
    Value *limit = number(2 * halfWidth - 1);
    Halves by{builder.CreateAnd(amount, limit), number(0)};
    Halves rest{builder.CreateXor(by.low, limit), number(0)};
    Halves one{number(1), number(0)};
    Halves upper =
        left ? shift(Instruction::Shl, a, by)
             : shift(Instruction::Shl, shift(Instruction::Shl, a, one), rest);
    Halves lower =
        left ? shift(Instruction::LShr, shift(Instruction::LShr, b, one), rest)
             : shift(Instruction::LShr, b, by);
    return {builder.CreateOr(upper.low, lower.low),
            builder.CreateOr(upper.high, lower.high)};
  }

  Halves intrinsic(IntrinsicInst &call) {
    Halves a = halves(call.getArgOperand(0));
    if (call.getIntrinsicID() == Intrinsic::bswap)
      return {builder.CreateUnaryIntrinsic(Intrinsic::bswap, a.high),
              builder.CreateUnaryIntrinsic(Intrinsic::bswap, a.low)};
    Halves b = halves(call.getArgOperand(1));
    if (auto *choice = dyn_cast<MinMaxIntrinsic>(&call)) {
      Value *isFirst = compare(choice->getPredicate(), a, b);
      return {builder.CreateSelect(isFirst, a.low, b.low),
              builder.CreateSelect(isFirst, a.high, b.high)};
    }
    return funnel(call.getIntrinsicID() == Intrinsic::fshl, a, b,
                  halves(call.getArgOperand(2)).low);
  }

  void split(Instruction &instruction) {
    Value *first = instruction.getOperand(0);
    switch (instruction.getOpcode()) {
    case Instruction::Trunc:
      instruction.replaceAllUsesWith(
          builder.CreateTrunc(halves(first).low, instruction.getType()));
      return;
    case Instruction::ICmp:
      instruction.replaceAllUsesWith(
          compare(cast<ICmpInst>(instruction).getPredicate(), halves(first),
                  halves(instruction.getOperand(1))));
      return;
    case Instruction::Store:
      return store(cast<StoreInst>(instruction));
    case Instruction::Load:
      parts[&instruction] = load(cast<LoadInst>(instruction));
      return;
    case Instruction::ZExt:
      parts[&instruction] = {builder.CreateZExt(first, half), number(0)};
      return;
    case Instruction::SExt: {
      Value *low = builder.CreateSExt(first, half);
      parts[&instruction] = {low, builder.CreateAShr(low, halfWidth - 1)};
      return;
    }
    case Instruction::Freeze: {
      Halves value = halves(first);
      parts[&instruction] = {builder.CreateFreeze(value.low),
                             builder.CreateFreeze(value.high)};
      return;
    }
    case Instruction::Select: {
      Halves a = halves(instruction.getOperand(1));
      Halves b = halves(instruction.getOperand(2));
      parts[&instruction] = {builder.CreateSelect(first, a.low, b.low),
                             builder.CreateSelect(first, a.high, b.high)};
      return;
    }
    case Instruction::Call:
      parts[&instruction] = intrinsic(cast<IntrinsicInst>(instruction));
      return;
    default:
      parts[&instruction] = binary(cast<BinaryOperator>(instruction));
    }
  }

  Function &function;
  IntegerType *half;
  Builder builder;
  DenseMap<Value *, Halves> parts; // only looked up
  SmallVector<std::pair<PHINode *, Halves>> phis;
  SmallVector<Instruction *> old;
};

} // namespace

bool loom::isWide(const Type *type) { return type->isIntegerTy(2 * halfWidth); }

bool loom::splitsIntoHalves(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::ICmp:
  case Instruction::Select:
  case Instruction::PHI:
  case Instruction::Freeze:
    return true;
  case Instruction::Load:
  case Instruction::Store:
    return instruction.getDataLayout().isLittleEndian();
  case Instruction::Trunc:
    return instruction.getType()->getScalarSizeInBits() <= halfWidth;
  case Instruction::ZExt:
  case Instruction::SExt:
    return instruction.getOperand(0)->getType()->getScalarSizeInBits() <=
           halfWidth;
  case Instruction::Call: {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return call && (isa<MinMaxIntrinsic>(call) ||
                    call->getIntrinsicID() == Intrinsic::fshl ||
                    call->getIntrinsicID() == Intrinsic::fshr ||
                    call->getIntrinsicID() == Intrinsic::bswap);
  }
  default:
    return false;
  }
}

bool loom::splitWideIntegers(Function &outlined) {
  return none_of(instructions(outlined), Splitter::touchesWide) ||
         Splitter(outlined).run();
}
