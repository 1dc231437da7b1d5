// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StringCalls.h"
#include "Prepare.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

/// Does the result depend on no more than the sign of `value`?
bool isSignTest(const User &user, const Value &value) {
  using namespace PatternMatch;
  if (match(&user,
            m_Shr(m_Specific(&value),
                  m_SpecificInt(value.getType()->getIntegerBitWidth() - 1))))
    return true;
  auto *compare = dyn_cast<ICmpInst>(&user);
  if (!compare || compare->getOperand(0) != &value)
    return false;
  switch (compare->getPredicate()) {
  case ICmpInst::ICMP_EQ:
  case ICmpInst::ICMP_NE:
  case ICmpInst::ICMP_SGE:
  case ICmpInst::ICMP_SLE:
    return match(compare->getOperand(1), m_Zero());
  case ICmpInst::ICMP_SLT:
    return match(compare->getOperand(1), m_Zero()) ||
           match(compare->getOperand(1), m_One());
  case ICmpInst::ICMP_SGT:
    return match(compare->getOperand(1), m_Zero()) ||
           match(compare->getOperand(1), m_AllOnes());
  default:
    return false;
  }
}

/// The library function that is called.
std::optional<LibFunc> libraryFunction(const CallBase &call,
                                       const TargetLibraryInfo &tli) {
  LibFunc function;
  const Function *callee = call.getCalledFunction();
  // A function of the same name in the program is the program's own.
  if (!callee || !callee->isDeclaration() || !isa<CallInst>(call) ||
      call.isNoBuiltin() || call.hasOperandBundles() ||
      !tli.getLibFunc(*callee, function) || !tli.has(function))
    return std::nullopt;
  return function;
}

bool isComparison(LibFunc function) {
  return function == LibFunc_strcmp || function == LibFunc_strncmp ||
         function == LibFunc_memcmp || function == LibFunc_bcmp;
}

/// The function that is called, if a loop gives what it gives.
std::optional<LibFunc> stringFunction(const CallBase &call,
                                      const TargetLibraryInfo &tli) {
  std::optional<LibFunc> function = libraryFunction(call, tli);
  if (!function)
    return std::nullopt;
  if (isComparison(*function))
    return all_of(call.users(),
                  [&](const User *user) { return isSignTest(*user, call); })
               ? function
               : std::nullopt;
  switch (*function) {
  case LibFunc_strlen:
  case LibFunc_strnlen:
  case LibFunc_strchr:
  case LibFunc_strrchr:
  case LibFunc_memchr:
  case LibFunc_strcpy:
  case LibFunc_stpcpy:
    return function;
  default:
    return std::nullopt;
  }
}

/// One call as a loop over the bytes 0, 1, ... of its operands: `header` leaves
/// at a bound, if there is one, `body` at a byte that ends the function.
class ByteLoop {
public:
  /// `size` is the size_t of the target.
  ByteLoop(CallInst &call, LibFunc function, IntegerType &size)
      : call(call), function(function), size(size), before(call.getParent()),
        after(SplitBlock(before, &call)), builder(call.getContext()) {}

