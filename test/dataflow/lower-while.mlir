// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-phases | FileCheck %s
// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-write-image=path=%t.img -o /dev/null
// RUN: loom-run %t.img --orders=25 i64[]:3,2,0,9 | FileCheck %s --check-prefix=EXEC
// RUN: loom-run %t.img --orders=25 i64[]:0,2,0,9 | FileCheck %s --check-prefix=NONE

// for (i = 0; p[i]; ++i) p[i] = -p[i];  return i
llvm.func @f(%a0: !llvm.ptr) {
  %r:2 = loom.spatial_region "neg" (%a0) partitions [0] exits [-1, -1] : (!llvm.ptr) -> (i32, i64) {
  ^bb0(%p: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %z = arith.constant 0 : i32
    %n:2 = scf.while (%i = %c0) : (i64) -> (i64, i64) {
      %o = arith.muli %i, %c8 : i64
      %q = llvm.getelementptr %p[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %q : !llvm.ptr -> i64
      %c = arith.cmpi ne, %v, %c0 : i64
      scf.condition(%c) %i, %v : i64, i64
    } do {
    ^bb0(%j: i64, %w: i64):
      %o = arith.muli %j, %c8 : i64
      %q = llvm.getelementptr %p[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %m = arith.subi %c0, %w : i64
      llvm.store %m, %q : i64, !llvm.ptr
      %k = arith.addi %j, %c1 : i64
      scf.yield %k : i64
    }
    loom.spatial_yield %z, %n#0 : i32, i64
  }
  llvm.return
}
// The condition is the phase of the loop, there is no stream.
// CHECK-LABEL: dataflow.graph @neg
// CHECK-NOT: dataflow.stream
// CHECK: dataflow.invariant %[[C:[0-9]+]], %start : none
// CHECK: %[[T:.*]] = dataflow.carry %[[C]], %start, %[[DONE:.*]] : none
// CHECK: %[[I:.*]] = dataflow.carry %[[C]], %{{.*}}, %[[K:.*]] : i64
// CHECK: %{{.*}}, %[[LD:.*]] = dataflow.load %arg0[%{{.*}}] %[[T]] : i64 -> i64
// CHECK: %[[C]] = arith.cmpi ne
// CHECK: %[[B:.*]]:2 = dataflow.demux %[[C]], %[[LD]]
// CHECK: %[[IX:.*]]:2 = dataflow.demux %[[C]], %[[I]]
// CHECK: %[[DONE]] = dataflow.store %arg0[%{{.*}}] %{{.*}} %[[B]]#1 : i64, i64
// CHECK: %[[K]] = arith.addi %[[IX]]#1
// The last read belongs to the exit.
// CHECK: dataflow.graph.return values(%{{.*}}, %[[IX]]#0 : i32, i64) complete(%{{.*}}%[[B]]#0
// EXEC: out 1: 2
// EXEC-NEXT: slot 0: -3 -2 0 9
// NONE: out 1: 0
// NONE-NEXT: slot 0: 0 2 0 9
