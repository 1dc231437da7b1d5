// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification anchors of the structured-frontend contract that raising and the
// artifact own, a test for each, named after it. The others: ViewCache.* (the
// key of an analysis), test/views/unknown-alias.mlir,
// test/views/reductions.mlir.

#include "loom/Artifact/Finalizable.h"
#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Explore/Schedule.h"
#include "loom/Structured/Raise/Module.h"
#include "loom/Structured/Raise/Raise.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "passes_harness.h"

using namespace mlir;
using namespace loom;
using namespace loom::test;

namespace {

Program raised(StringRef text, StructureReport *report = nullptr) {
  Program program = parseText(text);
  loadRaiseDialects(*program.context);
  StructureReport own;
  structureModule(*program, cleanUpPatterns(*program.context),
                  report ? *report : own);
  EXPECT_TRUE(succeeded(verify(*program)));
  return program;
}

/// How many operations of this name there are.
unsigned count(ModuleOp module, StringRef name) {
  unsigned found = 0;
  module.walk(
      [&](Operation *op) { found += op->getName().getStringRef() == name; });
  return found;
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

std::string onlyRegion(StringRef inside) {
  std::string text = richText();
  StringRef old = "%w = arith.addi %v, %acc overflow<nsw> : i32";
  size_t at = text.find(old.str());
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, old.size(), inside.str());
}

} // namespace

