// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonical compute spelling: one operation for one computation.

#include "loom/Structured/Raise/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using loom::Refused;

namespace {

arith::IntegerOverflowFlags overflow(LLVM::IntegerOverflowFlags flags) {
  auto result = arith::IntegerOverflowFlags::none;
  if (bitEnumContainsAny(flags, LLVM::IntegerOverflowFlags::nsw))
    result = result | arith::IntegerOverflowFlags::nsw;
  if (bitEnumContainsAny(flags, LLVM::IntegerOverflowFlags::nuw))
    result = result | arith::IntegerOverflowFlags::nuw;
  return result;
}

/// The two enumerations have the same cases in the same order except for the
/// values of `false`.
std::optional<arith::CmpFPredicate> predicate(LLVM::FCmpPredicate from) {
  return arith::symbolizeCmpFPredicate(
      from == LLVM::FCmpPredicate::_false ? "false"
      : from == LLVM::FCmpPredicate::_true
          ? "true"
          : LLVM::stringifyFCmpPredicate(from));
}

std::optional<arith::CmpIPredicate> predicate(LLVM::ICmpPredicate from) {
  return arith::symbolizeCmpIPredicate(LLVM::stringifyICmpPredicate(from));
}

class Speller {
public:
  Speller(LLVM::LLVMFuncOp function, SmallVectorImpl<Refused> &refusals)
      : function(function), refusals(refusals), builder(function.getContext()) {
  }

  LogicalResult run() {
    SmallVector<Operation *> work;
    function.getBody().walk([&](Operation *op) { work.push_back(op); });
    for (Operation *op : work)
      spell(op);
    return success(!failed);
  }

private:
  void refuse(Operation *op, const Twine &detail = "") {
    failed = true;
    std::string text = op->getName().getStringRef().str();
    if (!detail.isTriviallyEmpty())
      text += (": " + detail).str();
    refusals.push_back({loom::RefusalKind::RaiseOp, text});
  }

  template <typename OpT, typename... Args>
  void replace(Operation *op, Args &&...args) {
    auto spelled =
        OpT::create(builder, op->getLoc(), std::forward<Args>(args)...);
    op->replaceAllUsesWith(spelled->getResults());
    op->erase();
  }

