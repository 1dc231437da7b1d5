// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compute.h"
#include "loom/Dataflow/IR/Schema.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;

std::string loom::run::whyNotComputed(Operation *op) {
  std::string why = dataflow::whyNoActor(op);
  if (!why.empty())
    return why;
  const dataflow::SchemaRow *row =
      dataflow::lookupSchema(op->getName().getStringRef());
  if (row->Form == dataflow::SchemaForm::Actor)
    return "is no computation";
  if (op->getNumOperands() == 0)
    return "has no operand";
  if (!movesLanes(op) && !inTable(op) &&
      row->Form != dataflow::SchemaForm::IndexCast)
    return "neither folds nor is in the table of the device";
  return "";
}

Computation::Computation(Operation *op) : op(op) {
  if (movesLanes(op))
    return;
  scratch = std::make_unique<Block>();
  IRMapping mapping;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        scratch->addArgument(laneType(operand.getType()), op->getLoc()));
  scalar = op->cloneWithoutRegions();
  scalar->setOperands(operands);
  for (Value result : scalar->getResults())
    result.setType(laneType(result.getType()));
  scratch->push_back(scalar);
}

Computation::~Computation() = default;

bool Computation::foldLane(ArrayRef<Lane> operands, Lane &result) {
  SmallVector<Attribute> constants;
  for (auto [lane, value] : llvm::zip(operands, scalar->getOperands()))
    constants.push_back(attributeOf(lane, value.getType()));
  if (!llvm::all_of(constants, [](Attribute value) { return bool(value); }))
    return false;
  SmallVector<OpFoldResult> results;
  if (failed(scalar->fold(constants, results)) || results.size() != 1)
    return false;
  if (auto value = dyn_cast<Value>(results.front())) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != scratch.get())
      return false;
    result = operands[argument.getArgNumber()];
    return true;
  }
  std::optional<Token> token =
      tokenOf(cast<Attribute>(results.front()), scalar->getResult(0).getType());
  if (!token) // ub.poison, or something of another type
    return false;
  result = token->lanes.front();
  return true;
}

std::optional<RunFailure> Computation::computeLane(ArrayRef<Lane> operands,
                                                   Lane &result) {
  // The lane that isn't selected may be poison.
  if (isa<arith::SelectOp>(scalar)) {
    result =
        operands[0].poison ? Lane{0, true} : operands[operands[0].bits ? 1 : 2];
    return std::nullopt;
  }
  bool poison = llvm::any_of(operands, [](Lane lane) { return lane.poison; }) ||
                breaksPromise(scalar, operands);
  // A division by zero traps whatever the other operand is; poison as a divisor
  // may be zero.
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
          scalar) &&
      (operands[1].poison || operands[1].bits == 0))
    return RunFailure{RunFault::Trap, "a division by zero or by poison"};
  if (poison) {
    result = {0, true};
    return std::nullopt;
  }
  // MLIR folds the remainder; the host traps on it as on the quotient.
  if (isa<arith::DivSIOp, arith::RemSIOp>(scalar)) {
    unsigned width = laneWidth(scalar->getOperand(0).getType());
    if (operands[1].bits == laneMask(width) &&
        operands[0].bits == uint64_t(1) << (width - 1))
      return RunFailure{RunFault::Trap, "a division that overflows"};
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(scalar)) {
    result = operands[0]; // both have 64 bits
    return std::nullopt;
  }
  if (foldLane(operands, result))
    return std::nullopt;
  if (computeByTable(scalar, operands, result))
    return std::nullopt;
  return RunFailure{RunFault::Trap, "a division that overflows"};
}

std::optional<RunFailure> Computation::compute(ArrayRef<const Token *> operands,
                                               Token &result) {
  if (!scalar) {
    moveLanes(op, operands, result);
    return std::nullopt;
  }
  unsigned count = laneCount(op->getResult(0).getType()).value_or(0);
  result.lanes.resize(count);
  SmallVector<Lane, 3> lanes(operands.size());
  for (unsigned i = 0; i < count; ++i) {
    // A scalar beside vectors (the condition of a select) counts for all lanes.
    for (auto [lane, token] : llvm::zip(lanes, operands))
      lane = token->lanes[token->lanes.size() == 1 ? 0 : i];
    if (auto failure = computeLane(lanes, result.lanes[i])) {
      if (isa<VectorType>(op->getResult(0).getType()))
        failure->detail += " in lane " + std::to_string(i);
      return failure;
    }
  }
  return std::nullopt;
}
