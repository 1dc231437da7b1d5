// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonical compute spelling: one operation for one computation.

#include "Speller.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace loom;

namespace {

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

/// A type that arith and math compute with.
bool isStandard(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  return type.isSignlessInteger() || isa<FloatType>(type);
}

bool touchesFloats(Operation *op) {
  auto isFloat = [](Type type) {
    return isa<FloatType>(getElementTypeOrSelf(type));
  };
  return llvm::any_of(op->getOperandTypes(), isFloat) ||
         llvm::any_of(op->getResultTypes(), isFloat);
}

/// Flags of an LLVM operation in the attributes that arith uses for them.
struct Flags {
  arith::IntegerOverflowFlags overflow = arith::IntegerOverflowFlags::none;
  arith::FastMathFlags fastMath = arith::FastMathFlags::none;
  bool exact = false;
  bool other = false; ///< one that no standard operation can carry

  explicit Flags(Operation *op) {
    if (auto wrapping = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op)) {
      if (wrapping.hasNoSignedWrap())
        overflow = overflow | arith::IntegerOverflowFlags::nsw;
      if (wrapping.hasNoUnsignedWrap())
        overflow = overflow | arith::IntegerOverflowFlags::nuw;
    }
    if (auto dividing = dyn_cast<LLVM::ExactFlagInterface>(op))
      exact = dividing.getIsExact();
    if (auto joining = dyn_cast<LLVM::DisjointFlagInterface>(op))
      other |= joining.getIsDisjoint();
    if (auto widening = dyn_cast<LLVM::NonNegFlagInterface>(op))
      other |= widening.getNonNeg();
    for (StringRef name : {"is_zero_poison", "is_int_min_poison"})
      if (auto poison = op->getAttrOfType<IntegerAttr>(name))
        other |= !poison.getValue().isZero();
    if (auto floating = dyn_cast<LLVM::FastmathFlagsInterface>(op))
      fastMath = translate(floating.getFastmathAttr());
  }

  static arith::FastMathFlags translate(LLVM::FastmathFlagsAttr from) {
    using To = arith::FastMathFlags;
    To flags = To::none;
    if (!from)
      return flags;
    for (auto [bit, flag] : {std::pair{LLVM::FastmathFlags::nnan, To::nnan},
                             {LLVM::FastmathFlags::ninf, To::ninf},
                             {LLVM::FastmathFlags::nsz, To::nsz},
                             {LLVM::FastmathFlags::arcp, To::arcp},
                             {LLVM::FastmathFlags::contract, To::contract},
                             {LLVM::FastmathFlags::afn, To::afn},
                             {LLVM::FastmathFlags::reassoc, To::reassoc}})
      if (bitEnumContainsAny(from.getValue(), bit))
        flags = flags | flag;
    return flags;
  }

  /// Puts the flags on `state`; false when its operation can't carry one.
  bool addTo(OperationState &state) const {
    std::optional<RegisteredOperationName> target =
        state.name.getRegisteredInfo();
    auto carries = [&](StringRef name) {
      return target && llvm::is_contained(target->getAttributeNames(), name);
    };
    MLIRContext *context = state.getContext();
    if (overflow != arith::IntegerOverflowFlags::none) {
      if (!carries("overflowFlags"))
        return false;
      state.addAttribute("overflowFlags", arith::IntegerOverflowFlagsAttr::get(
                                              context, overflow));
    }
    if (exact) {
      if (!carries("isExact"))
        return false;
      state.addAttribute("isExact", UnitAttr::get(context));
    }
    if (fastMath != arith::FastMathFlags::none) {
      if (!carries("fastmath"))
        return false;
      state.addAttribute("fastmath",
                         arith::FastMathFlagsAttr::get(context, fastMath));
    }
    return !other;
  }
};

} // namespace

Speller::Speller(LLVM::LLVMFuncOp function, Surface surface,
                 SmallVectorImpl<Refused> *refusals)
    : function(function), surface(surface), refusals(refusals),
      builder(function.getContext()),
      // A nest is not a candidate unless its function is one (strict-fp).
      standardFloats(surface == Surface::Region ||
                     hasDefaultFPEnvironment(function)) {}

LogicalResult Speller::run() {
  SmallVector<Operation *> work;
  function.getBody().walk([&](Operation *op) { work.push_back(op); });
  for (Operation *op : work)
    spell(op);
  return success(!failed);
}

void Speller::refuse(Operation *op, const Twine &detail) {
  failed = true;
  std::string text = op->getName().getStringRef().str();
  if (!detail.isTriviallyEmpty())
    text += (": " + detail).str();
  if (refusals)
    refusals->push_back({RefusalKind::RaiseOp, text});
}

void Speller::spell(Operation *op) {
  const ConstructRow *row = lookupConstruct(op->getName().getStringRef());
  if (!row)
    return leave(op);
  Disposition fate = inRegion() ? row->InRegion : row->InModule;
  switch (fate) {
  case disposition_table::Preserve:
    if (row->Rule == disposition_table::Transfer)
      transfer(cast<LLVM::CallOp>(op));
    return;
  case disposition_table::Refuse:
    return refuse(op);
  case disposition_table::Project:
    return projectVariable(op);
  case disposition_table::Normalize:
    if (!standardFloats && touchesFloats(op))
      return;
    builder.setInsertionPoint(op);
    return apply(op, *row);
  }
}

