// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Channels: their type, their ends, and source maps.

#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace loom::dataflow;

LogicalResult
ChannelType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    Type payload) {
  if (isTokenType(payload) && !isa<NoneType, IndexType>(payload))
    return success();
  return emitError() << "expected a payload that is a token other than none "
                        "and index, got "
                     << payload;
}

// Division and remainder are defined for all coordinates only by a positive
// constant.
static bool isTotal(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  if (!isTotal(binary.getLHS()) || !isTotal(binary.getRHS()))
    return false;
  switch (binary.getKind()) {
  case AffineExprKind::Mod:
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv: {
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return divisor && divisor.getValue() > 0;
  }
  default:
    return binary.isPureAffine();
  }
}

std::string loom::dataflow::whyNoSourceMap(AffineMap map, unsigned rank) {
  if (map.getNumSymbols() != 0)
    return "has symbols";
  if (map.getNumDims() != rank)
    return "has " + std::to_string(map.getNumDims()) +
           " dimensions, but the consumer has " + std::to_string(rank) +
           " coordinates";
  if (!llvm::all_of(map.getResults(), isTotal))
    return "is not defined for all coordinates";
  return "";
}

LogicalResult loom::dataflow::verifyInThread(Operation *op) {
  if (op->getParentOfType<ThreadOp>())
    return success();
  return op->emitOpError("expected to be in a dataflow.thread");
}

LogicalResult loom::dataflow::verifyInHost(Operation *op) {
  if (!op->getParentOfType<ThreadOp>() && !op->getParentOfType<GraphOp>())
    return success();
  return op->emitOpError("expected to be in host code, not in a thread or a "
                         "graph");
}

LogicalResult ChannelCreateOp::verify() {
  if ((*this)->getParentOfType<GraphOp>())
    return emitOpError("must not be in a graph");
  return success();
}

LogicalResult ChannelSendOp::verify() { return verifyInThread(*this); }

LogicalResult ChannelReceiveOp::verify() {
  if (failed(verifyInThread(*this)))
    return failure();
  auto thread = (*this)->getParentOfType<ThreadOp>();
  std::string why = whyNoSourceMap(getSourceMap(), thread.getRank());
  if (!why.empty())
    return emitOpError("has a source map that ") << why;
  return success();
}
