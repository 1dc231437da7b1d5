// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedule decisions: their domain, their refusals, the shape of their
// children. That children compute the same is shown by
// test/programs/schedules.py and test/artifact/schedules.test.

#include "loom/Explore/Schedule.h"
#include "loom/Structured/IR/Loom.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes_harness.h"

using namespace mlir;
using namespace loom;
using namespace loom::test;

namespace {

/// A region of one loop from `from` to `to` by `step` around `body`.
std::string regionText(const std::string &type, const std::string &from,
                       const std::string &to, const std::string &step,
                       const std::string &body, const std::string &words = "") {
  return "llvm.func @f(%p: !llvm.ptr, %q: !llvm.ptr) {\n"
         "%z = loom.spatial_region \"r\"(%p, %q) partitions [0, 1] exits [-1] "
         ": (!llvm.ptr, !llvm.ptr) -> i32 {\n"
         "^bb0(%a: !llvm.ptr, %b: !llvm.ptr):\n"
         "%c0 = arith.constant 0 : i64\n%c1 = arith.constant 1 : i64\n"
         "%c8 = arith.constant 8 : i64\n%e = arith.constant 0 : i32\n"
         "%from = arith.constant " +
         from + " : " + type + "\n" + "%to = arith.constant " + to + " : " +
         type + "\n" + "%by = arith.constant " + step + " : " + type + "\n" +
         "scf.for " + words + " %i = %from to %to step %by : " + type + " {\n" +
         body + "\n}\nloom.spatial_yield %e : i32\n}\nllvm.return\n}\n";
}

/// a[8 i + j] = b[i], for j from 0 to 8.
const char *const independent = R"(
  %s = llvm.getelementptr %b[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %v = llvm.load %s : !llvm.ptr -> i64
  scf.for %j = %c0 to %c8 step %c1 : i64 {
    %r = arith.muli %i, %c8 : i64
    %x = arith.addi %r, %j : i64
    %t = llvm.getelementptr %a[%x] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %v, %t : i64, !llvm.ptr
  })";

/// a[j] = a[j] + i: iterations of the outer loop meet.
const char *const dependent = R"(
  scf.for %j = %c0 to %c8 step %c1 : i64 {
    %t = llvm.getelementptr %a[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %v = llvm.load %t : !llvm.ptr -> i64
    %w = arith.addi %v, %i : i64
    llvm.store %w, %t : i64, !llvm.ptr
  })";

std::unique_ptr<StructuredProgramCandidate> program(const std::string &text) {
  return finalizeOrDie(*parseText(text));
}

SmallVector<scf::ForOp> loopsOf(const StructuredProgramCandidate &candidate) {
  SmallVector<scf::ForOp> loops;
  candidate.module()->walk<WalkOrder::PreOrder>(
      [&](scf::ForOp loop) { loops.push_back(loop); });
  return loops;
}

ScheduleDecision decide(const StructuredProgramCandidate &candidate,
                        ScheduleKind kind, unsigned loop, uint64_t factor) {
  return {kind, candidate.refTo(loopsOf(candidate)[loop].getOperation()),
          factor};
}

unsigned stores(const StructuredProgramCandidate &candidate) {
  unsigned count = 0;
  candidate.module()->walk([&](Operation *op) {
    count += op->getName().getStringRef() == "llvm.store";
  });
  return count;
}

/// What the generator says about the first loop, e.g. "unroll 2".
std::vector<std::string> coordinates(const std::string &text) {
  auto candidate = program(text);
  std::vector<std::string> found;
  for (const ScheduleDecision &decision : scheduleCoordinates(*candidate, 1))
    found.push_back(
        (nameOf(decision.kind) + " " + llvm::Twine(decision.factor)).str());
  return found;
}

using Names = std::vector<std::string>;
const char *const storeNarrow = "llvm.store %i, %a : i8, !llvm.ptr";

} // namespace

TEST(Schedule, ProperDivisorsOfTheTripCountAreTheDomain) {
  EXPECT_EQ(coordinates(regionText("i64", "0", "6", "1", independent)),
            (Names{"unroll 2", "unroll 3", "tile 2", "tile 3",
                   "unroll-and-jam 2", "unroll-and-jam 3"}));
  // A prime, one iteration, none.
  EXPECT_EQ(coordinates(regionText("i64", "0", "7", "1", independent)),
            Names{});
  EXPECT_EQ(coordinates(regionText("i64", "0", "1", "1", independent)),
            Names{});
  EXPECT_EQ(coordinates(regionText("i64", "4", "4", "1", independent)),
            Names{});
  // -3, 0, 3, 6: the bound is passed by two.
  EXPECT_EQ(coordinates(regionText("i8", "-3", "7", "3", storeNarrow)),
            (Names{"unroll 2", "tile 2"}));
}

