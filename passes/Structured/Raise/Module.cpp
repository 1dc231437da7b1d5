// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole-module raising.

#include "loom/Structured/Raise/Module.h"
#include "LoopHints.h"
#include "loom/Structured/Raise/CountedLoops.h"
#include "loom/Structured/Raise/PruneValues.h"
#include "loom/Structured/Raise/Raise.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/CFGToSCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace loom;

namespace {

Value createPoison(Location loc, OpBuilder &builder, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isSignlessInteger() || isa<FloatType>(element))
    return ub::PoisonOp::create(builder, loc, type);
  return LLVM::PoisonOp::create(builder, loc, type);
}

/// `assume(false)` and a return: what an unreachable point is in a function
/// that has to have one kind of exit. Both are undefined to reach.
Operation *createDeadReturn(Location loc, OpBuilder &builder,
                            LLVM::LLVMFuncOp function) {
  Value never =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
  LLVM::AssumeOp::create(builder, loc, never);
  SmallVector<Value> results;
  for (Type type : function.getResultTypes())
    results.push_back(createPoison(loc, builder, type));
  return LLVM::ReturnOp::create(builder, loc, results);
}

/// The upstream transformation, with the exits of llvm.func, and with weights
/// and loop hints going to the structured operations.
class ModuleTransformation : public ControlFlowToSCFTransformation {
public:
  ModuleTransformation(LLVM::LLVMFuncOp function, LoopHints &hints,
                       bool returns)
      : function(function), hints(hints), returns(returns) {}

  FailureOr<Operation *>
  createStructuredBranchRegionOp(OpBuilder &builder, Operation *branch,
                                 TypeRange resultTypes,
                                 MutableArrayRef<Region> regions) override {
    Attribute weights = branch->getAttr(branchWeightsName);
    FailureOr<Operation *> op =
        ControlFlowToSCFTransformation::createStructuredBranchRegionOp(
            builder, branch, resultTypes, regions);
    if (succeeded(op) && weights)
      (*op)->setAttr(branchWeightsName, weights);
    return op;
  }

  FailureOr<Operation *> createStructuredDoWhileLoopOp(
      OpBuilder &builder, Operation *replacedOp, ValueRange inits,
      Value condition, ValueRange nextIteration, Region &&body) override {
    Block *header = &body.front();
    FailureOr<Operation *> op =
        ControlFlowToSCFTransformation::createStructuredDoWhileLoopOp(
            builder, replacedOp, inits, condition, nextIteration,
            std::move(body));
    if (succeeded(op))
      hints.attach(header, *op);
    return op;
  }

  Value getUndefValue(Location loc, OpBuilder &builder, Type type) override {
    Value poison = createPoison(loc, builder, type);
    poison.getDefiningOp()->setAttr(scaffoldName, builder.getUnitAttr());
    return poison;
  }

  FailureOr<Operation *> createUnreachableTerminator(Location loc,
                                                     OpBuilder &builder,
                                                     Region &) override {
    if (returns)
      return createDeadReturn(loc, builder, function);
    return LLVM::UnreachableOp::create(builder, loc).getOperation();
  }

private:
  LLVM::LLVMFuncOp function;
  LoopHints &hints;
  bool returns;
};

/// Patterns rebuild structured operations without their discardable
/// attributes; this puts them on the successor, which stands right before.
class HintKeeper : public RewriterBase::Listener {
public:
  void notifyOperationReplaced(Operation *op, Operation *by) override {
    carry(op, by);
  }
  void notifyOperationReplaced(Operation *op, ValueRange by) override {
    carry(op, op->getPrevNode());
  }

private:
  static void carry(Operation *from, Operation *to) {
    if (!to || !isa<scf::IfOp, scf::WhileOp, scf::IndexSwitchOp>(from) ||
        from->getName() != to->getName())
      return;
    // Not to a neighbour that is no successor of it.
    if (!isa<scf::WhileOp>(from) && from->getOperand(0) != to->getOperand(0))
      return;
    for (StringRef name :
         {StringRef(branchWeightsName), StringRef(loopAnnotationName)})
      if (Attribute value = from->getAttr(name); value && !to->hasAttr(name))
        to->setAttr(name, value);
  }
};

/// Why this function has to keep its CFG, seen before anything is changed.
std::optional<Refused> obstacle(LLVM::LLVMFuncOp function) {
  for (Block &block : function.getBody()) {
    Operation *end = block.getTerminator();
    if (isa<LLVM::IndirectBrOp>(end))
      return Refused{RefusalKind::IndirectBr, ""};
    if (isa<LLVM::InvokeOp, LLVM::ResumeOp>(end))
      return Refused{RefusalKind::EH, ""};
    if (!isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::ReturnOp,
             LLVM::UnreachableOp>(end)) {
      return Refused{RefusalKind::Structure,
                     end->getName().getStringRef().str()};
    }
    for (Operation &op : block) {
      if (isa<LLVM::BlockTagOp>(op))
        return Refused{RefusalKind::IndirectBr, "an address-taken label"};
      // Its return has to follow it.
      auto call = dyn_cast<LLVM::CallOp>(op);
      if (call &&
          call.getTailCallKind() == LLVM::tailcallkind::TailCallKind::MustTail)
        return Refused{RefusalKind::Structure, "musttail call"};
    }
  }
  return std::nullopt;
}

