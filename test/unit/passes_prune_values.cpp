// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/Raise/PruneValues.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "passes_harness.h"

using namespace mlir;
using namespace loom;
using namespace loom::test;

namespace {

/// The values that the constructs of a module hand on.
unsigned handedOn(ModuleOp module) {
  unsigned values = 0;
  module.walk([&](Operation *op) {
    if (isa<scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(op))
      values += op->getNumResults();
  });
  return values;
}

unsigned pruned(StringRef text) {
  Program program = parseText(text);
  EXPECT_TRUE(succeeded(pruneValues(*program)));
  EXPECT_TRUE(succeeded(verify(*program)));
  return handedOn(*program);
}

} // namespace

TEST(PruneValues, TwoLanesThatAlwaysAreEqualBecomeOne) {
  // %b starts as %a does and steps as it does; %c doesn't.
  EXPECT_EQ(2u, pruned(R"(
    llvm.func @f(%n: i32, %one: i32) -> i32 {
      %z = arith.constant 0 : i32
      %r:3 = scf.while (%a = %z, %b = %z, %c = %n) : (i32, i32, i32) -> (i32, i32, i32) {
        %t = arith.addi %a, %one : i32
        %u = arith.addi %c, %b : i32
        %more = arith.cmpi slt, %u, %n : i32
        scf.condition(%more) %t, %t, %u : i32, i32, i32
      } do {
      ^bb0(%x: i32, %y: i32, %w: i32):
        scf.yield %x, %y, %w : i32, i32, i32
      }
      %s = arith.addi %r#1, %r#2 : i32
      llvm.return %s : i32
    })"));
}

TEST(PruneValues, AValueThatOnlyComesThroughIsTheValueOutside) {
  EXPECT_EQ(1u, pruned(R"(
    llvm.func @f(%n: i32, %k: i32) -> i32 {
      %r:2 = scf.while (%a = %n, %b = %k) : (i32, i32) -> (i32, i32) {
        %t = arith.addi %a, %b : i32
        %more = arith.cmpi slt, %t, %n : i32
        scf.condition(%more) %t, %b : i32, i32
      } do {
      ^bb0(%x: i32, %y: i32):
        scf.yield %x, %y : i32, i32
      }
      %s = arith.addi %r#0, %r#1 : i32
      llvm.return %s : i32
    })"));
}

TEST(PruneValues, OnlyAScaffoldStandsForAnyValue) {
  std::string text = R"(
    llvm.func @f(%c: i1, %v: i32) -> i32 {
      %p = ub.poison : i32
      %r = scf.if %c -> (i32) {
        scf.yield %v : i32
      } else {
        scf.yield %p : i32
      }
      llvm.return %r : i32
    })";
  EXPECT_EQ(1u, pruned(text));
  Program program = parseText(text);
  (*program).walk([&](Operation *op) {
    if (op->getName().getStringRef() == "ub.poison")
      op->setAttr(scaffoldName, UnitAttr::get(op->getContext()));
  });
  EXPECT_TRUE(succeeded(pruneValues(*program)));
  EXPECT_EQ(0u, handedOn(*program));
  (*program).walk(
      [&](Operation *op) { EXPECT_FALSE(op->hasAttr(scaffoldName)); });
}

TEST(PruneValues, WhatAnEffectDependsOnStays) {
  EXPECT_EQ(2u, pruned(R"(
    llvm.func @f(%c: i1, %p: !llvm.ptr, %v: i32, %w: i32) {
      %r:3 = scf.if %c -> (i32, i32, i32) {
        scf.yield %v, %w, %v : i32, i32, i32
      } else {
        scf.yield %w, %v, %w : i32, i32, i32
      }
      %dead = arith.addi %r#0, %r#1 : i32
      %s = arith.subi %r#1, %r#2 : i32
      llvm.store %s, %p : i32, !llvm.ptr
      llvm.return
    })"));
}

TEST(PruneValues, TooManyAreRefused) {
  Program program = parseText(R"(
    llvm.func @f(%c: i1, %v: i32, %w: i32) -> i32 {
      %r:2 = scf.if %c -> (i32, i32) {
        scf.yield %v, %w : i32, i32
      } else {
        scf.yield %w, %v : i32, i32
      }
      %s = arith.subi %r#0, %r#1 : i32
      llvm.return %s : i32
    })");
  EXPECT_TRUE(succeeded(pruneValues(*program, 4)));
  EXPECT_TRUE(failed(pruneValues(*program, 3)));
}
