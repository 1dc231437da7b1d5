// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArgumentFacts.h"
#include "Outline.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace {

/// What the value, and the branches around the loop, say of an integer.
ConstantRange rangeOf(Value &value, const Loop &loop, ScalarEvolution &se) {
  const SCEV *expr = se.getSCEV(&value);
  const SCEV *guarded = se.applyLoopGuards(expr, &loop);
  ConstantRange range = se.getUnsignedRange(expr);
  for (const ConstantRange &other :
       {se.getSignedRange(expr), se.getUnsignedRange(guarded),
        se.getSignedRange(guarded)})
    range = range.intersectWith(other, ConstantRange::Smallest);
  return range;
}

void annotatePointer(Value &value, Argument &argument, const DataLayout &layout,
                     const SimplifyQuery &query) {
  bool canBeNull = false, canBeFreed = false;
  uint64_t bytes =
      value.getPointerDereferenceableBytes(layout, canBeNull, canBeFreed);
  LLVMContext &context = value.getContext();
  // What may be freed may be freed before the nest.
  if (bytes && !canBeNull && !canBeFreed)
    argument.addAttr(Attribute::getWithDereferenceableBytes(context, bytes));
  if (isKnownNonZero(&value, query))
    argument.addAttr(Attribute::NonNull);
  Align align = value.getPointerAlignment(layout);
  if (align > 1)
    argument.addAttr(Attribute::getWithAlignment(context, align));
}

} // namespace

void loom::annotateArguments(Nest &nest, FunctionAnalysisManager &analyses) {
  Function &host = *nest.host;
  auto &se = analyses.getResult<ScalarEvolutionAnalysis>(host);
  Loop *loop = analyses.getResult<LoopAnalysis>(host).getLoopFor(nest.header);
  BasicBlock *preheader = loop ? loop->getLoopPreheader() : nullptr;
  if (!preheader)
    return;
  const DataLayout &layout = host.getDataLayout();
  SimplifyQuery query(layout, &analyses.getResult<DominatorTreeAnalysis>(host),
                      &analyses.getResult<AssumptionAnalysis>(host),
                      preheader->getTerminator());
  for (auto [input, argument] : zip(nest.inputs, nest.outlined->args())) {
    if (argument.getType()->isPointerTy()) {
      annotatePointer(*input, argument, layout, query);
      continue;
    }
    if (!argument.getType()->isIntegerTy() || !se.isSCEVable(input->getType()))
      continue;
    ConstantRange range = rangeOf(*input, *loop, se);
    if (!range.isFullSet() && !range.isEmptySet())
      argument.addAttr(
          Attribute::get(nest.outlined->getContext(), Attribute::Range, range));
  }
}
