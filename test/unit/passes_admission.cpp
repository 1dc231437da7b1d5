// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Admission: one thing is taken from a target at a time, and exactly the graphs
// that need it are no longer admitted. Which these are is written down by hand.

#include "loom/Dataflow/Verify/Admit.h"
#include "loom/Fabric/Builtin/Resolve.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include <functional>
#include <gtest/gtest.h>

using namespace loom;
using namespace loom::fabric;

namespace {

struct Candidate {
  const char *name;
  const char *body;
};

// Each has %start: none, and inputs of the types in its name.
const Candidate candidates[] = {
    {"add32", "%r = arith.addi %i32, %i32 : i32"},
    {"add24", "%r = arith.addi %i24, %i24 : i24"},
    {"add64", "%r = arith.addi %i64, %i64 : i64"},
    {"sub32", "%r = arith.subi %i32, %i32 : i32"},
    {"less32", "%r = arith.cmpi slt, %i32, %i32 : i32"},
    {"narrow", "%r = arith.trunci %i64 : i64 to i32"},
    {"narrow16", "%r = arith.trunci %i32 : i32 to i16"},
    {"convert", "%r = arith.sitofp %i32 : i32 to f64"},
    {"addf", "%r = arith.addf %f32, %f32 : f32"},
    {"addv4", "%r = arith.addf %v4, %v4 : vector<4xf32>"},
    {"addv8", "%r = arith.addf %v8, %v8 : vector<8xf32>"},
    {"divf", "%r = arith.divf %f32, %f32 : f32"},
    {"divd", "%r = arith.divf %f64, %f64 : f64"},
    {"divd_nnan", "%r = arith.divf %f64, %f64 fastmath<nnan> : f64"},
    {"fma", "%r = math.fma %f32, %f32, %f32 : f32"},
    {"exp_exact", "%r = math.exp %f32 : f32"},
    {"exp_1ulp", "%r = math.exp %f32 fastmath<afn> "
                 "{loom.special_math_accuracy = \"Max1Ulp\"} : f32"},
    {"exp_4ulp", "%r = math.exp %f32 fastmath<afn> "
                 "{loom.special_math_accuracy = \"Max4Ulp\"} : f32"},
    {"load", "%r, %d = dataflow.load %m[%i64] %start : i64 -> f32"},
    {"load16", "%r, %d = dataflow.load %m[%i64] %start : i64 -> i16"},
    {"load_ptr", "%r, %d = dataflow.load [%p] %start : !llvm.ptr -> f32"},
    {"load_v4", "%r, %d = dataflow.load %m[%i64] %start : i64 -> "
                "vector<4xf32>"},
    {"store", "%d = dataflow.store %m[%i64] %f32 %start : i64, f32"},
    {"store_ptr", "%d = dataflow.store [%p] %f32 %start : !llvm.ptr, f32"},
    {"sync2", "%r:2 = dataflow.sync %start, %start : none, none"},
    {"sync3", "%r:3 = dataflow.sync %start, %start, %f32 : none, none, f32"},
    {"mux2", "%r = dataflow.mux %i1, %f32, %f32 : (i1, f32, f32) -> f32"},
    {"mux3", "%r = dataflow.mux %i32, %f32, %f32, %f32 : "
             "(i32, f32, f32, f32) -> f32"},
    {"demux3", "%r:3 = dataflow.demux %i32, %f32 : (i32, f32) -> "
               "(f32, f32, f32)"},
    {"constant", "%r = dataflow.constant %start 7 : i16"},
    {"count", "%r, %h = dataflow.stream %i64, %i64, %i64 add while slt : i64"},
    {"double", "%r, %h = dataflow.stream %i64, %i64, %i64 mul while slt : "
               "i64"},
    {"carry", "%r = dataflow.carry %i1, %f32, %f32 : f32"},
    {"invariant", "%r = dataflow.invariant %i1, %f64 : f64"},
    {"gate", "%r, %g = dataflow.gate %i1, %f32 : f32"},
    {"pointer", "%r = llvm.getelementptr %p[%i64] : (!llvm.ptr, i64) -> "
                "!llvm.ptr, i8"},
};

class Admission : public testing::Test {
protected:
  Admission() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<dataflow::DataflowDialect, mlir::arith::ArithDialect,
                        mlir::math::MathDialect, mlir::LLVM::LLVMDialect>();
    std::string text;
    for (const Candidate &candidate : candidates)
      text += std::string("dataflow.graph @") + candidate.name +
              "(%start: none, %i1: i1, %i24: i24, %i32: i32, %i64: i64, "
              "%f32: f32, %f64: f64, %v4: vector<4xf32>, %v8: vector<8xf32>, "
              "%p: !llvm.ptr, %m: memref<?xi8>) -> i32 "
              "slots [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] partitions [0] exits [-1] "
              "{\n  " +
              candidate.body +
              "\n  dataflow.graph.return values(%i32 : i32) "
              "complete(%start)\n}\n";
    // Vectors before the dialect has them: not verified.
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context, /*verifyAfterParse=*/false));
    llvm::Expected<Target> resolved = resolveTarget("default");
    EXPECT_TRUE(bool(resolved));
    whole = std::move(*resolved);
  }

  std::set<std::string> refusedBy(const Target &target) {
    std::set<std::string> names;
    CapabilityView view(target);
    for (auto graph : module->getOps<dataflow::GraphOp>()) {
      llvm::SmallVector<Refused> refusals;
      if (failed(admitGraph(graph, view, target.name, refusals))) {
        names.insert(graph.getSymName().str());
        EXPECT_FALSE(refusals.empty());
        details += refusals.front().detail + "\n";
      }
    }
    return names;
  }

  using Names = std::set<std::string>;
  void expectFlips(const char *what, const std::function<void(Target &)> &take,
                   const Names &flips) {
    Target target = whole;
    take(target);
    EXPECT_EQ(refusedBy(target), flips) << what;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Target whole;
  std::string details;
};

