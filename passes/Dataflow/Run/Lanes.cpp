// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move lanes: a block of lanes is taken, replaced, or chosen.

#include "Compute.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace loom::run;

bool loom::run::movesLanes(Operation *op) {
  return isa<vector::ExtractOp, vector::InsertOp, vector::ShuffleOp>(op);
}

/// The first lane of the block at `position`; nullopt when the position is
/// poison or outside: then so is what it names.
static std::optional<size_t> firstLane(VectorType type,
                                       ArrayRef<OpFoldResult> position,
                                       ArrayRef<const Token *> dynamic) {
  size_t lane = 0, next = 0;
  for (auto [entry, size] : llvm::zip(position, type.getShape())) {
    int64_t index;
    if (auto fixed = dyn_cast<Attribute>(entry)) {
      index = cast<IntegerAttr>(fixed).getInt();
    } else {
      const Lane &value = dynamic[next++]->lanes.front();
      index = value.poison ? -1 : int64_t(value.bits);
    }
    if (index < 0 || index >= size)
      return std::nullopt;
    lane = lane * size_t(size) + size_t(index);
  }
  for (int64_t size : type.getShape().drop_front(position.size()))
    lane *= size_t(size);
  return lane;
}

static void extract(vector::ExtractOp op, ArrayRef<const Token *> operands,
                    Token &result) {
  size_t count = result.lanes.size();
  std::optional<size_t> first = firstLane(
      op.getSourceVectorType(), op.getMixedPosition(), operands.drop_front());
  for (size_t i = 0; i < count; ++i)
    result.lanes[i] = first ? operands[0]->lanes[*first + i] : Lane{0, true};
}

static void insert(vector::InsertOp op, ArrayRef<const Token *> operands,
                   Token &result) {
  const Token &value = *operands[0], &into = *operands[1];
  std::optional<size_t> first = firstLane(
      op.getDestVectorType(), op.getMixedPosition(), operands.drop_front(2));
  for (size_t i = 0; i < result.lanes.size(); ++i) {
    if (!first)
      result.lanes[i] = {0, true};
    else if (i >= *first && i < *first + value.lanes.size())
      result.lanes[i] = value.lanes[i - *first];
    else
      result.lanes[i] = into.lanes[i];
  }
}

static void shuffle(vector::ShuffleOp op, ArrayRef<const Token *> operands,
                    Token &result) {
  // Blocks of the leading dimension.
  int64_t first = op.getV1VectorType().getDimSize(0);
  size_t block = operands[0]->lanes.size() / size_t(first);
  for (auto [to, from] : llvm::enumerate(op.getMask()))
    for (size_t i = 0; i < block; ++i) {
      Lane &lane = result.lanes[to * block + i];
      if (from < 0)
        lane = {0, true};
      else if (from < first)
        lane = operands[0]->lanes[size_t(from) * block + i];
      else
        lane = operands[1]->lanes[size_t(from - first) * block + i];
    }
}

void loom::run::moveLanes(Operation *op, ArrayRef<const Token *> operands,
                          Token &result) {
  result.lanes.resize(laneCount(op->getResult(0).getType()).value_or(0));
  if (auto from = dyn_cast<vector::ExtractOp>(op))
    extract(from, operands, result);
  else if (auto into = dyn_cast<vector::InsertOp>(op))
    insert(into, operands, result);
  else
    shuffle(cast<vector::ShuffleOp>(op), operands, result);
}
