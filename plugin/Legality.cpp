// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Legality.h"
#include "StringCalls.h"
#include "WideIntegers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using loom::Refused;

namespace {

unsigned lineOf(const Instruction &instruction) {
  const DebugLoc &loc = instruction.getDebugLoc();
  return loc ? loc.getLine() : 0;
}

Refused refuse(loom::RefusalKind kind, const Instruction &instruction,
               std::string detail = "") {
  return {kind, std::move(detail), lineOf(instruction)};
}

/// Intrinsics with an exact counterpart in arith, math or the registered LLVM
/// operations, and the memory intrinsics that are expanded.
bool isExactIntrinsic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::abs:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::sadd_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::fabs:
  case Intrinsic::sqrt:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::copysign:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
    return true;
  default:
    return false;
  }
}

std::optional<Refused> checkIntrinsic(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::threadlocal_address:
    return refuse(loom::RefusalKind::TLS, call,
                  call.getArgOperand(0)->getName().str());
  case Intrinsic::vastart:
  case Intrinsic::vaend:
  case Intrinsic::vacopy:
    return refuse(loom::RefusalKind::VarArgs, call);
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
    return refuse(loom::RefusalKind::Alloca, call);
  default:
    break;
  }
  if (auto *memory = dyn_cast<MemIntrinsic>(&call); memory)
    if (memory->isVolatile())
      return refuse(loom::RefusalKind::Volatile, call);
  if (!isExactIntrinsic(call.getIntrinsicID()))
    return refuse(loom::RefusalKind::Intrinsic, call,
                  call.getCalledFunction()->getName().str());
  return std::nullopt;
}

std::optional<Refused> checkCall(const CallBase &call,
                                 const TargetLibraryInfo &tli,
                                 loom::CallPolicy policy) {
  if (call.isInlineAsm())
    return refuse(loom::RefusalKind::InlineAsm, call);
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    return checkIntrinsic(*intrinsic);
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return refuse(loom::RefusalKind::CallIndirect, call);
  LibFunc libFunc;
  if (loom::errnoMath(call, tli) != loom::ErrnoMath::None ||
      loom::isStringCall(call, tli))
    return std::nullopt;
  if (callee->isDeclaration() && callee->getReturnType()->isFloatingPointTy() &&
      tli.getLibFunc(*callee, libFunc))
    return refuse(loom::RefusalKind::MathCall, call, callee->getName().str());
  if (loom::isComparisonCall(call, tli))
    return refuse(loom::RefusalKind::Call, call,
                  (callee->getName() + " (more than the sign is used)").str());
  if (callee->isDeclaration())
    return refuse(loom::RefusalKind::Call, call, callee->getName().str());
  std::string why = policy(call);
  if (why.empty())
    return std::nullopt;
  return refuse(loom::RefusalKind::Call, call,
                (callee->getName() + " (" + why + ")").str());
}

bool isWholeAccess(const Type *type) {
  type = loom::laneType(type);
  return type->isIntegerTy(8) || type->isIntegerTy(16) ||
         type->isIntegerTy(32) || type->isIntegerTy(64) || type->isFloatTy() ||
         type->isDoubleTy() || type->isPointerTy();
}

/// Inside of a nest there are wide integers, too.
std::optional<loom::RefusalKind> checkInner(const Type *type,
                                            const Instruction &instruction) {
  if (loom::isWide(type) && loom::splitsIntoHalves(instruction))
    return std::nullopt;
  return loom::checkType(type);
}

std::optional<Refused> checkAccess(const Instruction &instruction,
                                   const Type *type, bool isVolatile,
                                   bool isAtomic) {
  if (isVolatile)
    return refuse(loom::RefusalKind::Volatile, instruction);
  if (isAtomic)
    return refuse(loom::RefusalKind::Atomic, instruction);
  if (auto kind = checkInner(type, instruction))
    return refuse(*kind, instruction);
  if (!isWholeAccess(type) && !loom::isWide(type))
    return refuse(loom::RefusalKind::MemoryWidth, instruction);
  return std::nullopt;
}

