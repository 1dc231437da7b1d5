// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-phases | FileCheck %s
// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-write-image=path=%t.img -o /dev/null
// RUN: loom-run %t.img --orders=25 i32[]:1,2,3,4 | FileCheck %s --check-prefix=EXEC

// R0; R1; W2; R3 of one partition: the reads don't wait for each other, the
// write waits for both, the last read for the write.
llvm.func @f(%a0: !llvm.ptr) {
  %r:2 = loom.spatial_region "rrwr" (%a0) partitions [0] exits [-1, -1] : (!llvm.ptr) -> (i32, i32) {
  ^bb0(%p: !llvm.ptr):
    %c4 = arith.constant 4 : i64
    %c8 = arith.constant 8 : i64
    %z = arith.constant 0 : i32
    %p1 = llvm.getelementptr %p[%c4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %p2 = llvm.getelementptr %p1[%c8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v0 = llvm.load %p : !llvm.ptr -> i32
    %v1 = llvm.load %p1 : !llvm.ptr -> i32
    %s = arith.addi %v0, %v1 : i32
    llvm.store %s, %p2 : i32, !llvm.ptr
    %v3 = llvm.load %p2 : !llvm.ptr -> i32
    loom.spatial_yield %z, %v3 : i32, i32
  }
  llvm.return
}
// The root pointer is a memory, not a token.
// CHECK: dataflow.graph @rrwr(%start: none, %arg0: memref<?xi8>) -> (i32, i32)
// CHECK-NEXT: slots [0] partitions [0] exits [-1, -1]
// CHECK: %[[V0:.*]], %[[D0:.*]] = dataflow.load %arg0[%{{.*}}] %start : i64 -> i32
// CHECK: %[[V1:.*]], %[[D1:.*]] = dataflow.load %arg0[%{{.*}}] %start : i64 -> i32
// CHECK: %[[J:.*]]:2 = dataflow.sync %[[D0]], %[[D1]] : none, none
// CHECK: %[[W:.*]] = dataflow.store %arg0[%{{.*}}] %{{.*}} %[[J]]#0 : i64, i32
// CHECK: %[[V3:.*]], %[[D3:.*]] = dataflow.load %arg0[%{{.*}}] %[[W]] : i64 -> i32
// CHECK: dataflow.graph.return values(%{{.*}}, %[[V3]] : i32, i32) complete(%[[D3]])
// EXEC: out 1: 3
// EXEC-NEXT: slot 0: 1 2 3 3
