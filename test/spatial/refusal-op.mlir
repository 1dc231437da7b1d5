// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fused multiply-add rounds once; Spatial has none.
// RUN: loom-opt --loom-emit-spatial %s -o /dev/null | FileCheck %s
// RUN: loom-opt --loom-derive-spatial %s | FileCheck %s --check-prefix=NONE

// CHECK: refused r.0: spatial-op: math.fma
// CHECK-NOT: SpatialApp
// NONE-NOT: spatial.app
func.func @f(%a0: f32) -> i32 {
  %r = loom.spatial_region "r.0" (%a0) partitions [-1] exits [-1] : (f32) -> i32 {
  ^bb0(%x: f32):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c10 = arith.constant 10 : i64
    %z = arith.constant 0 : i32
    %w = math.fma %x, %x, %x : f32
    loom.spatial_yield %z : i32
  }
  return %r : i32
}
