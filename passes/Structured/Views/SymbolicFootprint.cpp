// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of each root, as bounds.

#include "loom/Structured/Views/SymbolicFootprint.h"
#include "SymbolicForms.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace loom;

namespace {

/// Accesses whose offsets differ by a constant only.
struct Group {
  Polynomial offset; // without its constant
  Integer least, end;
};

class Gatherer {
public:
  explicit Gatherer(SpatialRegionOp region) : region(region) {}

  SymbolicFootprints run(llvm::ArrayRef<RootFootprint> constants) {
    SymbolicFootprints result;
    result.unrooted = hasUnrootedAccess(region);
    llvm::SmallVector<SymbolicRoot> roots(region.getBody().getNumArguments());
    llvm::SmallVector<std::vector<Group>> reads(roots.size()),
        writes(roots.size());
    for (auto [index, root] : llvm::enumerate(roots)) {
      root.argument = index;
      root.read.known = root.write.known = !result.unrooted;
    }
    region.getBody().walk([&](Operation *op) {
      Value address;
      Type type;
      if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
        address = load.getAddr();
        type = load.getType();
      } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
        address = store.getAddr();
        type = store.getValue().getType();
      } else {
        return;
      }
      BlockArgument root = rootOf(region, address);
      if (!root)
        return;
      bool isWrite = isa<LLVM::StoreOp>(op);
      unsigned number = root.getArgNumber();
      SymbolicRange &range = isWrite ? roots[number].write : roots[number].read;
      range.any = true;
      if (range.known)
        range.known = gather(isWrite ? writes[number] : reads[number], address,
                             accessSize(type));
    });
    for (auto [index, root] : llvm::enumerate(roots)) {
      if (!root.read.any && !root.write.any)
        continue;
      const RootFootprint *constant = nullptr;
      for (const RootFootprint &known : constants)
        if (known.argument == index && known.known && !result.unrooted)
          constant = &known;
      finish(root.read, reads[index], constant);
      finish(root.write, writes[index], constant);
      result.roots.push_back(std::move(root));
    }
    result.nodes = std::move(forms.bounds.nodes);
    return result;
  }

private:
  /// The address is the root plus the offset modulo 2^64.
  bool gather(std::vector<Group> &groups, Value address, unsigned size) {
    Polynomial offset;
    while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
      int32_t raw = gep.getRawConstantIndices().front();
      if (raw != LLVM::GEPOp::kDynamicIndex) {
        offset = offset + Polynomial::of(Integer(int64_t(raw)));
      } else {
        MaybePolynomial index = forms.modular(gep.getDynamicIndices().front());
        if (!index)
          return false;
        offset = offset + *index;
      }
      address = gep.getBase();
    }
    if (size == 0)
      return false;
    Integer least = offset.constant(), end = least + Integer(int64_t(size));
    offset.add({}, -least);
    for (Group &group : groups) {
      if (group.offset.terms != offset.terms)
        continue;
      group.least = std::min(group.least, least);
      group.end = std::max(group.end, end);
      group.offset.obligations.insert(offset.obligations.begin(),
                                      offset.obligations.end());
      return true;
    }
    groups.push_back({std::move(offset), least, end});
    return true;
  }

  /// Bounds over all groups, narrowed by a constant footprint.
  void finish(SymbolicRange &range, const std::vector<Group> &groups,
              const RootFootprint *constant) {
    MaybeNode lo, hi;
    std::set<unsigned> obligations;
    bool known = range.known;
    for (const Group &group : groups) {
      if (!known)
        break;
      MaybeNode least =
          forms.bound(group.offset + Polynomial::of(group.least), false);
      MaybeNode end =
          forms.bound(group.offset + Polynomial::of(group.end), true);
      known = least && end;
      if (!known)
        break;
      lo = lo ? forms.bounds.least(*lo, *least, false) : least;
      hi = hi ? forms.bounds.least(*hi, *end, true) : end;
      known = lo && hi;
      obligations.insert(group.offset.obligations.begin(),
                         group.offset.obligations.end());
    }
    known &= bool(lo) && bool(hi);
    // One or the other: offsets are known modulo 2^64, so that bounds of two
    // derivations must not be mixed.
    if (constant && range.any &&
        (!known || !obligations.empty() || !isNarrower(*lo, *hi, *constant))) {
      lo = forms.bounds.constant(Integer(constant->lo));
      hi = forms.bounds.constant(Integer(constant->hi));
      obligations.clear();
      known = lo && hi;
    }
    range.known = known && range.any;
    if (!range.known)
      return;
    range.lo = *lo;
    range.hi = *hi;
    range.obligations.assign(obligations.begin(), obligations.end());
  }

  /// Whether a symbolic range says more than a constant one.
  bool isNarrower(unsigned lo, unsigned hi, const RootFootprint &constant) {
    constexpr int64_t small = 1 << 16;
    const BoundNode &least = forms.bounds.nodes[lo];
    const BoundNode &end = forms.bounds.nodes[hi];
    if (least.op == BoundOp::Constant && end.op == BoundOp::Constant)
      return least.imm >= constant.lo && end.imm <= constant.hi;
    return constant.hi - constant.lo > small;
  }

  SpatialRegionOp region;
  SymbolicForms forms;
};

} // namespace

