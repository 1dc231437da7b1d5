// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of analysis views: what is in its key, and that it changes nothing.

#include "loom/Structured/Views/ViewCache.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace loom;
using namespace loom::views;

namespace {

std::string source(const char *attributes, int factor, const char *name) {
  return std::string("llvm.func @f(%x0: !llvm.ptr ") + attributes +
         ", %y0: !llvm.ptr " + attributes + R"(, %n0: i64) {
  %r = loom.spatial_region "r" (%x0, %y0, %n0) partitions [0, 0, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %k = arith.constant )" +
         std::to_string(factor) + R"( : i64
    scf.for %)" +
         name + R"( = %c0 to %n step %c1 : i64 {
      %o = arith.muli %)" +
         name + R"(, %k : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i32
      %q = llvm.getelementptr %y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %v, %q : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
})";
}

class Program {
public:
  explicit Program(const std::string &text) {
    context.loadDialect<LoomDialect, arith::ArithDialect, scf::SCFDialect,
                        LLVM::LLVMDialect>();
    module = parseSourceString<ModuleOp>(text, &context);
    if (module)
      module->walk([&](SpatialRegionOp op) { region = op; });
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  SpatialRegionOp region;
};

std::string textOf(const RegionViews &views) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(views, out);
  return text;
}

/// The views of a program through `cache`; tells whether they were there.
bool isHit(ViewCache &cache, const ViewKey &key, Program &program) {
  uint64_t before = cache.hits();
  auto views =
      cache.get(key, [&] { return analyzeRegion(program.region, key.config); });
  EXPECT_EQ(textOf(*views), textOf(analyzeRegion(program.region, key.config)));
  return cache.hits() != before;
}

bool same(const ViewKey &a, const ViewKey &b) { return !(a < b) && !(b < a); }

} // namespace

// Contract: candidate, analyzer, config, or auxiliary-subject changes
// invalidate a derived analysis cache.
TEST(
    VerificationAnchors,
    CandidateAnalyzerConfigOrAuxiliarySubjectChangesInvalidateAnAnalysisCache) {
  ViewCache cache;
  Program program(source("", 4, "i"));
  ASSERT_TRUE(program.region);
  ViewKey key = viewKeyOf(program.region);
  EXPECT_FALSE(isHit(cache, key, program));
  EXPECT_TRUE(isHit(cache, key, program));

  // The candidate.
  Program other(source("", 8, "i"));
  EXPECT_FALSE(isHit(cache, viewKeyOf(other.region), other));
  // The analyzer.
  ViewKey analyzer = key;
  analyzer.analyzer += ".1";
  EXPECT_FALSE(isHit(cache, analyzer, program));
  // The config, each part of it.
  for (int part = 0; part < 5; ++part) {
    ViewKey config = key;
    part == 0   ? ++config.config.operations
    : part == 1 ? ++config.config.queryOperations
    : part == 2 ? ++config.config.queries
    : part == 3 ? ++config.config.pairs
                : ++config.config.cases;
    EXPECT_FALSE(isHit(cache, config, program)) << part;
  }
  // An auxiliary subject of the caller.
  ViewKey subject = key;
  subject.subjects.push_back(Digest{1});
  EXPECT_FALSE(isHit(cache, subject, program));
  // What the envelope says about the arguments: it changes the answer.
  Program envelope(source("{llvm.noalias}", 4, "i"));
  EXPECT_FALSE(isHit(cache, viewKeyOf(envelope.region), envelope));
  EXPECT_NE(textOf(analyzeRegion(envelope.region)),
            textOf(analyzeRegion(program.region)));
  // All of it is still there.
  EXPECT_TRUE(isHit(cache, key, program));
}

TEST(ViewCache, NamesAndContextsAreNotPartOfTheKey) {
  Program a(source("", 4, "i")), b(source("", 4, "other"));
  EXPECT_TRUE(same(viewKeyOf(a.region), viewKeyOf(b.region)));
  ViewCache cache;
  EXPECT_FALSE(isHit(cache, viewKeyOf(a.region), a));
  EXPECT_TRUE(isHit(cache, viewKeyOf(b.region), b));
}

// The lines that views print come from locations.
TEST(ViewCache, SourceLinesAreASubject) {
  Program a(source("", 4, "i")), b("\n\n" + source("", 4, "i"));
  EXPECT_EQ(viewKeyOf(a.region).candidate, viewKeyOf(b.region).candidate);
  EXPECT_FALSE(same(viewKeyOf(a.region), viewKeyOf(b.region)));
}

TEST(ViewCache, IsBoundedAndRemovable) {
  Program program(source("", 4, "i"));
  ViewKey key = viewKeyOf(program.region);
  ViewCache cache(2), none(0);
  for (int i = 0; i < 5; ++i) {
    key.subjects = {Digest{uint8_t(i)}};
    EXPECT_FALSE(isHit(cache, key, program));
    EXPECT_LE(cache.size(), 2u);
    EXPECT_FALSE(isHit(none, key, program));
    EXPECT_FALSE(isHit(none, key, program));
  }
  EXPECT_TRUE(isHit(cache, key, program));
  cache.clear();
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_FALSE(isHit(cache, key, program));
}
