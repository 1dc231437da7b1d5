// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counter is no 64-bit integer.
// RUN: loom-opt --loom-emit-spatial %s -o /dev/null | FileCheck %s
// RUN: loom-opt --loom-derive-spatial %s | FileCheck %s --check-prefix=NONE

// CHECK: refused r.0: spatial-loop: a loop that does not count in 64 bits
// CHECK-NOT: SpatialApp
// NONE-NOT: spatial.app
func.func @f(%a0: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "r.0" (%a0) partitions [0] exits [-1] : (!llvm.ptr) -> i32 {
  ^bb0(%x: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c10 = arith.constant 10 : i64
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ten = arith.constant 10 : i32
    scf.for %i = %z to %ten step %one : i32 {
      llvm.store %i, %x : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}
