// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/Views/Footprint.h"
#include "loom/Structured/Views/LinearForms.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <algorithm>
#include <vector>

using namespace mlir;
using namespace loom;

namespace {

/// A range larger than this says nothing useful: it is the range of an index
/// type, not of an object.
constexpr int64_t MaxFootprint = int64_t(1) << 30;

/// A chain of byte offsets.
struct Address {
  BlockArgument root;
  llvm::SmallVector<LLVM::GEPOp> steps;
};

Address walk(SpatialRegionOp region, Value address) {
  Address result;
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    if (!gep.getElemType().isInteger(8) ||
        gep.getRawConstantIndices().size() != 1)
      return result;
    result.steps.push_back(gep);
    address = gep.getBase();
  }
  auto argument = dyn_cast<BlockArgument>(address);
  if (argument && argument.getOwner() == &region.getBody().front())
    result.root = argument;
  return result;
}

/// The access of `op`: its address, type and direction.
bool accessOf(Operation *op, Value &address, Type &type, bool &isWrite) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    address = load.getAddr();
    type = load.getType();
    isWrite = false;
    return true;
  }
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    address = store.getAddr();
    type = store.getValue().getType();
    isWrite = true;
    return true;
  }
  return false;
}

/// Bytes and residue of all accesses of one root.
struct Gathered {
  bool known = true;
  bool any = false; ///< some access can execute
  Integer lo, hi;   ///< byte interval
  bool oneType = true;
  Type type;
  bool onGrid = true;
  Integer residue;
};

void gather(Gathered &g, LinearForms &forms, const Address &address, Type type,
            Operation *op) {
  Integer size(accessSize(type));
  if (size == 0) {
    g.known = false;
    g.oneType = false;
    return;
  }
  if (g.type && g.type != type)
    g.oneType = false;

  LinearForm offset;
  for (LLVM::GEPOp gep : address.steps) {
    int32_t raw = gep.getRawConstantIndices().front();
    if (raw != LLVM::GEPOp::kDynamicIndex)
      offset = offset + LinearForm::of(Integer(int64_t(raw)));
    else
      offset = offset + forms.modularForm(gep.getDynamicIndices().front());
  }
  bool onGrid = forms.stride(offset) % size == 0;
  Integer residue = llvm::mod(offset.constant, size);
  if (g.type && g.oneType && residue != g.residue)
    g.onGrid = false;
  if (!onGrid)
    g.onGrid = false;
  if (!g.type) {
    g.type = type;
    g.residue = residue;
  }

  std::optional<Interval> r = forms.rangeAt(offset, op);
  if (!r)
    return; // never executed
  if (onGrid) {
    // Only positions of the access's own residue exist.
    r->lo += llvm::mod(residue - r->lo, size);
    r->hi -= llvm::mod(r->hi - residue, size);
    if (r->hi < r->lo)
      return;
  }
  Integer end = r->hi + size;
  g.lo = g.any ? std::min(g.lo, r->lo) : r->lo;
  g.hi = g.any ? std::max(g.hi, end) : end;
  g.any = true;
}

} // namespace

unsigned loom::accessSize(Type type) {
  if (type.isInteger(8))
    return 1;
  if (type.isInteger(16))
    return 2;
  if (type.isInteger(32) || type.isF32())
    return 4;
  if (type.isInteger(64) || type.isF64() || isa<LLVM::LLVMPointerType>(type))
    return 8;
  return 0;
}

BlockArgument loom::rootOf(SpatialRegionOp region, Value address) {
  return walk(region, address).root;
}

bool loom::hasUnrootedAccess(SpatialRegionOp region) {
  bool found = false;
  region.getBody().walk([&](Operation *op) {
    Value address;
    Type type;
    bool isWrite;
    if (accessOf(op, address, type, isWrite))
      found |= !rootOf(region, address);
    else if (op->getNumRegions() == 0 && !isMemoryEffectFree(op))
      found = true; // touches memory in a way this view doesn't know
  });
  return found;
}

llvm::SmallVector<RootFootprint>
loom::computeFootprints(SpatialRegionOp region) {
  Block &block = region.getBody().front();
  LinearForms forms;
  std::vector<Gathered> gathered(block.getNumArguments());
  std::vector<RootFootprint> footprints(block.getNumArguments());
  bool unrooted = hasUnrootedAccess(region);

  region.getBody().walk([&](Operation *op) {
    Value address;
    Type type;
    bool isWrite;
    if (!accessOf(op, address, type, isWrite))
      return;
    Address steps = walk(region, address);
    if (!steps.root)
      return;
    unsigned number = steps.root.getArgNumber();
    (isWrite ? footprints[number].writes : footprints[number].reads) = true;
    gather(gathered[number], forms, steps, type, op);
  });

  llvm::SmallVector<RootFootprint> result;
  const Integer least(INT64_MIN), most(INT64_MAX);
  for (BlockArgument argument : block.getArguments()) {
    if (!isa<LLVM::LLVMPointerType>(argument.getType()))
      continue;
    unsigned number = argument.getArgNumber();
    RootFootprint f = footprints[number];
    const Gathered &g = gathered[number];
    f.argument = number;
    f.element = g.oneType ? g.type : Type();
    f.elementAligned = bool(f.element) && g.onGrid;
    f.known = !unrooted && g.known;
    if (f.known && g.any) {
      f.known =
          g.lo >= least && g.hi <= most && g.hi - g.lo <= Integer(MaxFootprint);
      if (f.known) {
        f.lo = int64_t(g.lo);
        f.hi = int64_t(g.hi);
      }
    }
    result.push_back(f);
  }
  return result;
}
