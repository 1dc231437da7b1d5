// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compile.h"
#include "Gate.h"
#include "GraphCheck.h"
#include "Options.h"
#include "RoundTrip.h"
#include "Timing.h"
#include "loom/Dataflow/Image/ImageWriter.h"
#include "loom/Dataflow/Lower/Guard.h"
#include "loom/Dataflow/Lower/Lower.h"
#include "loom/Dataflow/Rewrite/Rewrite.h"
#include "loom/Dataflow/Verify/Admit.h"
#include "loom/Fabric/Builtin/Resolve.h"
#include "loom/Spatial/Emit/Emit.h"
#include "loom/Spatial/IR/Spatial.h"
#include "loom/Structured/Raise/Raise.h"
#include "loom/Structured/Views/Footprint.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using loom::Refused;
using loom::RegionSource;

struct loom::RegionCompiler::State {
  State() : context(MLIRContext::Threading::DISABLED) {
    loadRaiseDialects(context);
    loadLowerDialects(context);
    context.loadDialect<spatial::SpatialDialect>();
    patterns = cleanUpPatterns(context);
    // Every failure is a refusal; MLIR's own words become its detail.
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        lastError = diagnostic.str();
      return success();
    });
    if (roundTripWanted())
      roundTrip.emplace(context);
  }

  MLIRContext context;
  FrozenRewritePatternSet patterns;
  std::string lastError;
  /// Modules that own the graphs of `regions`.
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<ImageRegion> regions;
  std::vector<KeptArtifact> artifacts; ///< one a region
  std::vector<std::string> gateNotes;  ///< one a region
  std::string graphNote; ///< what is unusual about the graph of this region
  const llvm::Module *nests = nullptr; ///< as outlined, for the gate
  std::optional<RoundTrip> roundTrip;
  /// The one target of the link; without it nothing is compiled.
  std::optional<fabric::Target> target;
  std::optional<fabric::CapabilityView> capabilities;

  std::optional<Refused> resolveTarget(const llvm::Module &program);
  Refused failure(llvm::ArrayRef<Refused> refusals, RefusalKind otherwise) {
    if (!refusals.empty())
      return refusals.front();
    return Refused{otherwise, llvm::StringRef(lastError).take_front(200).str()};
  }

  std::optional<Refused> compileOne(LLVM::LLVMFuncOp function,
                                    const RegionSource &source);
  FailureOr<dataflow::GraphOp>
  makeGraph(const RegionSource &source, SpatialRegionOp region,
            llvm::ArrayRef<int32_t> partitions, ModuleOp scratch,
            llvm::SmallVectorImpl<Refused> &refusals);
  std::optional<Refused> passGate(const ImageRegion &image);
  void addGuard(SpatialRegionOp region, llvm::ArrayRef<RootFootprint> roots,
                ModuleOp scratch, const RegionSource &source,
                ImageRegion &image);
  void addSpatial(SpatialRegionOp region, llvm::ArrayRef<RootFootprint> roots,
                  ImageRegion &image);
  void dump(const RegionSource &source, llvm::StringRef stage, Operation *op);
  void dumpText(const RegionSource &source, llvm::StringRef suffix,
                llvm::StringRef text);
};

/// The two steps to a graph, each checked; LOOM_GRAPHS takes shortcuts or
/// rewrites away. No graph: `refusals` says why.
FailureOr<loom::dataflow::GraphOp> loom::RegionCompiler::State::makeGraph(
    const RegionSource &source, SpatialRegionOp region,
    llvm::ArrayRef<int32_t> partitions, ModuleOp scratch,
    llvm::SmallVectorImpl<Refused> &refusals) {
  bool mechanical = PluginOptions::get().graphs == "d0";
  FailureOr<dataflow::GraphOp> graph = timed("lower", [&] {
    return lowerRegion(region, partitions, scratch, refusals,
                       mechanical ? LoweringMode::Mechanical
                                  : LoweringMode::Short);
  });
  if (failed(graph))
    return mlir::failure();
  plantGraphDefect(*graph, "lower");
  auto check = [&] {
    StageTimer timer("verify graph");
    std::optional<Refused> refused = checkGraph(*graph, lastError);
    if (refused) {
      dump(source, "2-refused", *graph);
      refusals.push_back(*refused);
    }
    return success(!refused);
  };
  if (failed(check()))
    return mlir::failure();
  if (!PluginOptions::get().graphs.empty())
    return graph;
  {
    StageTimer timer("rewrite");
    rewriteGraph(*graph);
  }
  plantGraphDefect(*graph, "rewrite");
  if (succeeded(check()))
    return graph;
  // The graph as it was lowered has its proof. The report says that it is used.
  graphNote =
      "graph not rewritten: " + refusalCode(refusals.pop_back_val().kind).str();
  (*graph)->erase();
  return lowerRegion(region, partitions, scratch, refusals,
                     LoweringMode::Short);
}

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

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream,
            OpPrintingFlags().useLocalScope().elideLargeElementsAttrs());
  return text;
}