  void replaceValue(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  Value constant(Location loc, Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }

  void spellConstant(LLVM::ConstantOp op) {
    auto value = dyn_cast<TypedAttr>(op.getValue());
    if (!value || value.getType() != op.getType() ||
        !isa<IntegerAttr, FloatAttr>(value))
      return refuse(op);
    replaceValue(op, arith::ConstantOp::create(builder, op.getLoc(), value));
  }

  /// An address becomes base + one byte offset of 64 bits.
  void spellAddress(LLVM::GEPOp op) {
    Location loc = op.getLoc();
    Type i64 = builder.getI64Type(), i8 = builder.getI8Type();
    DataLayout layout = DataLayout::closest(op);
    Value offset;
    int64_t constantBytes = 0;
    auto add = [&](Value bytes) {
      offset =
          offset
              ? arith::AddIOp::create(builder, loc, offset, bytes).getResult()
              : bytes;
    };
    auto addIndex = [&](auto index, uint64_t size) {
      if (auto attribute = dyn_cast<IntegerAttr>(index)) {
        constantBytes += attribute.getInt() * int64_t(size);
        return;
      }
      Value value = cast<Value>(index);
      auto type = dyn_cast<IntegerType>(value.getType());
      if (!type) {
        refuse(op, "index");
        return;
      }
      if (type.getWidth() < 64)
        value = arith::ExtSIOp::create(builder, loc, i64, value);
      else if (type.getWidth() > 64)
        value = arith::TruncIOp::create(builder, loc, i64, value);
      if (size != 1)
        value = arith::MulIOp::create(builder, loc, value,
                                      constant(loc, i64, int64_t(size)));
      add(value);
    };
    Type current = op.getElemType();
    bool first = true;
    for (auto index : op.getIndices()) {
      if (first) {
        addIndex(index, layout.getTypeSize(current).getFixedValue());
        first = false;
        continue;
      }
      if (auto structure = dyn_cast<LLVM::LLVMStructType>(current)) {
        auto field = dyn_cast<IntegerAttr>(index);
        if (!field)
          return refuse(op, "field");
        constantBytes +=
            int64_t(fieldOffset(structure, field.getInt(), layout));
        current = structure.getBody()[size_t(field.getInt())];
      } else if (auto array = dyn_cast<LLVM::LLVMArrayType>(current)) {
        current = array.getElementType();
        addIndex(index, layout.getTypeSize(current).getFixedValue());
      } else {
        return refuse(op, "indexed type");
      }
      if (failed)
        return;
    }
    if (constantBytes || !offset)
      add(constant(loc, i64, constantBytes));
    replace<LLVM::GEPOp>(op, op.getType(), i8, op.getBase(),
                         ArrayRef<LLVM::GEPArg>{offset});
  }

  static uint64_t fieldOffset(LLVM::LLVMStructType structure, int64_t field,
                              const DataLayout &layout) {
    uint64_t offset = 0;
    for (auto [index, type] : llvm::enumerate(structure.getBody())) {
      if (!structure.isPacked())
        offset = llvm::alignTo(offset, layout.getTypeABIAlignment(type));
      if (int64_t(index) == field)
        return offset;
      offset += layout.getTypeSize(type).getFixedValue();
    }
    return offset;
  }

  void spellPointerCompare(LLVM::ICmpOp op) {
    Type i64 = builder.getI64Type();
    auto asInteger = [&](Value pointer) -> Value {
      return LLVM::PtrToIntOp::create(builder, op.getLoc(), i64, pointer);
    };
    Value lhs = op.getLhs(), rhs = op.getRhs();
    if (isa<LLVM::LLVMPointerType>(lhs.getType())) {
      lhs = asInteger(lhs);
      rhs = asInteger(rhs);
    }
    auto kind = predicate(op.getPredicate());
    if (!kind)
      return refuse(op);
    replace<arith::CmpIOp>(op, *kind, lhs, rhs);
  }

  template <typename FromOp, typename ToOp>
  bool spellBinary(Operation *op) {
    if (!isa<FromOp>(op))
      return false;
    replace<ToOp>(op, op->getOperand(0), op->getOperand(1));
    return true;
  }

  template <typename FromOp, typename ToOp>
  bool spellWrapping(Operation *op) {
    auto from = dyn_cast<FromOp>(op);
    if (!from)
      return false;
    replace<ToOp>(op, op->getOperand(0), op->getOperand(1),
                  overflow(from.getOverflowFlags()));
    return true;
  }

  template <typename FromOp, typename ToOp>
  bool spellCast(Operation *op) {
    if (!isa<FromOp>(op))
      return false;
    replace<ToOp>(op, op->getResult(0).getType(), op->getOperand(0));
    return true;
  }

  template <typename FromOp, typename ToOp>
  bool spellUnary(Operation *op) {
    if (!isa<FromOp>(op))
      return false;
    replace<ToOp>(op, op->getOperand(0));
    return true;
  }

  bool spellInteger(Operation *op) {
    return spellWrapping<LLVM::AddOp, arith::AddIOp>(op) ||
           spellWrapping<LLVM::SubOp, arith::SubIOp>(op) ||
           spellWrapping<LLVM::MulOp, arith::MulIOp>(op) ||
           spellWrapping<LLVM::ShlOp, arith::ShLIOp>(op) ||
           spellBinary<LLVM::LShrOp, arith::ShRUIOp>(op) ||
           spellBinary<LLVM::AShrOp, arith::ShRSIOp>(op) ||
           spellBinary<LLVM::SDivOp, arith::DivSIOp>(op) ||
           spellBinary<LLVM::UDivOp, arith::DivUIOp>(op) ||
           spellBinary<LLVM::SRemOp, arith::RemSIOp>(op) ||
           spellBinary<LLVM::URemOp, arith::RemUIOp>(op) ||
           spellBinary<LLVM::AndOp, arith::AndIOp>(op) ||
           spellBinary<LLVM::OrOp, arith::OrIOp>(op) ||
           spellBinary<LLVM::XOrOp, arith::XOrIOp>(op) ||
           spellBinary<LLVM::SMinOp, arith::MinSIOp>(op) ||
           spellBinary<LLVM::SMaxOp, arith::MaxSIOp>(op) ||
           spellBinary<LLVM::UMinOp, arith::MinUIOp>(op) ||
           spellBinary<LLVM::UMaxOp, arith::MaxUIOp>(op) ||
           spellUnary<LLVM::AbsOp, math::AbsIOp>(op) ||
           spellUnary<LLVM::CtPopOp, math::CtPopOp>(op) ||
           spellUnary<LLVM::CountLeadingZerosOp, math::CountLeadingZerosOp>(
               op) ||
           spellUnary<LLVM::CountTrailingZerosOp, math::CountTrailingZerosOp>(
               op);
  }

  bool spellFloat(Operation *op) {
    return spellBinary<LLVM::FAddOp, arith::AddFOp>(op) ||
           spellBinary<LLVM::FSubOp, arith::SubFOp>(op) ||
           spellBinary<LLVM::FMulOp, arith::MulFOp>(op) ||
           spellBinary<LLVM::FDivOp, arith::DivFOp>(op) ||
           spellBinary<LLVM::FRemOp, arith::RemFOp>(op) ||
           spellBinary<LLVM::MinNumOp, arith::MinNumFOp>(op) ||
           spellBinary<LLVM::MaxNumOp, arith::MaxNumFOp>(op) ||
           spellBinary<LLVM::MinimumOp, arith::MinimumFOp>(op) ||
           spellBinary<LLVM::MaximumOp, arith::MaximumFOp>(op) ||
           spellBinary<LLVM::CopySignOp, math::CopySignOp>(op) ||
           spellUnary<LLVM::FNegOp, arith::NegFOp>(op) ||
           spellUnary<LLVM::FAbsOp, math::AbsFOp>(op) ||
           spellUnary<LLVM::SqrtOp, math::SqrtOp>(op) ||
           spellUnary<LLVM::FFloorOp, math::FloorOp>(op) ||
           spellUnary<LLVM::FCeilOp, math::CeilOp>(op) ||
           spellUnary<LLVM::FTruncOp, math::TruncOp>(op) ||
           spellUnary<LLVM::RoundOp, math::RoundOp>(op) ||
           spellUnary<LLVM::RoundEvenOp, math::RoundEvenOp>(op) ||
           // Equal in the default floating-point environment, and a function
           // that changes it is refused (strict-fp).
           spellUnary<LLVM::RintOp, math::RoundEvenOp>(op) ||
           spellUnary<LLVM::NearbyintOp, math::RoundEvenOp>(op);
  }

  bool spellConversion(Operation *op) {
    return spellCast<LLVM::SExtOp, arith::ExtSIOp>(op) ||
           spellCast<LLVM::ZExtOp, arith::ExtUIOp>(op) ||
           spellCast<LLVM::TruncOp, arith::TruncIOp>(op) ||
           spellCast<LLVM::FPExtOp, arith::ExtFOp>(op) ||
           spellCast<LLVM::FPTruncOp, arith::TruncFOp>(op) ||
           spellCast<LLVM::SIToFPOp, arith::SIToFPOp>(op) ||
           spellCast<LLVM::UIToFPOp, arith::UIToFPOp>(op) ||
           spellCast<LLVM::FPToSIOp, arith::FPToSIOp>(op) ||
           spellCast<LLVM::FPToUIOp, arith::FPToUIOp>(op);
  }

  void spell(Operation *op) {
    builder.setInsertionPoint(op);
    if (spellInteger(op) || spellFloat(op) || spellConversion(op))
      return;
    TypeSwitch<Operation *>(op)
        .Case<LLVM::ConstantOp>([&](auto op) { spellConstant(op); })
        .Case<LLVM::GEPOp>([&](auto op) { spellAddress(op); })
        .Case<LLVM::ICmpOp>([&](auto op) { spellPointerCompare(op); })
        .Case<LLVM::FCmpOp>([&](LLVM::FCmpOp op) {
          if (auto kind = predicate(op.getPredicate()))
            replace<arith::CmpFOp>(op, *kind, op.getLhs(), op.getRhs());
          else
            refuse(op);
        })
        .Case<LLVM::SelectOp>([&](LLVM::SelectOp op) {
          replace<arith::SelectOp>(op, op.getCondition(), op.getTrueValue(),
                                   op.getFalseValue());
        })
        .Case<LLVM::FMAOp>([&](LLVM::FMAOp op) {
          replace<math::FmaOp>(op, op.getA(), op.getB(), op.getC());
        })
        .Case<LLVM::BitcastOp>([&](LLVM::BitcastOp op) {
          if (op.getType() == op.getArg().getType())
            replaceValue(op, op.getArg());
          else if (op.getType().isIntOrFloat() &&
                   op.getArg().getType().isIntOrFloat())
            replace<arith::BitcastOp>(op, op.getType(), op.getArg());
          else
            refuse(op);
        })
        .Case<LLVM::PoisonOp>([&](LLVM::PoisonOp op) {
          if (op.getType().isIntOrFloat())
            replace<ub::PoisonOp>(op, op.getType());
        })
        // Any fixed value is one that undef may have.
        .Case<LLVM::UndefOp>([&](LLVM::UndefOp op) {
          if (op.getType().isIntOrFloat())
            replace<arith::ConstantOp>(op, builder.getZeroAttr(op.getType()));
          else
            replace<LLVM::ZeroOp>(op, op.getType());
        })
        .Case<LLVM::BrOp>([&](LLVM::BrOp op) {
          replace<cf::BranchOp>(op, op.getDest(), op.getDestOperands());
        })
        .Case<LLVM::CondBrOp>([&](LLVM::CondBrOp op) {
          replace<cf::CondBranchOp>(op, op.getCondition(), op.getTrueDest(),
                                    op.getTrueDestOperands(), op.getFalseDest(),
                                    op.getFalseDestOperands());
        })
        .Case<LLVM::SwitchOp>([&](LLVM::SwitchOp op) {
          SmallVector<APInt> values;
          if (auto cases = op.getCaseValues())
            values = llvm::to_vector(
                cast<DenseIntElementsAttr>(*cases).getValues<APInt>());
          SmallVector<ValueRange> operands(op.getCaseOperands());
          replace<cf::SwitchOp>(op, op.getValue(), op.getDefaultDestination(),
                                op.getDefaultOperands(), values,
                                op.getCaseDestinations(), operands);
        })
        .Case<LLVM::PtrToIntOp>(
            [&](LLVM::PtrToIntOp op) { spellPointerCast(op, op.getType()); })
        .Case<LLVM::IntToPtrOp>([&](LLVM::IntToPtrOp op) {
          Value value = op.getArg();
          auto type = cast<IntegerType>(value.getType());
          Type i64 = builder.getI64Type();
          if (type.getWidth() == 64)
            return;
          value =
              type.getWidth() < 64
                  ? arith::ExtUIOp::create(builder, op.getLoc(), i64, value)
                        .getResult()
                  : arith::TruncIOp::create(builder, op.getLoc(), i64, value)
                        .getResult();
          replace<LLVM::IntToPtrOp>(op, op.getType(), value);
        })
        .Case<LLVM::LoadOp, LLVM::StoreOp, LLVM::ZeroOp, LLVM::FreezeOp,
              LLVM::FshlOp, LLVM::FshrOp, LLVM::ByteSwapOp, LLVM::BitReverseOp,
              LLVM::SAddSat, LLVM::UAddSat, LLVM::SSubSat, LLVM::USubSat,
              LLVM::ReturnOp>([](auto) {})
        .Case<LLVM::CallOp>([&](LLVM::CallOp op) {
          if (!op.getCallee() || !op.getCallee()->starts_with("loom.yield."))
            refuse(op);
        })
        .Default([&](Operation *op) { refuse(op); });
  }

  void spellPointerCast(LLVM::PtrToIntOp op, Type type) {
    auto integer = cast<IntegerType>(type);
    if (integer.getWidth() == 64)
      return;
    Type i64 = builder.getI64Type();
    Value value =
        LLVM::PtrToIntOp::create(builder, op.getLoc(), i64, op.getArg());
    if (integer.getWidth() < 64)
      replace<arith::TruncIOp>(op, type, value);
    else
      replace<arith::ExtUIOp>(op, type, value);
  }

  LLVM::LLVMFuncOp function;
  SmallVectorImpl<Refused> &refusals;
  OpBuilder builder;
  bool failed = false;
};

} // namespace

LogicalResult loom::spellCanonically(LLVM::LLVMFuncOp function,
                                     SmallVectorImpl<Refused> &refusals) {
  return Speller(function, refusals).run();
}
