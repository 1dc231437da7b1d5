// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes each root may touch as functions of the inputs; what they rest on is an
// obligation ("if"), and everything else is unknown.
// RUN: loom-opt --loom-print-symbolic-footprints %s -o /dev/null | FileCheck %s

// Rows of a symbolic length: the sign of n is not known, so both ends count.
// CHECK-LABEL: region rows
// CHECK-NEXT: n0 = slot 2 signed 64
// CHECK-NEXT: n1 = 0
// CHECK-NEXT: n2 = n0 * -8
// CHECK-NEXT: n3 = n0 * n0
// CHECK-NEXT: n4 = n3 * 8
// CHECK-NEXT: n5 = n2 + n4
// CHECK-NEXT: n6 = min n1 n5
// CHECK-NEXT: n7 = n0 * 8
// CHECK-NEXT: n8 = max n4 n7
// CHECK-NEXT: arg 0: reads [n6, n8) writes [n6, n8)
// CHECK-NEXT: arg 1: writes [n1, n7)
func.func @rows(%x0: !llvm.ptr, %y0: !llvm.ptr, %m: i64) -> i32 {
  %r = loom.spatial_region "rows" (%x0, %y0, %m) partitions [0, 0, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %row = arith.muli %i, %n : i64
      scf.for %j = %c0 to %n step %c1 : i64 {
        %e = arith.addi %row, %j : i64
        %o = arith.muli %e, %c8 : i64
        %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %l = llvm.load %p : !llvm.ptr -> i64
        llvm.store %l, %p : i64, !llvm.ptr
        %oo = arith.muli %j, %c8 : i64
        %q = llvm.getelementptr %y[%oo] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        llvm.store %l, %q : i64, !llvm.ptr
      }
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Backwards, in steps, from a live-in that is narrower than an address.
// CHECK-LABEL: region down
// CHECK-NEXT: n0 = slot 1 signed 32
// CHECK-NEXT: n1 = 4
// CHECK-NEXT: n2 = n0 * 4
// CHECK-NEXT: arg 0: writes [n1, n2)
func.func @down(%x0: !llvm.ptr, %m: i32) -> i32 {
  %r = loom.spatial_region "down" (%x0, %m) partitions [0, -1] exits [-1] : (!llvm.ptr, i32) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i32):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %z = arith.constant 0 : i32
    %w = arith.extsi %n : i32 to i64
    %last = arith.addi %w, %c1 overflow<nsw> : i64
    %m1 = arith.constant -1 : i64
    %trips = arith.addi %w, %m1 overflow<nsw> : i64
    scf.for %i = %c0 to %trips step %c1 : i64 {
      %k = arith.subi %w, %i : i64
      %o = arith.muli %k, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %q = llvm.getelementptr %p[-4] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %z, %q : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// A loop that meets its bound only if it starts below it, and an index that is
// an i32 in between and must not wrap there.
// CHECK-LABEL: region meets
// CHECK-NEXT: n0 = slot 1 signed 64
// CHECK-NEXT: n1 = slot 2 signed 64
// CHECK-NEXT: n2 = n0 * -1
// CHECK-NEXT: n3 = n1 + n2
// CHECK-NEXT: n4 = n3 + -1
// CHECK-NEXT: n5 = n4 not negative
// CHECK-NEXT: n6 = n1 + -1
// CHECK-NEXT: n7 = n0 fits signed 32
// CHECK-NEXT: n8 = n6 fits signed 32
// CHECK-NEXT: arg 0: writes [n0, n1) if n5 n7 n8
func.func @meets(%x0: !llvm.ptr, %b0: i64, %e0: i64) -> i32 {
  %r = loom.spatial_region "meets" (%x0, %b0, %e0) partitions [0, -1, -1] exits [-1] : (!llvm.ptr, i64, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %b: i64, %e: i64):
    %c1 = arith.constant 1 : i64
    %z = arith.constant 0 : i32
    %v = arith.constant 7 : i8
    %last = scf.while (%i = %b) : (i64) -> i64 {
      %t = arith.trunci %i : i64 to i32
      %o = arith.extsi %t : i32 to i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %v, %p : i8, !llvm.ptr
      %next = arith.addi %i, %c1 : i64
      %on = arith.cmpi ne, %next, %e : i64
      scf.condition(%on) %next : i64
    } do {
    ^bb0(%k: i64):
      scf.yield %k : i64
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Loaded indices: a table is bounded by their type, a 64-bit index by nothing.
// An address from memory belongs to no root.
// CHECK-LABEL: region tables
// CHECK-NEXT: n0 = -128
// CHECK-NEXT: n1 = 0
// CHECK-NEXT: n2 = 8
// CHECK-NEXT: n3 = 1024
// CHECK-NEXT: arg 0: reads [n1, n2)
// CHECK-NEXT: arg 1: reads [n1, n3)
// CHECK-NEXT: arg 2: writes unknown
// CHECK-LABEL: region chase unrooted
// CHECK-NEXT: arg 0: reads unknown
func.func @tables(%x0: !llvm.ptr, %y0: !llvm.ptr, %z0: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "tables" (%x0, %y0, %z0) partitions [0, 0, 0] exits [-1] : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %w: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c4 = arith.constant 4 : i64
    %a = llvm.load %x : !llvm.ptr -> i8
    %b = llvm.load %x : !llvm.ptr -> i64
    %ai = arith.extui %a : i8 to i64
    %ao = arith.muli %ai, %c4 : i64
    %p = llvm.getelementptr %y[%ao] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v = llvm.load %p : !llvm.ptr -> i32
    %q = llvm.getelementptr %w[%b] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %v, %q : i32, !llvm.ptr
    loom.spatial_yield %z : i32
  }
  %s = loom.spatial_region "chase" (%x0) partitions [0] exits [-1] : (!llvm.ptr) -> i32 {
  ^bb0(%x: !llvm.ptr):
    %a = llvm.load %x : !llvm.ptr -> !llvm.ptr
    %v = llvm.load %a : !llvm.ptr -> i32
    loom.spatial_yield %v : i32
  }
  return %r : i32
}

// Up to an end pointer: the trip count comes from addresses.
// CHECK-LABEL: region pointers
// CHECK-NEXT: n0 = slot 1 signed 64
// CHECK-NEXT: n1 = slot 0 signed 64
// CHECK-NEXT: n2 = n1 * -1
// CHECK-NEXT: n3 = n0 + n2
// CHECK-NEXT: n4 = n3 wrap signed 64
// CHECK-NEXT: n5 = n4 wrap unsigned 64
// CHECK-NEXT: n6 = n5 floordiv 4
// CHECK-NEXT: n7 = 0
// CHECK-NEXT: n8 = n6 * 4
// CHECK-NEXT: arg 0: writes [n7, n8)
func.func @pointers(%x0: !llvm.ptr, %e0: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "pointers" (%x0, %e0) partitions [0, 0] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%x: !llvm.ptr, %e: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %z = arith.constant 0 : i32
    %ei = llvm.ptrtoint %e : !llvm.ptr to i64
    %xi = llvm.ptrtoint %x : !llvm.ptr to i64
    %d = arith.subi %ei, %xi : i64
    %n = arith.shrui %d, %c2 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.shli %i, %c2 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}
