// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pass.h"
#include "Candidates.h"
#include "Compile.h"
#include "MultiplyAdd.h"
#include "Options.h"
#include "Outline.h"
#include "Program.h"
#include "Report.h"
#include "Splice.h"
#include "Timing.h"
#include "loom/Image/loom_image_seal.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include <atomic>

using namespace llvm;
using namespace loom;

namespace {

/// Set on modules that went through Loom, so that loading the plugin twice (or
/// fat objects) does no harm.
constexpr StringRef doneFlag = "loom";

/// The declarations of a module, so that those that a fruitless attempt leaves
/// behind can be removed again.
class DeclarationGuard {
public:
  explicit DeclarationGuard(Module &module) : module(module) {
    for (const Function &function : module)
      known.insert(&function);
  }
  void removeNew() {
    for (Function &function : make_early_inc_range(module))
      if (!known.contains(&function) && function.isDeclaration() &&
          function.use_empty())
        function.eraseFromParent();
  }

private:
  Module &module;
  SmallPtrSet<const Function *, 32> known;
};

/// Can the value be undef or poison that stands in the code? Then host and
/// device may each have their own idea of it, and no user can tell.
bool mayBeUndefined(const Value *value) {
  SmallPtrSet<const Value *, 32> seen;
  SmallVector<const Value *> work{value};
  while (!work.empty()) {
    const Value *current = work.pop_back_val();
    if (isa<UndefValue>(current))
      return true;
    auto *instruction = dyn_cast<Instruction>(current);
    if (!instruction || instruction->mayReadOrWriteMemory() ||
        !seen.insert(current).second)
      continue;
    for (const Use &operand : instruction->operands())
      work.push_back(operand.get());
  }
  return false;
}

/// Does the instruction give poison for some operands, and different machines
/// different values then?
bool hasUndefinedRange(const Instruction &instruction) {
  if (isa<FPToSIInst, FPToUIInst>(instruction))
    return true;
  if (instruction.isShift())
    return !isa<Constant>(instruction.getOperand(1));
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call &&
         (call->getIntrinsicID() == Intrinsic::ctlz ||
          call->getIntrinsicID() == Intrinsic::cttz) &&
         match(call->getArgOperand(1), PatternMatch::m_One());
}

/// Is the value one of those as it is? Optimisers compute them where they are
/// not needed, with a select behind the nest that drops what is poison. What
/// goes into arithmetic of the nest, as in a sum, is compared.
bool mayBeOutOfRange(const Value *value) {
  SmallPtrSet<const Value *, 32> seen;
  SmallVector<const Value *> work{value};
  while (!work.empty()) {
    auto *current = dyn_cast<Instruction>(work.pop_back_val());
    if (!current || !seen.insert(current).second)
      continue;
    if (hasUndefinedRange(*current))
      return true;
    if (isa<PHINode, SelectInst, CastInst>(current))
      append_range(work, current->operand_values());
  }
  return false;
}

/// Runs the job on a thread of its own, to its end. The C library gives a
/// thread its own arena: what the job frees between what it keeps would
/// otherwise leave the heap of the link in pieces, and every later pass
/// searches them (the allocator's share of sqlite3's back end was 18 % instead
/// of 9 %).
bool onItsOwnHeap(function_ref<bool()> job) {
  bool result = false;
  llvm::thread([&] { result = job(); }).join();
  return result;
}

/// As the exit of a live-out: it is meaningful nowhere, so verified launches do
/// not compare it.
constexpr int noExit = INT32_MAX;

class LinkJob {
public:
  LinkJob(Module &module, FunctionAnalysisManager &analyses)
      : module(module), analyses(analyses), finder(module, analyses) {}

  bool run() {
    DeclarationGuard declarations(module);
    SmallVector<Function *> functions;
    for (Function &function : module)
      if (!function.isDeclaration() &&
          !function.hasAvailableExternallyLinkage() &&
          !function.getName().starts_with("loom."))
        functions.push_back(&function);
    for (Function *function : functions) {
      finder.visit(*function);
      if (finder.nests().size() >= submitted + RegionCompiler::batchSize)
        submit(/*isLast=*/false);
    }
    bool changed = !finder.nests().empty() && compileAndSplice();
    finder.discardClones();
    if (!changed)
      declarations.removeNew();
    writeReport(module.getSourceFileName(), finder.rows());
    return changed;
  }

private:
  /// The nests that were not submitted yet, to the compiler.
  void submit(bool isLast) {
    std::vector<RegionSource> sources;
    for (const CandidateNest &candidate :
         ArrayRef(finder.nests()).drop_front(submitted)) {
      const CandidateRow &row = finder.rows()[candidate.row];
      RegionSource source;
      source.name = candidate.nest->name;
      source.function = row.function;
      source.file = row.file;
      source.line = row.line;
      source.column = row.column;
      source.partitions = candidate.nest->partitions;
      source.exits.push_back(-1);
      for (const NestOutput &output : candidate.nest->outputs)
        source.exits.push_back(
            mayBeUndefined(output.phi) || mayBeOutOfRange(output.phi) ? noExit
            : candidate.nest->exits.size() == 1                       ? -1
                                                : int(output.exit));
      source.slotNames = candidate.nest->inputNames;
      sources.push_back(std::move(source));
    }
    submitted = finder.nests().size();
    compiler.submit(finder.takeScratch(), std::move(sources), isLast);
  }

