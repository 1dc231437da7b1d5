// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bound of the loop is known only when it runs.
// RUN: loom-opt --loom-emit-spatial %s -o /dev/null | FileCheck %s
// RUN: loom-opt --loom-derive-spatial %s | FileCheck %s --check-prefix=NONE

// CHECK: refused r.0: spatial-footprint: root in slot 1
// CHECK-NOT: SpatialApp
// NONE-NOT: spatial.app
func.func @f(%a0: i64, %a1: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "r.0" (%a0, %a1) partitions [-1, 0] exits [-1] : (i64, !llvm.ptr) -> i32 {
  ^bb0(%n: i64, %x: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c10 = arith.constant 10 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}