TEST(Schedule, ALoopWhoseEndItsTypeCannotHoldHasNoDecision) {
  // 0, 2, ..., 126: the next would be 128, or -128.
  EXPECT_EQ(coordinates(regionText("i8", "0", "127", "2", storeNarrow)),
            Names{});
  // Unsigned it is representable; -2 is 254 there and not.
  EXPECT_EQ(
      coordinates(regionText("i8", "0", "127", "32", storeNarrow, "unsigned")),
      (Names{"unroll 2", "tile 2"}));
  EXPECT_EQ(
      coordinates(regionText("i8", "0", "-2", "64", storeNarrow, "unsigned")),
      Names{});
  EXPECT_EQ(
      coordinates(regionText("i8", "0", "-64", "48", storeNarrow, "unsigned")),
      (Names{"unroll 2", "tile 2"}));
}

TEST(Schedule, ChildrenHaveTheLoopsOfTheDecision) {
  auto parent = program(regionText("i64", "0", "12", "1", independent));
  auto child = [&](ScheduleKind kind, unsigned loop, uint64_t factor) {
    auto made = applySchedule(*parent, decide(*parent, kind, loop, factor));
    EXPECT_TRUE(bool(made) && made->has_value());
    return std::move((*made)->candidate);
  };
  auto trips = [](const StructuredProgramCandidate &candidate) {
    std::vector<uint64_t> counts;
    for (scf::ForOp loop : loopsOf(candidate))
      counts.push_back(loop.getStaticTripCount()
                           ? loop.getStaticTripCount()->getZExtValue()
                           : 0);
    return counts;
  };
  using Counts = std::vector<uint64_t>;
  auto unrolled = child(ScheduleKind::Unroll, 1, 4);
  EXPECT_EQ(trips(*unrolled), (Counts{12, 2}));
  EXPECT_EQ(stores(*unrolled), 4u);
  // The bounds of the inner loop are values of the outer one.
  auto tiled = child(ScheduleKind::Tile, 0, 3);
  EXPECT_EQ(loopsOf(*tiled).size(), 3u);
  EXPECT_EQ(trips(*tiled)[0], 4u);
  EXPECT_EQ(stores(*tiled), 1u);
  auto jammed = child(ScheduleKind::UnrollAndJam, 0, 6);
  EXPECT_EQ(trips(*jammed), (Counts{2, 8}));
  EXPECT_EQ(stores(*jammed), 6u);
  // Four inner loops, not one.
  auto plain = child(ScheduleKind::Unroll, 0, 4);
  EXPECT_EQ(trips(*plain), (Counts{3, 8, 8, 8, 8}));
}

TEST(Schedule, UnknownIsNoProof) {
  auto jam = [](const std::string &text) {
    auto parent = program(text);
    return codeOf(applySchedule(
        *parent, decide(*parent, ScheduleKind::UnrollAndJam, 0, 2)));
  };
  EXPECT_EQ(jam(regionText("i64", "0", "4", "1", independent)), "");
  EXPECT_EQ(jam(regionText("i64", "0", "4", "1", dependent)), "schedule-proof");
  // The same program with both pointers in one partition: they may overlap.
  std::string text = regionText("i64", "0", "4", "1", independent);
  text.replace(text.find("[0, 1]"), 6, "[0, 0]");
  EXPECT_EQ(jam(text), "schedule-proof");
}

TEST(Schedule, DecisionsThatNameNothingAreRefused) {
  auto parent = program(regionText("i64", "0", "6", "1", independent));
  auto other = program(regionText("i64", "0", "9", "1", independent));
  auto code = [&](ScheduleDecision decision) {
    return codeOf(applySchedule(*parent, decision));
  };
  ScheduleDecision good = decide(*parent, ScheduleKind::Unroll, 0, 2);
  EXPECT_EQ(code(good), "");
  EXPECT_EQ(code(decide(*other, ScheduleKind::Unroll, 0, 3)), "ref-parent");
  ScheduleDecision bad = good;
  bad.loop.ordinal = 0;
  EXPECT_EQ(code(bad), "schedule-scope");
  bad.loop.ordinal = 100000;
  EXPECT_EQ(code(bad), "ref-range");
  bad = good;
  bad.loop.kind = StructuredEntityKind::Value;
  EXPECT_EQ(code(bad), "ref-kind");
  bad = good;
  bad.factor = 0;
  EXPECT_EQ(code(bad), "schedule-factor");
  bad.factor = 4;
  EXPECT_EQ(code(bad), "schedule-factor");
  // The inner loop has no loop inside.
  EXPECT_EQ(code(decide(*parent, ScheduleKind::UnrollAndJam, 1, 2)),
            "schedule-scope");
}
