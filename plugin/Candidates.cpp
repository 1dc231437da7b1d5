// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Candidates.h"
#include "ArgumentFacts.h"
#include "Canonicalize.h"
#include "Legality.h"
#include "MultiplyAdd.h"
#include "Options.h"
#include "OutParameters.h"
#include "Prepare.h"
#include "Report.h"
#include "Scalarize.h"
#include "StringCalls.h"
#include "Timing.h"
#include "WideIntegers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace loom;

namespace {

/// Where a nest starts in the source: the loop's own location, else the first
/// one in its blocks.
DebugLoc startOf(const Loop &loop) {
  if (DebugLoc location = loop.getStartLoc())
    return location;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (const DebugLoc &location = instruction.getDebugLoc();
          location && location.getLine())
        return location;
  return DebugLoc();
}

/// The source file of a location as the user wrote it. Clang splits an absolute
/// path at what it shares with the compilation directory; then the parts are
/// joined again.
std::string fileOf(const DILocation &location) {
  StringRef name = location.getFilename();
  const DISubprogram *program = location.getScope()->getSubprogram();
  const DICompileUnit *unit = program ? program->getUnit() : nullptr;
  if (name.empty() || sys::path::is_absolute(name) || !unit ||
      location.getDirectory() == unit->getDirectory())
    return name.str();
  SmallString<128> path(location.getDirectory());
  sys::path::append(path, name);
  return std::string(path);
}

/// A clone whose locations go on naming the description of the function: none
/// is copied, which would copy every location with it. One that is thrown away
/// has no description of its own.
Function *cloneInternal(Function &function, ValueToValueMapTy &map,
                        const Twine &name) {
  DISubprogram *program = function.getSubprogram();
  function.setSubprogram(nullptr);
  Function *clone = CloneFunction(&function, map);
  function.setSubprogram(program);
  clone->setLinkage(GlobalValue::InternalLinkage);
  clone->setVisibility(GlobalValue::DefaultVisibility);
  clone->setComdat(nullptr);
  clone->setName(name);
  return clone;
}

/// What may replace the body of the function has its description too, for as
/// long as both exist: a call that passes move would lose its location without,
/// and the inliner would then take that of the callee.
Function *cloneBody(Function &function, ValueToValueMapTy &map,
                    const Twine &name) {
  Function *clone = cloneInternal(function, map, name);
  clone->setSubprogram(function.getSubprogram());
  return clone;
}

} // namespace

CandidateFinder::CandidateFinder(Module &module,
                                 FunctionAnalysisManager &analyses)
    : module(module), analyses(analyses), inliner(analyses) {
  takeScratch();
}

std::unique_ptr<Module> CandidateFinder::takeScratch() {
  auto next = std::make_unique<Module>("loom", module.getContext());
  next->setDataLayout(module.getDataLayout());
  next->setTargetTriple(module.getTargetTriple());
  std::swap(next, scratch);
  return next;
}

CandidateFinder::~CandidateFinder() { discardClones(); }

unsigned CandidateFinder::addRow(const Function &function, const Loop *loop,
                                 const DebugLoc &location,
                                 const Refused *refused) {
  CandidateRow row;
  row.function = function.getName().str();
  if (location) {
    row.file = fileOf(*location);
    row.line = location.getLine();
    row.column = location.getCol();
  }
  if (loop) {
    SmallVector<const Loop *, 8> loops(1, loop);
    unsigned base = loop->getLoopDepth();
    for (unsigned i = 0; i < loops.size(); ++i) {
      append_range(loops, *loops[i]);
      row.depth = std::max(row.depth, loops[i]->getLoopDepth() - base + 1);
    }
    row.loops = unsigned(loops.size());
  }
  if (refused) {
    row.code = refusalCode(refused->kind).str();
    row.detail = refused->detail;
    if (refused->line && refused->line != row.line)
      row.detail += (row.detail.empty() ? "line " : ", line ") +
                    std::to_string(refused->line);
  }
  reportRows.push_back(std::move(row));
  return unsigned(reportRows.size() - 1);
}

void CandidateFinder::refuse(Function &original, const Loop &loop,
                             const Refused &refused) {
  DebugLoc location = startOf(loop);
  unsigned row = addRow(original, &loop, location, &refused);
  emitRemark(original, location, *loop.getHeader(), reportRows[row]);
}

