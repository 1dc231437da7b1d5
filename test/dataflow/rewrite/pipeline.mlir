// All of them, after the plain lowering. The order rings of a partition that is only read,
// and the permission's, become one invariant, and the results are the same.
// RUN: loom-opt %s --loom-lower-to-dataflow=mechanical --dataflow-verify-phases | FileCheck %s --check-prefix=D0
// RUN: loom-opt %s --loom-lower-to-dataflow=mechanical --loom-rewrite-dataflow --dataflow-verify-phases --dataflow-write-image=path=%t.img | FileCheck %s
// RUN: loom-run %t.img --orders=25 i64:3 i64[]:5,6,7 i64[]:1,1,1 | FileCheck %s --check-prefix=EXEC
llvm.func @f(%a0: i64, %a1: !llvm.ptr, %a2: !llvm.ptr) {
  %r = loom.spatial_region "copy" (%a0, %a1, %a2) partitions [-1, 0, 1] exits [-1] : (i64, !llvm.ptr, !llvm.ptr) -> (i32) {
  ^bb0(%n: i64, %p: !llvm.ptr, %q: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c8 : i64
      %pp = llvm.getelementptr %p[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %qq = llvm.getelementptr %q[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %pp : !llvm.ptr -> i64
      llvm.store %v, %qq : i64, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}
// D0-COUNT-5: dataflow.carry
// CHECK-NOT: dataflow.carry
// CHECK: %[[E:.*]] = dataflow.invariant %phase, %start : none
// CHECK: %[[W:.*]] = dataflow.carry %phase, %start, %[[S:.*]] : none
// CHECK-NOT: dataflow.carry
// CHECK: %[[EL:.*]]:2 = dataflow.demux %phase, %[[E]]
// CHECK: %[[WL:.*]]:2 = dataflow.demux %phase, %[[W]]
// CHECK: dataflow.load %arg1[%{{.*}}] %[[EL]]#1
// CHECK: %[[S]] = dataflow.store
// CHECK: complete(%[[WL]]#0)
// RUN: loom-opt %s --loom-lower-to-dataflow --loom-rewrite-dataflow | FileCheck %s
// EXEC: slot 2: 5 6 7
