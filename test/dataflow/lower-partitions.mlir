// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-phases | FileCheck %s
// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-write-image=path=%t.img -o /dev/null
// RUN: loom-run %t.img --region=2 --orders=25 ptr[]:null,@1+8 i32[]:1,2,3 | FileCheck %s --check-prefix=CHASE

llvm.func @f(%a0: !llvm.ptr, %a1: !llvm.ptr) {
  // Two partitions: the second store waits for nothing of the first.
  %r = loom.spatial_region "apart" (%a0, %a1) partitions [3, 5] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%p: !llvm.ptr, %q: !llvm.ptr):
    %z = arith.constant 0 : i32
    llvm.store %z, %p : i32, !llvm.ptr
    llvm.store %z, %q : i32, !llvm.ptr
    loom.spatial_yield %z : i32
  }
  // One partition: it waits.
  %s = loom.spatial_region "together" (%a0, %a1) partitions [3, 3] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%p: !llvm.ptr, %q: !llvm.ptr):
    %z = arith.constant 0 : i32
    llvm.store %z, %p : i32, !llvm.ptr
    llvm.store %z, %q : i32, !llvm.ptr
    loom.spatial_yield %z : i32
  }
  // A pointer from memory: the access has a pointer as its address and is
  // ordered with everything.
  %t:2 = loom.spatial_region "chase" (%a0, %a1) partitions [0, 1] exits [-1, -1] : (!llvm.ptr, !llvm.ptr) -> (i32, i32) {
  ^bb0(%p: !llvm.ptr, %q: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i64
    %pp = llvm.getelementptr %p[%c8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %a = llvm.load %pp : !llvm.ptr -> !llvm.ptr
    llvm.store %c7, %a : i32, !llvm.ptr
    %qq = llvm.getelementptr %q[%c8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v = llvm.load %qq : !llvm.ptr -> i32
    loom.spatial_yield %z, %v : i32, i32
  }
  // A pointer as root and as data: both a memory and a value.
  %u = loom.spatial_region "both" (%a0, %a1) partitions [0, 0] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%p: !llvm.ptr, %q: !llvm.ptr):
    %z = arith.constant 0 : i32
    llvm.store %p, %q : !llvm.ptr, !llvm.ptr
    llvm.store %z, %p : i32, !llvm.ptr
    loom.spatial_yield %z : i32
  }
  llvm.return
}
// CHECK: dataflow.graph @apart(
// CHECK-NEXT: slots [0, 1] partitions [3, 5]
// CHECK: %[[A:.*]] = dataflow.store %arg0[%{{.*}}] %{{.*}} %start
// CHECK: %[[B:.*]] = dataflow.store %arg1[%{{.*}}] %{{.*}} %start
// CHECK: complete(%[[A]], %[[B]])
// CHECK: dataflow.graph @together(
// CHECK: %[[A:.*]] = dataflow.store %arg0[%{{.*}}] %{{.*}} %start
// CHECK: %[[B:.*]] = dataflow.store %arg1[%{{.*}}] %{{.*}} %[[A]]
// CHECK: complete(%[[B]])
// CHECK: dataflow.graph @chase(
// CHECK: %[[P:.*]], %[[PD:.*]] = dataflow.load %arg0[%{{.*}}] %start : i64 -> !llvm.ptr
// CHECK: %[[S:.*]] = dataflow.store[%[[P]]] %{{.*}} %[[PD]] : !llvm.ptr, i32
// CHECK: dataflow.load %arg1[%{{.*}}] %[[S]] : i64 -> i32
// CHECK: dataflow.graph @both(%start: none, %arg0: !llvm.ptr, %arg1: memref<?xi8>, %arg2: memref<?xi8>) -> i32
// CHECK-NEXT: slots [0, 0, 1] partitions [0, 0]
// CHASE: out 1: 7
// CHASE-NEXT: slot 1: 1 2 7
