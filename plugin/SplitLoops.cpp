// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SplitLoops.h"
#include "OutsideValues.h"
#include "TripCounts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

/// A split doubles the loop.
constexpr size_t mostInstructions = 512;

/// Is every exit a conditional branch on every path to the latch? Then the
/// exiting blocks are ordered by dominance.
bool hasOrderedExits(const Loop &loop, ArrayRef<BasicBlock *> exiting,
                     const DominatorTree &dominators) {
  for (BasicBlock *block : exiting) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() ||
        !dominators.dominates(block, loop.getLoopLatch()))
      return false;
  }
  return !exiting.empty();
}

/// The number of times that the backedge is taken, proven to lie in [0, 2^63).
const SCEV *provenBackedgeCount(Loop &loop, ScalarEvolution &se) {
  const SCEV *taken = loom::backedgeCount(loop, se);
  if (!taken)
    return nullptr;
  const APInt limit = APInt::getSignedMaxValue(64);
  if (se.getUnsignedRangeMax(taken).zext(64).ugt(limit) &&
      se.getUnsignedRangeMax(se.applyLoopGuards(taken, &loop))
          .zext(64)
          .ugt(limit))
    return nullptr;
  return se.getNoopOrZeroExtend(taken, Type::getInt64Ty(se.getContext()));
}

/// In the copy no exit is taken; its latch counts.
void countFullIterations(Loop &loop, ArrayRef<BasicBlock *> exiting,
                         ValueToValueMapTy &map, Value *count,
                         BasicBlock *copyPreheader, BasicBlock *done) {
  for (BasicBlock *block : exiting) {
    auto *branch =
        cast<BranchInst>(cast<BasicBlock>(map[block])->getTerminator());
    unsigned stays =
        loop.contains(cast<BranchInst>(block->getTerminator())->getSuccessor(0))
            ? 0
            : 1;
    BasicBlock *inside = branch->getSuccessor(stays);
    BranchInst::Create(inside, branch->getIterator());
    branch->eraseFromParent();
  }
  auto *header = cast<BasicBlock>(map[loop.getHeader()]);
  auto *latch = cast<BasicBlock>(map[loop.getLoopLatch()]);
  Instruction *old = latch->getTerminator();
  IRBuilder<> builder(old);
  PHINode *iv = PHINode::Create(builder.getInt64Ty(), 2, "", header->begin());
  Value *next = builder.CreateAdd(iv, builder.getInt64(1), "", /*HasNUW=*/true,
                                  /*HasNSW=*/true);
  iv->addIncoming(builder.getInt64(0), copyPreheader);
  iv->addIncoming(next, latch);
  builder.CreateCondBr(builder.CreateICmpNE(next, count), header, done);
  old->eraseFromParent();
}

} // namespace

BasicBlock *loom::splitLoop(Loop &loop, LoopInfo &loops,
                            DominatorTree &dominators, ScalarEvolution &se,
                            const OutsideValues &outsideValues) {
  BasicBlock *latch = loop.getLoopLatch();
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  if (!latch || !loop.isLoopSimplifyForm() ||
      (exiting.size() == 1 && exiting.front() == latch) ||
      (!is_contained(exiting, latch) &&
       latch->getTerminator()->getNumSuccessors() != 1) ||
      !hasOrderedExits(loop, exiting, dominators) ||
      !loop.isLCSSAForm(dominators))
    return nullptr;
  size_t size = 0;
  for (BasicBlock *block : loop.blocks())
    size += block->size();
  if (size > mostInstructions)
    return nullptr;
  BasicBlock *outside = loop.getLoopPreheader();
  const SCEV *taken = provenBackedgeCount(loop, se);
  if (taken)
    taken = outsideValues.spell(taken, *outside->getTerminator());
  SCEVExpander expander(se, "loom");
  if (!taken || !expander.isSafeToExpandAt(taken, outside->getTerminator()))
    return nullptr;
  llvm::sort(exiting, [&](BasicBlock *a, BasicBlock *b) {
    return a != b && dominators.dominates(a, b);
  });
  Type *i64 = Type::getInt64Ty(se.getContext());
  Value *count = expander.expandCodeFor(taken, i64, outside->getTerminator());
  se.forgetTopmostLoop(&loop);

  BasicBlock *header = loop.getHeader();
  BasicBlock *entry = SplitEdge(outside, header, &dominators, &loops);
  ValueToValueMapTy map;
  SmallVector<BasicBlock *> copied;
  cloneLoopWithPreheader(header, entry, &loop, map, ".full", &loops,
                         &dominators, copied);
  remapInstructionsInBlocks(copied, map);
  BasicBlock *copyPreheader = copied.front();
  auto *copyLatch = cast<BasicBlock>(map[latch]);
  BasicBlock *done =
      BasicBlock::Create(header->getContext(), "", header->getParent(), header);
  countFullIterations(loop, exiting, map, count, copyPreheader, done);

  // The last iteration goes on with what the copy would have carried.
  for (PHINode &phi : header->phis()) {
    Value *carried = phi.getIncomingValueForBlock(latch);
    if (auto found = map.find(carried); found != map.end())
      carried = found->second;
    PHINode *closed = PHINode::Create(phi.getType(), 1, "", done);
    closed->addIncoming(carried, copyLatch);
    phi.removeIncomingValue(latch, /*DeletePHIIfEmpty=*/false);
    phi.addIncoming(closed, done);
  }
  BranchInst::Create(header, done);
  Instruction *enter = entry->getTerminator();
  IRBuilder<> builder(enter);
  builder.CreateCondBr(builder.CreateICmpEQ(count, builder.getInt64(0)), header,
                       copyPreheader);
  enter->eraseFromParent();

  // It leaves by its last exit at the latest.
  auto *last = cast<BranchInst>(exiting.back()->getTerminator());
  unsigned leaves = loop.contains(last->getSuccessor(0)) ? 1 : 0;
  BasicBlock *exit = last->getSuccessor(leaves);
  BasicBlock *stay = last->getSuccessor(1 - leaves);
  if (exiting.back() != latch) {
    stay->removePredecessor(exiting.back(), /*KeepOneInputPHIs=*/true);
    Instruction *back = latch->getTerminator();
    new UnreachableInst(back->getContext(), back->getIterator());
    back->eraseFromParent();
  }
  BranchInst::Create(exit, last->getIterator());
  last->eraseFromParent();
  removeUnreachableBlocks(*header->getParent());
  return entry;
}
