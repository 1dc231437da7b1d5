// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference execution of the dataflow dialect as a library: orders of
// events, two ways to compute the same, runs compared. What it executes is
// tested in test/dataflow/run.

#include "Compute.h"
#include "Order.h"
#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Dataflow/IR/Schema.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "passes_harness.h"
#include <cmath>

using namespace mlir;
using namespace loom;
using namespace loom::run;
using namespace loom::test;

namespace {

OwningOpRef<ModuleOp> parseGraph(MLIRContext &context, StringRef text) {
  context.loadDialect<arith::ArithDialect, dataflow::DataflowDialect,
                      LLVM::LLVMDialect, math::MathDialect>();
  return parseSourceString<ModuleOp>(text, &context);
}

Order known(std::initializer_list<Event> events) {
  Order order;
  for (Event event : events)
    order = with(order, event);
  return order;
}

TEST(RunOrder, WhatIsKnown) {
  EXPECT_FALSE(knows(nullptr, {0, 0}));
  Order order = known({{1, 0}, {1, 1}, {1, 3}, {4, 7}});
  for (Event yes : {Event{1, 0}, {1, 1}, {1, 3}, {4, 7}})
    EXPECT_TRUE(knows(order, yes));
  for (Event no : {Event{1, 2}, {1, 4}, {0, 0}, {4, 6}, {4, 8}, {9, 0}})
    EXPECT_FALSE(knows(order, no));
  // Neighbours are one span, whatever came first.
  EXPECT_EQ(order->spans.size(), 3u);
  EXPECT_EQ(with(order, {1, 2})->spans.size(), 2u);
  EXPECT_EQ(known({{2, 2}, {2, 0}, {2, 1}})->spans.size(), 1u);
}

TEST(RunOrder, JoinsShareWhatIsNotNew) {
  Order small = known({{1, 0}}), large = known({{1, 0}, {1, 1}, {2, 5}});
  EXPECT_EQ(join(small, large), large);
  EXPECT_EQ(join(large, small), large);
  EXPECT_EQ(join(nullptr, small), small);
  Order both = join(known({{3, 0}}), large);
  EXPECT_TRUE(knows(both, {3, 0}) && knows(both, {2, 5}));
  uint64_t live = Knowledge::live();
  both = nullptr;
  EXPECT_EQ(Knowledge::live(), live - 3);
}

// Every computation that MLIR folds has the value that the device's table has.
const char *const computations = R"(
dataflow.graph private @g(%start: none, %b: i1, %c: i8, %d: i8, %i: i32, %j: i32,
                          %k: i32, %l: i64, %m: i64, %x: f32, %y: f32, %z: f32,
                          %u: f64, %v: f64, %w: f64, %p: !llvm.ptr) -> () {
  %a0 = arith.addi %i, %j : i32
  %a1 = arith.subi %c, %d : i8
  %a2 = arith.muli %l, %m : i64
  %a3 = arith.divsi %i, %j : i32
  %a4 = arith.divui %c, %d : i8
  %a5 = arith.remsi %c, %d : i8
  %a6 = arith.remui %l, %m : i64
  %a7 = arith.andi %i, %j : i32
  %a8 = arith.ori %i, %j : i32
  %a9 = arith.xori %i, %j : i32
  %b0 = arith.shli %c, %d : i8
  %b1 = arith.shrsi %c, %d : i8
  %b2 = arith.shrui %i, %j : i32
  %b3 = arith.minsi %c, %d : i8
  %b4 = arith.maxsi %i, %j : i32
  %b5 = arith.minui %c, %d : i8
  %b6 = arith.maxui %l, %m : i64
  %c0 = arith.cmpi slt, %c, %d : i8
  %c1 = arith.cmpi ule, %i, %j : i32
  %c2 = arith.cmpi eq, %c, %d : i8
  %c3 = arith.cmpi sge, %l, %m : i64
  %c4 = arith.cmpf olt, %x, %y : f32
  %c5 = arith.cmpf une, %u, %v : f64
  %c6 = arith.cmpf ord, %x, %y : f32
  %c7 = arith.select %b, %i, %j : i32
  %d0 = arith.extsi %c : i8 to i32
  %d1 = arith.extui %c : i8 to i64
  %d2 = arith.trunci %l : i64 to i8
  %e0 = arith.addf %x, %y : f32
  %e1 = arith.subf %u, %v : f64
  %e2 = arith.mulf %x, %y : f32
  %e3 = arith.divf %u, %v : f64
  %e4 = arith.remf %x, %y : f32
  %e5 = arith.negf %x : f32
  %e6 = arith.minnumf %u, %v : f64
  %e7 = arith.maxnumf %x, %y : f32
  %e8 = arith.minimumf %x, %y : f32
  %e9 = arith.maximumf %u, %v : f64
  %f0 = arith.sitofp %i : i32 to f32
  %f1 = arith.uitofp %l : i64 to f64
  %f2 = arith.fptosi %x : f32 to i32
  %f3 = arith.fptoui %u : f64 to i64
  %f4 = arith.extf %x : f32 to f64
  %f5 = arith.truncf %u : f64 to f32
  %f6 = arith.bitcast %x : f32 to i32
  %g0 = math.absi %i : i32
  %g1 = math.ctpop %c : i8
  %g2 = math.ctlz %i : i32
  %g3 = math.cttz %c : i8
  %g4 = math.absf %x : f32
  %g5 = math.sqrt %u : f64
  %g6 = math.floor %x : f32
  %g7 = math.ceil %u : f64
  %g8 = math.trunc %x : f32
  %g9 = math.round %u : f64
  %h0 = math.roundeven %x : f32
  %h1 = math.copysign %x, %y : f32
  %h2 = math.fma %u, %v, %w : f64
  %h3 = llvm.intr.fshl(%i, %j, %k) : (i32, i32, i32) -> i32
  %h4 = llvm.intr.bswap(%l) : (i64) -> i64
  %h5 = llvm.intr.sadd.sat(%c, %d) : (i8, i8) -> i8
  %h6 = llvm.ptrtoint %p : !llvm.ptr to i64
  %h7 = llvm.inttoptr %l : i64 to !llvm.ptr
  %h8 = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  dataflow.graph.return values() complete(%start)
})";