void CandidateFinder::reportIrreducible(Function &function) {
  CycleInfo &cycles = analyses.getResult<CycleAnalysis>(function);
  for (const Cycle *cycle : cycles.toplevel_cycles()) {
    if (cycle->isReducible())
      continue;
    DebugLoc location = cycle->getHeader()->getTerminator()->getDebugLoc();
    Refused refused{RefusalKind::Irreducible, ""};
    unsigned row = addRow(function, nullptr, location, &refused);
    emitRemark(function, location, *cycle->getHeader(), reportRows[row]);
  }
}

std::string CandidateFinder::regionName(StringRef function) {
  for (unsigned number = 0;; ++number) {
    std::string name =
        (Twine(function.empty() ? "anonymous" : function) + "." + Twine(number))
            .str();
    if (names.insert(name).second)
      return name;
  }
}

std::optional<Refused> CandidateFinder::check(Loop &loop, Function &host) {
  auto &tli = analyses.getResult<TargetLibraryAnalysis>(host);
  unsigned limit = PluginOptions::get().maxInstructions;
  unsigned inlined = 0;
  std::optional<Refused> refused =
      checkNest(loop, tli, limit, [&](const CallBase &call) {
        const NestInliner::Verdict &verdict =
            inliner.ask(*call.getCalledFunction(), host);
        inlined += verdict.instructions;
        return verdict.why;
      });
  if (!refused && inlined > limit)
    refused = Refused{RefusalKind::Size,
                      std::to_string(inlined) + " instructions in callees"};
  return refused;
}

void CandidateFinder::walk(Function &original, Function &clone, Loop &loop) {
  std::optional<Refused> refused = check(loop, clone);
  if (refused) {
    refuse(original, loop, *refused);
    for (Loop *inner : loop)
      walk(original, clone, *inner);
    return;
  }
  CandidateNest candidate;
  candidate.original = &original;
  candidate.location = startOf(loop);
  candidate.row = addRow(original, &loop, candidate.location, nullptr);
  candidate.nest = std::make_unique<Nest>();
  Nest &nest = *candidate.nest;
  nest.name = regionName(original.getName());
  nest.host = &clone;
  if (candidate.location)
    nest.file = candidate.location->getFile();
  nest.header = loop.getHeader();
  nest.blocks.insert(loop.block_begin(), loop.block_end());
  loop.getUniqueExitBlocks(nest.exits);
  found.push_back(std::move(candidate));
}

/// Pointers whose memory was not proven distinct share an order partition.
void CandidateFinder::assignPartitions(Nest &nest, Function &clone) {
  AAResults &aliases = analyses.getResult<AAManager>(clone);
  auto &tli = analyses.getResult<TargetLibraryAnalysis>(clone);
  EquivalenceClasses<unsigned> classes;
  SmallVector<unsigned> pointers;
  for (auto [index, input] : enumerate(nest.inputs)) {
    if (!input->getType()->isPointerTy())
      continue;
    classes.insert(unsigned(index));
    // Independent of loop iterations: both values are live-ins.
    for (unsigned other : pointers)
      if (!aliases.isNoAlias(
              MemoryLocation::getBeforeOrAfter(input),
              MemoryLocation::getBeforeOrAfter(nest.inputs[other])) &&
          !areApart(input, nest.inputs[other], tli))
        classes.unionSets(other, unsigned(index));
    pointers.push_back(unsigned(index));
  }
  DenseMap<unsigned, int> numbers;
  nest.partitions.assign(nest.inputs.size(), -1);
  for (unsigned pointer : pointers) {
    auto [entry, isNew] = numbers.try_emplace(classes.getLeaderValue(pointer),
                                              int(numbers.size()));
    nest.partitions[pointer] = entry->second;
  }
}

