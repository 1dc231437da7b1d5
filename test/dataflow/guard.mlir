// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which roots a launch guard puts apart, and what it has to compare for that.
// RUN: loom-opt --loom-print-guards %s -o /dev/null | FileCheck %s

// Four roots of one partition. `t` is indexed by a loaded i64: where it goes is
// not known, so what it writes stays with everything that it may meet, but not
// with another partition. `x` and `y` are only read: nothing between them.
// CHECK-LABEL: region partly
// CHECK-NEXT: partitions 0 0 1 0 2 -1
// CHECK-NEXT: n0 = slot 5 signed 64
// CHECK-NEXT: n1 = 0
// CHECK-NEXT: n2 = n0 * 4
// CHECK-NEXT: range 0: slot 2 + [n1, n2) writes
// CHECK-NEXT: range 1: slot 4 + [n1, n2) reads
// CHECK-NEXT: disjoint 0 1
func.func @partly(%p0: !llvm.ptr, %p1: !llvm.ptr, %p2: !llvm.ptr, %p3: !llvm.ptr, %p4: !llvm.ptr, %m: i64) -> i32 {
  %r = loom.spatial_region "partly" (%p0, %p1, %p2, %p3, %p4, %m) partitions [0, 0, 1, 0, 1, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %d: !llvm.ptr, %t: !llvm.ptr, %s: !llvm.ptr, %n: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %px = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %k = llvm.load %px : !llvm.ptr -> i64
      %py = llvm.getelementptr %y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %py : !llvm.ptr -> i32
      %pt = llvm.getelementptr %t[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %v, %pt : i32, !llvm.ptr
      %ps = llvm.getelementptr %s[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %w = llvm.load %ps : !llvm.ptr -> i32
      %pd = llvm.getelementptr %d[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %w, %pd : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Loads and stores of one root have ranges of their own: a header is read, what
// follows it is written. Both count against the other root.
// CHECK-LABEL: region header
// CHECK-NEXT: partitions 0 1 -1
// CHECK-NEXT: n0 = slot 2 signed 64
// CHECK-NEXT: n1 = 0
// CHECK-NEXT: n2 = 8
// CHECK-NEXT: n3 = n0 * 8
// CHECK-NEXT: n4 = n3 + 8
// CHECK-NEXT: range 0: slot 0 + [n2, n4) writes
// CHECK-NEXT: range 1: slot 1 + [n1, n3) reads writes
// CHECK-NEXT: range 2: slot 0 + [n1, n2) reads
// CHECK-NEXT: disjoint 0 1
// CHECK-NEXT: disjoint 2 1
// CHECK-NOT: disjoint
func.func @header(%p0: !llvm.ptr, %p1: !llvm.ptr, %m: i64) -> i32 {
  %r = loom.spatial_region "header" (%p0, %p1, %m) partitions [0, 0, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %h = llvm.load %x : !llvm.ptr -> i64
      %o = arith.muli %i, %c8 : i64
      %py = llvm.getelementptr %y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %py : !llvm.ptr -> i64
      llvm.store %h, %py : i64, !llvm.ptr
      %px = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %qx = llvm.getelementptr %px[8] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %v, %qx : i64, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Nothing is written; everything is apart already; an address comes from memory
// or from a choice.
// CHECK-LABEL: region reads
// CHECK-NEXT: no guard
// CHECK-LABEL: region distinct
// CHECK-NEXT: no guard
// CHECK-LABEL: region chase
// CHECK-NEXT: no guard
// CHECK-LABEL: region chosen
// CHECK-NEXT: no guard
func.func @none(%p0: !llvm.ptr, %p1: !llvm.ptr, %m: i1) -> i32 {
  %r = loom.spatial_region "reads" (%p0, %p1) partitions [0, 0] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr):
    %a = llvm.load %x : !llvm.ptr -> i32
    %b = llvm.load %y : !llvm.ptr -> i32
    %c = arith.addi %a, %b : i32
    loom.spatial_yield %c : i32
  }
  %s = loom.spatial_region "distinct" (%p0, %p1) partitions [0, 1] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr):
    %a = llvm.load %x : !llvm.ptr -> i32
    llvm.store %a, %y : i32, !llvm.ptr
    loom.spatial_yield %a : i32
  }
  %t = loom.spatial_region "chase" (%p0, %p1) partitions [0, 0] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr):
    %q = llvm.load %x : !llvm.ptr -> !llvm.ptr
    %a = llvm.load %q : !llvm.ptr -> i32
    llvm.store %a, %y : i32, !llvm.ptr
    loom.spatial_yield %a : i32
  }
  %u = loom.spatial_region "chosen" (%p0, %p1, %m) partitions [0, 0, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i1) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %c: i1):
    %q = arith.select %c, %x, %y : !llvm.ptr
    %a = llvm.load %x : !llvm.ptr -> i32
    llvm.store %a, %q : i32, !llvm.ptr
    loom.spatial_yield %a : i32
  }
  return %r : i32
}