void Speller::apply(Operation *op, const ConstructRow &row) {
  using namespace disposition_table;
  bool done = true;
  switch (row.Rule) {
  case Rename:
    done = rename(op, row);
    break;
  case Compare:
    done = compare(op, row);
    break;
  case Choose:
    done = choose(cast<LLVM::SelectOp>(op));
    break;
  case Recast:
    done = recast(cast<LLVM::BitcastOp>(op));
    break;
  case Literal:
    done = literal(cast<LLVM::ConstantOp>(op));
    break;
  case Deferred:
  case AnyValue:
    exceptional(op);
    break;
  case Jump:
    if (!keepsBranches)
      jump(op);
    break;
  case Address:
    spellAddress(cast<LLVM::GEPOp>(op));
    break;
  case ToInt:
    pointerToInteger(cast<LLVM::PtrToIntOp>(op));
    break;
  case FromInt:
    integerToPointer(cast<LLVM::IntToPtrOp>(op));
    break;
  case DeadEnd: // by the structurer, which sees the whole function
  case Keep:
  case Variable:
  case Transfer:
    break;
  }
  if (!done)
    leave(op);
}

bool Speller::rename(Operation *op, const ConstructRow &row) {
  if (!llvm::all_of(op->getOperandTypes(), isStandard) ||
      !llvm::all_of(op->getResultTypes(), isStandard))
    return false;
  // A scalar beside vectors (powi) is no elementwise operation.
  auto isVector = [](Type type) { return isa<VectorType>(type); };
  if (isVector(op->getResult(0).getType()) &&
      !llvm::all_of(op->getOperandTypes(), isVector))
    return false;
  OperationState state(op->getLoc(), row.Result, op->getOperands(),
                       op->getResultTypes());
  Flags flags(op);
  if (inRegion()) {
    // A device computes a value where the flag says poison; the permissions of
    // fast-math were refused before.
    flags.fastMath = arith::FastMathFlags::none;
    flags.other = false;
  }
  if (!flags.addTo(state))
    return false;
  state.attributes.append(op->getDiscardableAttrs());
  Operation *spelled = builder.create(state);
  op->replaceAllUsesWith(spelled->getResults());
  op->erase();
  return true;
}

bool Speller::compare(Operation *op, const ConstructRow &row) {
  if (auto integers = dyn_cast<LLVM::ICmpOp>(op)) {
    auto kind = predicate(integers.getPredicate());
    if (!kind)
      return false;
    if (isStandard(integers.getLhs().getType())) {
      replace<arith::CmpIOp>(op, *kind, integers.getLhs(), integers.getRhs());
      return true;
    }
    if (!inRegion() || !isa<LLVM::LLVMPointerType>(integers.getLhs().getType()))
      return false;
    comparePointers(integers, *kind);
    return true;
  }
  auto floats = cast<LLVM::FCmpOp>(op);
  auto kind = predicate(floats.getPredicate());
  if (!kind || !isStandard(floats.getLhs().getType()))
    return false;
  auto fastMath = inRegion() ? arith::FastMathFlags::none : Flags(op).fastMath;
  replace<arith::CmpFOp>(op, *kind, floats.getLhs(), floats.getRhs(), fastMath);
  return true;
}

bool Speller::choose(LLVM::SelectOp op) {
  if (!inRegion() && Flags(op).fastMath != arith::FastMathFlags::none)
    return false;
  // A vector of conditions needs vectors to choose from.
  if (isa<VectorType>(op.getCondition().getType()) &&
      !isa<VectorType>(op.getType()))
    return false;
  replace<arith::SelectOp>(op, op.getCondition(), op.getTrueValue(),
                           op.getFalseValue());
  return true;
}

bool Speller::recast(LLVM::BitcastOp op) {
  Type from = op.getArg().getType(), to = op.getType();
  if (from == to) {
    replaceValue(op, op.getArg());
    return true;
  }
  auto fromVector = dyn_cast<VectorType>(from);
  auto toVector = dyn_cast<VectorType>(to);
  bool sameShape = bool(fromVector) == bool(toVector);
  if (sameShape && fromVector)
    sameShape = !inRegion() && fromVector.getShape() == toVector.getShape() &&
                fromVector.getScalableDims() == toVector.getScalableDims();
  if (!sameShape || !isStandard(from) || !isStandard(to))
    return false;
  replace<arith::BitcastOp>(op, to, op.getArg());
  return true;
}

