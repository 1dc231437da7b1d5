// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computations as the image sees them.

#include "loom/Dataflow/IR/Compute.h"
#include "loom/Dataflow/IR/Schema.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace loom::dataflow {

static const SchemaRow *lookupComputation(StringRef name) {
  const SchemaRow *row = lookupSchema(name);
  bool computes =
      row && row->Form != SchemaForm::Actor && row->Form != SchemaForm::Refused;
  return computes ? row : nullptr;
}

std::optional<uint8_t> lookupComputeName(StringRef name) {
  const SchemaRow *row = lookupComputation(name);
  if (!row || !row->HasImage)
    return std::nullopt;
  return static_cast<uint8_t>(row->ImageOp);
}

std::optional<ComputeActor> lookupCompute(Operation *op) {
  const SchemaRow *row = lookupComputation(op->getName().getStringRef());
  if (!row || !whyNoActor(op).empty())
    return std::nullopt;
  ComputeActor actor;
  actor.op = static_cast<uint8_t>(row->ImageOp);
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    actor.pred = static_cast<uint8_t>(cmp.getPredicate());
  else if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    actor.pred = static_cast<uint8_t>(cmp.getPredicate());
  return actor;
}

} // namespace loom::dataflow
