// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From actors to what they ask of a target.

#include "loom/Dataflow/Verify/Admit.h"
#include "loom/Structured/IR/SpecialMathAccuracy.h"
#include "loom/Support/SourceLine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include <set>

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using fabric::ActorDemand;
using fabric::Element;

template <typename A, typename B>
static constexpr bool sameNumber(A a, B b) {
  return uint32_t(a) == uint32_t(b);
}
static_assert(sameNumber(SpecialMathAccuracy::Max4Ulp,
                         fabric::Accuracy::Max4Ulp) &&
                  sameNumber(SpecialMathAccuracy::CorrectlyRounded,
                             fabric::Accuracy::CorrectlyRounded),
              "tiers");
static_assert(sameNumber(dataflow::StepKind::LShr, fabric::StepKind::LShr) &&
                  sameNumber(dataflow::StepKind::SDiv, fabric::StepKind::SDiv),
              "steps");

namespace {
/// An element type and a number of lanes.
struct Lanes {
  Element element;
  unsigned count = 1;
};
} // namespace

static std::optional<Lanes> lanesOf(Type type) {
  Type scalar = getElementTypeOrSelf(type);
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(scalar)) {
    // Pointers have 64 bits, or the program was refused as a whole.
    Lanes lanes{{Element::Pointer, 64, pointer.getAddressSpace()}, 1};
    if (auto vector = dyn_cast<VectorType>(type))
      lanes.count = unsigned(vector.getNumElements());
    return lanes;
  }
  if (auto known = fabric::elementOf(type))
    return Lanes{known->first, known->second};
  return std::nullopt;
}

static unsigned flagsOf(Operation *op) {
  auto floating = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!floating || !floating.getFastMathFlagsAttr())
    return 0;
  arith::FastMathFlags flags = floating.getFastMathFlagsAttr().getValue();
  constexpr std::pair<arith::FastMathFlags, llvm::StringLiteral> names[] = {
      {arith::FastMathFlags::reassoc, "reassoc"},
      {arith::FastMathFlags::nnan, "nnan"},
      {arith::FastMathFlags::ninf, "ninf"},
      {arith::FastMathFlags::nsz, "nsz"},
      {arith::FastMathFlags::arcp, "arcp"},
      {arith::FastMathFlags::contract, "contract"},
      {arith::FastMathFlags::afn, "afn"}};
  unsigned bits = 0;
  for (const auto &[flag, name] : names)
    if (arith::bitEnumContainsAll(flags, flag))
      bits |= fabric::fastMathBit(name).value_or(0);
  return bits;
}

/// One demand for each type of `types`; fails when one has no equivalent.
static bool forTypes(TypeRange types, ActorDemand demand,
                     SmallVectorImpl<ActorDemand> &demands) {
  std::set<ActorDemand> seen;
  for (Type type : types) {
    std::optional<Lanes> lanes = lanesOf(type);
    if (!lanes)
      return false;
    demand.type = lanes->element;
    demand.lanes = lanes->count;
    if (seen.insert(demand).second)
      demands.push_back(demand);
  }
  return true;
}

static ActorDemand token(fabric::TokenKind kind, unsigned fan = 0) {
  ActorDemand demand;
  demand.kind = ActorDemand::Token;
  demand.token = kind;
  demand.fan = fan;
  return demand;
}

/// The mask and the lanes of the address say what form an access has.
static bool access(Operation *op, fabric::AccessKind kind, Type data,
                   Type address, SmallVectorImpl<ActorDemand> &demands) {
  ActorDemand demand;
  demand.kind = ActorDemand::Access;
  demand.access = kind;
  std::optional<Lanes> moved = lanesOf(data), where = lanesOf(address);
  if (!moved || !where)
    return false;
  demand.type = moved->element;
  demand.lanes = moved->count;
  demand.addressType = where->element;
  demand.address = where->element.kind == Element::Pointer
                       ? fabric::AddressForm::Pointer
                       : fabric::AddressForm::Root;
  demand.form = where->count > 1   ? fabric::AccessForm::Indexed
                : moved->count > 1 ? fabric::AccessForm::Contiguous
                                   : fabric::AccessForm::Element;
  // A mask is a vector of i1 beside the data.
  for (Value operand : op->getOperands())
    if (auto vector = dyn_cast<VectorType>(operand.getType()))
      demand.masked |= vector.getElementType().isInteger(1);
  demands.push_back(demand);
  return true;
}