/// Outlines the nests from `first` on, all of one function, from a second
/// clone whose loops are canonicalised.
void CandidateFinder::outline(Function &original, Function &clone,
                              size_t first) {
  ValueToValueMapTy toSource;
  Function *source = cloneInternal(clone, toSource, "loom.source");
  ValueToValueMapTy toHost;
  for (auto entry : toSource)
    if (Value *value = entry.second; value && !isa<Constant>(value))
      toHost[value] = const_cast<Value *>(entry.first);

  auto loopOf = [&](const Nest &nest) -> Loop * {
    auto *header = cast_or_null<BasicBlock>(
        static_cast<Value *>(toSource.lookup(nest.header)));
    Loop *loop =
        header ? analyses.getResult<LoopAnalysis>(*source).getLoopFor(header)
               : nullptr;
    return loop && loop->getHeader() == header ? loop : nullptr;
  };
  auto exitsOf = [&](const Nest &nest) {
    SmallVector<BasicBlock *> exits;
    for (BasicBlock *exit : nest.exits)
      if (auto *mapped = cast_or_null<BasicBlock>(
              static_cast<Value *>(toSource.lookup(exit))))
        exits.push_back(mapped);
    return exits;
  };
  for (size_t i = first; i < found.size(); ++i) {
    const Nest &nest = *found[i].nest;
    StageTimer timer("expand calls and intrinsics");
    if (Loop *loop = loopOf(nest))
      inliner.inlineCalls(*source, *loop->getHeader(), exitsOf(nest));
    if (Loop *loop = loopOf(nest))
      expandMemoryIntrinsics(*source, *loop, analyses);
    if (Loop *loop = loopOf(nest))
      expandStringCalls(*source, *loop, analyses);
  }

  for (size_t i = first; i < found.size(); ++i) {
    Nest &nest = *found[i].nest;
    Loop *loop = loopOf(nest);
    SmallVector<BasicBlock *> exits = exitsOf(nest);
    bool done = false;
    std::optional<RefusalKind> left; // what did not become scalars
    if (loop && loop->isLoopSimplifyForm() &&
        exits.size() == nest.exits.size()) {
      BasicBlock *header;
      {
        StageTimer timer("canonicalise");
        header = canonicalizeNest(*loop, exits, analyses);
      }
      done = outlineNest(nest, *header, exits, toHost,
                         analyses.getResult<TargetLibraryAnalysis>(clone),
                         *scratch);
    }
    if (done && !scalarize(*nest.outlined, analyses))
      left = RefusalKind::Vector;
    else if (done && !splitWideIntegers(*nest.outlined))
      left = RefusalKind::IntWidth;
    if (left) {
      nest.outlined->eraseFromParent();
      done = false;
    }
    if (done) {
      assignPartitions(nest, clone);
      annotateArguments(nest, analyses);
      continue;
    }
    CandidateRow &row = reportRows[found[i].row];
    row.code = refusalCode(left.value_or(RefusalKind::Outline)).str();
    row.detail = left ? "does not become scalars"
                 : nest.failure.empty()
                     ? "the expansion of memory intrinsics changed the loop"
                     : nest.failure;
    emitRemark(original, found[i].location, *nest.header, row);
    found[i].nest = nullptr;
  }
  found.erase(std::remove_if(found.begin() + long(first), found.end(),
                             [](const CandidateNest &candidate) {
                               return !candidate.nest;
                             }),
              found.end());
  analyses.clear(*source, source->getName());
  source->eraseFromParent();
}

void CandidateFinder::visit(Function &function) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  reportIrreducible(function);
  if (loops.empty())
    return;
  if (std::optional<Refused> refused = checkFunction(function)) {
    for (Loop *loop : loops)
      refuse(function, *loop, *refused);
    return;
  }
  // A clone and its preparation cost more than a look: where every loop does
  // something that no preparation removes, the refusals are told from here.
  if (none_of(loops.getLoopsInPreorder(), [&](Loop *loop) {
        std::optional<Refused> refused = check(*loop, function);
        return !refused || refused->kind == RefusalKind::Outline;
      })) {
    for (Loop *loop : reverse(loops))
      walk(function, function, *loop);
    return;
  }
  ValueToValueMapTy map;
  Function *clone = cloneBody(function, map, "loom.clone");
  clones.push_back(clone);
  {
    StageTimer timer("prepare");
    decideMultiplyAdds(*clone);
    prepareFunction(*clone, analyses);
  }
  size_t first = found.size();
  LoopInfo &prepared = analyses.getResult<LoopAnalysis>(*clone);
  // LoopInfo lists top-level loops in reverse program order.
  {
    StageTimer timer("find");
    for (Loop *loop : reverse(prepared))
      walk(function, *clone, *loop);
  }
  if (found.size() > first) {
    StageTimer timer("outline, with the following two");
    outline(function, *clone, first);
  }
  if (found.size() > first)
    return;
  clones.pop_back();
  analyses.clear(*clone, clone->getName());
  clone->eraseFromParent();
}

void CandidateFinder::release(Function &clone) {
  analyses.clear(clone, clone.getName());
  clones.erase(std::remove(clones.begin(), clones.end(), &clone), clones.end());
}

void CandidateFinder::discardClones() {
  inliner.discard();
  for (Function *clone : clones) {
    analyses.clear(*clone, clone->getName());
    clone->eraseFromParent();
  }
  clones.clear();
}