void loom::RegionCompiler::State::dumpText(const RegionSource &source,
                                           llvm::StringRef suffix,
                                           llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file(
      (PluginOptions::get().dumpDir + "/" + source.name + "." + suffix).str(),
      error);
  if (!error)
    file << text;
}

void loom::RegionCompiler::State::dump(const RegionSource &source,
                                       llvm::StringRef stage, Operation *op) {
  if (!PluginOptions::get().dumpDir.empty())
    dumpText(source, (stage + ".mlir").str(), print(op) + "\n");
}

/// A second graph for launches whose roots are disjoint. It is an addition:
/// what speaks against it only leaves the region without.
void loom::RegionCompiler::State::addGuard(SpatialRegionOp region,
                                           llvm::ArrayRef<RootFootprint> roots,
                                           ModuleOp scratch,
                                           const RegionSource &source,
                                           ImageRegion &image) {
  StageTimer timer("guard");
  std::optional<LaunchGuard> plan =
      planGuard(region, computeSymbolicFootprints(region, roots));
  if (!plan)
    return;
  llvm::SmallVector<Refused> refusals;
  FailureOr<dataflow::GraphOp> graph =
      makeGraph(source, region, plan->partitions, scratch, refusals);
  if (failed(graph) ||
      failed(admitGraph(*graph, *capabilities, target->name, refusals)))
    return;
  ImageGuard guard{*graph, std::move(*plan)};
  if (!isGuardUseful(image.graph, guard))
    return;
  dump(source, "3-apart", *graph);
  if (!PluginOptions::get().dumpDir.empty())
    dumpText(source, "3-guard.txt", printGuard(guard.plan));
  image.guard = std::move(guard);
}

void loom::RegionCompiler::State::addSpatial(
    SpatialRegionOp region, llvm::ArrayRef<RootFootprint> roots,
    ImageRegion &image) {
  llvm::SmallVector<Refused> refusals;
  FailureOr<SpatialApp> app = emitSpatialApp(region, roots, refusals);
  if (succeeded(app)) {
    image.spatialObject = app->object;
    image.spatial = app->source;
    image.spatialCheck = app->checkSource;
    return;
  }
  Refused refused = failure(refusals, RefusalKind::SpatialOp);
  image.spatialRefusal = refusalCode(refused.kind).str();
}

/// The functional gate, when it is on. A region that fails is no region.
std::optional<Refused>
loom::RegionCompiler::State::passGate(const ImageRegion &image) {
  if (!gateWanted()) {
    gateNotes.push_back(graphNote);
    return std::nullopt;
  }
  StageTimer timer("gate");
  ImageContents contents;
  contents.regions.push_back(image);
  llvm::SmallVector<Refused> refusals;
  FailureOr<std::vector<uint8_t>> bytes = loom::writeImage(contents, refusals);
  if (failed(bytes))
    return failure(refusals, RefusalKind::DataflowSize);
  GateResult result = runGate(*nests, image.name, *bytes);
  if (result.different)
    return Refused{RefusalKind::Gate, result.detail};
  gateNotes.push_back(graphNote + (graphNote.empty() ? "" : ", ") +
                      result.detail);
  return std::nullopt;
}

