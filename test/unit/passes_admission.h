// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs that need one thing each, and what is taken from a target.

#ifndef LOOM_TEST_UNIT_PASSES_ADMISSION_H
#define LOOM_TEST_UNIT_PASSES_ADMISSION_H

#include "loom/Dataflow/Verify/Admit.h"
#include "loom/Fabric/Builtin/Resolve.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include <functional>
#include <gtest/gtest.h>

namespace admissiontest {

using namespace loom;
using namespace loom::fabric;

struct Candidate {
  const char *name;
  const char *body;
};

// Each has %start: none, and inputs of the types in its name.
inline const Candidate candidates[] = {
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

inline constexpr Element i16{Element::Integer, 16, 0},
    i32{Element::Integer, 32, 0}, i64{Element::Integer, 64, 0},
    f32{Element::Float, 32, 0}, f64{Element::Float, 64, 0}, none{},
    pointer{Element::Pointer, 64, 0};

inline std::function<void(Target &)> withoutOp(const char *op) {
  return [op](Target &target) {
    for (ComputeRow &row : target.compute)
      drop(row.ops, std::string(op));
  };
}

/// Changes the rows that have the operation.
inline std::function<void(Target &)>
rowsWith(const char *op, const std::function<void(ComputeRow &)> &change) {
  return [=](Target &target) {
    for (ComputeRow &row : target.compute)
      if (llvm::is_contained(row.ops, std::string(op)))
        change(row);
  };
}

inline std::function<void(Target &)>
tokens(TokenKind kind, const std::function<void(TokenRow &)> &change) {
  return [=](Target &target) {
    for (TokenRow &row : target.tokens)
      if (row.kind == kind)
        change(row);
  };
}

inline std::function<void(Target &)>
withoutAccess(AccessKind kind, AccessForm form, AddressForm address) {
  return [=](Target &target) {
    llvm::erase_if(target.accesses, [=](const AccessRow &row) {
      return row.kind == kind && row.form == form && row.address == address;
    });
  };
}

} // namespace admissiontest

#endif
