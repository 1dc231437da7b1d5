// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes each root may touch: exact where the bounds are known, unknown rather
// than guessed everywhere else.
// RUN: loom-opt --loom-print-footprints %s -o /dev/null | FileCheck %s

// x[i - j] over a triangle, and a loop that is empty in its last row.
// CHECK-LABEL: region triangle
// CHECK-NEXT: arg 0: reads [0, 80) of i64
// CHECK-NEXT: arg 1: writes [8, 40) of i64
func.func @triangle(%x0: !llvm.ptr, %y0: !llvm.ptr, %e: i64) -> i32 {
  %r = loom.spatial_region "triangle" (%x0, %y0, %e) partitions [0, 1, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %v: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c5 = arith.constant 5 : i64
    %c8 = arith.constant 8 : i64
    %c10 = arith.constant 10 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %c10 step %c1 : i64 {
      %top = arith.addi %i, %c1 : i64
      scf.for %j = %c0 to %top step %c1 : i64 {
        %d = arith.subi %i, %j : i64
        %o = arith.muli %d, %c8 : i64
        %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %l = llvm.load %p : !llvm.ptr -> i64
      }
    }
    scf.for %i = %c0 to %c5 step %c1 : i64 {
      %low = arith.addi %i, %c1 : i64
      scf.for %j = %low to %c5 step %c1 : i64 {
        // 5 - j + i: between 1 and 4 where i < j < 5
        %a = arith.subi %c5, %j : i64
        %b = arith.addi %a, %i : i64
        %o = arith.muli %b, %c8 : i64
        %p = llvm.getelementptr %y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        llvm.store %v, %p : i64, !llvm.ptr
      }
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Steps of four with fixed offsets, the last of them by `or`; a tail that is
// stepped by two from a byte-odd place.
// CHECK-LABEL: region unrolled
// CHECK-NEXT: arg 0: reads [0, 64) of f32
// CHECK-NEXT: arg 1: reads writes [2, 20) of i16
func.func @unrolled(%x0: !llvm.ptr, %y0: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "unrolled" (%x0, %y0) partitions [0, 1] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    %c4 = arith.constant 4 : i64
    %c9 = arith.constant 9 : i64
    %c16 = arith.constant 16 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %c16 step %c4 : i64 {
      %o0 = arith.muli %i, %c4 : i64
      %p0 = llvm.getelementptr %x[%o0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l0 = llvm.load %p0 : !llvm.ptr -> f32
      %i3 = arith.ori %i, %c3 : i64
      %o3 = arith.shli %i3, %c2 : i64
      %p3 = llvm.getelementptr %x[%o3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l3 = llvm.load %p3 : !llvm.ptr -> f32
    }
    scf.for %i = %c0 to %c9 step %c2 : i64 {
      %o = arith.muli %i, %c2 : i64
      %q = llvm.getelementptr %y[%c2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %p = llvm.getelementptr %q[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l = llvm.load %p : !llvm.ptr -> i16
      llvm.store %l, %p : i16, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Tables: an index that is a byte, masked, a remainder, shifted down, clamped.
// CHECK-LABEL: region tables
// CHECK-NEXT: arg 0: reads [0, 1024) of i32
// CHECK-NEXT: arg 1: reads [0, 64) of i8
// CHECK-NEXT: arg 2: reads [0, 10) of i8
// CHECK-NEXT: arg 3: reads [0, 16) of i8
// CHECK-NEXT: arg 4: reads [3, 8) of i8
// CHECK-NEXT: arg 5: reads [0, 8) of i8
func.func @tables(%n: i64, %b0: i8, %p0: !llvm.ptr, %p1: !llvm.ptr, %p2: !llvm.ptr, %p3: !llvm.ptr, %p4: !llvm.ptr, %p5: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "tables" (%p0, %p1, %p2, %p3, %p4, %p5, %n, %b0) partitions [0, 1, 2, 3, 4, 5, -1, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i8) -> i32 {
  ^bb0(%t0: !llvm.ptr, %t1: !llvm.ptr, %t2: !llvm.ptr, %t3: !llvm.ptr, %t4: !llvm.ptr, %t5: !llvm.ptr, %x: i64, %byte: i8):
    %c3 = arith.constant 3 : i64
    %c4 = arith.constant 4 : i64
    %c7 = arith.constant 7 : i64
    %c10 = arith.constant 10 : i64
    %c60 = arith.constant 60 : i64
    %c63 = arith.constant 63 : i64
    %z = arith.constant 0 : i32
    %w = arith.extui %byte : i8 to i64
    %o0 = arith.muli %w, %c4 : i64
    %q0 = llvm.getelementptr %t0[%o0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %l0 = llvm.load %q0 : !llvm.ptr -> i32
    %o1 = arith.andi %x, %c63 : i64
    %q1 = llvm.getelementptr %t1[%o1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %l1 = llvm.load %q1 : !llvm.ptr -> i8
    %o2 = arith.remui %x, %c10 : i64
    %q2 = llvm.getelementptr %t2[%o2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %l2 = llvm.load %q2 : !llvm.ptr -> i8
    %o3 = arith.shrui %x, %c60 : i64
    %q3 = llvm.getelementptr %t3[%o3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %l3 = llvm.load %q3 : !llvm.ptr -> i8
    %m = arith.minsi %x, %c7 : i64
    %o4 = arith.maxsi %m, %c3 : i64
    %q4 = llvm.getelementptr %t4[%o4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %l4 = llvm.load %q4 : !llvm.ptr -> i8
    // Only where 0 <= x < 8, as one unsigned comparison.
    %c8 = arith.constant 8 : i64
    %in = arith.cmpi ult, %x, %c8 : i64
    scf.if %in {
      %q5 = llvm.getelementptr %t5[%x] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l5 = llvm.load %q5 : !llvm.ptr -> i8
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// What is not proven stays unknown: a free bound, a product that may wrap, the
// sign bit of a shift, a signed remainder of anything.
// CHECK-LABEL: region unknowns
// CHECK-NEXT: arg 0: reads unknown of i8
// CHECK-NEXT: arg 1: reads unknown of i8
// CHECK-NEXT: arg 2: reads unknown of i8
// CHECK-NEXT: arg 3: reads [-9, 10) of i8
// CHECK-NEXT: arg 4: unused
func.func @unknowns(%n: i64, %p0: !llvm.ptr, %p1: !llvm.ptr, %p2: !llvm.ptr, %p3: !llvm.ptr, %p4: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "unknowns" (%p0, %p1, %p2, %p3, %p4, %n) partitions [0, 1, 2, 3, 4, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%t0: !llvm.ptr, %t1: !llvm.ptr, %t2: !llvm.ptr, %t3: !llvm.ptr, %t4: !llvm.ptr, %x: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c10 = arith.constant 10 : i64
    %c100 = arith.constant 100 : i64
    %huge = arith.constant 4611686018427387904 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %x step %c1 : i64 {
      %q0 = llvm.getelementptr %t0[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l0 = llvm.load %q0 : !llvm.ptr -> i8
    }
    scf.for %i = %c0 to %c100 step %c1 : i64 {
      // i * 2^62 wraps from i = 2 on
      %o1 = arith.muli %i, %huge : i64
      %q1 = llvm.getelementptr %t1[%o1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l1 = llvm.load %q1 : !llvm.ptr -> i8
    }
    %s = arith.shli %x, %c2 : i64
    %o2 = arith.shrsi %s, %c2 : i64
    %q2 = llvm.getelementptr %t2[%o2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %l2 = llvm.load %q2 : !llvm.ptr -> i8
    %o3 = arith.remsi %x, %c10 : i64
    %q3 = llvm.getelementptr %t3[%o3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %l3 = llvm.load %q3 : !llvm.ptr -> i8
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// 32-bit index arithmetic wraps at 32 bits: i * 2^30 is not 2^30 times i.
// Guarded neighbours, a second induction variable and a tile cut to the end.
// CHECK-LABEL: region narrow
// CHECK-NEXT: arg 0: reads unknown of i8
// CHECK-NEXT: arg 1: reads [0, 40) of i32
// CHECK-NEXT: arg 2: reads [5, 33) of i8
// CHECK-NEXT: arg 3: reads [0, 21) of i8
func.func @narrow(%p0: !llvm.ptr, %p1: !llvm.ptr, %p2: !llvm.ptr, %p3: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "narrow" (%p0, %p1, %p2, %p3) partitions [0, 1, 2, 3] exits [-1] : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%t0: !llvm.ptr, %t1: !llvm.ptr, %t2: !llvm.ptr, %t3: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c3 = arith.constant 3 : i64
    %c4 = arith.constant 4 : i64
    %c5 = arith.constant 5 : i64
    %c8 = arith.constant 8 : i64
    %c10 = arith.constant 10 : i64
    %c21 = arith.constant 21 : i64
    %big = arith.constant 1073741824 : i32
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %c10 step %c1 : i64 {
      %n = arith.trunci %i : i64 to i32
      %m = arith.muli %n, %big : i32
      %w = arith.extsi %m : i32 to i64
      %q = llvm.getelementptr %t0[%w] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l = llvm.load %q : !llvm.ptr -> i8
      %inner = arith.cmpi sgt, %i, %c0 : i64
      scf.if %inner {
        %k = arith.subi %i, %c1 : i64
        %o = arith.muli %k, %c4 : i64
        %q1 = llvm.getelementptr %t1[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %l1 = llvm.load %q1 : !llvm.ptr -> i32
      } else {
        %o = arith.muli %i, %c4 : i64
        %q1 = llvm.getelementptr %t1[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %l1 = llvm.load %q1 : !llvm.ptr -> i32
      }
      %o9 = arith.muli %i, %c4 : i64
      %q9 = llvm.getelementptr %t1[%o9] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l9 = llvm.load %q9 : !llvm.ptr -> i32
    }
    %e = scf.for %i = %c0 to %c10 step %c1 iter_args(%k = %c5) -> (i64) : i64 {
      %q = llvm.getelementptr %t2[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l = llvm.load %q : !llvm.ptr -> i8
      %n = arith.addi %k, %c3 : i64
      scf.yield %n : i64
    }
    scf.for %i = %c0 to %c21 step %c8 : i64 {
      %end = arith.addi %i, %c8 : i64
      %cut = arith.minsi %end, %c21 : i64
      scf.for %j = %i to %cut step %c1 : i64 {
        %q = llvm.getelementptr %t3[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %l = llvm.load %q : !llvm.ptr -> i8
      }
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Element types: two of them, off the grid, a field of a struct (on a grid of
// its own). An access that never executes counts for nothing.
// CHECK-LABEL: region elements
// CHECK-NEXT: arg 0: reads [0, 8) of several types
// CHECK-NEXT: arg 1: reads [0, 31) of i32 unaligned
// CHECK-NEXT: arg 2: writes [2, 114) of i32{{$}}
// CHECK-NEXT: arg 3: reads [0, 0) of i8
func.func @elements(%p0: !llvm.ptr, %p1: !llvm.ptr, %p2: !llvm.ptr, %p3: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "elements" (%p0, %p1, %p2, %p3) partitions [0, 1, 2, 3] exits [-1] : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%t0: !llvm.ptr, %t1: !llvm.ptr, %t2: !llvm.ptr, %t3: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    %c4 = arith.constant 4 : i64
    %c10 = arith.constant 10 : i64
    %c12 = arith.constant 12 : i64
    %z = arith.constant 0 : i32
    %l0 = llvm.load %t0 : !llvm.ptr -> i32
    %f = llvm.getelementptr %t0[%c4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %l1 = llvm.load %f : !llvm.ptr -> f32
    scf.for %i = %c0 to %c10 step %c1 : i64 {
      %o = arith.muli %i, %c3 : i64
      %q = llvm.getelementptr %t1[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l = llvm.load %q : !llvm.ptr -> i32
      %s = arith.muli %i, %c12 : i64
      %d = arith.addi %s, %c2 : i64
      %e = llvm.getelementptr %t2[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %e : i32, !llvm.ptr
    }
    scf.for %i = %c10 to %c4 step %c1 : i64 {
      %q = llvm.getelementptr %t3[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %l = llvm.load %q : !llvm.ptr -> i8
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// One address that is no `argument + offset` and nothing is known.
// CHECK-LABEL: region select unrooted
// CHECK-NEXT: arg 1: reads unknown of i32
// CHECK-NEXT: arg 2: unused
func.func @select(%c0: i1, %p0: !llvm.ptr, %p1: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "select" (%c0, %p0, %p1) partitions [-1, 0, 0] exits [-1] : (i1, !llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%c: i1, %x: !llvm.ptr, %y: !llvm.ptr):
    %l = llvm.load %x : !llvm.ptr -> i32
    %s = arith.select %c, %x, %y : !llvm.ptr
    llvm.store %l, %s : i32, !llvm.ptr
    loom.spatial_yield %l : i32
  }
  return %r : i32
}
