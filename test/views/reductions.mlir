// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contract: reduction reassociation requires an explicit recognized algebraic
// policy. Integers need none, or to lose their overflow flags; floats need
// `reassoc` on each combiner.
// RUN: loom-opt --loom-views %s -o /dev/null | FileCheck %s

// CHECK-LABEL: views kinds
// CHECK: L0 {{.*}}: ProvenDependent (a value is carried from one iteration to the next)
// CHECK: carried values
// CHECK-NEXT: L0 value 0 : i32: reduction arith.addi, identity 0, any order
// CHECK-NEXT: L0 value 1 : i32: reduction arith.muli, identity 1, any order, without the overflow flags
// CHECK-NEXT: L0 value 2 : i32: reduction arith.maxsi, identity signed min, any order
// CHECK-NEXT: L0 value 3 : i32: reduction arith.xori, identity 0, any order
// CHECK-NEXT: L0 value 4 : f32: reduction arith.addf, identity -0.0, needs a reassociation policy
// CHECK-NEXT: L0 value 5 : f32: reduction arith.mulf, identity 1.0, any order
// CHECK-NEXT: L0 value 6 : f32: reduction arith.maximumf, identity -inf, needs a reassociation policy
// CHECK-NEXT: L0 value 7 : f32: recurrence, ordered (two kinds of combiners)
// CHECK-NEXT: L0 value 8 : i32: recurrence, ordered ('arith.subi' is no combiner)
// CHECK-NEXT: L0 value 9 : i64: induction
func.func @kinds(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "kinds" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %z = arith.constant 0 : i32
    %f = arith.constant 0.0 : f32
    %all:10 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %z, %c = %z, %d = %z, %e = %f, %g = %f, %h = %f, %k = %f, %l = %z, %m = %c0) -> (i32, i32, i32, i32, f32, f32, f32, f32, i32, i64) : i64 {
      %o = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i32
      %w = llvm.load %p : !llvm.ptr -> f32
      %a2 = arith.addi %a, %v : i32
      %a3 = arith.addi %v, %a2 : i32
      %b2 = arith.muli %b, %v overflow<nsw> : i32
      %cc = arith.maxsi %c, %v : i32
      %d2 = arith.xori %v, %d : i32
      %e2 = arith.addf %e, %w : f32
      %g2 = arith.mulf %g, %w fastmath<reassoc> : f32
      %h2 = arith.maximumf %h, %w : f32
      %k2 = arith.addf %k, %w : f32
      %k3 = arith.mulf %k2, %w : f32
      %l2 = arith.subi %v, %l : i32
      %m2 = arith.addi %m, %c4 : i64
      scf.yield %a3, %b2, %cc, %d2, %e2, %g2, %h2, %k3, %l2, %m2 : i32, i32, i32, i32, f32, f32, f32, f32, i32, i64
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Through an inner loop and under a condition; a value that is seen on its way,
// in memory or by another carried value, is no reduction.
// CHECK-LABEL: views paths
// CHECK: carried values
// CHECK-NEXT: L0 value 0 : i32: reduction arith.addi, identity 0, any order
// CHECK-NEXT: L1 value 0 : i32: reduction arith.addi, identity 0, any order
// CHECK-NEXT: L2 value 0 : i32: reduction arith.addi (guarded), identity 0, any order
// CHECK-NEXT: L3 value 0 : i32: recurrence, ordered (a value in between is used otherwise)
// CHECK-NEXT: L4 value 0 : i32: recurrence, ordered (a value in between is used otherwise)
// CHECK-NEXT: L4 value 1 : i32: recurrence, ordered
// CHECK-NEXT: L5 value 0 : i32: recurrence, ordered (both operands depend on the carried value)
func.func @paths(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "paths" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %z = arith.constant 0 : i32
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) : i64 {
      %t = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (i32) : i64 {
        %v = llvm.load %x : !llvm.ptr -> i32
        %b2 = arith.addi %b, %v : i32
        scf.yield %b2 : i32
      }
      scf.yield %t : i32
    }
    %s2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) : i64 {
      %v = llvm.load %x : !llvm.ptr -> i32
      %c = arith.cmpi slt, %v, %z : i32
      %t = scf.if %c -> i32 {
        %a2 = arith.addi %a, %v : i32
        scf.yield %a2 : i32
      } else {
        scf.yield %a : i32
      }
      scf.yield %t : i32
    }
    %s3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) : i64 {
      %v = llvm.load %x : !llvm.ptr -> i32
      %a2 = arith.addi %a, %v : i32
      llvm.store %a2, %x : i32, !llvm.ptr
      scf.yield %a2 : i32
    }
    %s4:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %z) -> (i32, i32) : i64 {
      %v = llvm.load %x : !llvm.ptr -> i32
      %a2 = arith.addi %a, %v : i32
      scf.yield %a2, %a2 : i32, i32
    }
    %s5 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) : i64 {
      %a2 = arith.addi %a, %a : i32
      scf.yield %a2 : i32
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}
