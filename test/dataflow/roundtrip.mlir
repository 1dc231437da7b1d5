// RUN: env LOOM_OPT_CHECK_ROUNDTRIP=1 loom-opt %s | FileCheck %s

// Every actor, written and read back.
// CHECK-LABEL: dataflow.graph @all(%start: none, %arg0: i64, %arg1: i1, %arg2: !llvm.ptr, %arg3: memref<?xi8>) -> (i32, f32, i64)
// CHECK-NEXT: slots [0, 1, 3, 2] partitions [7] exits [-1, 0, -1]
dataflow.graph @all(%start: none, %n: i64, %c: i1, %p: !llvm.ptr, %m: memref<?xi8>) -> (i32, f32, i64)
    slots [0, 1, 3, 2] partitions [7] exits [-1, 0, -1] {
  // CHECK: dataflow.constant %start 0 : i64
  // CHECK-NEXT: dataflow.constant %start 0 : i64 as !llvm.ptr
  // CHECK-NEXT: dataflow.constant %start 1.500000e+00 : f32
  %zero = dataflow.constant %start 0 : i64
  %null = dataflow.constant %start 0 : i64 as !llvm.ptr
  %f = dataflow.constant %start 1.5 : f32
  %exit = dataflow.constant %start 0 : i32
  %one = dataflow.constant %start 1 : i64
  // CHECK: dataflow.stream %{{.*}}, %arg0, %{{.*}} add while slt : i64
  %iv, %ph = dataflow.stream %zero, %n, %one add while slt : i64
  // CHECK: dataflow.carry %phase, %start, %{{.*}} : none
  %e = dataflow.carry %ph, %start, %e_next : none
  // CHECK: dataflow.invariant %phase, %{{.*}} : f32
  %fr = dataflow.invariant %ph, %f : f32
  // CHECK: dataflow.demux %phase, %{{.*}} : (i1, none) -> (none, none)
  %e_x, %e_b = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  // CHECK: dataflow.gate %phase, %{{.*}} : f32
  %last, %fb = dataflow.gate %ph, %fr : f32
  // CHECK: dataflow.load %arg3[%iv] %{{.*}} : i64 -> f32
  %v, %done = dataflow.load %m[%iv] %e_b : i64 -> f32
  %s = arith.addf %v, %fb : f32
  // CHECK: dataflow.store %arg3[%iv] %{{.*}} %{{.*}} : i64, f32
  %e_next = dataflow.store %m[%iv] %s %done : i64, f32
  // CHECK: dataflow.load[%arg2] %{{.*}} : !llvm.ptr -> i64
  %w, %wd = dataflow.load [%p] %e_x : !llvm.ptr -> i64
  %q = llvm.getelementptr %p[%w] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  // CHECK: dataflow.store[%{{.*}}] %{{.*}} %{{.*}} : !llvm.ptr, !llvm.ptr
  %sd = dataflow.store [%q] %null %wd : !llvm.ptr, !llvm.ptr
  %a:2 = dataflow.demux %c, %f : (i1, f32) -> (f32, f32)
  // CHECK: dataflow.mux %arg1, %{{.*}}#0, %{{.*}}#1 : (i1, f32, f32) -> f32
  %b = dataflow.mux %c, %a#0, %a#1 : (i1, f32, f32) -> f32
  %sel = arith.trunci %zero : i64 to i32
  %d:3 = dataflow.demux %sel, %b : (i32, f32) -> (f32, f32, f32)
  %g = dataflow.mux %sel, %d#0, %d#1, %d#2 : (i32, f32, f32, f32) -> f32
  // CHECK: dataflow.sync %{{.*}}, %{{.*}} : none, f32
  %h:2 = dataflow.sync %sd, %g : none, f32
  // CHECK: dataflow.graph.return values(%{{.*}}, %{{.*}}, %{{.*}} : i32, f32, i64) complete(%{{.*}}, %{{.*}})
  dataflow.graph.return values(%exit, %h#1, %w : i32, f32, i64) complete(%h#0, %e_x)
}

// CHECK-LABEL: dataflow.graph private @nothing
dataflow.graph private @nothing(%start: none) -> i32 slots [] partitions [] exits [-1] attributes {note = 1 : i32} {
  %0 = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%0 : i32) complete(%start)
}
