// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test for each artifact anchor of the structured-frontend contract, named
// after it.

#include "loom/Artifact/Finalizable.h"
#include "loom/Artifact/SourceHints.h"
#include "loom/Artifact/Store.h"
#include "loom/Structured/IR/Loom.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "passes_harness.h"

using namespace mlir;
using namespace loom;
using namespace loom::test;

static std::string replaceAll(std::string text, llvm::StringRef from,
                              llvm::StringRef to) {
  EXPECT_NE(text.find(from), std::string::npos) << from.str();
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

static std::string identityOfText(llvm::StringRef text) {
  return identityOf(*parseText(text));
}

TEST(ArtifactAnchors,
     NamesLabelsLocationsDebugProvenanceAndConsumedHintsPreserveIdentity) {
  Program rich = richProgram();
  auto original = finalizeOrDie(*rich);
  ASSERT_TRUE(original);
  auto same = [&](ModuleOp module) {
    auto other = finalizeOrDie(module);
    return other && other->semanticBytes() == original->semanticBytes() &&
           other->identity() == original->identity();
  };
  // Private symbols: names that sort the other way round.
  std::string text = richText();
  for (auto [from, to] : {std::pair("@text", "@zz"),
                          {"@table", "@yy"},
                          {"@pointers", "@xx"},
                          {"@helper", "@aa"},
                          {"@start", "@bb"},
                          {"@__llvm_global_comdat", "@c"},
                          {"kernel.0", "other.7"},
                          {"struct.pair", "pair.1"}})
    text = replaceAll(text, from, to);
  EXPECT_TRUE(same(*parseText(text)));
  // SSA names, block labels, module name, descriptions.
  text = richText();
  for (auto [from, to] : {std::pair("%next", "%anext"),
                          {"^loop", "^b"},
                          {"%vx", "%zvx"},
                          {"@unit", "@tinu"},
                          {"saxpy: %x", "f: %q"},
                          {"some compiler", "other"}})
    text = replaceAll(text, from, to);
  EXPECT_TRUE(same(*parseText(text)));
  // Locations, labels of blocks' arguments.
  OwningOpRef<ModuleOp> clone = (*rich).clone();
  unsigned line = 0;
  clone->walk([&](Operation *op) {
    op->setLoc(FileLineColLoc::get(op->getContext(), "other.c", ++line, 3));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(op->getLoc());
  });
  EXPECT_TRUE(same(*clone));
  // Order of the members.
  clone = (*rich).clone();
  std::mt19937_64 random = randomNumbers(7);
  for (int round = 0; round < 5; ++round) {
    std::vector<Operation *> members;
    for (Operation &op : *clone->getBody())
      members.push_back(&op);
    std::shuffle(members.begin(), members.end(), random);
    for (Operation *member : members)
      member->moveBefore(clone->getBody(), clone->getBody()->end());
    EXPECT_TRUE(same(*clone));
  }
  // Consumed hints, and what viewers and analyses leave behind.
  clone = (*rich).clone();
  clone->walk([&](Operation *op) {
    if (isa<ModuleOp>(op))
      return;
    bindSourceHint(op, StringAttr::get(op->getContext(), "unroll"));
    EXPECT_TRUE(consumeSourceHint(op));
    op->setDiscardableAttr("loom.label",
                           StringAttr::get(op->getContext(), "x"));
    op->setDiscardableAttr("loom.derived.depth",
                           UnitAttr::get(op->getContext()));
  });
  EXPECT_TRUE(same(*clone));
  // Debug provenance of a real program.
  for (const char *kernel : sampleKernels) {
    Program plain = importKernel(kernel, "-O2"),
            debug = importKernel(kernel, "-O2 -g");
    EXPECT_EQ(identityOf(*plain), identityOf(*debug)) << kernel;
  }
}

TEST(ArtifactAnchors, SemanticChangesChangeIdentity) {
  std::string original = identityOfText(richText());
  auto changed = [&](llvm::StringRef from, llvm::StringRef to) {
    return identityOfText(replaceAll(richText(), from, to)) != original;
  };
  // An operation.
  EXPECT_TRUE(changed("arith.subi", "arith.addi"));
  // Semantic fields.
  EXPECT_TRUE(changed("overflow<nsw, nuw>", "overflow<nsw>"));
  EXPECT_TRUE(changed("weights([3, 5])", "weights([3, 6])"));
  EXPECT_TRUE(changed("fastmath<nnan>", "fastmath<ninf>"));
  EXPECT_TRUE(changed("alignment = 8", "alignment = 4"));
  EXPECT_TRUE(changed("\"hello\\00\"", "\"hellp\\00\""));
  EXPECT_TRUE(
      changed("noalias_scopes = [#scope1]", "noalias_scopes = [#scope0]"));
  // ABI facts.
  EXPECT_TRUE(changed("@saxpy", "@saxpz"));
  EXPECT_TRUE(changed("internal @start", "@start"));
  EXPECT_TRUE(changed("x86_64-unknown", "aarch64-unknown"));
  EXPECT_TRUE(changed("i64 = dense<64>", "i64 = dense<32>"));
  EXPECT_TRUE(changed("{llvm.noalias, llvm.readonly}", "{llvm.noalias}"));
  EXPECT_TRUE(changed("@shared_b any", "@shared_b largest"));
  // The ownership boundary and selected decisions.
  EXPECT_TRUE(changed("partitions [-1, 0, 1]", "partitions [-1, 0, 0]"));
  EXPECT_TRUE(changed("exits [-1, -1]", "exits [-1, 0]"));
  EXPECT_TRUE(changed("llvm.load %p {alignment = 4 : i64}",
                      "llvm.load %p {alignment = 4 : i64, "
                      "loom.root_relative_address}"));
  // Ordered effects: a call moves behind a store.
  Program rich = richProgram();
  (*rich).walk([&](LLVM::StoreOp store) {
    if (store->getParentOfType<SpatialRegionOp>() ||
        store->getParentOfType<LLVM::LLVMFuncOp>().getName() != "kernel")
      return;
    for (Operation &op : *store->getBlock())
      if (auto call = dyn_cast<LLVM::CallOp>(op);
          call && call.getCallee() == "printf") {
        call->moveAfter(store);
        return;
      }
  });
  EXPECT_NE(identityOf(*rich), original);
  // An operation moved across the ownership boundary.
  rich = richProgram();
  (*rich).walk([&](SpatialRegionOp region) {
    auto function = region->getParentOfType<LLVM::LLVMFuncOp>();
    OpBuilder builder(&region.getBody().front().front());
    auto one = arith::ConstantOp::create(builder, region.getLoc(),
                                         builder.getI32IntegerAttr(1));
    Value seed = region.getBody().getArgument(0);
    auto sum = arith::AddIOp::create(builder, region.getLoc(), seed, one);
    seed.replaceAllUsesExcept(sum, sum);
    EXPECT_TRUE(function);
  });
  EXPECT_NE(identityOf(*rich), original);
}

TEST(ArtifactAnchors,
     WrongParentWrongKindStaleOutOfRangeReferencesAreRejected) {
  auto parent = finalizeOrDie(*richProgram());
  auto child = finalizeOrDie(
      *parseText(replaceAll(richText(), "arith.subi", "arith.addi")));
  ASSERT_TRUE(parent && child);
  Operation *loop = nullptr;
  parent->module().walk([&](SpatialRegionOp op) { loop = op; });
  StructuredEntityRef ref = parent->refTo(loop);
  EXPECT_EQ(cantFail(parent->resolveOperation(ref)), loop);
  // The wire.
  std::string wire = ref.wire();
  ASSERT_EQ(wire.size(), 44u);
  EXPECT_EQ(wire.substr(0, 32), std::string(parent->identity().bytes.begin(),
                                            parent->identity().bytes.end()));
  EXPECT_EQ(wire.substr(32, 4), std::string(4, '\0'));
  EXPECT_EQ(cantFail(StructuredEntityRef::fromWire(wire)), ref);
  for (size_t size = 0; size < 60; ++size)
    if (size != 44)
      EXPECT_EQ(codeOf(StructuredEntityRef::fromWire(
                    (wire + std::string(20, '\0')).substr(0, size))),
                "ref-length");
  for (uint8_t kind : {4, 5, 127, 255}) {
    std::string bad = wire;
    bad[35] = char(kind);
    EXPECT_EQ(codeOf(StructuredEntityRef::fromWire(bad)), "ref-kind");
  }
  // Wrong parent; stale when the parent is known as an ancestor.
  EXPECT_EQ(codeOf(child->resolveOperation(ref)), "ref-parent");
  EXPECT_EQ(codeOf(child->resolveOperation(ref, parent->identity())),
            "ref-stale");
  // Wrong kind.
  EXPECT_EQ(codeOf(parent->resolveRegion(ref)), "ref-kind");
  EXPECT_EQ(codeOf(parent->resolveBlock(ref)), "ref-kind");
  EXPECT_EQ(codeOf(parent->resolveValue(ref)), "ref-kind");
  EXPECT_EQ(
      codeOf(parent->resolveOperation(parent->refTo(&loop->getRegion(0)))),
      "ref-kind");
  // Out of range, in each category.
  using Kind = StructuredEntityKind;
  for (Kind kind : {Kind::Operation, Kind::Region, Kind::Block, Kind::Value}) {
    uint64_t count = parent->entities().count(kind);
    StructuredEntityRef last{parent->identity(), kind, count - 1};
    EXPECT_EQ(codeOf(parent->check(last)), "");
    for (uint64_t ordinal : {count, count + 1, UINT64_MAX}) {
      last.ordinal = ordinal;
      EXPECT_EQ(codeOf(parent->check(last)), "ref-range");
    }
  }
}

TEST(ArtifactAnchors,
     OutputReimportsByteForByteAndMalformedOrNoncanonicalPublishNothing) {
  std::vector<Program> programs;
  programs.push_back(richProgram());
  programs.push_back(parseText("module {}"));
  for (const char *kernel : sampleKernels)
    programs.push_back(importKernel(kernel, "-O2 -g"));
  for (const Program &program : programs) {
    auto candidate = finalizeOrDie(*program);
    ASSERT_TRUE(candidate);
    auto imported = importProgram(candidate->semanticBytes());
    ASSERT_TRUE(bool(imported)) << toString(imported.takeError());
    EXPECT_EQ((*imported)->semanticBytes(), candidate->semanticBytes());
    EXPECT_EQ((*imported)->identity(), candidate->identity());
    // The importer's module finalises to the same bytes.
    EXPECT_EQ(identityOf((*imported)->module()), candidate->identity().hex());
  }
  // Noncanonical: bytes that parse and verify, made by another writer.
  Program rich = richProgram();
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  ASSERT_TRUE(succeeded(writeBytecodeToFile(*rich, stream)));
  std::string object = sealObject(semanticBytes(bytes));
  EXPECT_NE(codeOf(importObject(object)), "");
  auto clean = finalizeOrDie(*rich);
  bytes.clear();
  ASSERT_TRUE(succeeded(writeBytecodeToFile(clean->module(), stream)));
  EXPECT_EQ(codeOf(importProgram(semanticBytes(bytes))), "non-canonical");
  // Malformed: nothing is published.
  Scratch scratch;
  ArtifactStore store(scratch.path("store"));
  EXPECT_EQ(codeOf(importProgram("nonsense")), "malformed");
  EXPECT_EQ(codeOf(importProgram(semanticBytes("nonsense"))), "unreadable");
  std::string cut = clean->semanticBytes().drop_back(1).str();
  EXPECT_EQ(codeOf(importProgram(cut)), "malformed");
  Program hinted = richProgram();
  (*hinted).walk([](LLVM::LoadOp load) {
    bindSourceHint(load, UnitAttr::get(load.getContext()));
  });
  EXPECT_EQ(codeOf(finalizeProgram(*hinted)), "unresolved-hint");
  EXPECT_EQ(codeOf(store.list()), "store-missing");
}

TEST(ArtifactAnchors,
     UnsupportedRegionIsNonFinalizableWithoutChangingTheCandidate) {
  Program good = richProgram();
  auto candidate = finalizeOrDie(*good);
  Finalizability gate = cantFail(checkFinalizable(*candidate));
  EXPECT_TRUE(gate.finalizable());
  EXPECT_EQ(gate.regions, 1u);
  for (const char *unsupported :
       {"%w = llvm.call @helper(%v, %acc) : (i32, i32) -> i32",
        "%w = llvm.load volatile %p {alignment = 4 : i64} : !llvm.ptr -> i32",
        "%s = llvm.mlir.undef : vector<[4]xi32>\n"
        "%w = arith.addi %v, %acc : i32\n"
        "llvm.store %s, %p : vector<[4]xi32>, !llvm.ptr"}) {
    std::string text =
        replaceAll(richText(), "%w = arith.addi %v, %acc overflow<nsw> : i32",
                   unsupported);
    Program program = parseText(text);
    auto unsupportedCandidate = finalizeOrDie(*program);
    ASSERT_TRUE(unsupportedCandidate) << unsupported;
    std::string before = unsupportedCandidate->semanticBytes().str(), printed;
    llvm::raw_string_ostream(printed) << unsupportedCandidate->module();
    Finalizability answer = cantFail(checkFinalizable(*unsupportedCandidate));
    EXPECT_FALSE(answer.finalizable()) << unsupported;
    ASSERT_FALSE(answer.reasons.empty());
    // The reason names the region, and the operations are still in it.
    Operation *region = cantFail(
        unsupportedCandidate->resolveOperation(answer.reasons.front().region));
    EXPECT_TRUE(isa<SpatialRegionOp>(region));
    std::string after;
    llvm::raw_string_ostream(after) << unsupportedCandidate->module();
    EXPECT_EQ(printed, after);
    EXPECT_EQ(unsupportedCandidate->semanticBytes(), before);
    EXPECT_EQ(identityOf(unsupportedCandidate->module()),
              unsupportedCandidate->identity().hex());
  }
}
