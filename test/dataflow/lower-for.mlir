// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-phases | FileCheck %s
// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-write-image=path=%t.img -o /dev/null
// RUN: loom-run %t.img --orders=25 i64:4 f32:2 f32[]:1,2,3,4 f32[]:10,20,30,40 | FileCheck %s --check-prefix=FOUR
// RUN: loom-run %t.img --orders=25 i64:0 f32:2 f32[]:1,2,3,4 f32[]:10,20,30,40 | FileCheck %s --check-prefix=ZERO
// RUN: loom-run %t.img --orders=25 i64:1 f32:2 f32[]:1,2,3,4 f32[]:10,20,30,40 | FileCheck %s --check-prefix=ONE
// RUN: loom-run %t.img --region=1 --orders=25 i64:3 i64[]:5,6,7,8 | FileCheck %s --check-prefix=SUM

llvm.func @f(%a0: i64, %a1: f32, %a2: !llvm.ptr, %a3: !llvm.ptr) {
  %r = loom.spatial_region "saxpy" (%a0, %a1, %a2, %a3) partitions [-1, -1, 0, 1] exits [-1] : (i64, f32, !llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%n: i64, %a: f32, %x: !llvm.ptr, %y: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %px = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %py = llvm.getelementptr %y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %vx = llvm.load %px : !llvm.ptr -> f32
      %vy = llvm.load %py : !llvm.ptr -> f32
      %m = arith.mulf %a, %vx : f32
      %s = arith.addf %m, %vy : f32
      llvm.store %s, %py : f32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}
// One ring for y, none for x: nothing writes x, and the stores need its data.
// CHECK: dataflow.graph @saxpy(%start: none, %arg0: i64, %arg1: f32, %arg2: memref<?xi8>, %arg3: memref<?xi8>) -> i32
// CHECK: %[[IV:.*]], %[[PH:.*]] = dataflow.stream %{{.*}}, %arg0, %{{.*}} add while slt : i64
// CHECK: %[[ER:.*]] = dataflow.invariant %[[PH]], %start : none
// CHECK: %[[TR:.*]] = dataflow.carry %[[PH]], %start, %[[DONE:.*]] : none
// CHECK-NOT: dataflow.carry
// CHECK: %[[E:.*]]:2 = dataflow.demux %[[PH]], %[[ER]]
// CHECK: %[[T:.*]]:2 = dataflow.demux %[[PH]], %[[TR]]
// The constant is made in the body.
// CHECK: dataflow.constant %[[E]]#1 4 : i64
// CHECK: dataflow.load %arg2[%[[O:.*]]] %[[E]]#1 : i64 -> f32
// CHECK: %{{.*}}, %[[LD:.*]] = dataflow.load %arg3[%[[O]]] %[[T]]#1 : i64 -> f32
// The captured scalar: an invariant, and its true lane.
// CHECK: %[[AR:.*]] = dataflow.invariant %[[PH]], %arg1 : f32
// CHECK: dataflow.demux %[[PH]], %[[AR]]
// The store waits for the load, and the load waited for the ring.
// CHECK: %[[DONE]] = dataflow.store %arg3[%[[O]]] %{{.*}} %[[LD]] : i64, f32
// CHECK: dataflow.graph.return values(%{{.*}} : i32) complete(%[[T]]#0)

// FOUR: slot 3: 12 24 36 48
// ZERO: slot 3: 10 20 30 40
// ONE: slot 3: 12 20 30 40

llvm.func @g(%a0: i64, %a1: !llvm.ptr) {
  %r:2 = loom.spatial_region "sum" (%a0, %a1) partitions [-1, 0] exits [-1, -1] : (i64, !llvm.ptr) -> (i32, i64) {
  ^bb0(%n: i64, %x: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %z = arith.constant 0 : i32
    // Nested and triangular.
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (i64) : i64 {
      %o = arith.muli %i, %c8 : i64
      %px = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %px : !llvm.ptr -> i64
      %t = scf.for %j = %c0 to %i step %c1 iter_args(%in = %acc) -> (i64) : i64 {
        %u = arith.addi %in, %v : i64
        scf.yield %u : i64
      }
      scf.yield %t : i64
    }
    loom.spatial_yield %z, %s : i32, i64
  }
  llvm.return
}
// Nothing is written, but the inner loop may have no iteration: the reads go
// around and complete the launch.
// CHECK-LABEL: dataflow.graph @sum
// CHECK: %[[R:.*]] = dataflow.carry %[[PH:.*]], %start, %[[NEXT:.*]]#0 : none
// CHECK: %[[B:.*]]:2 = dataflow.demux %[[PH]], %[[R]]
// CHECK: %{{.*}}, %[[DONE:.*]] = dataflow.load
// CHECK: %[[NEXT]]:2 = dataflow.sync %[[B]]#1, %[[DONE]]
// CHECK: dataflow.graph.return values(%{{.*}} : i32, i64) complete(%[[B]]#0)
// SUM: out 1: 20
