// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cf to scf.

#include "loom/Structured/Raise/Raise.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CFGToSCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using loom::Refused;

namespace {

/// The upstream transformation without the one thing that needs func.func: a
/// nest with an endless path is not structured.
class NestTransformation : public ControlFlowToSCFTransformation {
public:
  FailureOr<Operation *> createUnreachableTerminator(Location, OpBuilder &,
                                                     Region &) override {
    return failure();
  }
};

/// Folds and the patterns that clean up after structuring; not the whole
/// canonicalizer, which is the dearest step of raising.
LogicalResult cleanUp(LLVM::LLVMFuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  auto cleans = [](StringRef dialect) {
    return dialect == "arith" || dialect == "scf" || dialect == "cf" ||
           dialect == "ub" || dialect == "llvm";
  };
  for (Dialect *dialect : context->getLoadedDialects())
    if (cleans(dialect->getNamespace()))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (cleans(op.getDialectNamespace()))
      op.getCanonicalizationPatterns(patterns, context);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  // Failure to converge leaves valid IR.
  (void)applyPatternsGreedily(function, std::move(patterns), config);
  return success();
}

} // namespace

LogicalResult loom::structureControlFlow(LLVM::LLVMFuncOp function,
                                         SmallVectorImpl<Refused> &refusals) {
  Region &body = function.getBody();
  NestTransformation transformation;
  DominanceInfo dominance(function);
  if (failed(transformCFGToSCF(body, transformation, dominance)) ||
      !body.hasOneBlock()) {
    refusals.push_back({RefusalKind::Structure, ""});
    return failure();
  }
  return cleanUp(function);
}