SymbolicFootprints
loom::computeSymbolicFootprints(SpatialRegionOp region,
                                llvm::ArrayRef<RootFootprint> constants) {
  return Gatherer(region).run(constants);
}

void loom::printBoundNode(llvm::raw_ostream &stream, unsigned number,
                          const BoundNode &node) {
  stream << "n" << number << " = ";
  switch (node.op) {
  case BoundOp::Constant:
    stream << node.imm;
    break;
  case BoundOp::SlotS:
    stream << "slot " << node.a << " signed " << node.width;
    break;
  case BoundOp::SlotU:
    stream << "slot " << node.a << " unsigned " << node.width;
    break;
  case BoundOp::Add:
    stream << "n" << node.a << " + n" << node.b;
    break;
  case BoundOp::Mul:
    stream << "n" << node.a << " * n" << node.b;
    break;
  case BoundOp::AddC:
    stream << "n" << node.a << " + " << node.imm;
    break;
  case BoundOp::MulC:
    stream << "n" << node.a << " * " << node.imm;
    break;
  case BoundOp::Min:
    stream << "min n" << node.a << " n" << node.b;
    break;
  case BoundOp::Max:
    stream << "max n" << node.a << " n" << node.b;
    break;
  case BoundOp::FloorDiv:
    stream << "n" << node.a << " floordiv " << node.imm;
    break;
  case BoundOp::WrapS:
    stream << "n" << node.a << " wrap signed " << node.width;
    break;
  case BoundOp::WrapU:
    stream << "n" << node.a << " wrap unsigned " << node.width;
    break;
  case BoundOp::FitsS:
    stream << "n" << node.a << " fits signed " << node.width;
    break;
  case BoundOp::NotNegative:
    stream << "n" << node.a << " not negative";
    break;
  }
}

static void printRange(llvm::raw_ostream &stream, const char *verb,
                       const SymbolicRange &range) {
  if (!range.any)
    return;
  stream << " " << verb;
  if (!range.known) {
    stream << " unknown";
    return;
  }
  stream << " [n" << range.lo << ", n" << range.hi << ")";
  if (range.obligations.empty())
    return;
  stream << " if";
  for (unsigned node : range.obligations)
    stream << " n" << node;
}

void loom::printSymbolicFootprints(llvm::raw_ostream &stream,
                                   const SymbolicFootprints &footprints) {
  for (auto [number, node] : llvm::enumerate(footprints.nodes)) {
    stream << "  ";
    printBoundNode(stream, number, node);
    stream << "\n";
  }
  for (const SymbolicRoot &root : footprints.roots) {
    stream << "  arg " << root.argument << ":";
    printRange(stream, "reads", root.read);
    printRange(stream, "writes", root.write);
    stream << "\n";
  }
}