std::optional<Refused>
loom::RegionCompiler::State::compileOne(LLVM::LLVMFuncOp function,
                                        const RegionSource &source) {
  llvm::SmallVector<Refused> refusals;
  lastError.clear();
  graphNote.clear();
  for (const RefusalRow &row : refusalRows())
    if (PluginOptions::get().inject == row.Code)
      return Refused{row.Kind, "injected"};
  dump(source, "0-imported", function);
  FailureOr<SpatialRegionOp> region = timed("raise", [&] {
    return raiseNest(function, source.name, source.partitions, source.exits,
                     patterns, refusals);
  });
  if (failed(region)) {
    dump(source, "1-unraised", function);
    return failure(refusals, RefusalKind::Structure);
  }
  dump(source, "1-structured", function);

  OwningOpRef<ModuleOp> scratch = ModuleOp::create(UnknownLoc::get(&context));
  FailureOr<dataflow::GraphOp> graph =
      makeGraph(source, *region, region->getPartitions(), *scratch, refusals);
  if (failed(graph))
    return failure(refusals, RefusalKind::DataflowOp);
  dump(source, "2-dataflow", *graph);
  if (failed(checkImageLimits(*graph, refusals)))
    return failure(refusals, RefusalKind::DataflowSize);
  if (failed(timed("admit", [&] {
        return admitGraph(*graph, *capabilities, target->name, refusals);
      })))
    return failure(refusals, RefusalKind::Target);

  ImageRegion image;
  image.graph = *graph;
  image.name = source.name;
  image.function = source.function;
  image.file = source.file;
  image.line = source.line;
  image.column = source.column;
  for (auto [index, type] : llvm::enumerate(region->getInputs().getTypes()))
    image.slots.push_back({type, source.slotNames[index]});
  llvm::SmallVector<RootFootprint> roots =
      timed("footprints", [&] { return computeFootprints(*region); });
  for (const RootFootprint &root : roots) {
    ImageMemory memory;
    memory.slot = root.argument;
    memory.known = root.known;
    memory.lo = root.lo;
    memory.hi = root.hi;
    memory.element = root.element;
    memory.name = source.slotNames[root.argument];
    image.memories.push_back(memory);
  }
  addGuard(*region, roots, *scratch, source, image);
  if (std::optional<Refused> refused = passGate(image))
    return refused;
  // With its envelope, so that the text parses again.
  image.structured = timed("print", [&] { return print(function); });
  timed("spatial", [&] {
    addSpatial(*region, roots, image);
    return 0;
  });
  if (roundTrip)
    roundTrip->add(function, source.name, lastError);
  artifacts.push_back(keepRegion(function));
  regions.push_back(std::move(image));
  modules.push_back(std::move(scratch));
  return std::nullopt;
}

loom::RegionCompiler::RegionCompiler() : state(std::make_unique<State>()) {}
loom::RegionCompiler::~RegionCompiler() = default;

llvm::StringRef loom::RegionCompiler::gateNote(unsigned region) const {
  return state->gateNotes[region];
}

const loom::KeptArtifact &
loom::RegionCompiler::artifact(unsigned region) const {
  return state->artifacts[region];
}

void loom::RegionCompiler::linkRoundTrip(llvm::Module &program) {
  if (state->roundTrip)
    state->roundTrip->linkInto(program);
}

/// A module with only `name` of `module` defined.
static std::unique_ptr<llvm::Module> isolate(const llvm::Module &module,
                                             llvm::StringRef name) {
  llvm::ValueToValueMapTy map;
  std::unique_ptr<llvm::Module> copy =
      llvm::CloneModule(module, map, [&](const llvm::GlobalValue *value) {
        return value->getName() == name;
      });
  for (llvm::Function &function : llvm::make_early_inc_range(copy->functions()))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  return copy;
}

std::vector<std::optional<Refused>>
loom::RegionCompiler::compile(std::unique_ptr<llvm::Module> scratch,
                              llvm::ArrayRef<RegionSource> sources) {
  if (std::optional<Refused> refused = state->resolveTarget(*scratch))
    return std::vector<std::optional<Refused>>(sources.size(), refused);
  std::vector<std::optional<Refused>> results;
  // One import for all; the importer fails a module as a whole, so on failure
  // each nest is imported alone.
  std::unique_ptr<llvm::Module> spare = llvm::CloneModule(*scratch);
  OwningOpRef<ModuleOp> all = timed("import", [&] {
    return importNests(std::move(scratch), state->context);
  });
  state->nests = spare.get();
  // Looking a symbol up walks the module.
  llvm::StringMap<LLVM::LLVMFuncOp> imported;
  if (all)
    for (auto function : all->getOps<LLVM::LLVMFuncOp>())
      imported[function.getSymName()] = function;
  for (const RegionSource &source : sources) {
    OwningOpRef<ModuleOp> alone;
    if (!all)
      alone = importNests(isolate(*spare, source.name), state->context);
    LLVM::LLVMFuncOp function =
        alone ? alone->lookupSymbol<LLVM::LLVMFuncOp>(source.name)
              : imported.lookup(source.name);
    if (!function || function.isExternal()) {
      results.push_back(state->failure({}, RefusalKind::Import));
      continue;
    }
    results.push_back(state->compileOne(function, source));
  }
  state->nests = nullptr;
  return results;
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
