// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes_mutator.h"
#include "loom/Structured/IR/Loom.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace loom;
using namespace loom::test;

namespace {

class Mutator {
public:
  Mutator(ModuleOp module, std::mt19937_64 &random)
      : module(module), random(random), builder(module.getContext()) {
    module->walk([&](Operation *op) {
      // An unused constant means nothing.
      bool dead = op->hasTrait<OpTrait::ConstantLike>() && op->use_empty();
      if (op != module && !dead)
        all.push_back(op);
    });
  }

  const char *run() {
    struct Kind {
      const char *name;
      bool (Mutator::*change)();
    };
    static const Kind kinds[] = {
        {"integer attribute", &Mutator::integer},
        {"float constant", &Mutator::number},
        {"array attribute", &Mutator::array},
        {"other operation", &Mutator::operation},
        {"operands exchanged", &Mutator::exchange},
        {"other operand", &Mutator::operand},
        {"flag", &Mutator::flag},
        {"attribute removed", &Mutator::removeAttribute},
        {"effect repeated", &Mutator::repeat},
        {"effect removed", &Mutator::erase},
        {"effects exchanged", &Mutator::reorder},
        {"element type", &Mutator::elementType},
        {"visible name", &Mutator::rename},
        {"linkage", &Mutator::linkage},
        {"argument attribute", &Mutator::argumentAttribute},
        {"module attribute", &Mutator::moduleAttribute},
        {"initial value", &Mutator::initialValue},
        {"ownership boundary", &Mutator::ownership},
    };
    const Kind &kind = kinds[below(std::size(kinds))];
    return (this->*kind.change)() ? kind.name : nullptr;
  }

private:
  uint64_t below(uint64_t n) { return n ? random() % n : 0; }
  template <typename T>
  T pick(const std::vector<T> &from) {
    return from[below(from.size())];
  }
  template <typename Fn>
  Operation *pickOp(Fn &&wanted) {
    std::vector<Operation *> found;
    for (Operation *op : all)
      if (wanted(op))
        found.push_back(op);
    return found.empty() ? nullptr : pick(found);
  }

  bool integer() {
    std::vector<std::pair<Operation *, NamedAttribute>> found;
    for (Operation *op : all)
      for (NamedAttribute attr : op->getAttrDictionary())
        if (auto value = dyn_cast<IntegerAttr>(attr.getValue());
            value && attr.getName() != "operandSegmentSizes")
          found.push_back({op, attr});
    if (found.empty())
      return false;
    auto [op, attr] = pick(found);
    auto value = cast<IntegerAttr>(attr.getValue());
    APInt old = value.getValue();
    APInt fresh = attr.getName() == "alignment" ? old.shl(1) : old + 1;
    if (fresh == old)
      return false;
    op->setAttr(attr.getName(), IntegerAttr::get(value.getType(), fresh));
    return true;
  }

  bool number() {
    Operation *op = pickOp([](Operation *op) {
      return isa_and_nonnull<FloatAttr>(op->getAttr("value"));
    });
    if (!op)
      return false;
    auto value = cast<FloatAttr>(op->getAttr("value"));
    op->setAttr("value", FloatAttr::get(value.getType(), -value.getValue()));
    return true;
  }

  bool array() {
    std::vector<std::pair<Operation *, NamedAttribute>> found;
    for (Operation *op : all)
      for (NamedAttribute attr : op->getAttrDictionary())
        if (auto list = dyn_cast<DenseI32ArrayAttr>(attr.getValue());
            list && !list.empty() &&
            !attr.getName().getValue().contains("Segment"))
          found.push_back({op, attr});
    if (found.empty())
      return false;
    auto [op, attr] = pick(found);
    SmallVector<int32_t> values(
        cast<DenseI32ArrayAttr>(attr.getValue()).asArrayRef());
    ++values[below(values.size())];
    op->setAttr(attr.getName(), builder.getDenseI32ArrayAttr(values));
    return true;
  }

  bool operation() {
    static const std::vector<std::vector<StringRef>> groups = {
        {"arith.addi", "arith.subi", "arith.muli"},
        {"arith.andi", "arith.xori"},
        {"arith.addf", "arith.subf", "arith.mulf", "arith.divf"},
        {"arith.extsi", "arith.extui"},
        {"llvm.add", "llvm.sub", "llvm.mul"},
        {"llvm.and", "llvm.xor"},
        {"llvm.fadd", "llvm.fsub", "llvm.fmul", "llvm.fdiv"},
        {"llvm.intr.smax", "llvm.intr.smin", "llvm.intr.umax"},
    };
    auto groupOf = [&](Operation *op) {
      return llvm::find_if(groups, [&](const std::vector<StringRef> &group) {
        return llvm::is_contained(group, op->getName().getStringRef());
      });
    };
    Operation *op =
        pickOp([&](Operation *op) { return groupOf(op) != groups.end(); });
    if (!op)
      return false;
    StringRef fresh = pick(*groupOf(op));
    if (fresh == op->getName().getStringRef())
      return false;
    builder.setInsertionPoint(op);
    OperationState state(op->getLoc(), fresh, op->getOperands(),
                         op->getResultTypes(), op->getAttrs());
    op->replaceAllUsesWith(builder.create(state));
    op->erase();
    return true;
  }