class ModuleStructurer {
public:
  ModuleStructurer(ModuleOp module, const FrozenRewritePatternSet &patterns,
                   StructureReport &report)
      : module(module), patterns(patterns), report(report) {}

  void run() {
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal())
        visit(function);
    module.walk([&](Operation *op) {
      report.countedLoops += isa<scf::ForOp>(op);
      report.uncountedLoops += isa<scf::WhileOp>(op);
    });
    readMarkers();
  }

private:
  void visit(LLVM::LLVMFuncOp function) {
    IRRewriter rewriter(function.getContext());
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());
    StructureReport::Function row;
    row.name = function.getName().str();
    row.blocks = unsigned(function.getBody().getBlocks().size());
    if (row.blocks == 1) {
      spellTolerantly(function, /*keepBranches=*/true);
    } else {
      row.left = obstacle(function);
      if (!row.left)
        row.left = structure(function);
      // Its branches keep their weights and loop hints.
      if (row.left)
        spellTolerantly(function, /*keepBranches=*/true);
    }
    report.functions.push_back(std::move(row));
  }

  std::optional<Refused> structure(LLVM::LLVMFuncOp function) {
    Region &body = function.getBody();
    Region backup;
    IRMapping mapping;
    body.cloneInto(&backup, mapping);
    LoopHints hints(function);
    unsigned weights = 0;
    body.walk([&](Operation *op) {
      weights += op->hasAttr(branchWeightsName) &&
                 isa<LLVM::CondBrOp, LLVM::SwitchOp>(op);
    });
    spellTolerantly(function, /*keepBranches=*/false);
    bool returns = uniteExits(function);
    ModuleTransformation transformation(function, hints, returns);
    DominanceInfo dominance(function);
    bool isOne =
        succeeded(transformCFGToSCF(body, transformation, dominance)) &&
        body.hasOneBlock();
    bool isSmall = isOne && succeeded(pruneValues(function));
    if (!isSmall || !cleanUp(function)) {
      body.dropAllReferences();
      body.getBlocks().clear();
      body.takeBody(backup);
      return Refused{RefusalKind::Structure,
                     isOne && !isSmall ? "it hands on too many values" : ""};
    }
    report.loopHints += hints.attached();
    report.orphanHints += hints.orphans();
    unsigned kept = 0;
    body.walk([&](Operation *op) {
      kept += op->hasAttr(branchWeightsName) && op->getNumRegions();
    });
    report.weightsKept += kept;
    report.weightsFolded += weights - std::min(kept, weights);
    return std::nullopt;
  }

  bool cleanUp(LLVM::LLVMFuncOp function) {
    HintKeeper keeper;
    GreedyRewriteConfig config;
    config.setListener(&keeper);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
    // Failure to converge leaves valid IR.
    (void)applyPatternsGreedily(function, patterns, config);
    recoverCountedLoops(function);
    return succeeded(mlir::verify(function));
  }

  /// Leaves one kind of exit where a function returns and has unreachable
  /// points. True if the function returns.
  static bool uniteExits(LLVM::LLVMFuncOp function) {
    SmallVector<LLVM::UnreachableOp> dead;
    bool returns = false;
    for (Block &block : function.getBody()) {
      if (auto end = dyn_cast<LLVM::UnreachableOp>(block.getTerminator()))
        dead.push_back(end);
      returns |= isa<LLVM::ReturnOp>(block.getTerminator());
    }
    if (!returns)
      return false;
    for (LLVM::UnreachableOp end : dead) {
      OpBuilder builder(end);
      createDeadReturn(end.getLoc(), builder, function);
      end.erase();
    }
    return true;
  }

  void readMarkers() {
    auto marker = module.lookupSymbol<LLVM::LLVMFuncOp>(loopMarkerName);
    if (!marker)
      return;
    SmallVector<LLVM::CallOp> calls;
    module.walk([&](LLVM::CallOp call) {
      if (call.getCallee() && *call.getCallee() == loopMarkerName)
        calls.push_back(call);
    });
    for (LLVM::CallOp call : calls) {
      APInt number;
      if (!call.getArgOperands().empty() &&
          matchPattern(call.getArgOperands()[0], m_ConstantInt(&number)))
        report.loops[number.getSExtValue()] = formAround(call);
      call.erase();
    }
    marker.erase();
  }

  LoopForm formAround(Operation *op) {
    auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
    if (!function.getBody().hasOneBlock())
      return LoopForm::Graph;
    for (Operation *parent = op->getParentOp(); parent != function;
         parent = parent->getParentOp()) {
      if (isa<scf::ForOp>(parent))
        return LoopForm::Counted;
      if (isa<scf::WhileOp>(parent))
        return LoopForm::Uncounted;
    }
    return LoopForm::Gone;
  }

  ModuleOp module;
  const FrozenRewritePatternSet &patterns;
  StructureReport &report;
};

} // namespace

void loom::structureModule(ModuleOp module,
                           const FrozenRewritePatternSet &patterns,
                           StructureReport &report) {
  ModuleStructurer(module, patterns, report).run();
}