/// Half of the numbers are small, or at the ends of their range.
Lane randomLane(std::mt19937_64 &random, Type type) {
  uint64_t mask = laneMask(laneWidth(type)), bits = random();
  const double floats[] = {0.0,  -0.0, 1.0,   -1.5, 2.5,
                           1e10, 3e38, 1e-40, NAN,  INFINITY};
  if (auto real = dyn_cast<FloatType>(type)) {
    APFloat value(floats[random() % std::size(floats)]);
    bool lost;
    value.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &lost);
    return random() % 2 ? Lane{value.bitcastToAPInt().getZExtValue(), false}
                        : Lane{bits & mask, false};
  }
  switch (random() % 4) {
  case 0:
    return {random() % 8, false};
  case 1:
    return {(mask - random() % 3) & mask, false};
  case 2:
    return {(mask >> 1) + random() % 2, false};
  default:
    return {bits & mask, false};
  }
}

bool isNaN(Lane lane, Type type) {
  auto real = dyn_cast<FloatType>(type);
  return real &&
         APFloat(real.getFloatSemantics(), APInt(real.getWidth(), lane.bits))
             .isNaN();
}

TEST(RunCompute, FoldersAndTheTableAgree) {
  std::unique_ptr<MLIRContext> context = makeContext();
  OwningOpRef<ModuleOp> module = parseGraph(*context, computations);
  ASSERT_TRUE(module);
  std::mt19937_64 random = randomNumbers(7);
  unsigned operations = 0, compared = 0;
  module->walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !whyNotComputed(op).empty())
      return;
    ++operations;
    Computation computation(op);
    Type type = op->getResult(0).getType();
    for (unsigned trial = 0; trial < 300; ++trial) {
      SmallVector<Lane> lanes;
      for (Value operand : op->getOperands()) {
        lanes.push_back(randomLane(random, operand.getType()));
        lanes.back().bits &= laneMask(laneWidth(operand.getType()));
      }
      SmallVector<Token> tokens;
      for (Lane lane : lanes)
        tokens.push_back(Token{{lane}, nullptr});
      SmallVector<const Token *> operands;
      for (const Token &token : tokens)
        operands.push_back(&token);
      Token result;
      if (computation.compute(operands, result) || result.lanes.front().poison)
        continue;
      ++compared;
      Lane table;
      ASSERT_TRUE(computeByTable(op, lanes, table));
      // What minnum and maxnum make of two zeros, or of a signaling NaN, is
      // open: APFloat quiets it, the table takes the other operand.
      uint64_t size = table.bits & (laneMask(laneWidth(type)) >> 1);
      bool open = isa<arith::MinNumFOp, arith::MaxNumFOp>(op) &&
                  (size == 0 || isNaN(lanes[0], type) || isNaN(lanes[1], type));
      if ((isNaN(table, type) && isNaN(result.lanes.front(), type)) || open)
        continue;
      ASSERT_EQ(result.lanes.front().bits, table.bits)
          << op->getName().getStringRef().str() << " of "
          << printToken(tokens[0], op->getOperand(0).getType());
    }
  });
  EXPECT_EQ(operations, 64u);
  EXPECT_GT(compared, 64u * 100);
}

