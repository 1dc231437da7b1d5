// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accel.h"
#include "Spell.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace loom;
using namespace loom::spatial;

namespace {

/// What the Scala compiler and Spatial's own generated code stand: statements
/// in one lambda, names it captures, statements in the whole block.
constexpr unsigned MaxStatements = 150;
constexpr unsigned MaxCaptures = 100;
constexpr unsigned MaxTotal = 2000;

} // namespace

LogicalResult AccelPrinter::refuse(RefusalKind kind,
                                   const llvm::Twine &detail) {
  refusals.push_back({kind, detail.str(), 0});
  return failure();
}

std::string AccelPrinter::operand(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return literal(constant);
  return names.lookup(value);
}

std::string AccelPrinter::define(Value value, const char *prefix) {
  return names[value] = prefix + std::to_string(counts[prefix]++);
}

LogicalResult AccelPrinter::checkSize(Block &block) {
  unsigned statements = 0;
  llvm::DenseSet<Value> captured;
  block.walk([&](Operation *op) {
    if (isa<arith::ConstantOp>(op))
      return;
    if (op->getBlock() == &block)
      ++statements;
    for (Value value : op->getOperands())
      if (!value.getDefiningOp<arith::ConstantOp>() &&
          !block.getParent()->isAncestor(value.getParentRegion()))
        captured.insert(value);
  });
  if (statements > MaxStatements)
    return refuse(RefusalKind::SpatialSize,
                  llvm::Twine(statements) + " statements in one block");
  if (captured.size() > MaxCaptures)
    return refuse(RefusalKind::SpatialSize,
                  llvm::Twine(captured.size()) + " values used by one block");
  return success();
}

LogicalResult AccelPrinter::block(Region &region) {
  ++level;
  for (Operation &op : region.front())
    if (failed(statement(&op)))
      return failure();
  --level;
  return success();
}

LogicalResult AccelPrinter::fsm(FsmOp op) {
  // The three regions share the name of the state.
  std::string state = define(op.getAction().getArgument(0), "s");
  names[op.getCondition().getArgument(0)] = state;
  names[op.getNext().getArgument(0)] = state;
  line() << "FSM(" << operand(op.getInit()) << ") { " << state << " =>\n";
  for (Region *region : {&op.getCondition(), &op.getAction(), &op.getNext()}) {
    if (region != &op.getCondition())
      line() << "} { " << state << " =>\n";
    if (failed(checkSize(region->front())) || failed(block(*region)))
      return failure();
    auto yield = cast<YieldOp>(region->front().back());
    if (yield.getValue())
      os.indent(2 * level + 2) << operand(yield.getValue()) << "\n";
  }
  line() << "}\n";
  return success();
}

LogicalResult AccelPrinter::branch(IfOp op) {
  auto isEmpty = [](Region &r) { return r.empty() || r.front().empty(); };
  Region *first = &op.getThenRegion(), *second = &op.getElseRegion();
  bool inverted = isEmpty(*first);
  if (inverted)
    std::swap(first, second);
  if (isEmpty(*first))
    return success();
  if (failed(checkSize(first->front())))
    return failure();
  line() << "if (" << (inverted ? "!" : "") << operand(op.getCondition())
         << ") {\n";
  if (failed(block(*first)))
    return failure();
  if (!isEmpty(*second)) {
    line() << "} else {\n";
    if (failed(checkSize(second->front())) || failed(block(*second)))
      return failure();
  }
  line() << "}\n";
  return success();
}

LogicalResult AccelPrinter::statement(Operation *op) {
  if (isa<arith::ConstantOp, YieldOp>(op))
    return success();
  if (auto sram = dyn_cast<SramOp>(op)) {
    SramType type = sram.getMemory().getType();
    line() << "val " << define(sram.getMemory(), "chip") << " = SRAM["
           << typeName(type.getElement()) << "](" << type.getSize() << ")\n";
    return success();
  }
  if (auto reg = dyn_cast<RegOp>(op)) {
    Type type = reg.getReg().getType().getElement();
    std::string zero =
        isa<FloatType>(type)
            ? (type.isF32() ? "0.0f" : "0.0") + std::string(".to[") +
                  typeName(type) + "]"
            : literal(type, APInt(type.getIntOrFloatBitWidth(), 0));
    line() << "val " << define(reg.getReg(), "r") << " = Reg[" << typeName(type)
           << "](" << zero << ")" << (reg.getKeep() ? ".dontTouch" : "")
           << "\n";
    return success();
  }
  if (auto load = dyn_cast<LoadOp>(op)) {
    line() << operand(load.getSram()) << " load " << operand(load.getDram())
           << "(0::" << load.getDram().getType().getSize() << ")\n";
    return success();
  }
  if (auto store = dyn_cast<StoreOp>(op)) {
    line() << operand(store.getDram())
           << "(0::" << store.getDram().getType().getSize() << ") store "
           << operand(store.getSram()) << "\n";
    return success();
  }
  if (auto read = dyn_cast<ReadOp>(op)) {
    std::string source =
        operand(read.getMemory()) + "(" + operand(read.getIndex()) + ")";
    line() << "val " << define(read.getValue(), "v") << " = " << source << "\n";
    return success();
  }
  if (auto write = dyn_cast<WriteOp>(op)) {
    line() << operand(write.getMemory()) << "(" << operand(write.getIndex())
           << ") = " << operand(write.getValue()) << "\n";
    return success();
  }
  if (auto read = dyn_cast<RegReadOp>(op)) {
    std::string source = operand(read.getReg()) + ".value";
    line() << "val " << define(read.getValue(), "v") << " = " << source << "\n";
    return success();
  }
  if (auto write = dyn_cast<RegWriteOp>(op)) {
    line() << operand(write.getReg()) << " := " << operand(write.getValue())
           << "\n";
    return success();
  }
  if (auto pipe = dyn_cast<PipeOp>(op)) {
    if (failed(checkSize(pipe.getBody().front())))
      return failure();
    line() << "Pipe {\n";
    if (failed(block(pipe.getBody())))
      return failure();
    line() << "}\n";
    return success();
  }
  if (auto loop = dyn_cast<ForeachOp>(op)) {
    if (failed(checkSize(loop.getBody().front())))
      return failure();
    std::string range = operand(loop.getLb()) + " until " +
                        operand(loop.getUb()) + " by " +
                        operand(loop.getStep());
    line() << "Sequential.Foreach(" << range << ") { "
           << define(loop.getBody().getArgument(0), "i") << " =>\n";
    if (failed(block(loop.getBody())))
      return failure();
    line() << "}\n";
    return success();
  }
  if (auto machine = dyn_cast<FsmOp>(op))
    return fsm(machine);
  if (auto ifOp = dyn_cast<IfOp>(op))
    return branch(ifOp);

  std::string right = spell(op, [&](Value value) { return operand(value); });
  if (right.empty())
    return refuse(RefusalKind::SpatialOp, op->getName().getStringRef());
  line() << "val " << define(op->getResult(0), "v") << " = " << right << "\n";
  return success();
}

FailureOr<std::string> AccelPrinter::print(AccelOp accel, unsigned depth) {
  unsigned total = 0;
  accel.getBody().walk([&](Operation *) { ++total; });
  if (total > MaxTotal) {
    (void)refuse(RefusalKind::SpatialSize,
                 llvm::Twine(total) + " statements in all");
    return failure();
  }
  if (failed(checkSize(accel.getBody().front())))
    return failure();
  level = depth - 1;
  if (failed(block(accel.getBody())))
    return failure();
  return text;
}
