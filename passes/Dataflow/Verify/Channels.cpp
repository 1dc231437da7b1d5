// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two sides of a channel: exactly one producer, at least one consumer, and
// every consumer hears an instance that exists.

#include "Finalized.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;

namespace {

/// One side that a thread, or a graph launch in it, has of the channel.
struct Side {
  Operation *op;
  unsigned rank;
  ThreadLaunchOp launch; // null for a channel of the thread itself
  AffineMap map;         // of a consumer
};

using Range = std::optional<std::pair<int64_t, int64_t>>;

} // namespace

static Range rangeOf(AffineExpr expr, ArrayRef<int64_t> extents) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::make_pair(constant.getValue(), constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    int64_t extent = extents[dim.getPosition()];
    if (extent <= 0)
      return std::nullopt;
    return std::make_pair(int64_t(0), extent - 1);
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  Range a = rangeOf(binary.getLHS(), extents);
  Range b = rangeOf(binary.getRHS(), extents);
  if (!a || !b)
    return std::nullopt;
  int64_t lo, hi;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    if (llvm::AddOverflow(a->first, b->first, lo) ||
        llvm::AddOverflow(a->second, b->second, hi))
      return std::nullopt;
    return std::make_pair(lo, hi);
  case AffineExprKind::Mul: {
    if (b->first != b->second)
      return std::nullopt;
    if (llvm::MulOverflow(a->first, b->first, lo) ||
        llvm::MulOverflow(a->second, b->first, hi))
      return std::nullopt;
    return std::make_pair(std::min(lo, hi), std::max(lo, hi));
  }
  case AffineExprKind::Mod:
    if (a->first >= 0 && a->second < b->first)
      return a;
    return std::make_pair(int64_t(0), b->first - 1);
  case AffineExprKind::FloorDiv:
    return std::make_pair(llvm::divideFloorSigned(a->first, b->first),
                          llvm::divideFloorSigned(a->second, b->first));
  case AffineExprKind::CeilDiv:
    return std::make_pair(llvm::divideCeilSigned(a->first, b->first),
                          llvm::divideCeilSigned(a->second, b->first));
  default:
    return std::nullopt;
  }
}

/// The number of instances along a dimension; nullopt if it isn't constant.
static std::optional<int64_t> constantOf(Value extent) {
  APInt value;
  if (!matchPattern(extent, m_ConstantInt(&value)))
    return std::nullopt;
  return value.getSExtValue();
}

// Whether the map stays in the domain of the producer, for all instances.
static bool staysInside(const Side &consumer, const Side &producer) {
  ThreadLaunchOp from = producer.launch, to = consumer.launch;
  ValueRange own = to.getExtents();
  SmallVector<int64_t> extents;
  for (Value extent : own)
    extents.push_back(constantOf(extent).value_or(-1));
  if (llvm::is_contained(extents, 0))
    return true; // nobody listens
  for (auto [expr, bound] :
       llvm::zip(consumer.map.getResults(), from.getExtents())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && own[dim.getPosition()] == bound)
      continue;
    Range range = rangeOf(expr, extents);
    std::optional<int64_t> limit = constantOf(bound);
    if (!range || !limit || range->first < 0 || range->second >= *limit)
      return false;
  }
  return true;
}

// Sorts the uses of a channel in a thread into its sides.
static LogicalResult collect(Value channel, ThreadOp thread,
                             ThreadLaunchOp launch,
                             SmallVectorImpl<Side> &producers,
                             SmallVectorImpl<Side> &consumers) {
  Operation *send = nullptr;
  ChannelReceiveOp receive;
  auto uses = llvm::to_vector(
      llvm::map_range(channel.getUses(), [](OpOperand &use) { return &use; }));
  for (OpOperand *use : llvm::reverse(uses)) {
    Operation *op = use->getOwner();
    if (isa<ChannelSendOp>(op)) {
      send = op;
    } else if (auto other = dyn_cast<ChannelReceiveOp>(op)) {
      if (receive && receive.getSourceMap() != other.getSourceMap())
        return other.emitOpError("has another source map than the other "
                                 "receives of the thread: ")
               << receive.getSourceMapAttr();
      receive = other;
    } else if (auto graph = dyn_cast<GraphLaunchOp>(op)) {
      unsigned stream =
          use->getOperandNumber() - graph.getStreams().getBeginOperandIndex();
      if (stream < graph.getStreams().size())
        consumers.push_back(
            {op, thread.getRank(), launch,
             cast<AffineMapAttr>((*graph.getSourceMaps())[stream]).getValue()});
      else
        producers.push_back({op, thread.getRank(), launch, {}});
    } else {
      return op->emitOpError("must not use a channel");
    }
  }
  // All sends of a thread are one producer, all receives one consumer.
  if (send)
    producers.push_back({send, thread.getRank(), launch, {}});
  if (receive)
    consumers.push_back(
        {receive, thread.getRank(), launch, receive.getSourceMap()});
  return success();
}

LogicalResult loom::verifyChannel(ChannelCreateOp create) {
  SmallVector<Side> producers, consumers;
  Value channel = create.getChannel();
  if (auto thread = create->getParentOfType<ThreadOp>()) {
    if (failed(collect(channel, thread, {}, producers, consumers)))
      return failure();
  } else {
    for (OpOperand &use : channel.getUses()) {
      auto launch = dyn_cast<ThreadLaunchOp>(use.getOwner());
      if (!launch)
        return use.getOwner()->emitOpError("must not use a channel");
      // Elsewhere it could be launched again, and be two producers.
      if (launch->getBlock() != create->getBlock())
        return launch.emitOpError("binds a channel of another block");
      auto thread = SymbolTable::lookupNearestSymbolFrom<ThreadOp>(
          launch, launch.getCalleeAttr());
      unsigned input =
          use.getOperandNumber() - launch.getArgs().getBeginOperandIndex();
      if (failed(collect(thread.getBlock().getArgument(input), thread, launch,
                         producers, consumers)))
        return failure();
    }
  }
  if (producers.size() != 1)
    return create.emitOpError("expected one producer, got ")
           << producers.size();
  if (consumers.empty())
    return create.emitOpError("expected a consumer");
  const Side &producer = producers.front();
  for (const Side &consumer : consumers) {
    if (consumer.map.getNumResults() != producer.rank)
      return consumer.op->emitOpError("expected a source map to the ")
             << producer.rank << " coordinates of the producer, got "
             << AffineMapAttr::get(consumer.map);
    if (!consumer.launch ? !consumer.map.isIdentity()
                         : !staysInside(consumer, producer))
      return consumer.op->emitOpError("has a source map that may leave the "
                                      "domain of the producer: ")
             << AffineMapAttr::get(consumer.map);
  }
  return success();
}
