// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-phases | FileCheck %s
// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-write-image=path=%t.img -o /dev/null
// RUN: loom-run %t.img --orders=50 i64:4 i64[]:1,2,3,4 i64[]:10,20,30,40 | FileCheck %s --check-prefix=EXEC

// A loop that only reads two partitions, between writes to both: it starts after
// the writes before it, its reads share one ring, and both later writes wait for
// the end of that ring.
llvm.func @f(%a0: i64, %a1: !llvm.ptr, %a2: !llvm.ptr) {
  %r:2 = loom.spatial_region "shared" (%a0, %a1, %a2) partitions [-1, 0, 1] exits [-1, -1] : (i64, !llvm.ptr, !llvm.ptr) -> (i32, i64) {
  ^bb0(%n: i64, %p: !llvm.ptr, %q: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    llvm.store %c8, %p : i64, !llvm.ptr
    llvm.store %c8, %q : i64, !llvm.ptr
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (i64) : i64 {
      %o = arith.muli %i, %c8 : i64
      %pp = llvm.getelementptr %p[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %qq = llvm.getelementptr %q[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %pp : !llvm.ptr -> i64
      %w = llvm.load %qq : !llvm.ptr -> i64
      %t = arith.addi %acc, %v : i64
      %u = arith.addi %t, %w : i64
      scf.yield %u : i64
    }
    llvm.store %c0, %p : i64, !llvm.ptr
    llvm.store %c0, %q : i64, !llvm.ptr
    loom.spatial_yield %z, %s : i32, i64
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @shared
// CHECK: %[[A:.*]] = dataflow.store %arg1
// CHECK: %[[B:.*]] = dataflow.store %arg2
// CHECK: %{{.*}}, %[[PH:.*]] = dataflow.stream
// CHECK: %[[IN:.*]]:2 = dataflow.sync %[[A]], %[[B]] : none, none
// CHECK: %[[ER:.*]] = dataflow.invariant %[[PH]], %[[IN]]#0 : none
// CHECK: %[[RR:.*]] = dataflow.carry %[[PH]], %{{.*}}, %[[NEXT:.*]]#0 : none
// CHECK-NOT: dataflow.carry %[[PH]], %{{.*}} : none
// CHECK: %[[E:.*]]:2 = dataflow.demux %[[PH]], %[[ER]]
// CHECK: %[[R:.*]]:2 = dataflow.demux %[[PH]], %[[RR]]
// CHECK: %{{.*}}, %[[DP:.*]] = dataflow.load %arg1[%{{.*}}] %[[E]]#1
// CHECK: %{{.*}}, %[[DQ:.*]] = dataflow.load %arg2[%{{.*}}] %[[E]]#1
// CHECK: %[[NEXT]]:3 = dataflow.sync %[[R]]#1, %[[DP]], %[[DQ]]
// CHECK: dataflow.store %arg1[%{{.*}}] %{{.*}} %[[R]]#0
// CHECK: dataflow.store %arg2[%{{.*}}] %{{.*}} %[[R]]#0
// EXEC: out 1: 115
// EXEC-NEXT: slot 1: 0 2 3 4
// EXEC-NEXT: slot 2: 0 20 30 40