  void expand() {
    Function *host = before->getParent();
    LLVMContext &context = call.getContext();
    BasicBlock *body = BasicBlock::Create(context, "", host, after);
    BasicBlock *header =
        bound() ? BasicBlock::Create(context, "", host, body) : body;
    before->getTerminator()->setSuccessor(0, header);
    builder.SetInsertPoint(header);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    index = builder.CreatePHI(&size, 2);
    index->addIncoming(ConstantInt::get(&size, 0), before);
    if (function == LibFunc_strrchr) {
      last = builder.CreatePHI(call.getType(), 2);
      last->addIncoming(Constant::getNullValue(call.getType()), before);
    }
    PHINode *result = PHINode::Create(call.getType(), 2, "", after->begin());
    if (Value *end = bound()) {
      builder.CreateCondBr(builder.CreateICmpEQ(index, end), after, body);
      result->addIncoming(atBound(), header);
    }
    builder.SetInsertPoint(body);
    auto [stops, value] = visitByte();
    result->addIncoming(value, body);
    Value *next = builder.CreateNUWAdd(index, ConstantInt::get(&size, 1));
    builder.CreateCondBr(stops, after, header);
    index->addIncoming(next, body);
    if (last)
      last->addIncoming(value, body);
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

private:
  /// How many bytes the function looks at, at most.
  Value *bound() const {
    switch (function) {
    case LibFunc_strnlen:
      return call.getArgOperand(1);
    case LibFunc_memchr:
    case LibFunc_strncmp:
    case LibFunc_memcmp:
    case LibFunc_bcmp:
      return call.getArgOperand(2);
    default:
      return nullptr;
    }
  }

  Value *atBound() const {
    if (function == LibFunc_strnlen)
      return index;
    return Constant::getNullValue(call.getType());
  }

  Value *address(unsigned operand) {
    return builder.CreateInBoundsGEP(builder.getInt8Ty(),
                                     call.getArgOperand(operand), index);
  }

  Value *byte(unsigned operand) {
    return builder.CreateAlignedLoad(builder.getInt8Ty(), address(operand),
                                     Align(1));
  }

  /// At byte `index`: does the function end here, and what would it return?
  std::pair<Value *, Value *> visitByte() {
    Value *zero = builder.getInt8(0);
    Value *one =
        byte(function == LibFunc_strcpy || function == LibFunc_stpcpy ? 1 : 0);
    Value *isZero =
        function == LibFunc_memchr ? nullptr : builder.CreateICmpEQ(one, zero);
    switch (function) {
    case LibFunc_strlen:
    case LibFunc_strnlen:
      return {isZero, index};
    case LibFunc_strchr:
    case LibFunc_strrchr:
    case LibFunc_memchr: {
      Value *what =
          builder.CreateTrunc(call.getArgOperand(1), builder.getInt8Ty());
      Value *isIt = builder.CreateICmpEQ(one, what);
      if (function == LibFunc_memchr)
        return {isIt, address(0)};
      Value *otherwise = last ? static_cast<Value *>(last)
                              : Constant::getNullValue(call.getType());
      Value *found = builder.CreateSelect(isIt, address(0), otherwise);
      return {last ? isZero : builder.CreateOr(isIt, isZero), found};
    }
    case LibFunc_strcpy:
    case LibFunc_stpcpy:
      builder.CreateAlignedStore(one, address(0), Align(1));
      return {isZero,
              function == LibFunc_stpcpy ? address(0) : call.getArgOperand(0)};
    default:
      break;
    }
    Value *two = byte(1);
    Value *differs = builder.CreateICmpNE(one, two);
    bool isText = function == LibFunc_strcmp || function == LibFunc_strncmp;
    return {isText ? builder.CreateOr(differs, isZero) : differs,
            builder.CreateSub(builder.CreateZExt(one, call.getType()),
                              builder.CreateZExt(two, call.getType()))};
  }

  CallInst &call;
  LibFunc function;
  IntegerType &size;
  BasicBlock *before, *after;
  IRBuilder<> builder;
  PHINode *index = nullptr;
  PHINode *last = nullptr; ///< strrchr: the match so far
};

} // namespace

bool loom::isStringCall(const CallBase &call, const TargetLibraryInfo &tli) {
  return stringFunction(call, tli).has_value();
}

bool loom::isComparisonCall(const CallBase &call,
                            const TargetLibraryInfo &tli) {
  std::optional<LibFunc> function = libraryFunction(call, tli);
  return function && isComparison(*function);
}

bool loom::expandStringCalls(Function &clone, Loop &loop,
                             FunctionAnalysisManager &analyses) {
  const auto &tli = analyses.getResult<TargetLibraryAnalysis>(clone);
  SmallVector<std::pair<CallInst *, LibFunc>> work;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (std::optional<LibFunc> function = stringFunction(*call, tli))
          work.push_back({call, *function});
  if (work.empty())
    return false;
  auto *size = IntegerType::get(clone.getContext(),
                                tli.getSizeTSize(*clone.getParent()));
  for (auto [call, function] : work)
    ByteLoop(*call, function, *size).expand();
  analyses.invalidate(clone, PreservedAnalyses::none());
  restoreLoopForm(clone, analyses);
  return true;
}
