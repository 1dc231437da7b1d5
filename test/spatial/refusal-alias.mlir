// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two roots of one partition, one of them written: separate memories would be wrong.
// RUN: loom-opt --loom-emit-spatial %s -o /dev/null | FileCheck %s
// RUN: loom-opt --loom-derive-spatial %s | FileCheck %s --check-prefix=NONE

// CHECK: refused r.0: spatial-alias: roots in slots 0 and 1
// CHECK-NOT: SpatialApp
// NONE-NOT: spatial.app
func.func @f(%a0: !llvm.ptr, %a1: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "r.0" (%a0, %a1) partitions [0, 0] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c10 = arith.constant 10 : i64
    %z = arith.constant 0 : i32
    %v = llvm.load %x : !llvm.ptr -> i32
    llvm.store %v, %y : i32, !llvm.ptr
    loom.spatial_yield %z : i32
  }
  return %r : i32
}
