// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verification anchors of the contract that are about analysis views; the
// others are in passes_verification_anchors.cpp, the one about the cache in
// views_cache.cpp.

#include "loom/Structured/Views/Views.h"
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

/// The views of a region with two pointers and a count, whose loop has `body`
/// and carries %s : `type`.
RegionViews viewsOf(const std::string &partitions, const std::string &type,
                    const std::string &zero, const std::string &body) {
  MLIRContext context;
  context.loadDialect<LoomDialect, arith::ArithDialect, scf::SCFDialect,
                      LLVM::LLVMDialect>();
  std::string text =
      "llvm.func @f(%x0: !llvm.ptr, %y0: !llvm.ptr, %n0: i64) {\n"
      "%r:2 = loom.spatial_region \"r\" (%x0, %y0, %n0) partitions " +
      partitions + " exits [-1, -1] : (!llvm.ptr, !llvm.ptr, i64) -> (i32, " +
      type +
      ") {\n^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64):\n"
      "%zero = arith.constant 0 : i32\n"
      "%c0 = arith.constant 0 : i64\n"
      "%c1 = arith.constant 1 : i64\n"
      "%c4 = arith.constant 4 : i64\n"
      "%start = arith.constant " +
      zero + " : " + type +
      "\n%end = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> (" +
      type +
      ") : i64 {\n"
      "%o = arith.muli %i, %c4 : i64\n"
      "%p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8\n"
      "%q = llvm.getelementptr %y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8\n"
      "%v = llvm.load %p : !llvm.ptr -> " +
      type + "\n" + body + "scf.yield %t : " + type +
      "\n}\n"
      "loom.spatial_yield %zero, %end : i32, " +
      type + "\n}\nllvm.return\n}";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  SpatialRegionOp region;
  if (module)
    module->walk([&](SpatialRegionOp op) { region = op; });
  EXPECT_TRUE(region) << text;
  return region ? analyzeRegion(region) : RegionViews();
}

/// Is there a dependence between accesses of different roots?
bool ordersRoots(const RegionViews &views) {
  auto rootOf = [&](unsigned op) {
    for (const AccessView &access : views.memory.accesses)
      if (access.op == op)
        return access.root;
    return -1;
  };
  for (const Dependence &d : views.dependence.dependences)
    if (d.kind != Dependence::Carried && d.kind != Dependence::Control &&
        rootOf(d.source) != rootOf(d.target))
      return true;
  return false;
}

} // namespace

// Contract: unknown aliasing prevents an unsafe reorder but permits
// conservative order.
TEST(VerificationAnchors,
     UnknownAliasingPreventsAnUnsafeReorderButPermitsConservativeOrder) {
  const char *copy = "llvm.store %v, %q : i32, !llvm.ptr\n"
                     "%t = arith.addi %s, %zero : i32\n";
  RegionViews unknown = viewsOf("[0, 0, -1]", "i32", "0", copy);
  ASSERT_EQ(unknown.memory.accesses.size(), 2u);
  EXPECT_EQ(unknown.memory.aliases[0][1].alias, Alias::May);
  // The order stays in the table, as one that nobody proved and nobody may
  // drop.
  EXPECT_TRUE(ordersRoots(unknown));
  for (const Dependence &d : unknown.dependence.dependences)
    if (d.kind == Dependence::Flow || d.kind == Dependence::Anti) {
      EXPECT_FALSE(d.proven);
    }
  for (const LoopVerdict &loop : unknown.dependence.loops)
    EXPECT_NE(loop.admission, Admission::ProvenIndependent);
  // What is proven distinct needs none.
  RegionViews apart = viewsOf("[0, 1, -1]", "i32", "0", copy);
  EXPECT_EQ(apart.memory.aliases[0][1].alias, Alias::No);
  EXPECT_FALSE(ordersRoots(apart));
}

// Contract: reduction reassociation requires an explicit recognized algebraic
// policy.
TEST(VerificationAnchors,
     ReductionReassociationRequiresAnExplicitRecognizedAlgebraicPolicy) {
  auto policyOf = [](const char *type, const char *zero, const char *combiner) {
    RegionViews views =
        viewsOf("[0, 0, -1]", type, zero,
                std::string("%t = ") + combiner + " : " + type + "\n");
    EXPECT_EQ(views.reductions.size(), 1u);
    return views.reductions.empty() ? ReductionView()
                                    : views.reductions.front();
  };
  ReductionView integers = policyOf("i32", "0", "arith.addi %s, %v");
  EXPECT_EQ(integers.kind, ReductionView::Reduction);
  EXPECT_EQ(integers.policy, ReductionView::None);
  // Floats are recognised, which alone permits nothing.
  ReductionView floats = policyOf("f32", "0.0", "arith.addf %s, %v");
  EXPECT_EQ(floats.kind, ReductionView::Reduction);
  EXPECT_EQ(floats.policy, ReductionView::Reassociate);
  ReductionView granted =
      policyOf("f32", "0.0", "arith.addf %s, %v fastmath<reassoc>");
  EXPECT_EQ(granted.policy, ReductionView::None);
  // An operation that nobody recognises keeps its order.
  EXPECT_EQ(policyOf("i32", "0", "arith.subi %v, %s").policy,
            ReductionView::Ordered);
}
