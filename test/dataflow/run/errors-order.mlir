// RUN: not loom-artifact run %s --entry writes --memory 0=8 2>&1 | FileCheck %s --check-prefix=WRITES
// RUN: not loom-artifact run %s --entry writes --memory 0=8 --seed 3 2>&1 | FileCheck %s --check-prefix=EITHER
// RUN: not loom-artifact run %s --entry before --memory 0=8 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not loom-artifact run %s --entry after --memory 0=8 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: loom-artifact run %s --entry reads --memory 0=8 --orders 25 | FileCheck %s --check-prefix=READS
// RUN: loom-artifact run %s --entry through --memory 0=8 --orders 25 | FileCheck %s --check-prefix=THROUGH
// RUN: not loom-artifact run %s --entry self --memory 0=8 2>&1 | FileCheck %s --check-prefix=SELF
// RUN: not loom-artifact run %s --entry overlap --memory 0=8 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not loom-artifact run %s --entry alias --memory 0=8 --memory 1=@0+4 2>&1 | FileCheck %s --check-prefix=ALIAS
// RUN: loom-artifact run %s --entry alias --memory 0=8 --memory 1=4 | FileCheck %s --check-prefix=APART
// RUN: not loom-artifact run %s --entry early 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not loom-artifact run %s --entry instances --memory 0=8 2>&1 | FileCheck %s --check-prefix=INSTANCES

// Conflicting accesses that no token orders are an error in every order of
// firings: whatever came first, it was chance.

// WRITES: run-order: two conflicting accesses that nothing orders: @writes: @writes:3 dataflow.store: not ordered against @writes @writes:2 dataflow.store firing 0
// EITHER: run-order
dataflow.graph private @writes(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %v = dataflow.constant %start 1 : i8
  %d = dataflow.store %m[%z] %v %start : i64, i8
  %e = dataflow.store %m[%z] %v %start : i64, i8
  dataflow.graph.return values() complete(%d, %e)
}

// A write, and a read that doesn't wait for it.
// BEFORE: run-order
dataflow.graph private @before(%start: none, %m: memref<?xi8>) -> i8 {
  %z = dataflow.constant %start 0 : i64
  %v = dataflow.constant %start 1 : i8
  %d = dataflow.store %m[%z] %v %start : i64, i8
  %x, %e = dataflow.load %m[%z] %start : i64 -> i8
  dataflow.graph.return values(%x : i8) complete(%d, %e)
}

// A read, and a write that waits for another one.
// AFTER: run-order: {{.*}}@after:4 dataflow.store: not ordered against @after @after:{{[12]}} dataflow.load firing 0
dataflow.graph private @after(%start: none, %m: memref<?xi8>) -> (i8, i8) {
  %z = dataflow.constant %start 0 : i64
  %x, %d = dataflow.load %m[%z] %start : i64 -> i8
  %y, %e = dataflow.load %m[%z] %start : i64 -> i8
  %v = dataflow.constant %d 1 : i8
  %f = dataflow.store %m[%z] %v %d : i64, i8
  dataflow.graph.return values(%x, %y : i8, i8) complete(%e, %f)
}

// Reads need no order among themselves.
// READS: result 1: i8 0
dataflow.graph private @reads(%start: none, %m: memref<?xi8>) -> (i8, i8) {
  %z = dataflow.constant %start 0 : i64
  %x, %d = dataflow.load %m[%z] %start : i64 -> i8
  %y, %e = dataflow.load %m[%z] %start : i64 -> i8
  %v = dataflow.constant %start 1 : i8
  %both:2 = dataflow.sync %d, %e : none, none
  %f = dataflow.store %m[%z] %v %both#1 : i64, i8
  dataflow.graph.return values(%x, %y : i8, i8) complete(%f)
}

// The data of a read orders what depends on it.
// THROUGH: memory 0: 0100000000000000
dataflow.graph private @through(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %x, %d = dataflow.load %m[%z] %start : i64 -> i8
  %one = dataflow.constant %start 1 : i8
  %y = arith.addi %x, %one : i8
  %e = dataflow.store %m[%z] %y %start : i64, i8
  dataflow.graph.return values() complete(%e)
}

// The firings of one actor are not ordered by being of one actor.
// SELF: run-order: {{.*}}@self:7 dataflow.store: not ordered against @self @self:7 dataflow.store firing 0
dataflow.graph private @self(%start: none, %m: memref<?xi8>) -> () {
  %zero = dataflow.constant %start 0 : i64
  %two = dataflow.constant %start 2 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %p = dataflow.stream %zero, %two, %one add while slt : i64
  %c = dataflow.invariant %p, %start : none
  %l:2 = dataflow.demux %p, %c : (i1, none) -> (none, none)
  %z = dataflow.constant %l#1 0 : i64
  %d = dataflow.store %m[%z] %iv %l#1 : i64, i64
  %all = dataflow.carry %p, %start, %d : none
  %al:2 = dataflow.demux %p, %all : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%al#0, %l#0)
}

// One byte in common.
// OVERLAP: run-order
dataflow.graph private @overlap(%start: none, %m: memref<?xi8>) -> i32 {
  %z = dataflow.constant %start 0 : i64
  %three = dataflow.constant %start 3 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  %x, %e = dataflow.load %m[%three] %start : i64 -> i32
  dataflow.graph.return values(%x : i32) complete(%d, %e)
}

// Two memories that are one, and two that are two.
// ALIAS: run-order
// APART: memory 1: 02000000
dataflow.graph private @alias(%start: none, %m: memref<?xi8>, %o: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %four = dataflow.constant %start 4 : i64
  %v = dataflow.constant %start 2 : i32
  %d = dataflow.store %m[%four] %v %start : i64, i32
  %e = dataflow.store %o[%z] %v %start : i64, i32
  dataflow.graph.return values() complete(%d, %e)
}

// A result slot before the wait.
dataflow.thread private @slot(%out: !llvm.ptr {dataflow.result_slot}) ctrl(%ctrl) {
  %v = arith.constant 1 : i64
  llvm.store %v, %out : i64, !llvm.ptr
}
// EARLY: run-order: {{.*}}not ordered against @
func.func @early() -> i64 {
  %one = arith.constant 1 : i64
  %a = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %t = dataflow.thread.launch @slot args(%a : !llvm.ptr)
  %v = llvm.load %a : !llvm.ptr -> i64
  dataflow.thread.wait %t
  return %v : i64
}

// Two instances that write the same byte.
dataflow.thread private @same(%p: !llvm.ptr) ctrl(%ctrl) coords(%i) {
  %v = arith.constant 1 : i8
  llvm.store %v, %p : i8, !llvm.ptr
}
// INSTANCES: run-order: {{.*}}@same[{{[01]}}]: llvm.store (line {{[0-9]+}}): not ordered against @same[{{[01]}}] access 0
func.func @instances(%p: !llvm.ptr) {
  %two = arith.constant 2 : index
  %t = dataflow.thread.launch @same extents(%two) args(%p : !llvm.ptr)
  dataflow.thread.wait %t
  return
}
