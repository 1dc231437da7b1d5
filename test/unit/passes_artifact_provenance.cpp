// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The provenance sidecar and source hints.

#include "loom/Artifact/SourceHints.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "passes_harness.h"

using namespace mlir;
using namespace loom;
using namespace loom::test;

static const char inlined[] = R"(
#file = #llvm.di_file<"scope.h" in "/src/include">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C99, file = #file, isOptimized = true, emissionKind = Full>
#sub = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, subprogramFlags = Definition>
#a = loc("a.c":10:3)
#b = loc("b.c":20:5)
#c = loc("c.c":30:7)
module {
  llvm.func @f(%x: i32) -> i32 {
    %0 = llvm.add %x, %x : i32 loc(callsite(#a at callsite(#b at #c)))
    %1 = llvm.mul %0, %x : i32 loc(fused[#a, callsite(#b at #c)])
    %2 = llvm.sub %1, %x : i32 loc("name"(#c))
    %3 = llvm.sub %2, %x : i32 loc(unknown)
    llvm.return %3 : i32 loc(#b)
  } loc(fused<#sub>[unknown])
})";

static std::string show(const SourceProvenance &provenance, size_t operation) {
  std::string text;
  for (const CallSitePath &path : provenance.operations[operation]) {
    text += text.empty() ? "" : " | ";
    for (const SourceFrame &frame : path)
      text += (text.empty() || text.back() == ' ' ? "" : " < ") +
              provenance.files[frame.file].name + ":" +
              std::to_string(frame.line) + ":" + std::to_string(frame.column);
  }
  return text;
}

static FinalizedProgram finalizeInlined() {
  Program program = parseText(inlined);
  return cantFail(finalizeProgram(*program));
}

TEST(ArtifactProvenance, CallSitePathsAndFiles) {
  FinalizedProgram program = finalizeInlined();
  const SourceProvenance &provenance = program.provenance;
  EXPECT_EQ(provenance.candidate, program.candidate->identity());
  ASSERT_EQ(provenance.operations.size(), 7u);
  // Operations 0 and 1 are the module and the function.
  EXPECT_EQ(show(provenance, 1), "");
  EXPECT_EQ(show(provenance, 2), "a.c:10:3 < b.c:20:5 < c.c:30:7");
  EXPECT_EQ(show(provenance, 3), "a.c:10:3 | b.c:20:5 < c.c:30:7");
  EXPECT_EQ(show(provenance, 4), "c.c:30:7");
  EXPECT_EQ(show(provenance, 5), "");
  EXPECT_EQ(show(provenance, 6), "b.c:20:5");
  std::vector<SourceFile> files = provenance.files;
  // A file that only a debug scope names is in the inventory.
  EXPECT_TRUE(llvm::is_contained(files, SourceFile{"/src/include", "scope.h"}));
  for (const char *name : {"a.c", "b.c", "c.c"})
    EXPECT_TRUE(llvm::is_contained(files, SourceFile{"", name}));
  // Nothing of it is in the artifact.
  EXPECT_FALSE(program.candidate->semanticBytes().contains("a.c"));
  EXPECT_FALSE(program.candidate->semanticBytes().contains("scope.h"));
}

TEST(ArtifactProvenance, LocationsComeBackOnAClone) {
  FinalizedProgram program = finalizeInlined();
  OwningOpRef<ModuleOp> clone = program.candidate->module().clone();
  EXPECT_EQ(codeOf(program.provenance.applyTo(*clone)), "");
  // The clone's own provenance is the sidecar again, but for the file of the
  // scope, which no location of the clone names.
  FinalizedProgram again = cantFail(finalizeProgram(*clone));
  EXPECT_EQ(again.candidate->identity(), program.candidate->identity());
  for (size_t i = 0; i < program.provenance.operations.size(); ++i)
    EXPECT_EQ(show(again.provenance, i), show(program.provenance, i));
  clone->getBody()->front().erase();
  EXPECT_EQ(codeOf(program.provenance.applyTo(*clone)), "bad-provenance");
}

TEST(ArtifactProvenance, BytesRoundTripAndDamageIsRefused) {
  std::mt19937_64 random = randomNumbers(3);
  Program kernel = importKernel("kmeans.cpp", "-O2 -g");
  FinalizedProgram program = cantFail(finalizeProgram(*kernel));
  std::string bytes = program.provenance.bytes();
  EXPECT_EQ(cantFail(SourceProvenance::fromBytes(bytes)).bytes(), bytes);
  unsigned accepted = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    std::string bad = bytes;
    if (i % 3 == 0)
      bad.resize(random() % bad.size());
    else
      bad[random() % bad.size()] ^= char(1 + random() % 255);
    // Half of them with the right digest.
    if (i % 2 && bad.size() > 40) {
      llvm::StringRef rest = llvm::StringRef(bad).drop_back(32);
      ArtifactIdentity digest = ArtifactIdentity::of(rest);
      bad = rest.str() + std::string(digest.bytes.begin(), digest.bytes.end());
      // Numbers and names may be others now; it must still be well formed.
      if (auto other = SourceProvenance::fromBytes(bad)) {
        EXPECT_EQ(other->bytes(), bad);
        ++accepted;
      } else {
        EXPECT_EQ(codeOf(other.takeError()), "bad-provenance");
      }
      continue;
    }
    EXPECT_EQ(codeOf(SourceProvenance::fromBytes(bad)), "bad-provenance");
  }
  printf("sidecars: 1000 damaged, %u resealed ones well formed\n", accepted);
}

TEST(ArtifactHints, MustBeConsumedOrDiscarded) {
  Program rich = richProgram();
  std::string plain = identityOf(*rich);
  unsigned bound = 0;
  (*rich).walk([&](LLVM::LoadOp load) {
    bindSourceHint(load, StringAttr::get(load.getContext(), "prefetch"));
    bindSourceHint(load, StringAttr::get(load.getContext(), "stream"));
    ++bound;
  });
  ASSERT_GT(bound, 1u);
  EXPECT_EQ(codeOf(finalizeProgram(*rich)), "unresolved-hint");
  // One is consumed, which is not enough.
  LLVM::LoadOp first;
  (*rich).walk([&](LLVM::LoadOp load) { first = first ? first : load; });
  auto hints = dyn_cast_or_null<ArrayAttr>(consumeSourceHint(first));
  ASSERT_TRUE(hints);
  EXPECT_EQ(hints.size(), 2u);
  EXPECT_FALSE(consumeSourceHint(first));
  EXPECT_EQ(codeOf(finalizeProgram(*rich)), "unresolved-hint");
  EXPECT_EQ(discardSourceHints(*rich), bound - 1);
  EXPECT_EQ(identityOf(*rich), plain);
}
