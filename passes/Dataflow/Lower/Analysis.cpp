// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roots, order partitions and effects of a region.

#include "Analysis.h"
#include "loom/Dataflow/IR/Compute.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <map>
#include <set>

using namespace mlir;
using namespace loom;
using namespace loom::lower;

static Value addressOf(Operation *access) {
  if (auto load = dyn_cast<LLVM::LoadOp>(access))
    return load.getAddr();
  return cast<LLVM::StoreOp>(access).getAddr();
}

Analysis::Analysis(SpatialRegionOp region, ArrayRef<int32_t> partitions,
                   bool mechanical)
    : mechanical(mechanical) {
  findPartitions(region, partitions);
  findEffects(region);
  findPointerData(region);
}

BlockArgument Analysis::rootOf(Value pointer) {
  while (auto gep = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = gep.getBase();
  auto argument = dyn_cast<BlockArgument>(pointer);
  if (argument &&
      isa_and_nonnull<SpatialRegionOp>(argument.getOwner()->getParentOp()))
    return argument;
  return {};
}

ArrayRef<unsigned> Analysis::partitionsOf(Operation *access) const {
  auto it = partitions.find(access);
  return it == partitions.end() ? ArrayRef<unsigned>()
                                : ArrayRef<unsigned>(it->second);
}

const Effects &Analysis::effects(Operation *op) const {
  auto it = effectsOf.find(op);
  assert(it != effectsOf.end() && "effects of something unstructured");
  return it->second;
}

void Analysis::findPartitions(SpatialRegionOp region, ArrayRef<int32_t> ids) {
  SmallVector<Operation *> accesses;
  std::set<int32_t> used;
  bool unknownRead = false, unknownWrite = false;
  region.getBody().walk([&](Operation *op) {
    if (!isa<LLVM::LoadOp, LLVM::StoreOp>(op))
      return;
    accesses.push_back(op);
    if (BlockArgument root = rootOf(addressOf(op)))
      used.insert(ids[root.getArgNumber()]);
    else
      (isa<LLVM::StoreOp>(op) ? unknownWrite : unknownRead) = true;
  });
  // A write to anywhere orders everything: one partition says the same.
  bool single = unknownWrite && !mechanical;
  if (single)
    used.clear();
  std::map<int32_t, unsigned> dense;
  for (int32_t id : used)
    dense.emplace(id, dense.size());
  // The last partition is for what no root covers.
  bool rest = unknownWrite || unknownRead;
  partitionCount = dense.size() + (rest ? 1 : 0);
  written.resize(partitionCount);
  auto number = [&](Operation *op) -> unsigned {
    BlockArgument root = rootOf(addressOf(op));
    if (single || !root)
      return dense.size();
    return dense.at(ids[root.getArgNumber()]);
  };
  for (Operation *op : accesses)
    if (isa<LLVM::StoreOp>(op))
      written.set(number(op));
  for (Operation *op : accesses) {
    SmallVector<unsigned, 1> &list = partitions[op];
    bool anywhere = !single && !rootOf(addressOf(op));
    if (anywhere && mechanical)
      for (unsigned p = 0; p < partitionCount; ++p)
        list.push_back(p);
    else if (anywhere && written.any())
      list.append(written.set_bits_begin(), written.set_bits_end());
    else
      list.push_back(number(op));
  }
}

void Analysis::findEffects(SpatialRegionOp region) {
  // Inner operations first.
  region.getBody().walk([&](Operation *op) {
    if (op->getNumRegions() == 0)
      return;
    Effects &effects = effectsOf[op];
    effects.reads.resize(partitionCount);
    effects.writes.resize(partitionCount);
    effects.hasWhile = isa<scf::WhileOp>(op);
  });
  auto mark = [&](Operation *op, auto &&set) {
    for (Operation *parent = op->getParentOp(); parent != region;
         parent = parent->getParentOp())
      set(effectsOf[parent]);
  };
  region.getBody().walk([&](Operation *op) {
    if (isa<scf::WhileOp>(op))
      mark(op, [](Effects &effects) { effects.hasWhile = true; });
    else if (isa<LLVM::StoreOp>(op))
      mark(op, [&](Effects &effects) {
        for (unsigned p : partitionsOf(op))
          effects.writes.set(p);
      });
  });
  region.getBody().walk([&](LLVM::LoadOp load) {
    bool ordered = llvm::any_of(partitionsOf(load),
                                [&](unsigned p) { return written[p]; });
    if (!mechanical && !ordered && isCovered(load.getResult(), 0))
      return;
    tracked.insert(load);
    mark(load, [&](Effects &effects) {
      for (unsigned p : partitionsOf(load))
        effects.reads.set(p);
    });
  });
}

void Analysis::findPointerData(SpatialRegionOp region) {
  SmallVector<Value> work;
  auto add = [&](Value pointer) {
    if (isa<LLVM::LLVMPointerType>(pointer.getType()) &&
        pointerData.insert(pointer).second)
      work.push_back(pointer);
  };
  region.getBody().walk([&](Operation *op) {
    for (OpOperand &use : op->getOpOperands()) {
      if (isa<LLVM::GEPOp>(op))
        continue;
      bool isAddress = isa<LLVM::LoadOp, LLVM::StoreOp>(op) &&
                       use.get() == addressOf(op) &&
                       !(isa<LLVM::StoreOp>(op) && use.getOperandNumber() == 0);
      if (!isAddress || !rootOf(use.get()))
        add(use.get());
    }
  });
  while (!work.empty())
    if (auto gep = work.pop_back_val().getDefiningOp<LLVM::GEPOp>())
      add(gep.getBase());
}

/// How deep one question goes.
static constexpr unsigned maxCoverDepth = 64;

// Whether every token of `data` must be consumed before the graph can complete.
bool Analysis::isCovered(Value data, unsigned depth) {
  if (depth > maxCoverDepth)
    return false;
  if (auto it = covered.find(data); it != covered.end())
    return it->second;
  covered[data] = false;      // while it is being looked at
  DenseSet<Region *> regions; // with a use that is covered
  bool result = llvm::any_of(data.getUses(), [&](OpOperand &use) {
    return isUseCovered(use, depth + 1) &&
           isReached(data, use.getOwner(), regions);
  });
  covered[data] = result;
  return result;
}

// Whether every activation of the block of `data` reaches a use: `user`, which
// is covered, or one of those in `regions`. A use in a loop or a lane alone
// says nothing: the loop may have no iteration, and the other lane may be
// taken.
bool Analysis::isReached(Value data, Operation *user,
                         DenseSet<Region *> &regions) const {
  while (user->getBlock() != data.getParentBlock()) {
    Region *region = user->getParentRegion();
    regions.insert(region);
    user = region->getParentOp();
    bool all;
    if (isa<scf::IfOp, scf::IndexSwitchOp>(user))
      all = llvm::all_of(user->getRegions(),
                         [&](Region &lane) { return regions.contains(&lane); });
    else // what comes before the condition runs at least once
      all = isa<scf::WhileOp>(user) && region == &user->getRegion(0);
    if (!all)
      return false;
  }
  return true;
}

// Whether the completion waits for a token that is consumed by `use`.
bool Analysis::isUseCovered(OpOperand &use, unsigned depth) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  // What becomes of a store is waited for, and of a load by induction.
  if (isa<LLVM::StoreOp, LLVM::LoadOp, SpatialYieldOp>(op))
    return true;
  if (isa<scf::ConditionOp>(op))
    return number == 0;
  if (isa<scf::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    return isa<scf::IfOp, scf::IndexSwitchOp, scf::ForOp>(parent) &&
           isCovered(parent->getResult(number), depth);
  }
  if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ForOp>(op)) {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && number >= 3)
      return isCovered(loop.getResult(number - 3), depth);
    return effects(op).writes.any() || effects(op).hasWhile ||
           llvm::any_of(op->getResults(),
                        [&](Value v) { return isCovered(v, depth); });
  }
  if (op->getNumResults() == 1 && op->getNumRegions() == 0)
    return isCovered(op->getResult(0), depth);
  return false;
}