bool Speller::literal(LLVM::ConstantOp op) {
  auto value = dyn_cast<TypedAttr>(op.getValue());
  if (!value || value.getType() != op.getType() || !isStandard(op.getType()))
    return false;
  if (auto vector = dyn_cast<VectorType>(op.getType())) {
    if (inRegion() || !isa<DenseElementsAttr>(value) ||
        (vector.isScalable() && !isa<SplatElementsAttr>(value)))
      return false;
  } else if (!isa<IntegerAttr, FloatAttr>(value)) {
    return false;
  }
  replaceValue(op, arith::ConstantOp::create(builder, op.getLoc(), value));
  return true;
}

void Speller::exceptional(Operation *op) {
  Type type = op->getResult(0).getType();
  bool isPoison = isa<LLVM::PoisonOp>(op);
  if (isPoison) {
    // Pointers and aggregates keep the LLVM spelling.
    if (inRegion() ? type.isIntOrFloat() : isStandard(type))
      replace<ub::PoisonOp>(op, type);
    return;
  }
  // Any fixed value is one that undef may have; only regions come here.
  if (type.isIntOrFloat())
    replace<arith::ConstantOp>(op, builder.getZeroAttr(type));
  else
    replace<LLVM::ZeroOp>(op, type);
}

/// The variable goes into the location of its value.
void Speller::projectVariable(Operation *op) {
  auto record = [&](Value value, Attribute variable) {
    auto fuse = [&](Location loc) {
      return FusedLoc::get(op->getContext(), {loc}, variable);
    };
    if (auto argument = dyn_cast<BlockArgument>(value))
      argument.setLoc(fuse(argument.getLoc()));
    else if (Operation *definition = value.getDefiningOp())
      definition->setLoc(fuse(definition->getLoc()));
  };
  if (auto value = dyn_cast<LLVM::DbgValueOp>(op))
    record(value.getValue(), value.getVarInfo());
  else if (auto declare = dyn_cast<LLVM::DbgDeclareOp>(op))
    record(declare.getAddr(), declare.getVarInfo());
  op->erase();
}

void Speller::transfer(LLVM::CallOp op) {
  if (inRegion() &&
      (!op.getCallee() || !op.getCallee()->starts_with("loom.yield.")))
    refuse(op);
}

void Speller::jump(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case<LLVM::BrOp>([&](LLVM::BrOp op) {
        replace<cf::BranchOp>(op, op.getDest(), op.getDestOperands());
      })
      .Case<LLVM::CondBrOp>([&](LLVM::CondBrOp op) {
        auto branch = cf::CondBranchOp::create(
            builder, op.getLoc(), op.getCondition(), op.getTrueDest(),
            op.getTrueDestOperands(), op.getFalseDest(),
            op.getFalseDestOperands());
        if (DenseI32ArrayAttr weights = op.getBranchWeightsAttr())
          branch.setBranchWeightsAttr(weights);
        op->erase();
      })
      .Case<LLVM::SwitchOp>([&](LLVM::SwitchOp op) {
        if (op.getValue().getType().getIntOrFloatBitWidth() > 64)
          return jumpByComparison(op);
        SmallVector<APInt> values;
        if (auto cases = op.getCaseValues())
          values = llvm::to_vector(
              cast<DenseIntElementsAttr>(*cases).getValues<APInt>());
        SmallVector<ValueRange> operands(op.getCaseOperands());
        auto branch = cf::SwitchOp::create(builder, op.getLoc(), op.getValue(),
                                           op.getDefaultDestination(),
                                           op.getDefaultOperands(), values,
                                           op.getCaseDestinations(), operands);
        if (DenseI32ArrayAttr weights = op.getBranchWeightsAttr())
          branch->setAttr("branch_weights", weights);
        op->erase();
      });
}

/// A switch that is wider than scf.index_switch compares: one test a case.
void Speller::jumpByComparison(LLVM::SwitchOp op) {
  Location loc = op.getLoc();
  Value value = op.getValue();
  if (auto cases = op.getCaseValues())
    for (auto [number, wanted] : llvm::enumerate(
             cast<DenseIntElementsAttr>(*cases).getValues<APInt>())) {
      Value literal = arith::ConstantOp::create(
          builder, loc, builder.getIntegerAttr(value.getType(), wanted));
      Value equal = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, value, literal);
      Block *next = builder.createBlock(op->getBlock()->getParent(),
                                        ++Region::iterator(op->getBlock()));
      op->moveBefore(next, next->end());
      builder.setInsertionPointToEnd(equal.getParentBlock());
      cf::CondBranchOp::create(
          builder, loc, equal, op.getCaseDestinations()[number],
          op.getCaseOperands()[number], next, ValueRange());
      builder.setInsertionPoint(op);
    }
  replace<cf::BranchOp>(op, op.getDefaultDestination(),
                        op.getDefaultOperands());
}

LogicalResult loom::spellCanonically(LLVM::LLVMFuncOp function,
                                     SmallVectorImpl<Refused> &refusals) {
  return Speller(function, Surface::Region, &refusals).run();
}

void loom::spellTolerantly(LLVM::LLVMFuncOp function, bool keepBranches) {
  Speller speller(function, Surface::Module, nullptr);
  if (keepBranches)
    speller.keepBranches();
  (void)speller.run(); // nothing is refused on this surface
}
