// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contract: unknown aliasing prevents an unsafe reorder but permits
// conservative order. The loops of one copy are the same; only what is known
// of the two roots differs.
// RUN: loom-opt --loom-views %s -o /dev/null | FileCheck %s

// One partition: no order is given up, none is permitted. Both directions stay
// in the table, which is what serial order needs.
// CHECK-LABEL: views unknown
// CHECK: L0 {{.*}}: ProofNotEstablished (not excluded: A0 and A1: the roots may overlap: one order partition)
// CHECK: arg0, arg1: may alias (one order partition)
// CHECK: anti A0 -> A1: any order in L0, distance (*), not excluded
// CHECK-NEXT: flow A1 -> A0: any order in L0, distance (*), not excluded
func.func @unknown(%x0: !llvm.ptr, %y0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "unknown" (%x0, %y0, %n0) partitions [0, 0, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i32
      %q = llvm.getelementptr %y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %v, %q : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Different partitions: proven distinct before.
// CHECK-LABEL: views partitions
// CHECK: L0 {{.*}}: ProvenIndependent{{$}}
// CHECK: arg0, arg1: no alias (different order partitions)
func.func @partitions(%x0: !llvm.ptr, %y0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "partitions" (%x0, %y0, %n0) partitions [0, 1, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i32
      %q = llvm.getelementptr %y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %v, %q : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// `noalias` on both arguments says it; on one of them it doesn't here, since
// different SSA pointers are no proof.
// CHECK-LABEL: views both_noalias
// CHECK: L0 {{.*}}: ProvenIndependent{{$}}
// CHECK: arg0, arg1: no alias (both arguments are noalias)
llvm.func @both_noalias(%x0: !llvm.ptr {llvm.noalias}, %y0: !llvm.ptr {llvm.noalias}, %n0: i64) {
  %r = loom.spatial_region "both_noalias" (%x0, %y0, %n0) partitions [0, 0, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %v, %q : i8, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}

// CHECK-LABEL: views one_noalias
// CHECK: L0 {{.*}}: ProofNotEstablished
// CHECK: arg0, arg1: may alias (one order partition)
llvm.func @one_noalias(%x0: !llvm.ptr {llvm.noalias}, %y0: !llvm.ptr, %n0: i64) {
  %r = loom.spatial_region "one_noalias" (%x0, %y0, %n0) partitions [0, 0, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %v, %q : i8, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}

// A pointer out of memory reaches anything; in its own loop it is one pointer.
// CHECK-LABEL: views rows
// CHECK: L0 {{.*}}: ProofNotEstablished
// CHECK: L1 {{.*}}: ProvenIndependent{{$}}
// CHECK: A1 {{.*}} at pointer{{.*}} + 4*i1
// CHECK: output A1 -> A1: carried by L0, distance (+, *), not excluded (the root is another pointer in each iteration)
// CHECK-NOT: output A1 -> A1: carried by L1
func.func @rows(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "rows" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c8 = arith.constant 8 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c8 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %row = llvm.load %p : !llvm.ptr -> !llvm.ptr
      scf.for %j = %c0 to %n step %c1 : i64 {
        %o2 = arith.muli %j, %c4 : i64
        %q = llvm.getelementptr %row[%o2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        llvm.store %z, %q : i32, !llvm.ptr
      }
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}
