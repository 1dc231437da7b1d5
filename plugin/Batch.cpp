// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Batch.h"
#include "Gate.h"
#include "GraphCheck.h"
#include "Options.h"
#include "Timing.h"
#include "loom/Dataflow/Lower/Guard.h"
#include "loom/Dataflow/Lower/Lower.h"
#include "loom/Dataflow/Rewrite/Rewrite.h"
#include "loom/Dataflow/Verify/Admit.h"
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
using loom::RegionBatch;
using loom::RegionSource;

RegionBatch::RegionBatch(const fabric::Target &target,
                         const fabric::CapabilityView &capabilities)
    : context(MLIRContext::Threading::DISABLED), target(target),
      capabilities(capabilities) {
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

RegionBatch::~RegionBatch() = default;

Refused RegionBatch::failure(llvm::ArrayRef<Refused> refusals,
                             RefusalKind otherwise) const {
  if (!refusals.empty())
    return refusals.front();
  return Refused{otherwise, llvm::StringRef(lastError).take_front(200).str()};
}

/// The two steps to a graph, each checked; LOOM_GRAPHS takes shortcuts or
/// rewrites away. No graph: `refusals` says why.
FailureOr<loom::dataflow::GraphOp>
RegionBatch::makeGraph(const RegionSource &source, SpatialRegionOp region,
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

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream,
            OpPrintingFlags().useLocalScope().elideLargeElementsAttrs());
  return text;
}

void RegionBatch::dumpText(const RegionSource &source, llvm::StringRef suffix,
                           llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file(
      (PluginOptions::get().dumpDir + "/" + source.name + "." + suffix).str(),
      error);
  if (!error)
    file << text;
}

void RegionBatch::dump(const RegionSource &source, llvm::StringRef stage,
                       Operation *op) {
  if (!PluginOptions::get().dumpDir.empty())
    dumpText(source, (stage + ".mlir").str(), print(op) + "\n");
}

/// A second graph for launches whose roots are disjoint. It is an addition:
/// what speaks against it only leaves the region without.
void RegionBatch::addGuard(SpatialRegionOp region,
                           llvm::ArrayRef<RootFootprint> roots,
                           ModuleOp scratch, const RegionSource &source,
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
      failed(admitGraph(*graph, capabilities, target.name, refusals)))
    return;
  ImageGuard guard{*graph, std::move(*plan)};
  if (!isGuardUseful(image.graph, guard))
    return;
  dump(source, "3-apart", *graph);
  if (!PluginOptions::get().dumpDir.empty())
    dumpText(source, "3-guard.txt", printGuard(guard.plan));
  image.guard = std::move(guard);
}

void RegionBatch::addSpatial(SpatialRegionOp region,
                             llvm::ArrayRef<RootFootprint> roots,
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
std::optional<Refused> RegionBatch::passGate(const ImageRegion &image) {
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
  GateResult result = runGate(*spare, image.name, *bytes);
  if (result.different)
    return Refused{RefusalKind::Gate, result.detail};
  gateNotes.push_back(graphNote + (graphNote.empty() ? "" : ", ") +
                      result.detail);
  return std::nullopt;
}

std::optional<Refused> RegionBatch::compileOne(LLVM::LLVMFuncOp function,
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
        return admitGraph(*graph, capabilities, target.name, refusals);
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

void RegionBatch::import(std::unique_ptr<llvm::Module> scratch,
                         std::vector<RegionSource> nests) {
  sources = std::move(nests);
  // One import for all; the importer fails a module as a whole, so on failure
  // each nest is imported alone.
  spare = llvm::CloneModule(*scratch);
  imported.push_back(timed(
      "import", [&] { return importNests(std::move(scratch), context); }));
  // Looking a symbol up walks the module.
  llvm::StringMap<LLVM::LLVMFuncOp> named;
  if (imported.front())
    for (auto function : imported.front()->getOps<LLVM::LLVMFuncOp>())
      named[function.getSymName()] = function;
  for (const RegionSource &source : sources) {
    LLVM::LLVMFuncOp function = named.lookup(source.name);
    if (!imported.front()) {
      imported.push_back(importNests(isolate(*spare, source.name), context));
      if (ModuleOp alone = imported.back().get())
        function = alone.lookupSymbol<LLVM::LLVMFuncOp>(source.name);
    }
    if (function && function.isExternal())
      function = nullptr;
    functions.push_back(function);
    results.push_back(function ? std::optional<Refused>()
                               : failure({}, RefusalKind::Import));
  }
  if (!gateWanted())
    spare = nullptr;
}

void RegionBatch::compile() {
  for (auto [function, source, result] :
       llvm::zip_equal(functions, sources, results))
    if (function)
      result = compileOne(function, source);
  functions.clear();
  imported.clear();
  spare = nullptr;
}
