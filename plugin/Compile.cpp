// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compile.h"
#include "Batch.h"
#include "Gate.h"
#include "Options.h"
#include "Timing.h"
#include "loom/Dataflow/Image/ImageWriter.h"
#include "loom/Fabric/Builtin/Resolve.h"
#include "loom/Fabric/Capability/View.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>

using namespace mlir;
using loom::Refused;
using loom::RegionSource;

struct loom::RegionCompiler::State {
  /// The one target of the link; without it nothing is compiled.
  std::optional<fabric::Target> target;
  std::optional<fabric::CapabilityView> capabilities;
  std::optional<Refused> noTarget;
  std::deque<std::unique_ptr<RegionBatch>> batches; ///< they own the graphs
  std::optional<llvm::DefaultThreadPool> pool;
  // Of all batches, once they are done.
  std::vector<std::optional<Refused>> results;
  std::vector<ImageRegion> regions;
  std::vector<KeptArtifact> artifacts; ///< one a region
  std::vector<std::string> gateNotes;  ///< one a region

  std::optional<Refused> resolveTarget(const llvm::Module &program);
};

static loom::fabric::ProgramAbi abiOf(const llvm::Module &program) {
  using namespace loom::fabric;
  const llvm::DataLayout &layout = program.getDataLayout();
  ProgramAbi abi;
  // Pointers of other address spaces were refused before (`address-space`).
  abi.pointers.push_back(
      {Element::Pointer, uint16_t(layout.getPointerSizeInBits(0)), 0});
  abi.endianness = layout.isBigEndian() ? Endianness::Big : Endianness::Little;
  abi.triple = program.getTargetTriple().str();
  return abi;
}

/// Once a link, and only when there is something to compile.
std::optional<Refused>
loom::RegionCompiler::State::resolveTarget(const llvm::Module &program) {
  const std::string &name = PluginOptions::get().target;
  llvm::Expected<fabric::Target> resolved =
      timed("target", [&] { return fabric::resolveTarget(name); });
  if (!resolved) {
    std::string why = llvm::toString(resolved.takeError());
    llvm::errs() << "loom: target: " << why << "; nothing is offloaded\n";
    return Refused{RefusalKind::TargetFile, why};
  }
  target = std::move(*resolved);
  capabilities.emplace(*target);
  if (std::string absence = capabilities->lacks(abiOf(program));
      !absence.empty())
    return Refused{RefusalKind::Target,
                   "target '" + target->name + "' has no " + absence};
  return std::nullopt;
}

loom::RegionCompiler::RegionCompiler() : state(std::make_unique<State>()) {}
loom::RegionCompiler::~RegionCompiler() = default;

bool loom::RegionCompiler::worksBeside() {
  // The timers are one for all threads, the gate compiles host code in LLVM's
  // context.
  return PluginOptions::get().threads > 0 && !llvm::TimePassesIsEnabled &&
         !gateWanted();
}

void loom::RegionCompiler::submit(std::unique_ptr<llvm::Module> scratch,
                                  std::vector<RegionSource> sources,
                                  bool isLast) {
  if (!state->target && !state->noTarget)
    state->noTarget = state->resolveTarget(*scratch);
  if (state->noTarget) {
    state->results.insert(state->results.end(), sources.size(),
                          state->noTarget);
    return;
  }
  RegionBatch &batch = *state->batches.emplace_back(
      std::make_unique<RegionBatch>(*state->target, *state->capabilities));
  batch.import(std::move(scratch), std::move(sources));
  if (isLast || !worksBeside())
    return batch.compile();
  if (!state->pool)
    state->pool.emplace(
        llvm::hardware_concurrency(PluginOptions::get().threads));
  state->pool->async([&batch] { batch.compile(); });
}

const std::vector<std::optional<Refused>> &loom::RegionCompiler::finish() {
  if (state->pool)
    state->pool->wait();
  auto append = [](auto &to, auto &from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
    from.clear();
  };
  for (std::unique_ptr<RegionBatch> &batch : state->batches) {
    append(state->results, batch->results);
    append(state->regions, batch->regions);
    append(state->artifacts, batch->artifacts);
    append(state->gateNotes, batch->gateNotes);
  }
  return state->results;
}

llvm::StringRef loom::RegionCompiler::gateNote(unsigned region) const {
  return state->gateNotes[region];
}

const loom::KeptArtifact &
loom::RegionCompiler::artifact(unsigned region) const {
  return state->artifacts[region];
}

void loom::RegionCompiler::linkRoundTrip(llvm::Module &program) {
  for (std::unique_ptr<RegionBatch> &batch : state->batches)
    if (batch->roundTrip)
      batch->roundTrip->linkInto(program);
}

std::vector<uint8_t>
loom::RegionCompiler::writeImage(llvm::StringRef output,
                                 llvm::ArrayRef<CandidateRow> candidates) {
  ImageContents contents;
  contents.producer =
      "loom " LOOM_VERSION_STRING " (LLVM " LOOM_LLVM_VERSION ")";
  contents.output = output.str();
  contents.regions = state->regions;
  contents.target = state->target ? &*state->target : nullptr;
  for (const CandidateRow &row : candidates) {
    ImageCandidate candidate;
    candidate.function = row.function;
    candidate.file = row.file;
    candidate.line = row.line;
    candidate.column = row.column;
    candidate.depth = row.depth;
    candidate.loops = row.loops;
    candidate.code = row.code;
    candidate.detail = row.detail;
    candidate.region = row.region;
    contents.candidates.push_back(std::move(candidate));
  }
  llvm::SmallVector<Refused> refusals;
  FailureOr<std::vector<uint8_t>> bytes = timed(
      "write image", [&] { return loom::writeImage(contents, refusals); });
  return succeeded(bytes) ? *bytes : std::vector<uint8_t>();
}