/// Flags under which host code may compute other bits than the operations say.
bool mayBeApproximated(const Instruction &instruction) {
  auto *fp = dyn_cast<FPMathOperator>(&instruction);
  return fp && (fp->hasAllowReassoc() || fp->hasNoSignedZeros() ||
                fp->hasAllowReciprocal() || fp->hasAllowContract() ||
                fp->hasApproxFunc());
}

std::optional<Refused> checkOperands(const Instruction &instruction) {
  for (const Value *operand : instruction.operands()) {
    if (isa<BasicBlock>(operand) || isa<MetadataAsValue>(operand) ||
        isa<Function>(operand))
      continue;
    if (auto kind = checkInner(operand->getType(), instruction))
      return refuse(*kind, instruction);
    if (auto *global =
            dyn_cast<GlobalVariable>(operand->stripInBoundsOffsets());
        global && global->isThreadLocal())
      return refuse(loom::RefusalKind::TLS, instruction,
                    global->getName().str());
    if (isa<BlockAddress>(operand))
      return refuse(loom::RefusalKind::IndirectBr, instruction);
  }
  return std::nullopt;
}

} // namespace

std::optional<Refused> loom::checkInstruction(const Instruction &instruction,
                                              const TargetLibraryInfo &tli,
                                              CallPolicy policy) {
  if (loom::isIgnoredCall(instruction))
    return std::nullopt;
  switch (instruction.getOpcode()) {
  case Instruction::Invoke:
  case Instruction::LandingPad:
  case Instruction::Resume:
  case Instruction::CatchPad:
  case Instruction::CatchRet:
  case Instruction::CatchSwitch:
  case Instruction::CleanupPad:
  case Instruction::CleanupRet:
    return refuse(loom::RefusalKind::EH, instruction);
  case Instruction::CallBr:
    return refuse(loom::RefusalKind::InlineAsm, instruction);
  case Instruction::IndirectBr:
    return refuse(loom::RefusalKind::IndirectBr, instruction);
  case Instruction::VAArg:
    return refuse(loom::RefusalKind::VarArgs, instruction);
  case Instruction::Fence:
  case Instruction::AtomicCmpXchg:
  case Instruction::AtomicRMW:
    return refuse(loom::RefusalKind::Atomic, instruction);
  case Instruction::Alloca:
    return refuse(loom::RefusalKind::Alloca, instruction);
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return refuse(loom::RefusalKind::Aggregate, instruction);
  case Instruction::AddrSpaceCast:
    return refuse(loom::RefusalKind::AddressSpace, instruction);
  case Instruction::PtrToAddr:
    return refuse(loom::RefusalKind::RaiseOp, instruction, "ptrtoaddr");
  default:
    break;
  }
  if (auto *call = dyn_cast<CallBase>(&instruction))
    if (auto refused = checkCall(*call, tli, policy))
      return refused;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    if (auto refused = checkAccess(*load, load->getType(), load->isVolatile(),
                                   load->isAtomic()))
      return refused;
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    if (auto refused = checkAccess(*store, store->getValueOperand()->getType(),
                                   store->isVolatile(), store->isAtomic()))
      return refused;
  if (auto kind = checkInner(instruction.getType(), instruction))
    return refuse(*kind, instruction);
  if (auto refused = checkOperands(instruction))
    return refused;
  if (mayBeApproximated(instruction))
    return refuse(loom::RefusalKind::FastMath, instruction);
  return std::nullopt;
}

const Type *loom::laneType(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() <= mostLanes
             ? vector->getElementType()
             : type;
}

