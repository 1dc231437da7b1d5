// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact counted-loop projection, the quotient of repeated lanes, and exits.
// RUN: loom-opt --loom-structure %s | FileCheck %s

// Constant domain: 2, 5, 8 and 11 afterwards.
// CHECK-LABEL: llvm.func @constant
// CHECK-DAG: %[[LO:.*]] = arith.constant 2 : i32
// CHECK-DAG: %[[UP:.*]] = arith.constant 11 : i32
// CHECK-DAG: %[[BY:.*]] = arith.constant 3 : i32
// CHECK: scf.for %{{.*}} = %[[LO]]{{.*}} to %[[UP]] step %[[BY]]{{.*}} : i32
// CHECK: llvm.return %[[UP]]
llvm.func @constant(%p: !llvm.ptr) -> i32 {
  %lo = llvm.mlir.constant(2 : i32) : i32
  %by = llvm.mlir.constant(3 : i32) : i32
  %up = llvm.mlir.constant(11 : i32) : i32
  llvm.br ^loop(%lo : i32)
^loop(%i: i32):
  llvm.call @work(%i) : (i32) -> ()
  %next = llvm.add %i, %by : i32
  %more = llvm.icmp "ne" %next, %up : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.return %next : i32
}

// The step doesn't land on the bound: it wraps before it does.
// CHECK-LABEL: llvm.func @beside
// CHECK-NOT: scf.for
// CHECK: scf.while
llvm.func @beside() {
  %lo = llvm.mlir.constant(2 : i32) : i32
  %by = llvm.mlir.constant(3 : i32) : i32
  %up = llvm.mlir.constant(12 : i32) : i32
  llvm.br ^loop(%lo : i32)
^loop(%i: i32):
  llvm.call @work(%i) : (i32) -> ()
  %next = llvm.add %i, %by : i32
  %more = llvm.icmp "ne" %next, %up : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}

// An enclosing branch proves the bound positive, whatever the body calls.
// CHECK-LABEL: llvm.func @guarded
// CHECK: scf.if
// CHECK: scf.for
llvm.func @guarded(%n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %enter = llvm.icmp "sgt" %n, %zero : i32
  llvm.cond_br %enter, ^loop(%zero : i32), ^exit
^loop(%i: i32):
  llvm.call @work(%i) : (i32) -> ()
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "ne" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}

// The other branch proves nothing.
// CHECK-LABEL: llvm.func @misguarded
// CHECK-NOT: scf.for
// CHECK: scf.while
llvm.func @misguarded(%n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %enter = llvm.icmp "sgt" %n, %zero : i32
  llvm.cond_br %enter, ^exit, ^loop(%zero : i32)
^loop(%i: i32):
  llvm.call @work(%i) : (i32) -> ()
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "ne" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  llvm.return
}

// The flags of the increment prove the count only where every iteration
// reaches its end; a call may exit the program first.
// CHECK-LABEL: llvm.func @flags
// CHECK: scf.for
llvm.func @flags(%n: i64, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  llvm.store %i, %p : i64, !llvm.ptr
  %next = llvm.add %i, %one overflow<nsw, nuw> : i64
  %more = llvm.icmp "ne" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}
// CHECK-LABEL: llvm.func @leaves
// CHECK-NOT: scf.for
// CHECK: scf.while
llvm.func @leaves(%n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %five = llvm.mlir.constant(5 : i32) : i32
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  llvm.call @work(%five) : (i32) -> ()
  %next = llvm.add %i, %one overflow<nsw, nuw> : i64
  %more = llvm.icmp "ne" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}
// Without nsw the bound is an unsigned number.
// CHECK-LABEL: llvm.func @unsigned
// CHECK: scf.for unsigned
llvm.func @unsigned(%n: i64, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  llvm.store %i, %p : i64, !llvm.ptr
  %next = llvm.add %i, %one overflow<nuw> : i64
  %more = llvm.icmp "ne" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}

// Two lanes with the same start and the same next value are one; a third with
// another start stays.
// CHECK-LABEL: llvm.func @lanes
// CHECK: scf.while (%[[A:.*]] = %arg0, %[[C:.*]] = %arg1) : (i32, i32)
// CHECK: llvm.call @both(%[[A]], %[[A]])
llvm.func @lanes(%x: i32, %y: i32) -> i32 {
  llvm.br ^loop(%x, %x, %y : i32, i32, i32)
^loop(%a: i32, %b: i32, %c: i32):
  %more = llvm.call @both(%a, %b) : (i32, i32) -> i1
  %next = llvm.add %a, %c : i32
  llvm.cond_br %more, ^loop(%next, %next, %next : i32, i32, i32), ^exit
^exit:
  %r = llvm.add %next, %c : i32
  llvm.return %r : i32
}

// A lane whose next value comes from outside of the loop is no obstacle.
// CHECK-LABEL: llvm.func @from_outside
// CHECK: scf.for {{.*}} iter_args(%[[F:.*]] = %arg0)
// CHECK: llvm.call @both(%[[F]],
// CHECK: scf.yield %arg1
llvm.func @from_outside(%x: i32, %y: i32) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %ten = llvm.mlir.constant(10 : i64) : i64
  llvm.br ^loop(%zero, %x : i64, i32)
^loop(%i: i64, %f: i32):
  %ignored = llvm.call @both(%f, %f) : (i32, i32) -> i1
  %next = llvm.add %i, %one overflow<nsw, nuw> : i64
  %more = llvm.icmp "ne" %next, %ten : i64
  llvm.cond_br %more, ^loop(%next, %y : i64, i32), ^exit
^exit:
  llvm.return
}

// What a loop publishes from outside of it is the value itself: undef stays
// undef, poison poison.
// CHECK-LABEL: llvm.func @exits
// CHECK-DAG: %[[U:.*]] = llvm.mlir.undef : i32
// CHECK: scf.while
// CHECK: llvm.call @three(%arg0, %[[U]],
llvm.func @exits(%x: i32) {
  %u = llvm.mlir.undef : i32
  %p = llvm.mlir.poison : i32
  llvm.br ^loop
^loop:
  %more = llvm.call @both(%x, %x) : (i32, i32) -> i1
  llvm.cond_br %more, ^loop, ^exit(%x, %u, %p : i32, i32, i32)
^exit(%a: i32, %b: i32, %c: i32):
  llvm.call @three(%a, %b, %c) : (i32, i32, i32) -> ()
  llvm.return
}

llvm.func @work(i32)
llvm.func @both(i32, i32) -> i1
llvm.func @three(i32, i32, i32)
