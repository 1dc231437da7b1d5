// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"
#include "Calls.h"
#include "Canonicalize.h"
#include "Prepare.h"
#include "ProgramFacts.h"
#include "ProgramRaise.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace loom;

namespace {

/// The file name of a module, without what no file name may have.
std::string stem(const Module &module) {
  std::string name = sys::path::filename(module.getSourceFileName()).str();
  for (char &c : name)
    if (!isAlnum(c) && c != '.' && c != '-' && c != '_')
      c = '_';
  return name.empty() ? "module" : name;
}

/// Every LTO link calls its module the same. What two links write into one
/// directory is told apart by its content, which is the same every time.
std::string contentName(ArrayRef<StringRef> parts) {
  constexpr size_t digits = 12;
  SHA256 hash;
  for (StringRef part : parts)
    hash.update(part);
  return toHex(hash.final(), /*LowerCase=*/true).substr(0, digits);
}

/// Loop metadata names the directory of the source file; S0 is the same
/// wherever it was built.
void dropLoopLocations(Function &function) {
  for (Instruction &instruction : instructions(function))
    updateLoopMetadataDebugLocations(
        instruction, [](Metadata *metadata) -> Metadata * {
          return isa<DILocation>(metadata) ? nullptr : metadata;
        });
}

void prepareModule(Module &module, ProgramFacts &facts) {
  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager analyses;
  CGSCCAnalysisManager graphAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  PassBuilder builder;
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(graphAnalyses);
  builder.registerFunctionAnalyses(analyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, analyses, graphAnalyses,
                               moduleAnalyses);
  // As locations, the descriptions of variables name the directory.
  for (GlobalVariable &variable : module.globals())
    variable.eraseMetadata(LLVMContext::MD_dbg);
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (Function *function : functions) {
    SmallPtrSet<BasicBlock *, 16> counted;
    bool hasLoops = !analyses.getResult<LoopAnalysis>(*function).empty();
    if (hasLoops && !function->hasOptNone()) {
      prepareFunction(*function, analyses);
      canonicalizeFunction(*function, analyses, &counted);
      analyses.invalidate(*function, PreservedAnalyses::none());
    }
    collectFacts(*function, analyses, counted, facts);
    dropLoopLocations(*function);
    analyses.clear(*function, function->getName());
  }
}

using Counts = std::map<std::string, unsigned>;

void writeCounts(json::OStream &json, StringRef name, const Counts &counts) {
  json.attributeObject(name, [&] {
    for (const auto &[key, count] : counts)
      json.attribute(key, count);
  });
}

void writeFunctions(json::OStream &json, const StructureReport &report) {
  unsigned several = 0, structured = 0;
  Counts left;
  for (const StructureReport::Function &row : report.functions) {
    several += row.blocks > 1;
    structured += row.blocks > 1 && !row.left;
    if (row.left)
      ++left[refusalCode(row.left->kind).str()];
  }
  json.attributeObject("functions", [&] {
    json.attribute("all", int64_t(report.functions.size()));
    json.attribute("multi_block", several);
    json.attribute("structured", structured);
    writeCounts(json, "left", left);
    json.attributeArray("remainder", [&] {
      for (const StructureReport::Function &row : report.functions)
        if (row.left)
          json.object([&] {
            json.attribute("function", row.name);
            json.attribute("code", refusalCode(row.left->kind));
            json.attribute("detail", row.left->detail);
          });
    });
  });
}

void writeLoops(json::OStream &json, const StructureReport &report,
                const ProgramFacts &facts) {
  unsigned exact = 0, counted = 0, exactCounted = 0, uncounted = 0;
  Counts exactWhy, why;
  std::vector<const LoopFact *> remainder;
  for (auto [number, fact] : enumerate(facts.loops)) {
    auto found = report.loops.find(int64_t(number));
    LoopForm form =
        found == report.loops.end() ? LoopForm::Gone : found->second;
    exact += fact.exact;
    uncounted += form == LoopForm::Uncounted;
    if (form == LoopForm::Counted) {
      ++counted;
      exactCounted += fact.exact;
      continue;
    }
    std::string reason = form == LoopForm::Graph  ? "function-keeps-cfg"
                         : form == LoopForm::Gone ? "gone"
                                                  : fact.why;
    ++(fact.exact ? exactWhy : why)[reason];
    if (fact.exact)
      remainder.push_back(&fact);
  }
  json.attributeObject("loops", [&] {
    json.attribute("all", int64_t(facts.loops.size()));
    json.attribute("exact_trip_count", exact);
    json.attribute("exact_became_for", exactCounted);
    json.attribute("became_for", counted);
    json.attribute("became_while", uncounted);
    writeCounts(json, "exact_not_for", exactWhy);
    writeCounts(json, "other_not_for", why);
    json.attributeArray("exact_remainder", [&] {
      for (const LoopFact *fact : remainder)
        json.object([&] {
          json.attribute("function", fact->function);
          json.attribute("line", fact->line);
          json.attribute("depth", fact->depth);
          json.attribute("why", fact->why);
        });
    });
  });
}

void writeAccesses(json::OStream &json, const AccessFacts &facts) {
  json.attributeObject("accesses", [&] {
    json.attribute("all", facts.all);
    json.attribute("rooted", facts.rooted);
    json.attribute("closed", facts.closed);
    writeCounts(json, "roots", facts.roots);
    writeCounts(json, "unrooted", facts.unrooted);
    writeCounts(json, "not_closed", facts.notClosed);
  });
}

void writeCoverage(raw_ostream &stream, const StructureReport &report,
                   const ProgramFacts &facts, const KeptArtifact &artifact) {
  json::OStream json(stream, 2);
  json.object([&] {
    if (!artifact.identity.empty())
      json.attribute("artifact", artifact.identity);
    if (!artifact.error.empty())
      json.attribute("artifact_error", json::fixUTF8(artifact.error));
    writeFunctions(json, report);
    writeLoops(json, report, facts);
    writeAccesses(json, facts.accesses);
    json.attributeObject("calls", [&] {
      json.attribute("devirtualized", facts.devirtualized);
      json.attribute("bound_callbacks", facts.boundCallbacks);
    });
    json.attributeObject("hints", [&] {
      json.attribute("loop_hints", report.loopHints);
      json.attribute("orphans", report.orphanHints);
      json.attribute("weights_kept", report.weightsKept);
      json.attribute("weights_folded", report.weightsFolded);
    });
  });
  stream << "\n";
}

/// Writes through a temporary file: readers see all of it or nothing.
bool writeFile(const Twine &path, function_ref<void(raw_ostream &)> write) {
  Error error = writeToOutput(path.str(), [&](raw_ostream &stream) {
    write(stream);
    return Error::success();
  });
  if (!error)
    return true;
  errs() << "loom: LOOM_S0: " << path << ": " << toString(std::move(error))
         << "\n";
  return false;
}

} // namespace

void loom::writeStructuredProgram(const Module &module, StringRef directory) {
  if (std::error_code error = sys::fs::create_directories(directory)) {
    errs() << "loom: LOOM_S0: " << directory << ": " << error.message() << "\n";
    return;
  }
  std::unique_ptr<Module> clone = CloneModule(module);
  ProgramFacts facts;
  facts.devirtualized = devirtualizeCalls(*clone);
  facts.boundCallbacks = bindCallbacks(*clone);
  prepareModule(*clone, facts);
  StructureReport report;
  KeptArtifact artifact;
  std::string text, failure;
  raw_string_ostream stream(text);
  if (!raiseProgram(std::move(clone), report, stream, artifact, failure)) {
    errs() << "loom: LOOM_S0: " << failure << "\n";
    return;
  }
  text += "\n";
  std::string coverage;
  raw_string_ostream coverageStream(coverage);
  writeCoverage(coverageStream, report, facts, artifact);
  std::string base =
      (directory + "/" + stem(module) + "." + contentName({text, coverage}))
          .str();
  if (writeFile(base + ".s0.mlir", [&](raw_ostream &out) { out << text; }))
    writeFile(base + ".coverage.json",
              [&](raw_ostream &out) { out << coverage; });
}
