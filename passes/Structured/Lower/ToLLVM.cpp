// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/Lower/ToLLVM.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace {

/// Dissolves the spatial region of `function` and makes its outputs the
/// function's result.
LogicalResult inlineRegion(LLVM::LLVMFuncOp function) {
  SmallVector<loom::SpatialRegionOp> regions(
      function.getOps<loom::SpatialRegionOp>());
  if (regions.size() != 1 || !function.getBody().hasOneBlock())
    return function.emitError("expects one block with one spatial region");
  loom::SpatialRegionOp region = regions.front();
  Block &inner = region.getBody().front();
  Block &outer = function.getBody().front();
  for (auto [argument, input] :
       llvm::zip(inner.getArguments(), region.getInputs()))
    argument.replaceAllUsesWith(input);
  auto yield = cast<loom::SpatialYieldOp>(inner.getTerminator());
  SmallVector<Value> values(yield.getValues());
  for (auto [output, value] : llvm::zip(region.getOutputs(), values))
    output.replaceAllUsesWith(value);
  yield.erase();
  outer.getOperations().splice(region->getIterator(), inner.getOperations());
  region.erase();

  OpBuilder builder(outer.getTerminator());
  Location loc = function.getLoc();
  auto result = LLVM::LLVMStructType::getLiteral(
      function.getContext(), llvm::to_vector(ValueRange(values).getTypes()));
  Value packed = LLVM::PoisonOp::create(builder, loc, result);
  for (auto [index, value] : llvm::enumerate(values))
    packed = LLVM::InsertValueOp::create(builder, loc, packed, value,
                                         ArrayRef<int64_t>{int64_t(index)});
  outer.getTerminator()->erase();
  builder.setInsertionPointToEnd(&outer);
  LLVM::ReturnOp::create(builder, loc, packed);
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      result, function.getFunctionType().getParams()));
  return success();
}

/// Upstream's lowering of scf.index_switch compares 32 bits only; this one all
/// 64.
struct LowerSwitch : OpRewritePattern<scf::IndexSwitchOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IndexSwitchOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, std::next(op->getIterator()));
    SmallVector<Value> results;
    for (Type type : op.getResultTypes())
      results.push_back(after->addArgument(type, loc));
    auto inlineCase = [&](Region &region) {
      Block *block = &region.front();
      auto yield = cast<scf::YieldOp>(block->getTerminator());
      SmallVector<Value> values(yield.getOperands());
      rewriter.setInsertionPoint(yield);
      rewriter.replaceOpWithNewOp<cf::BranchOp>(yield, after, values);
      rewriter.inlineRegionBefore(region, after);
      return block;
    };
    SmallVector<Block *> blocks;
    SmallVector<APInt> cases;
    for (auto [region, value] : llvm::zip(op.getCaseRegions(), op.getCases())) {
      blocks.push_back(inlineCase(region));
      cases.push_back(APInt(64, uint64_t(value)));
    }
    Block *otherwise = inlineCase(op.getDefaultRegion());
    rewriter.setInsertionPointToEnd(before);
    Value flag = arith::IndexCastOp::create(rewriter, loc,
                                            rewriter.getI64Type(), op.getArg());
    SmallVector<ValueRange> operands(blocks.size());
    cf::SwitchOp::create(rewriter, loc, flag, otherwise, ValueRange(), cases,
                         blocks, operands);
    rewriter.replaceOp(op, results);
    return success();
  }
};

void plant(LLVM::LLVMFuncOp function, loom::LoweringDefect defect) {
  if (defect == loom::LoweringDefect::None)
    return;
  function.walk([](scf::ForOp loop) {
    OpBuilder builder(loop);
    loop.setLowerBound(arith::AddIOp::create(
        builder, loop.getLoc(), loop.getLowerBound(), loop.getStep()));
  });
}

LogicalResult convert(LLVM::LLVMFuncOp function) {
  MLIRContext *context = function.getContext();
  {
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    patterns.add<LowerSwitch>(context, /*benefit=*/10);
    ConversionTarget target(*context);
    target.addIllegalDialect<scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(function, target, std::move(patterns))))
      return failure();
  }
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter types(context, options);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  ub::populateUBToLLVMConversionPatterns(types, patterns);
  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect>();
  if (failed(applyFullConversion(function, target, std::move(patterns))))
    return failure();
  return verify(function);
}

} // namespace

FailureOr<LLVM::LLVMFuncOp> loom::lowerToLLVMDialect(LLVM::LLVMFuncOp envelope,
                                                     StringRef name,
                                                     ModuleOp target,
                                                     LoweringDefect defect) {
  OpBuilder builder(envelope.getContext());
  builder.setInsertionPointToEnd(target.getBody());
  auto function = cast<LLVM::LLVMFuncOp>(builder.clone(*envelope));
  function.setName(name);
  function.setLinkage(LLVM::Linkage::External);
  if (failed(inlineRegion(function))) {
    function.erase();
    return failure();
  }
  plant(function, defect);
  if (failed(convert(function))) {
    function.erase();
    return failure();
  }
  return function;
}

std::unique_ptr<llvm::Module>
loom::translateToLLVM(ModuleOp module, llvm::LLVMContext &context) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  // Places are no debug information (plugin/Places.h): their scope describes no function.
  module->walk([&](Operation *op) {
    op->setLoc(UnknownLoc::get(module.getContext()));
  });
  return translateModuleToLLVMIR(module, context, "loom.roundtrip");
}
