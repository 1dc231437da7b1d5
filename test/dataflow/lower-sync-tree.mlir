// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-phases | FileCheck %s

// Nine reads before a write: no sync has more than four operands.
llvm.func @f(%a0: !llvm.ptr) {
  %r = loom.spatial_region "nine" (%a0) partitions [0] exits [-1] : (!llvm.ptr) -> i32 {
  ^bb0(%p: !llvm.ptr):
    %v0 = llvm.load %p : !llvm.ptr -> i32
    %v1 = llvm.load %p : !llvm.ptr -> i32
    %v2 = llvm.load %p : !llvm.ptr -> i32
    %v3 = llvm.load %p : !llvm.ptr -> i32
    %v4 = llvm.load %p : !llvm.ptr -> i32
    %v5 = llvm.load %p : !llvm.ptr -> i32
    %v6 = llvm.load %p : !llvm.ptr -> i32
    %v7 = llvm.load %p : !llvm.ptr -> i32
    %v8 = llvm.load %p : !llvm.ptr -> i32
    llvm.store %v8, %p : i32, !llvm.ptr
    loom.spatial_yield %v0 : i32
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @nine
// CHECK-NOT: dataflow.sync {{[^:]*,[^:]*,[^:]*,[^:]*,[^:]*}} :
// CHECK-COUNT-4: dataflow.sync
// CHECK-NOT: dataflow.sync
// CHECK: dataflow.store