  bool compileAndSplice() {
    submit(/*isLast=*/true);
    const std::vector<std::optional<Refused>> &results = compiler.finish();
    compiler.linkRoundTrip(module);
    SmallVector<const CandidateNest *> taken;
    for (auto [candidate, refused] : zip(finder.nests(), results)) {
      CandidateRow &row = finder.rows()[candidate.row];
      if (refused) {
        row.code = refusalCode(refused->kind).str();
        row.detail = refused->detail;
        continue;
      }
      row.code = "offloaded";
      row.region = int(taken.size());
      row.detail = compiler.gateNote(unsigned(taken.size())).str();
      row.artifact = compiler.artifact(unsigned(taken.size()));
      taken.push_back(&candidate);
    }
    if (taken.empty()) {
      remark();
      return false;
    }
    // The image is written beside the guards: neither needs the other, unless a
    // guard turns out wrong.
    std::vector<uint8_t> bytes;
    auto write = [&] {
      bytes = compiler.writeImage(module.getSourceFileName(), finder.rows());
    };
    std::optional<llvm::thread> writer;
    if (RegionCompiler::worksBeside())
      writer.emplace(write);
    SmallVector<const CandidateNest *> wrong;
    SmallVector<GlobalVariable *> descriptors =
        timed("splice", [&] { return splice(taken, wrong); });
    if (writer)
      writer->join();
    for (const CandidateNest *candidate : wrong) {
      CandidateRow &row = finder.rows()[candidate->row];
      row.code = refusalCode(RefusalKind::Outline).str();
      row.detail = "the guard does not verify";
      row.region = -1;
    }
    if (!writer || !wrong.empty())
      write();
    remark();
    GlobalVariable *image = embed(bytes);
    for (GlobalVariable *descriptor : descriptors)
      bindImage(*descriptor, *image, bytes.size());
    return true;
  }

  void remark() {
    for (const CandidateNest &candidate : finder.nests()) {
      const CandidateRow &row = finder.rows()[candidate.row];
      emitRemark(*candidate.original, candidate.location,
                 *candidate.nest->header, row);
    }
  }

  GlobalVariable *embed(ArrayRef<uint8_t> image) {
    Constant *bytes = ConstantDataArray::get(module.getContext(), image);
    auto *global = new GlobalVariable(
        module, bytes->getType(),
        /*isConstant=*/true, GlobalValue::InternalLinkage, bytes, "loom.image");
    global->setSection(LOOM_IMAGE_SECTION);
    global->setAlignment(Align(16));
    return global;
  }

  /// The descriptors of the regions; their image is bound later. A function
  /// whose guards would not verify keeps its body, and its nests are `wrong`:
  /// the image must tell the truth about them.
  SmallVector<GlobalVariable *>
  splice(ArrayRef<const CandidateNest *> taken,
         SmallVectorImpl<const CandidateNest *> &wrong) {
    SmallVector<GlobalVariable *> descriptors;
    Function *current = nullptr;
    Value *slots = nullptr;
    DenseMap<Value *, Value *> merges;
    SmallVector<std::pair<Function *, Function *>> bodies;
    for (auto [index, candidate] : enumerate(taken)) {
      if (candidate->original != current) {
        current = candidate->original;
        merges.clear();
        SmallVector<const Nest *> nests;
        for (const CandidateNest *other : taken.drop_front(index))
          if (other->original == current)
            nests.push_back(other->nest.get());
          else
            break;
        slots = createSlots(*candidate->nest->host, nests);
        bodies.push_back({candidate->original, candidate->nest->host});
      }
      GlobalVariable *descriptor =
          createDescriptor(module, *candidate->nest, unsigned(index));
      descriptors.push_back(descriptor);
      spliceGuard(*candidate->nest, *descriptor, *slots, merges);
    }
    for (auto [original, clone] : bodies) {
      if (verifyFunction(*clone,
                         PluginOptions::get().verifyEach ? &errs() : nullptr)) {
        for (const CandidateNest *candidate : taken)
          if (candidate->original == original)
            wrong.push_back(candidate);
        continue;
      }
      finder.release(*clone);
      replaceBody(*original, *clone);
      analyses.clear(*original, original->getName());
    }
    // The host may inline into a nest what the device has inlined there.
    for (Function *callee : finder.inlinedFunctions())
      if (decideMultiplyAdds(*callee))
        analyses.invalidate(*callee, PreservedAnalyses::none());
    if (!descriptors.empty())
      module.addModuleFlag(Module::Max, doneFlag, 1);
    return descriptors;
  }

  Module &module;
  FunctionAnalysisManager &analyses;
  CandidateFinder finder;
  RegionCompiler compiler;
  size_t submitted = 0; ///< nests that the compiler has
};

} // namespace

PreservedAnalyses LoomPass::run(Module &module,
                                ModuleAnalysisManager &manager) {
  if (PluginOptions::get().off || module.getModuleFlag(doneFlag))
    return PreservedAnalyses::all();
  if (!PluginOptions::get().programDir.empty())
    writeStructuredProgram(module, PluginOptions::get().programDir);
  auto &analyses = manager.getResult<FunctionAnalysisManagerModuleProxy>(module)
                       .getManager();
  bool changed = onItsOwnHeap([&] { return LinkJob(module, analyses).run(); });
  if (TimePassesIsEnabled) // lld leaves without the usual last words
    TimerGroup::printAll(errs());
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses ThinLTONotice::run(Module &, ModuleAnalysisManager &) {
  static std::atomic<bool> said{false};
  if (!PluginOptions::get().off && !said.exchange(true))
    errs() << "loom: ThinLTO link: nothing is offloaded (link with "
              "-flto=full)\n";
  return PreservedAnalyses::all();
}
