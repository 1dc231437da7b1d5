// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An integer of 24 bits.
// RUN: loom-opt --loom-emit-spatial %s -o /dev/null | FileCheck %s
// RUN: loom-opt --loom-derive-spatial %s | FileCheck %s --check-prefix=NONE

// CHECK: refused r.0: spatial-type: i24
// CHECK-NOT: SpatialApp
// NONE-NOT: spatial.app
func.func @f(%a0: i24) -> i32 {
  %r = loom.spatial_region "r.0" (%a0) partitions [-1] exits [-1] : (i24) -> i32 {
  ^bb0(%x: i24):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c10 = arith.constant 10 : i64
    %z = arith.constant 0 : i32
    %w = arith.addi %x, %x : i24
    loom.spatial_yield %z : i32
  }
  return %r : i32
}
