// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cf to scf.

#include "loom/Structured/Raise/PruneValues.h"
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
using namespace loom;

namespace {

/// The upstream transformation without the one thing that needs func.func: a
/// nest with an endless path is not structured.
class NestTransformation : public ControlFlowToSCFTransformation {
public:
  FailureOr<Operation *> createUnreachableTerminator(Location, OpBuilder &,
                                                     Region &) override {
    return failure();
  }

  Value getUndefValue(Location loc, OpBuilder &builder, Type type) override {
    auto poison = ub::PoisonOp::create(builder, loc, type);
    poison->setAttr(scaffoldName, builder.getUnitAttr());
    return poison;
  }
};

} // namespace

/// Not the whole canonicalizer, which is the dearest step of raising.
FrozenRewritePatternSet loom::cleanUpPatterns(MLIRContext &context) {
  RewritePatternSet patterns(&context);
  auto cleans = [](StringRef dialect) {
    return dialect == "arith" || dialect == "scf" || dialect == "cf" ||
           dialect == "ub" || dialect == "llvm";
  };
  for (Dialect *dialect : context.getLoadedDialects())
    if (cleans(dialect->getNamespace()))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (cleans(op.getDialectNamespace()))
      op.getCanonicalizationPatterns(patterns, &context);
  return FrozenRewritePatternSet(std::move(patterns));
}

LogicalResult
loom::structureControlFlow(LLVM::LLVMFuncOp function,
                           const FrozenRewritePatternSet &patterns,
                           SmallVectorImpl<Refused> &refusals) {
  Region &body = function.getBody();
  NestTransformation transformation;
  DominanceInfo dominance(function);
  if (failed(transformCFGToSCF(body, transformation, dominance)) ||
      !body.hasOneBlock()) {
    refusals.push_back({RefusalKind::Structure, ""});
    return failure();
  }
  if (failed(pruneValues(function))) {
    refusals.push_back({RefusalKind::Structure, "it hands on too many values"});
    return failure();
  }
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  // Failure to converge leaves valid IR.
  (void)applyPatternsGreedily(function, patterns, config);
  return success();
}
