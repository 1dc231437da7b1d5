// RUN: not loom-opt %s --loom-lower-to-dataflow 2>&1 | FileCheck %s

// Atomic and volatile accesses, fences and attributes that would decide a token
// are refused by name; no plain access stands in for them.
// CHECK-DAG: refused: dataflow-op: llvm.load volatile
// CHECK-DAG: refused: dataflow-op: llvm.store volatile
// CHECK-DAG: refused: dataflow-op: llvm.load atomic
// CHECK-DAG: refused: dataflow-op: llvm.store atomic
// CHECK-DAG: refused: dataflow-op: llvm.atomicrmw
// CHECK-DAG: refused: dataflow-op: llvm.fence
// CHECK-DAG: refused: dataflow-op: llvm.cmpxchg
// CHECK-DAG: refused: dataflow-op: arith.truncf with the attribute roundingmode
// CHECK-NOT: dataflow.graph
llvm.func @f(%a0: f64, %a1: !llvm.ptr, %a2: i64) {
  %r = loom.spatial_region "no" (%a0, %a1, %a2) partitions [-1, 0, -1] exits [-1] : (f64, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: f64, %p: !llvm.ptr, %i: i64):
    %z = arith.constant 0 : i32
    %v = llvm.load volatile %p : !llvm.ptr -> i32
    llvm.store volatile %v, %p : i32, !llvm.ptr
    %w = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
    llvm.store %w, %p atomic release {alignment = 4 : i64} : i32, !llvm.ptr
    %u = llvm.atomicrmw add %p, %i monotonic : !llvm.ptr, i64
    llvm.fence acquire
    %c = llvm.cmpxchg %p, %i, %i seq_cst seq_cst : !llvm.ptr, i64
    %t = arith.truncf %x toward_zero : f64 to f32
    loom.spatial_yield %z : i32
  }
  llvm.return
}
