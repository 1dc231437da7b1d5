// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls, returns and branches of programs.

#include "Program.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;

Step Program::jump(Operation *op, unsigned successor) {
  Block *block = op->getSuccessor(successor);
  auto branch = cast<BranchOpInterface>(op);
  assign(block->getArguments(),
         branch.getSuccessorOperands(successor).getForwardedOperands());
  frames.back().next = &block->front();
  return Step::Moved;
}

Step Program::call(Operation *op) {
  constexpr size_t deepest = 256;
  if (stack.size() >= deepest)
    return fail(op, RunFault::Limit, "calls nested too deeply");
  auto symbol =
      cast<SymbolRefAttr>(cast<CallOpInterface>(op).getCallableForCallee());
  Operation *callee = machine.symbols.lookup(symbol.getRootReference());
  Block &block = callee->getRegion(0).front();
  SmallVector<Datum> arguments;
  for (Value operand : cast<CallOpInterface>(op).getArgOperands())
    arguments.push_back(get(operand));
  stack.emplace_back(frames.size(), op);
  for (auto [argument, datum] : llvm::zip(block.getArguments(), arguments))
    bind(argument, std::move(datum));
  enter(block);
  return Step::Moved;
}

Step Program::leave(Operation *op) {
  if (!allReady(op->getOperands()))
    return Step::Wait;
  if (stack.size() == 1) {
    for (Value operand : op->getOperands())
      results.push_back(*ready(operand));
    end();
    return Step::Moved;
  }
  SmallVector<Datum> data;
  for (Value operand : op->getOperands())
    data.push_back(get(operand));
  Operation *call = stack.back().call;
  frames.resize(stack.back().firstFrame, Frame());
  stack.pop_back();
  for (auto [result, datum] : llvm::zip(call->getResults(), data))
    bind(result, std::move(datum));
  frames.back().next = call->getNextNode();
  return Step::Moved;
}

Step Program::calls(Operation *op) {
  if (isa<func::CallOp, LLVM::CallOp>(op))
    return call(op);
  if (isa<func::ReturnOp, LLVM::ReturnOp>(op))
    return leave(op);
  if (isa<cf::BranchOp, LLVM::BrOp>(op))
    return jump(op, 0);
  if (isa<cf::CondBranchOp, LLVM::CondBrOp>(op)) {
    const Token *token = ready(op->getOperand(0));
    if (!token)
      return Step::Wait;
    std::optional<bool> taken = truth(op, *token);
    return taken ? jump(op, *taken ? 0 : 1) : Step::Wait;
  }
  return Step::Other;
}