static bool compute(Operation *op, SmallVectorImpl<ActorDemand> &demands) {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return false;
  StringRef name = op->getName().getStringRef();
  Type result = op->getResult(0).getType();
  Type operand = op->getOperand(0).getType();
  bool compares = name == "arith.cmpi" || name == "arith.cmpf";
  std::optional<Lanes> to = lanesOf(compares ? operand : result),
                       from = lanesOf(operand);
  if (!to || !from)
    return false;
  ActorDemand demand;
  demand.op = name.str();
  demand.type = to->element;
  demand.lanes = std::max(to->count, from->count);
  // i7 to i8 is a conversion as well, though both live in eight bits.
  demand.converts =
      op->getNumOperands() == 1 &&
      getElementTypeOrSelf(result) != getElementTypeOrSelf(operand);
  if (demand.converts)
    demand.from = from->element;
  demand.flags = flagsOf(op);
  if (isSpecialMath(op))
    demand.accepts = fabric::Accuracy(uint32_t(
        selectedAccuracy(op).value_or(SpecialMathAccuracy::CorrectlyRounded)));
  demands.push_back(demand);
  return true;
}

std::optional<SmallVector<ActorDemand, 2>> loom::demandsOf(Operation *actor) {
  using fabric::AccessKind;
  using fabric::TokenKind;
  SmallVector<ActorDemand, 2> demands;
  bool known = true;
  if (auto constant = dyn_cast<ConstantOp>(actor)) {
    known = forTypes(constant.getType(), token(TokenKind::Constant), demands);
  } else if (auto sync = dyn_cast<SyncOp>(actor)) {
    known = forTypes(sync.getOperandTypes(),
                     token(TokenKind::Sync, sync.getNumOperands()), demands);
  } else if (auto mux = dyn_cast<MuxOp>(actor)) {
    known = forTypes(mux.getType(),
                     token(TokenKind::Mux, mux.getLanes().size()), demands);
  } else if (auto demux = dyn_cast<DemuxOp>(actor)) {
    known = forTypes(demux.getValue().getType(),
                     token(TokenKind::Demux, demux.getNumResults()), demands);
  } else if (auto stream = dyn_cast<StreamOp>(actor)) {
    ActorDemand demand;
    demand.kind = ActorDemand::Stream;
    demand.step = fabric::StepKind(uint32_t(stream.getKind()));
    known = forTypes(stream.getIv().getType(), demand, demands);
  } else if (auto carry = dyn_cast<CarryOp>(actor)) {
    known = forTypes(carry.getType(), token(TokenKind::Carry), demands);
  } else if (auto invariant = dyn_cast<InvariantOp>(actor)) {
    known = forTypes(invariant.getType(), token(TokenKind::Invariant), demands);
  } else if (auto gate = dyn_cast<GateOp>(actor)) {
    known =
        forTypes(gate.getValue().getType(), token(TokenKind::Gate), demands);
  } else if (auto load = dyn_cast<LoadOp>(actor)) {
    known = access(actor, AccessKind::Load, load.getData().getType(),
                   load.getAddress().getType(), demands);
  } else if (auto store = dyn_cast<StoreOp>(actor)) {
    known = access(actor, AccessKind::Store, store.getData().getType(),
                   store.getAddress().getType(), demands);
  } else {
    known = compute(actor, demands);
  }
  if (!known)
    return std::nullopt;
  return demands;
}

LogicalResult loom::admitGraph(GraphOp graph,
                               const fabric::CapabilityView &view,
                               StringRef targetName,
                               SmallVectorImpl<Refused> &refusals) {
  std::set<std::string> said;
  auto refuse = [&](Operation &op, const std::string &what) {
    std::string detail = "target '" + targetName.str() + "' has no " + what;
    if (said.insert(detail).second)
      refusals.push_back({RefusalKind::Target, detail, lineOf(op.getLoc())});
  };
  for (Operation &op : graph.getBlock()) {
    if (isa<GraphReturnOp>(op))
      continue;
    std::optional<SmallVector<ActorDemand, 2>> demands = demandsOf(&op);
    if (!demands) {
      refuse(op, op.getName().getStringRef().str() + " on such types");
      continue;
    }
    for (const ActorDemand &demand : *demands)
      if (std::string absence = view.lacks(demand); !absence.empty())
        refuse(op, absence);
  }
  return success(said.empty());
}