  bool exchange() {
    std::vector<std::pair<Operation *, unsigned>> found;
    for (Operation *op : all)
      for (unsigned i = 0; i + 1 < op->getNumOperands(); ++i)
        if (op->getOperand(i) != op->getOperand(i + 1) &&
            op->getOperand(i).getType() == op->getOperand(i + 1).getType())
          found.push_back({op, i});
    if (found.empty())
      return false;
    auto [op, i] = pick(found);
    Value first = op->getOperand(i);
    op->setOperand(i, op->getOperand(i + 1));
    op->setOperand(i + 1, first);
    return true;
  }

  bool operand() {
    Operation *op = pickOp([](Operation *op) { return op->getNumOperands(); });
    if (!op)
      return false;
    unsigned i = below(op->getNumOperands());
    std::vector<Value> others;
    for (Value argument : op->getBlock()->getArguments())
      others.push_back(argument);
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode())
      for (Value result : before->getResults())
        others.push_back(result);
    llvm::erase_if(others, [&](Value value) {
      return value == op->getOperand(i) ||
             value.getType() != op->getOperand(i).getType();
    });
    if (others.empty())
      return false;
    op->setOperand(i, pick(others));
    return true;
  }

  bool flag() {
    Operation *op = pickOp([](Operation *op) {
      return isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::GlobalOp, LLVM::AddOp,
                 arith::AddIOp, arith::MulIOp, LLVM::GEPOp>(op);
    });
    if (!op)
      return false;
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      load.setVolatile_(!load.getVolatile_());
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      store.setVolatile_(!store.getVolatile_());
    else if (auto global = dyn_cast<LLVM::GlobalOp>(op))
      global.setConstant(!global.getConstant());
    else if (auto add = dyn_cast<LLVM::AddOp>(op))
      add.setOverflowFlags(add.getOverflowFlags() ^
                           LLVM::IntegerOverflowFlags::nsw);
    else if (auto add = dyn_cast<arith::AddIOp>(op))
      add.setOverflowFlags(add.getOverflowFlags() ^
                           arith::IntegerOverflowFlags::nsw);
    else if (auto mul = dyn_cast<arith::MulIOp>(op))
      mul.setOverflowFlags(mul.getOverflowFlags() ^
                           arith::IntegerOverflowFlags::nuw);
    else if (auto gep = dyn_cast<LLVM::GEPOp>(op))
      gep.setNoWrapFlags(gep.getNoWrapFlags() ^ LLVM::GEPNoWrapFlags::nuw);
    return true;
  }

  bool removeAttribute() {
    static const std::vector<StringRef> names = {
        "tbaa",          "alias_scopes",    "noalias_scopes",
        "access_groups", "loop_annotation", "branch_weights",
        "alignment",     "memory_effects",  "no_unwind",
        "passthrough",   "unnamed_addr",    "dso_local",
        "target_cpu",    "comdat",          "frame_pointer"};
    StringRef name = pick(names);
    Operation *op = pickOp([&](Operation *op) { return op->hasAttr(name); });
    if (!op)
      return false;
    op->removeAttr(name);
    return true;
  }

  static bool isEffect(Operation *op) {
    return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
           isa<LLVM::StoreOp, LLVM::CallOp, LLVM::LoadOp>(op);
  }

  bool repeat() {
    Operation *op = pickOp(
        [](Operation *op) { return isa<LLVM::StoreOp, LLVM::CallOp>(op); });
    if (!op)
      return false;
    builder.setInsertionPointAfter(op);
    builder.clone(*op);
    return true;
  }

  bool erase() {
    Operation *op =
        pickOp([](Operation *op) { return isEffect(op) && op->use_empty(); });
    if (!op)
      return false;
    op->erase();
    return true;
  }

  bool reorder() {
    // An effect and the next one change places, when no value forbids it.
    Operation *op = pickOp(isEffect);
    if (!op)
      return false;
    Operation *next = op->getNextNode();
    while (next && !isEffect(next))
      next = next->getNextNode();
    if (!next || (isa<LLVM::LoadOp>(op) && isa<LLVM::LoadOp>(next)))
      return false;
    for (Operation *user : op->getUsers())
      if (user == next ||
          (user->getBlock() == op->getBlock() && user->isBeforeInBlock(next)))
        return false;
    op->moveAfter(next);
    return true;
  }

