// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/Raise/Raise.h"
#include "loom/Structured/Raise/CountedLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using loom::Refused;

void loom::loadRaiseDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerAllFromLLVMIRTranslations(registry);
  registry.insert<DLTIDialect>();
  context.appendDialectRegistry(registry);
  context.loadDialect<LoomDialect, LLVM::LLVMDialect, arith::ArithDialect,
                      math::MathDialect, scf::SCFDialect,
                      cf::ControlFlowDialect, ub::UBDialect, DLTIDialect>();
}

OwningOpRef<ModuleOp> loom::importNests(std::unique_ptr<llvm::Module> module,
                                        MLIRContext &context) {
  return translateLLVMIRToModule(std::move(module), &context,
                                 /*emitExpensiveWarnings=*/false,
                                 /*dropDICompositeTypeElements=*/true,
                                 /*loadAllDialects=*/false);
}

namespace {

/// Moves the structured body of `function` into a loom.spatial_region.
FailureOr<loom::SpatialRegionOp> wrap(LLVM::LLVMFuncOp function, StringRef name,
                                      ArrayRef<int32_t> partitions,
                                      ArrayRef<int32_t> exits) {
  Block &body = function.getBody().front();
  auto call =
      dyn_cast_or_null<LLVM::CallOp>(body.getTerminator()->getPrevNode());
  std::optional<StringRef> callee;
  if (call)
    callee = call.getCallee();
  if (!callee || !callee->starts_with("loom.yield.") ||
      exits.size() != call.getArgOperands().size() ||
      partitions.size() != body.getNumArguments())
    return failure();
  OpBuilder builder(call);
  loom::SpatialYieldOp::create(builder, call.getLoc(), call.getArgOperands());
  SmallVector<Type> results(call.getArgOperands().getTypes());
  Location loc = function.getLoc();
  Operation *terminator = body.getTerminator();
  terminator->erase();
  call.erase();

  Block *inner = new Block();
  inner->getOperations().splice(inner->end(), body.getOperations());
  for (BlockArgument argument : body.getArguments())
    argument.replaceAllUsesWith(
        inner->addArgument(argument.getType(), argument.getLoc()));
  builder.setInsertionPointToEnd(&body);
  auto region = loom::SpatialRegionOp::create(
      builder, loc, results, body.getArguments(), builder.getStringAttr(name),
      builder.getDenseI32ArrayAttr(partitions),
      builder.getDenseI32ArrayAttr(exits));
  region.getBody().push_back(inner);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return region;
}

} // namespace

FailureOr<loom::SpatialRegionOp>
loom::raiseNest(LLVM::LLVMFuncOp function, StringRef name,
                ArrayRef<int32_t> partitions, ArrayRef<int32_t> exits,
                const FrozenRewritePatternSet &patterns,
                SmallVectorImpl<Refused> &refusals) {
  if (failed(spellCanonically(function, refusals)) ||
      failed(structureControlFlow(function, patterns, refusals)))
    return failure();
  recoverRegionLoops(function);
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  FailureOr<SpatialRegionOp> region = wrap(function, name, partitions, exits);
  if (failed(region)) {
    refusals.push_back({RefusalKind::Structure, "result slots"});
    return failure();
  }
  if (failed(mlir::verify(function))) {
    refusals.push_back({RefusalKind::Structure, "verifier"});
    return failure();
  }
  return region;
}
