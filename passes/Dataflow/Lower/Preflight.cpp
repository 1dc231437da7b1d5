// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check before the lowering.

#include "Preflight.h"
#include "loom/Dataflow/IR/Compute.h"
#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Dataflow/IR/Schema.h"
#include "loom/Support/SourceLine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace loom;
using namespace loom::lower;

Type lower::tokenType(Type type) {
  return isa<IndexType>(type) ? IntegerType::get(type.getContext(), 64) : type;
}

TypedAttr lower::constantOf(Operation *op) {
  Type type =
      op->getNumResults() == 1 ? tokenType(op->getResult(0).getType()) : Type();
  if (!type || !dataflow::isScalarTokenType(type))
    return {};
  Builder builder(op->getContext());
  if (isa<ub::PoisonOp, LLVM::PoisonOp, LLVM::UndefOp, LLVM::ZeroOp>(op)) {
    if (dataflow::isPointerType(type))
      return builder.getI64IntegerAttr(0);
    return cast<TypedAttr>(builder.getZeroAttr(type));
  }
  if (!isa<arith::ConstantOp, LLVM::ConstantOp>(op))
    return {};
  Attribute value = op->getAttr("value");
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value)) {
    if (!type.isSignlessInteger())
      return {};
    return IntegerAttr::get(
        type, integer.getValue().zextOrTrunc(type.getIntOrFloatBitWidth()));
  }
  auto number = dyn_cast_or_null<FloatAttr>(value);
  return number && number.getType() == type ? number : TypedAttr();
}

static bool isScalar(Type type) {
  type = tokenType(type);
  return dataflow::isScalarTokenType(type) && !isa<NoneType>(type);
}

// Why a registered computation has no actor in this form; empty if it has.
static std::string checkCompute(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return "with more than one result";
  if (std::string name = dataflow::findUnclassified(op, /*discardable=*/false);
      !name.empty())
    return "with the attribute " + name;
  if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
    if (!gep.getElemType().isInteger(8))
      return "with another element type than i8";
    if (gep.getRawConstantIndices().size() != 1)
      return "with more than one index";
    if (gep->getNumOperands() == 2 &&
        gep->getOperand(1).getType().getIntOrFloatBitWidth() > 64)
      return "with an index wider than 64 bits";
  }
  if (op->getName().getStringRef() == "llvm.intr.bswap" &&
      op->getResult(0).getType().getIntOrFloatBitWidth() % 16 != 0)
    return "of an odd number of bytes";
  return "";
}

static std::string checkAccess(Type type, bool isVolatile, bool isAtomic) {
  if (isVolatile)
    return "volatile";
  if (isAtomic)
    return "atomic";
  if (!dataflow::isMemoryDataType(type)) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << "of " << type;
    return text;
  }
  return "";
}

static void check(Operation *op, SmallVectorImpl<Refused> &refusals) {
  auto refuse = [&](std::string why) {
    std::string detail = op->getName().getStringRef().str();
    if (!why.empty())
      detail += " " + why;
    refusals.push_back({RefusalKind::DataflowOp, detail, lineOf(op->getLoc())});
  };
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isScalar(type)) {
        std::string text;
        llvm::raw_string_ostream stream(text);
        stream << "with a value of " << type;
        return refuse(text);
      }
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    std::string why =
        checkAccess(load.getType(), load.getVolatile_(),
                    load.getOrdering() != LLVM::AtomicOrdering::not_atomic);
    return why.empty() ? void() : refuse(why);
  }
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    std::string why =
        checkAccess(store.getValue().getType(), store.getVolatile_(),
                    store.getOrdering() != LLVM::AtomicOrdering::not_atomic);
    return why.empty() ? void() : refuse(why);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    if (loop.getBeforeArguments().size() != loop.getInits().size())
      return refuse("with arguments that aren't its operands");
    return;
  }
  if (auto cases = dyn_cast<scf::IndexSwitchOp>(op)) {
    if (cases.getNumCases() > 60000)
      refusals.push_back(
          {RefusalKind::DataflowSize,
           "a switch of " + std::to_string(cases.getNumCases()) + " cases",
           lineOf(op->getLoc())});
    return;
  }
  if (isa<scf::ForOp, scf::IfOp, scf::YieldOp, scf::ConditionOp, LLVM::FreezeOp,
          arith::IndexCastOp, arith::IndexCastUIOp, SpatialYieldOp>(op))
    return;
  if (constantOf(op))
    return;
  if (!dataflow::lookupComputeName(op->getName().getStringRef()))
    return refuse("");
  if (std::string why = checkCompute(op); !why.empty())
    return refuse(why);
}

void lower::preflight(SpatialRegionOp region,
                      SmallVectorImpl<Refused> &refusals) {
  for (BlockArgument argument : region.getBody().getArguments())
    if (!isScalar(argument.getType()) || isa<IndexType>(argument.getType())) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      stream << "a live-in of " << argument.getType();
      refusals.push_back(
          {RefusalKind::DataflowOp, text, lineOf(region.getLoc())});
    }
  region.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { check(op, refusals); });
}