// What no order of firings shows, since conflicts are errors in every order.
TEST(RunCompare, Differences) {
  std::unique_ptr<MLIRContext> context = makeContext();
  Type i8 = IntegerType::get(context.get(), 8);
  RunOutcome a;
  a.results.push_back({i8, false, {Token{{Lane{1, false}}, nullptr}}});
  a.memories.push_back({2, {1, 2}, {false, false}});
  a.firings.push_back({"@g:0 x", 3});
  EXPECT_EQ(compareRuns(a, a), "");
  RunOutcome b = a;
  b.results[0].tokens[0].lanes[0].poison = true;
  EXPECT_EQ(compareRuns(a, b), "result 0");
  b = a;
  b.memories[0].bytes[1] = 3;
  EXPECT_EQ(compareRuns(a, b), "memory 2");
  b = a;
  b.memories[0].poison[0] = true;
  EXPECT_EQ(compareRuns(a, b), "memory 2");
  b = a;
  b.firings[0].firings = 4;
  EXPECT_EQ(compareRuns(a, b), "the firings of an actor");
  b = a;
  b.failure = RunFailure{RunFault::Order, "why"};
  EXPECT_EQ(compareRuns(a, b), "a failure: why");
  EXPECT_EQ(compareRuns(b, a), "a failure: why");
  EXPECT_EQ(runFaultCode(RunFault::Orders), "run-orders");
}

std::optional<RunFault> faultOf(const RunOutcome &outcome) {
  return outcome.failure ? std::optional(outcome.failure->fault) : std::nullopt;
}

TEST(RunEntry, LimitsOfInstancesAndBytes) {
  std::unique_ptr<MLIRContext> context = makeContext();
  OwningOpRef<ModuleOp> module = parseGraph(
      *context, "dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> "
                "() {\n dataflow.graph.return values() complete(%start)\n}");
  ASSERT_TRUE(module);
  Operation *entry = findEntry(*module, "");
  ASSERT_TRUE(entry);
  EXPECT_EQ(findEntry(*module, "h"), nullptr);
  RunArgument argument;
  argument.memory.emplace(100);
  RunOptions options;
  EXPECT_FALSE(runEntry(*module, entry, argument, options).failure);
  options.bytes = 99;
  RunOutcome outcome = runEntry(*module, entry, argument, options);
  EXPECT_EQ(faultOf(outcome), RunFault::Limit);
  outcome = runEntry(*module, entry, {}, options);
  EXPECT_EQ(faultOf(outcome), RunFault::Argument);
}

} // namespace