template <typename T>
void drop(std::vector<T> &list, const T &value) {
  llvm::erase(list, value);
}

constexpr Element i16{Element::Integer, 16, 0}, i32{Element::Integer, 32, 0},
    i64{Element::Integer, 64, 0}, f32{Element::Float, 32, 0},
    f64{Element::Float, 64, 0}, none{}, pointer{Element::Pointer, 64, 0};

std::function<void(Target &)> withoutOp(const char *op) {
  return [op](Target &target) {
    for (ComputeRow &row : target.compute)
      drop(row.ops, std::string(op));
  };
}

/// Changes the rows that have the operation.
std::function<void(Target &)>
rowsWith(const char *op, const std::function<void(ComputeRow &)> &change) {
  return [=](Target &target) {
    for (ComputeRow &row : target.compute)
      if (llvm::is_contained(row.ops, std::string(op)))
        change(row);
  };
}

std::function<void(Target &)>
tokens(TokenKind kind, const std::function<void(TokenRow &)> &change) {
  return [=](Target &target) {
    for (TokenRow &row : target.tokens)
      if (row.kind == kind)
        change(row);
  };
}

std::function<void(Target &)> withoutAccess(AccessKind kind, AccessForm form,
                                            AddressForm address) {
  return [=](Target &target) {
    llvm::erase_if(target.accesses, [=](const AccessRow &row) {
      return row.kind == kind && row.form == form && row.address == address;
    });
  };
}

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

TEST_F(Admission, MemoryRows) {
  using A = AddressForm;
  using F = AccessForm;
  using K = AccessKind;
  expectFlips("load", withoutAccess(K::Load, F::Element, A::Root),
              {"load", "load16"});
  expectFlips("load pointer", withoutAccess(K::Load, F::Element, A::Pointer),
              {"load_ptr"});
  expectFlips("load contiguous", withoutAccess(K::Load, F::Contiguous, A::Root),
              {"load_v4"});
  expectFlips("load indexed", withoutAccess(K::Load, F::Indexed, A::Root), {});
  expectFlips("store", withoutAccess(K::Store, F::Element, A::Root), {"store"});
  expectFlips("store pointer", withoutAccess(K::Store, F::Element, A::Pointer),
              {"store_ptr"});
  expectFlips("ordering",
              [](Target &target) {
                for (AccessRow &row : target.accesses)
                  if (row.kind == K::Store)
                    row.ordering = Ordering::Volatile;
              },
              {"store", "store_ptr"});
  expectFlips("i16",
              [](Target &target) {
                for (AccessRow &row : target.accesses)
                  drop(row.types, i16);
              },
              {"load16"});
}

TEST_F(Admission, FansAndSteps) {
  auto fan = [](TokenKind kind) {
    return tokens(kind, [](TokenRow &row) { row.fan = 2; });
  };
  expectFlips("sync", fan(TokenKind::Sync), {"sync3"});
  expectFlips("mux", fan(TokenKind::Mux), {"mux3"});
  expectFlips("demux", fan(TokenKind::Demux), {"demux3"});
  auto step = [](StepKind kind) {
    return [=](Target &target) {
      llvm::erase_if(target.streams,
                     [=](const StreamRow &row) { return row.step == kind; });
    };
  };
  expectFlips("add", step(StepKind::Add), {"count"});
  expectFlips("mul", step(StepKind::Mul), {"double"});
  auto kind = [](TokenKind kind) {
    return [=](Target &target) {
      llvm::erase_if(target.tokens,
                     [=](const TokenRow &row) { return row.kind == kind; });
    };
  };
  expectFlips("invariant", kind(TokenKind::Invariant), {"invariant"});
  expectFlips("gate", kind(TokenKind::Gate), {"gate"});
}

/// Counts are no mapping: one unit is enough for any graph, none for no graph.
TEST_F(Admission, Counts) {
  auto count = [](uint32_t units) {
    return rowsWith("math.fma",
                    [=](ComputeRow &row) { row.costs.count = units; });
  };
  expectFlips("one", count(1), {});
  expectFlips("none", count(0), {"fma"});
  EXPECT_NE(details.find("has no unit for math.fma"), std::string::npos);
  ActorDemand demand;
  demand.op = "math.fma";
  demand.type = f32;
  EXPECT_EQ(CapabilityView(whole).occurrences(demand), 19u * 8u);
  demand.type = i32;
  EXPECT_EQ(CapabilityView(whole).occurrences(demand), 0u);
}

TEST_F(Admission, Abi) {
  CapabilityView view(whole);
  ProgramAbi abi{{pointer}, Endianness::Little, "x86_64-pc-linux-gnu"};
  EXPECT_EQ(view.lacks(abi), "");
  abi.endianness = Endianness::Big;
  EXPECT_EQ(view.lacks(abi), "big-endian memory");
  abi = {{Element{Element::Pointer, 32, 0}}, Endianness::Little, ""};
  EXPECT_EQ(view.lacks(abi), "ptr<0, 32>");
  Target arm = whole;
  arm.abi.triple = "aarch64";
  abi = {{pointer}, Endianness::Little, "x86_64-pc-linux-gnu"};
  EXPECT_EQ(CapabilityView(arm).lacks(abi), "triple x86_64-pc-linux-gnu");
}

} // namespace
