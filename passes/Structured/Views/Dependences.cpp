// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dependence view, and whether the iterations of a loop may run in any
// order. What is not shown to be absent is present.

#include "Analysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace loom;
using namespace loom::views;

llvm::StringRef views::nameOf(Admission admission) {
  switch (admission) {
  case Admission::ProvenIndependent:
    return "ProvenIndependent";
  case Admission::ProvenDependent:
    return "ProvenDependent";
  case Admission::ProofNotEstablished:
    break;
  }
  return "ProofNotEstablished";
}

static std::string accessName(const RegionViews &views, unsigned op) {
  for (auto [number, access] : llvm::enumerate(views.memory.accesses))
    if (access.op == op)
      return "A" + std::to_string(number);
  return "op " + std::to_string(op);
}

void Analysis::record(const Access &source, const Access &target,
                      llvm::ArrayRef<Operation *> common, unsigned level,
                      const Conflict &conflict) {
  Dependence dependence;
  dependence.kind = !source.isWrite  ? Dependence::Anti
                    : target.isWrite ? Dependence::Output
                                     : Dependence::Flow;
  dependence.source = source.order;
  dependence.target = target.order;
  dependence.loops = numbers(common);
  dependence.loop = level < common.size() ? int(dependence.loops[level]) : -1;
  dependence.proven = conflict.exists == Answer::Yes && conflict.exact;
  dependence.distances = conflict.distances;
  dependence.why = conflict.why;
  views.dependence.dependences.push_back(std::move(dependence));
}

void Analysis::accessDependences(unsigned first, unsigned second) {
  const Access &a = memory.accesses[first], &b = memory.accesses[second];
  if (!a.isWrite && !b.isWrite)
    return;
  AliasView alias = memory.alias(a.root, b.root);
  if (alias.alias == Alias::No)
    return;
  std::vector<Operation *> common = commonLoops(
      domains.of(a.op->getBlock()).loops, domains.of(b.op->getBlock()).loops);
  if (++pairs > config.pairs) {
    for (unsigned loop : numbers(common))
      if (!llvm::is_contained(views.dependence.incomplete, loop))
        views.dependence.incomplete.push_back(loop);
    return;
  }
  std::string why;
  if (alias.alias == Alias::May)
    why = "the roots may overlap: " + alias.why;
  for (const Access *access : {&a, &b})
    if (why.empty() && !access->known)
      why = access->why;
  if (!why.empty()) {
    // Any order, any loop: one row for each direction.
    Conflict any;
    any.why = why;
    any.distances.resize(common.size());
    record(a, b, common, 0, any);
    views.dependence.dependences.back().anyLoop = true;
    if (first != second && !common.empty()) {
      record(b, a, common, 0, any);
      views.dependence.dependences.back().anyLoop = true;
    }
    return;
  }
  for (unsigned level = 0; level <= common.size(); ++level) {
    // A root that varies with a loop is another pointer in its next iteration.
    Operation *scope = memory.roots[a.root].scope;
    bool sameRoot =
        !scope ||
        llvm::is_contained(llvm::ArrayRef(common).take_front(level), scope);
    for (bool forward : {true, false}) {
      const Access &source = forward ? a : b, &target = forward ? b : a;
      bool last = level == common.size();
      if (!forward && (first == second || last))
        continue;
      if (forward && first == second && last)
        continue;
      Conflict conflict;
      if (!sameRoot) {
        conflict.why = "the root is another pointer in each iteration";
        conflict.distances = distancesAt(level, common.size());
      } else {
        conflict = relations.conflict(source, target, common, level);
      }
      if (conflict.exists != Answer::No)
        record(source, target, common, level, conflict);
    }
  }
}

void Analysis::carriedDependences() {
  for (const ReductionView &carried : views.reductions) {
    if (carried.kind == ReductionView::Induction)
      continue;
    Operation *loop = loops[carried.loop];
    Conflict again = relations.repeats(loop);
    if (again.exists == Answer::No)
      continue;
    Dependence dependence;
    dependence.kind = Dependence::Carried;
    Block &body = loop->getRegion(0).front();
    dependence.source = order[body.getTerminator()];
    dependence.target = order[loop];
    dependence.loop = carried.loop;
    dependence.loops = {carried.loop};
    dependence.distances = {{1, 1}};
    dependence.proven = again.exists == Answer::Yes && again.exact;
    if (!dependence.proven)
      dependence.why = "how often the loop runs is not known exactly";
    views.dependence.dependences.push_back(std::move(dependence));
  }
}

void Analysis::controlDependences() {
  region.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool touches = isa<LLVM::LoadOp, LLVM::StoreOp>(op);
    Operation *parent = op->getParentOp();
    if ((!touches && op->getNumRegions() == 0) || parent == region)
      return;
    Dependence dependence;
    dependence.kind = Dependence::Control;
    dependence.source = order[parent];
    dependence.target = order[op];
    dependence.proven = true;
    views.dependence.dependences.push_back(std::move(dependence));
  });
}

void Analysis::findDependences() {
  unsigned count = memory.accesses.size();
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = i; j < count; ++j)
      accessDependences(i, j);
  carriedDependences();
  controlDependences();
  judgeLoops();
}

void Analysis::judgeLoops() {
  for (Operation *loop : loops) {
    LoopVerdict verdict;
    unsigned number = loopNumber[loop];
    if (isa<scf::WhileOp>(loop)) {
      verdict.why = "a while loop: an iteration runs only if the one before it "
                    "says so";
      views.dependence.loops.push_back(verdict);
      continue;
    }
    verdict.admission = Admission::ProvenIndependent;
    for (Operation *op : memory.unknownEffects)
      if (loop->isAncestor(op)) {
        verdict.admission = Admission::ProofNotEstablished;
        verdict.why =
            ("unknown effects of '" + op->getName().getStringRef() + "'").str();
      }
    if (llvm::is_contained(views.dependence.incomplete, number)) {
      verdict.admission = Admission::ProofNotEstablished;
      verdict.why = "too many pairs of accesses";
    }
    for (const Dependence &d : views.dependence.dependences) {
      bool applies = d.anyLoop ? llvm::is_contained(d.loops, number)
                               : d.loop == int(number);
      if (d.kind == Dependence::Control || !applies)
        continue;
      bool better = d.proven && verdict.admission != Admission::ProvenDependent;
      if (verdict.admission == Admission::ProvenIndependent || better) {
        verdict.admission = d.proven ? Admission::ProvenDependent
                                     : Admission::ProofNotEstablished;
        verdict.why = d.kind == Dependence::Carried
                          ? "a value is carried from one iteration to the next"
                          : std::string(d.proven ? "" : "not excluded: ") +
                                accessName(views, d.source) + " and " +
                                accessName(views, d.target);
        if (!d.why.empty())
          verdict.why += ": " + d.why;
      }
    }
    views.dependence.loops.push_back(verdict);
  }
}