std::optional<loom::RefusalKind> loom::checkType(const Type *type) {
  type = laneType(type);
  if (type->isVoidTy() || type->isLabelTy() || type->isFloatTy() ||
      type->isDoubleTy() || type->isMetadataTy())
    return std::nullopt;
  if (auto *integer = dyn_cast<IntegerType>(type))
    return integer->getBitWidth() <= 64 ? std::nullopt
                                        : std::optional(RefusalKind::IntWidth);
  if (auto *pointer = dyn_cast<PointerType>(type))
    return pointer->getAddressSpace() == 0
               ? std::nullopt
               : std::optional(RefusalKind::AddressSpace);
  if (type->isFloatingPointTy())
    return RefusalKind::FloatType;
  if (type->isVectorTy() || type->isX86_AMXTy())
    return RefusalKind::Vector;
  return RefusalKind::Aggregate;
}

loom::ErrnoMath loom::errnoMath(const CallBase &call,
                                const TargetLibraryInfo &tli) {
  LibFunc function;
  const Function *callee = call.getCalledFunction();
  // A function of the same name in the program is the program's own.
  if (!callee || !callee->isDeclaration() || call.isNoBuiltin() ||
      call.isStrictFP() || !tli.getLibFunc(*callee, function) ||
      !tli.has(function))
    return ErrnoMath::None;
  switch (function) {
  case LibFunc_sqrt:
  case LibFunc_sqrtf:
    return ErrnoMath::Sqrt;
  case LibFunc_fmod:
  case LibFunc_fmodf:
    return ErrnoMath::Fmod;
  case LibFunc_fdim:
  case LibFunc_fdimf:
    return ErrnoMath::Fdim;
  default:
    return ErrnoMath::None;
  }
}

bool loom::isIgnoredCall(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_label:
  case Intrinsic::dbg_assign:
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::donothing:
  case Intrinsic::prefetch: // a hint: it neither traps nor changes a value
  case Intrinsic::var_annotation:
    return true;
  default:
    return false;
  }
}

std::optional<Refused> loom::checkFunction(const Function &function) {
  if (function.hasOptNone())
    return Refused{RefusalKind::OptNone, ""};
  if (function.isPresplitCoroutine() ||
      function.hasFnAttribute(Attribute::Naked))
    return Refused{RefusalKind::Coroutine, ""};
  if (function.hasFnAttribute(Attribute::StrictFP))
    return Refused{RefusalKind::StrictFP, ""};
  if (function.hasFnAttribute(Attribute::SanitizeAddress) ||
      function.hasFnAttribute(Attribute::SanitizeThread) ||
      function.hasFnAttribute(Attribute::SanitizeMemory) ||
      function.hasFnAttribute(Attribute::SanitizeHWAddress) ||
      function.hasFnAttribute(Attribute::SanitizeMemTag))
    return Refused{RefusalKind::Sanitizer, ""};
  if (function.callsFunctionThatReturnsTwice())
    return Refused{RefusalKind::SetJmp, ""};
  for (const BasicBlock &block : function)
    if (block.hasAddressTaken() || isa<IndirectBrInst>(block.getTerminator()))
      return Refused{RefusalKind::IndirectBr, "",
                     lineOf(*block.getTerminator())};
  return std::nullopt;
}

std::optional<Refused> loom::checkNest(const Loop &loop,
                                       const TargetLibraryInfo &tli,
                                       unsigned maxInstructions,
                                       CallPolicy policy) {
  unsigned size = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      ++size;
      if (auto refused = checkInstruction(instruction, tli, policy))
        return refused;
    }
  if (size > maxInstructions)
    return Refused{RefusalKind::Size, std::to_string(size) + " instructions"};
  if (!loop.isLoopSimplifyForm())
    return Refused{RefusalKind::Outline, ""};
  SmallVector<BasicBlock *> exits;
  loop.getUniqueExitBlocks(exits);
  if (exits.empty())
    return Refused{RefusalKind::NoExit, ""};
  for (BasicBlock *exit : exits) {
    if (exit->isEHPad())
      return Refused{RefusalKind::EH, ""};
    for (const PHINode &phi : exit->phis())
      if (auto kind = checkType(phi.getType()))
        return Refused{*kind, ""};
  }
  return std::nullopt;
}