TEST(VerificationAnchors,
     ImportedFunctionABIFactsRemainOwnedByTheLLVMFunction) {
  const char *text = R"(
    llvm.func internal fastcc @f(%p: !llvm.ptr {llvm.byval = i64, llvm.align = 16 : i64, llvm.noalias},
                                 %n: i8 {llvm.signext, llvm.range = #llvm.constant_range<i8, 0, 9>})
        -> (i8 {llvm.zeroext, llvm.noundef})
        attributes {dso_local, no_unwind, passthrough = ["naked"], target_cpu = "x86-64",
                    uwtable_kind = #llvm.uwtableKind<async>, alignment = 32 : i64, section = "s"} {
      %c = llvm.load %p : !llvm.ptr -> i1
      llvm.cond_br %c, ^a, ^b
    ^a:
      llvm.return %n : i8
    ^b:
      %z = llvm.mlir.constant(0 : i8) : i8
      llvm.return %z : i8
    })";
  auto facts = [](ModuleOp module) {
    auto function = *module.getOps<LLVM::LLVMFuncOp>().begin();
    std::string said;
    llvm::raw_string_ostream(said) << function->getAttrDictionary();
    return said;
  };
  Program before = parseText(text);
  StructureReport report;
  Program after = raised(text, &report);
  EXPECT_EQ(facts(*before), facts(*after));
  EXPECT_EQ(1u, count(*after, "llvm.func"));
  ASSERT_EQ(1u, report.functions.size());
  EXPECT_FALSE(report.functions.front().left.has_value());
}

TEST(VerificationAnchors,
     ExactAliasesNormaliseAndNonEquivalentOperationsArePreserved) {
  Program program = raised(R"(
    llvm.func @f(%a: i32, %b: i32, %x: f32, %p: !llvm.ptr) -> i32 {
      %0 = llvm.add %a, %b overflow<nsw> : i32
      %1 = llvm.intr.smax(%0, %b) : (i32, i32) -> i32
      %2 = llvm.fadd %x, %x {fastmathFlags = #llvm.fastmath<contract>} : f32
      llvm.store %2, %p : f32, !llvm.ptr
      %3 = llvm.intr.sadd.sat(%1, %a) : (i32, i32) -> i32
      %4 = llvm.intr.fshl(%3, %a, %b) : (i32, i32, i32) -> i32
      %5 = llvm.call_intrinsic "llvm.fptosi.sat.i32.f32"(%x) : (f32) -> i32
      %6 = llvm.xor %4, %5 : i32
      llvm.return %6 : i32
    })");
  for (const char *name :
       {"arith.addi", "arith.maxsi", "arith.addf", "arith.xori",
        "llvm.intr.sadd.sat", "llvm.intr.fshl", "llvm.call_intrinsic"})
    EXPECT_EQ(1u, count(*program, name)) << name;
  EXPECT_EQ(0u, count(*program, "llvm.add"));
  EXPECT_NE(std::string::npos, print(*program).find("overflow<nsw>"));
  EXPECT_NE(std::string::npos, print(*program).find("fastmath<contract>"));
}

TEST(VerificationAnchors, OrdinaryCallsAreNotExpandedFromNamesOrArity) {
  Program program = raised(R"(
    llvm.func @sqrt(f64) -> f64
    llvm.func @fma(f64, f64, f64) -> f64
    llvm.func @abs(i32) -> i32
    llvm.func @memcpy(!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
    llvm.func @f(%x: f64, %i: i32, %p: !llvm.ptr, %q: !llvm.ptr, %n: i64) -> f64 {
      %0 = llvm.call @sqrt(%x) : (f64) -> f64
      %1 = llvm.call @fma(%0, %x, %x) : (f64, f64, f64) -> f64
      %2 = llvm.call @abs(%i) : (i32) -> i32
      %3 = llvm.call @memcpy(%p, %q, %n) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
      llvm.store %2, %3 : i32, !llvm.ptr
      llvm.return %1 : f64
    })");
  EXPECT_EQ(4u, count(*program, "llvm.call"));
  (*program).walk([](Operation *op) {
    EXPECT_NE("math", op->getName().getDialectNamespace());
  });
}

TEST(VerificationAnchors, PoisonUndefAndFloatingPointPolicySurvive) {
  Program program = raised(R"(
    llvm.func @f(%c: i1, %x: f32, %p: !llvm.ptr) -> i32 {
      %u = llvm.mlir.undef : i32
      %q = llvm.mlir.poison : i32
      %z = llvm.freeze %u : i32
      llvm.store %u, %p : i32, !llvm.ptr
      llvm.store %q, %p : i32, !llvm.ptr
      %y = llvm.fmul %x, %x {fastmathFlags = #llvm.fastmath<nnan, reassoc>} : f32
      %w = llvm.fadd %y, %x : f32
      llvm.store %w, %p : f32, !llvm.ptr
      llvm.return %z : i32
    })");
  EXPECT_EQ(1u, count(*program, "llvm.mlir.undef"));
  EXPECT_EQ(1u, count(*program, "llvm.freeze"));
  EXPECT_EQ(1u,
            count(*program, "llvm.mlir.poison") + count(*program, "ub.poison"));
  EXPECT_EQ(3u, count(*program, "llvm.store"));
  std::string text = print(*program);
  EXPECT_NE(std::string::npos, text.find("fastmath<reassoc,nnan>"));
  // What had no permission has none.
  EXPECT_NE(std::string::npos, text.find("arith.addf %"));
  EXPECT_EQ(text.find("fastmath"), text.rfind("fastmath"));
}

TEST(VerificationAnchors,
     ScalableVectorsInASelectedRegionMakeTheCandidateNonFinalizable) {
  const char *inside = "%s = llvm.mlir.undef : vector<[4]xi32>\n"
                       "%w = arith.addi %v, %acc : i32\n"
                       "llvm.store %s, %p : vector<[4]xi32>, !llvm.ptr";
  auto candidate = finalizeOrDie(*parseText(onlyRegion(inside)));
  ASSERT_TRUE(candidate); // legal in a structured program
  EXPECT_FALSE(cantFail(checkFinalizable(*candidate)).finalizable());
}

TEST(VerificationAnchors, ACrossCandidateEntityReferenceIsRejected) {
  auto one = finalizeOrDie(*richProgram());
  auto other = finalizeOrDie(
      *parseText("llvm.func @f(%p: !llvm.ptr) {\n  llvm.return\n}"));
  ASSERT_TRUE(one && other);
  Operation *mine = nullptr;
  one->module().walk([&](SpatialRegionOp op) { mine = op; });
  ASSERT_TRUE(mine);
  StructuredEntityRef reference = one->refTo(mine);
  EXPECT_EQ(mine, cantFail(one->resolveOperation(reference)));
  EXPECT_NE("", codeOf(other->resolveOperation(reference)));
}

TEST(VerificationAnchors,
     RaisingIsAtomicAndDeterministicAndANoOpChangesNothing) {
  // A function that can't be structured is as it was; its neighbour is raised.
  const char *text = R"(
    llvm.func @left(%p: !llvm.ptr) {
      llvm.br ^a
    ^a:
      %t = llvm.blockaddress <function = @left, tag = <id = 1>> : !llvm.ptr
      llvm.indirectbr %t : !llvm.ptr, [^b]
    ^b:
      llvm.blocktag <id = 1>
      llvm.return
    }
    llvm.func @right(%c: i1) -> i1 {
      llvm.cond_br %c, ^a, ^b
    ^a:
      llvm.return %c : i1
    ^b:
      %f = llvm.mlir.constant(false) : i1
      llvm.return %f : i1
    })";
  StructureReport report;
  Program once = raised(text, &report), again = raised(text);
  ASSERT_EQ(2u, report.functions.size());
  EXPECT_TRUE(report.functions[0].left.has_value());
  EXPECT_FALSE(report.functions[1].left.has_value());
  EXPECT_EQ(print(*once), print(*again));
  EXPECT_EQ(1u, count(*once, "llvm.indirectbr"));
  // What is raised already gets no other identity.
  std::string before = print(*again);
  StructureReport nothing;
  structureModule(*again, cleanUpPatterns(*again.context), nothing);
  EXPECT_EQ(before, print(*again));
}

TEST(VerificationAnchors,
     FinalizabilityRejectsUnsupportedSurfaceWithoutPublishingPartialD0) {
  auto candidate = finalizeOrDie(*parseText(
      onlyRegion("%w = llvm.call @helper(%v, %acc) : (i32, i32) -> i32")));
  ASSERT_TRUE(candidate);
  Finalizability answer = cantFail(checkFinalizable(*candidate));
  EXPECT_FALSE(answer.finalizable());
  EXPECT_FALSE(answer.reasons.empty());
  candidate->module().walk([](Operation *op) {
    EXPECT_NE("dataflow", op->getName().getDialectNamespace());
  });
}

TEST(VerificationAnchors,
     ATransformIsAtomicAndDeterministicAndANoOpEmitsNoChild) {
  auto parent = finalizeOrDie(*parseText(R"(
    llvm.func @f(%p: !llvm.ptr) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c12 = arith.constant 12 : i64
      scf.for %i = %c0 to %c12 step %c1 : i64 {
        %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        llvm.store %i, %a : i64, !llvm.ptr
      }
      llvm.return
    })"));
  ASSERT_TRUE(parent);
  std::string bytes = parent->semanticBytes().str();
  std::vector<ScheduleDecision> decisions = scheduleCoordinates(*parent, 8);
  ASSERT_EQ(decisions.size(), 8u); // by 2, 3, 4, 6; unrolled, tiled
  std::vector<std::string> children;
  for (const ScheduleDecision &decision : decisions) {
    auto once = applySchedule(*parent, decision);
    auto again = applySchedule(*parent, decision);
    ASSERT_TRUE(bool(once) && bool(again));
    ASSERT_TRUE(once->has_value() && again->has_value());
    EXPECT_EQ((*once)->candidate->semanticBytes(),
              (*again)->candidate->semanticBytes());
    EXPECT_NE((*once)->candidate->identity(), parent->identity());
    children.push_back((*once)->candidate->identity().hex());
  }
  llvm::sort(children);
  EXPECT_TRUE(std::adjacent_find(children.begin(), children.end()) ==
              children.end());
  // Factor one is no child. Neither is a factor that doesn't fit, after which
  // the parent is what it was.
  ScheduleDecision decision = decisions.front();
  decision.factor = 1;
  auto none = applySchedule(*parent, decision);
  ASSERT_TRUE(bool(none));
  EXPECT_FALSE(none->has_value());
  decision.factor = 5;
  EXPECT_EQ(codeOf(applySchedule(*parent, decision)), "schedule-factor");
  EXPECT_EQ(parent->semanticBytes(), bytes);
  EXPECT_EQ(identityOf(parent->module()), parent->identity().hex());
}