bool Analysis::hasMergedRing(Operation *loop, unsigned partition) const {
  if (mechanical)
    return false;
  auto key = std::make_pair(loop, partition);
  if (auto it = mergedRings.find(key); it != mergedRings.end())
    return it->second;
  bool result;
  if (auto op = dyn_cast<scf::ForOp>(loop)) {
    result = endsMerged(*op.getBody(), partition, true);
  } else {
    auto other = cast<scf::WhileOp>(loop);
    result = endsMerged(*other.getAfterBody(), partition,
                        endsMerged(*other.getBeforeBody(), partition, true));
  }
  mergedRings[key] = result;
  return result;
}

// Whether the write and the read tail are the same token after `block`, given
// whether they are before it.
bool Analysis::endsMerged(Block &block, unsigned partition, bool merged) const {
  for (Operation &op : block)
    merged = endsMerged(op, partition, merged);
  return merged;
}

bool Analysis::endsMerged(Operation &op, unsigned partition,
                          bool merged) const {
  if (isa<LLVM::LoadOp, LLVM::StoreOp>(op)) {
    if (!llvm::is_contained(partitionsOf(&op), partition))
      return merged;
    return isa<LLVM::StoreOp>(op) || (merged && !isTracked(&op));
  }
  if (op.getNumRegions() == 0 || !effects(&op).touches(partition))
    return merged;
  if (isa<scf::ForOp, scf::WhileOp>(op)) {
    if (!effects(&op).writes[partition])
      return false;
    bool ring = hasMergedRing(&op, partition);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return endsMerged(*loop.getBeforeBody(), partition, ring);
    return ring;
  }
  bool all = true;
  for (Region &lane : op.getRegions())
    all &= lane.empty() ? merged : endsMerged(lane.front(), partition, merged);
  return all;
}
