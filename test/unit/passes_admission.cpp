// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Admission of computations: one thing is taken from a target at a time, and
// exactly the graphs that need it are no longer admitted. Which these are is
// written down by hand.

#include "passes_admission.h"

using namespace admissiontest;

namespace {

TEST_F(Admission, DefaultAdmitsAll) {
  ASSERT_TRUE(module);
  EXPECT_EQ(refusedBy(whole), Names());
}

/// The contract's verification anchor: capability filtering writes no hardware
/// fact into software IR, and it only ever says what is absent.
TEST_F(Admission, AnchorCapabilityFilteringWritesNothing) {
  ASSERT_TRUE(module);
  auto printed = [&] {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, mlir::OpPrintingFlags().printGenericOpForm());
    return text;
  };
  std::string before = printed();
  EXPECT_EQ(refusedBy(whole), Names());
  EXPECT_EQ(printed(), before);
  expectFlips("addi", withoutOp("arith.addi"), {"add24", "add32", "add64"});
  EXPECT_EQ(printed(), before);
}

TEST_F(Admission, Operations) {
  expectFlips("addi", withoutOp("arith.addi"), {"add24", "add32", "add64"});
  expectFlips("subi", withoutOp("arith.subi"), {"sub32"});
  expectFlips("cmpi", withoutOp("arith.cmpi"), {"less32"});
  expectFlips("trunci", withoutOp("arith.trunci"), {"narrow", "narrow16"});
  expectFlips("sitofp", withoutOp("arith.sitofp"), {"convert"});
  expectFlips("addf", withoutOp("arith.addf"), {"addf", "addv4", "addv8"});
  expectFlips("divf", withoutOp("arith.divf"), {"divd", "divd_nnan", "divf"});
  expectFlips("fma", withoutOp("math.fma"), {"fma"});
  expectFlips("gep", withoutOp("llvm.getelementptr"), {"pointer"});
  expectFlips("remf", withoutOp("arith.remf"), {});
  EXPECT_NE(details.find("target 'default' has no math.fma\n"),
            std::string::npos);
}

TEST_F(Admission, Widths) {
  auto types = [](const char *op, Element type) {
    return rowsWith(op, [=](ComputeRow &row) { drop(row.types, type); });
  };
  auto from = [](const char *op, Element type) {
    return rowsWith(op, [=](ComputeRow &row) { drop(row.from, type); });
  };
  // Addition and subtraction share units.
  expectFlips("i32", types("arith.addi", i32), {"add24", "add32", "sub32"});
  expectFlips("i64", types("arith.addi", i64), {"add64"});
  expectFlips("i16", types("arith.addi", i16), {});
  expectFlips("compared", types("arith.cmpi", i32), {"less32"});
  expectFlips("to i32", types("arith.trunci", i32), {"narrow"});
  expectFlips("from i32", from("arith.trunci", i32), {"narrow16"});
  expectFlips("from i64", from("arith.trunci", i64), {"narrow"});
  expectFlips("to f64", types("arith.sitofp", f64), {"convert"});
  expectFlips("f64", types("arith.divf", f64), {"divd", "divd_nnan"});
  EXPECT_NE(details.find("has no arith.divf on f64\n"), std::string::npos);
  expectFlips(
      "carry f32",
      tokens(TokenKind::Carry, [](TokenRow &row) { drop(row.types, f32); }),
      {"carry"});
  expectFlips(
      "sync f32",
      tokens(TokenKind::Sync, [](TokenRow &row) { drop(row.types, f32); }),
      {"sync3"});
  expectFlips(
      "sync none",
      tokens(TokenKind::Sync, [](TokenRow &row) { drop(row.types, none); }),
      {"sync2", "sync3"});
  expectFlips(
      "constant i16",
      tokens(TokenKind::Constant, [](TokenRow &row) { drop(row.types, i16); }),
      {"constant"});
  expectFlips("index 64",
              [](Target &target) { drop(target.abi.indexWidths, 64u); },
              {"load", "load16", "load_v4", "store"});
  expectFlips("index 32",
              [](Target &target) { drop(target.abi.indexWidths, 32u); }, {});
  expectFlips("pointers",
              [](Target &target) { drop(target.abi.pointers, pointer); },
              {"load_ptr", "store_ptr"});
}

TEST_F(Admission, Lanes) {
  auto lanes = [](unsigned count) {
    return rowsWith("arith.addf",
                    [=](ComputeRow &row) { drop(row.lanes, count); });
  };
  // The row has subtraction and multiplication, too; nobody uses them here.
  expectFlips("4", lanes(4), {"addv4"});
  expectFlips("8", lanes(8), {"addv8"});
  expectFlips("1", lanes(1), {"addf"});
  expectFlips("16", lanes(16), {});
  expectFlips("access of 4",
              [](Target &target) {
                for (AccessRow &row : target.accesses)
                  drop(row.lanes, 4u);
              },
              {"load_v4"});
  EXPECT_NE(details.find("has no arith.addf on f32 with 4 lanes\n"),
            std::string::npos);
}

TEST_F(Admission, Tiers) {
  auto without = [](Accuracy tier) {
    return [=](Target &target) {
      llvm::erase_if(target.compute, [=](const ComputeRow &row) {
        return llvm::is_contained(row.ops, std::string("math.exp")) &&
               row.guarantees == tier;
      });
    };
  };
  // What is correctly rounded is within any tier.
  expectFlips("exact", without(Accuracy::CorrectlyRounded), {"exp_exact"});
  expectFlips("1 ulp", without(Accuracy::Max1Ulp), {});
  expectFlips("4 ulp", without(Accuracy::Max4Ulp), {});
  expectFlips("exact and 1 ulp",
              [&](Target &target) {
                without(Accuracy::CorrectlyRounded)(target);
                without(Accuracy::Max1Ulp)(target);
              },
              {"exp_1ulp", "exp_exact"});
  EXPECT_NE(details.find("within Max1Ulp"), std::string::npos);
}

TEST_F(Admission, FastMath) {
  // Units that rely on a flag serve only actors that have it.
  expectFlips(
      "nnan",
      rowsWith("arith.divf",
               [](ComputeRow &row) { row.needs = *fastMathBit("nnan"); }),
      {"divd", "divf"});
  expectFlips(
      "nsz",
      rowsWith("arith.divf",
               [](ComputeRow &row) { row.needs = *fastMathBit("nsz"); }),
      {"divd", "divd_nnan", "divf"});
}

} // namespace
