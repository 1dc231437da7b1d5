// RUN: not loom-opt %s --loom-lower-to-dataflow 2>&1 | FileCheck %s

// Every operation without an actor is named; nothing is lowered.
// CHECK-DAG: refused: dataflow-op: math.sin (line 18)
// CHECK-DAG: refused: dataflow-op: llvm.load volatile
// CHECK-DAG: refused: dataflow-op: llvm.load of i24
// CHECK-DAG: refused: dataflow-op: llvm.getelementptr with another element type than i8
// CHECK-DAG: refused: dataflow-op: arith.addi with a value of i128
// CHECK-DAG: refused: dataflow-op: arith.addf with a value of vector<2xf32>
// CHECK-DAG: refused: dataflow-op: llvm.call
// CHECK-DAG: refused: dataflow-op: llvm.intr.bswap of an odd number of bytes
// CHECK-NOT: dataflow.graph
llvm.func @callee()
llvm.func @f(%a0: f32, %a1: !llvm.ptr, %a2: i64) {
  %r = loom.spatial_region "no" (%a0, %a1, %a2) partitions [-1, 0, -1] exits [-1] : (f32, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: f32, %p: !llvm.ptr, %i: i64):
    %z = arith.constant 0 : i32
    %s = math.sin %x : f32
    %v = llvm.load volatile %p : !llvm.ptr -> i32
    %w = llvm.load %p : !llvm.ptr -> i24
    %g = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %h = llvm.getelementptr %p[%i, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
    %e = arith.extui %i : i64 to i128
    %a = arith.addi %e, %e : i128
    %vec = arith.constant dense<1.0> : vector<2xf32>
    %b = arith.addf %vec, %vec : vector<2xf32>
    llvm.call @callee() : () -> ()
    %t = arith.trunci %i : i64 to i24
    %bs = llvm.intr.bswap(%t) : (i24) -> i24
    loom.spatial_yield %z : i32
  }
  llvm.return
}