  bool elementType() {
    Operation *op = pickOp(
        [](Operation *op) { return op->getAttrOfType<TypeAttr>("elem_type"); });
    if (!op)
      return false;
    Type old = op->getAttrOfType<TypeAttr>("elem_type").getValue();
    // Of another size, so that addresses change.
    Type fresh = builder.getIntegerType(old.isInteger(16) ? 128 : 16);
    op->setAttr("elem_type", TypeAttr::get(fresh));
    return true;
  }

  Operation *pickVisible() {
    return pickOp([](Operation *op) {
      auto linkage = op->getAttrOfType<LLVM::LinkageAttr>("linkage");
      return linkage && op->getParentOp() && isa<ModuleOp>(op->getParentOp()) &&
             linkage.getLinkage() == LLVM::Linkage::External;
    });
  }

  bool rename() {
    Operation *op = pickVisible();
    if (!op)
      return false;
    auto symbol = cast<SymbolOpInterface>(op);
    StringAttr fresh =
        builder.getStringAttr(symbol.getName() + std::to_string(below(100)));
    return succeeded(SymbolTable::replaceAllSymbolUses(op, fresh, module)) &&
           (symbol.setName(fresh), true);
  }

  bool linkage() {
    Operation *op = pickVisible();
    if (!op)
      return false;
    op->setAttr("linkage", LLVM::LinkageAttr::get(op->getContext(),
                                                  LLVM::Linkage::ExternWeak));
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
        !function || !function.isExternal())
      op->setAttr("linkage", LLVM::LinkageAttr::get(op->getContext(),
                                                    LLVM::Linkage::Weak));
    return true;
  }

  bool argumentAttribute() {
    Operation *op = pickOp([](Operation *op) {
      auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
      return function && function.getNumArguments();
    });
    if (!op)
      return false;
    auto function = cast<LLVM::LLVMFuncOp>(op);
    unsigned i = below(function.getNumArguments());
    if (function.getArgAttr(i, "llvm.noundef"))
      function.removeArgAttr(i, "llvm.noundef");
    else
      function.setArgAttr(i, "llvm.noundef", builder.getUnitAttr());
    return true;
  }

  bool moduleAttribute() {
    static const std::vector<const char *> triples = {
        "riscv64-unknown-linux-gnu", "aarch64-linux-gnu", "powerpc64-ibm-aix"};
    module->setAttr("llvm.target_triple", builder.getStringAttr(pick(triples)));
    return true;
  }

  bool initialValue() {
    Operation *op = pickOp([](Operation *op) {
      return isa<LLVM::GlobalOp>(op) &&
             isa_and_nonnull<StringAttr, DenseIntElementsAttr>(
                 op->getAttr("value"));
    });
    if (!op)
      return false;
    if (auto text = op->getAttrOfType<StringAttr>("value")) {
      std::string bytes = text.getValue().str();
      if (bytes.empty())
        return false;
      bytes[below(bytes.size())] ^= 1;
      op->setAttr("value", builder.getStringAttr(bytes));
      return true;
    }
    auto dense = op->getAttrOfType<DenseIntElementsAttr>("value");
    SmallVector<APInt> values(dense.getValues<APInt>());
    values[below(values.size())] += 1;
    op->setAttr("value", DenseElementsAttr::get(dense.getType(), values));
    return true;
  }

  bool ownership() {
    Operation *op =
        pickOp([](Operation *op) { return isa<SpatialRegionOp>(op); });
    if (!op)
      return false;
    auto region = cast<SpatialRegionOp>(op);
    // An operation leaves the region: a constant becomes a live-in.
    Operation *constant = nullptr;
    for (Operation &inner : region.getBody().front())
      if (isa<arith::ConstantOp>(inner))
        constant = &inner;
    if (!constant)
      return false;
    constant->moveBefore(region);
    Value argument = region.getBody().addArgument(
        constant->getResult(0).getType(), region.getLoc());
    constant->getResult(0).replaceAllUsesWith(argument);
    region.getInputsMutable().append(constant->getResult(0));
    SmallVector<int32_t> partitions(region.getPartitions());
    partitions.push_back(-1);
    region.setPartitions(partitions);
    return true;
  }

  ModuleOp module;
  std::mt19937_64 &random;
  OpBuilder builder;
  std::vector<Operation *> all;
};

} // namespace

const char *loom::test::mutate(ModuleOp module, std::mt19937_64 &random) {
  return Mutator(module, random).run();
}
