// RUN: loom-artifact run %s --entry point --memory 0=8 --orders 25 | FileCheck %s --check-prefix=POINT
// RUN: loom-artifact run %s --entry line --arg 0=3 --memory 1=32 --orders 25 | FileCheck %s --check-prefix=LINE
// RUN: loom-artifact run %s --entry line --arg 0=0 --memory 1=8 --orders 25 | FileCheck %s --check-prefix=EMPTY
// RUN: loom-artifact run %s --entry plane --memory 0=48 --orders 25 | FileCheck %s --check-prefix=PLANE
// RUN: loom-artifact run %s --entry chain --arg 0=5 --memory 1=8 --orders 25 | FileCheck %s --check-prefix=CHAIN
// RUN: loom-artifact run %s --entry chain --arg 0=0 --memory 1=hex:0700000000000000 | FileCheck %s --check-prefix=CHAIN0

// Instances of every rank, in any order; what launches wait for.

dataflow.graph private @write(%start: none, %at: i64, %v: i64, %m: memref<?xi8>) -> i64 {
  %d = dataflow.store %m[%at] %v %start : i64, i64
  %u:2 = dataflow.sync %d, %v : none, i64
  dataflow.graph.return values(%u#1 : i64) complete(%u#0)
}

// A stored program without a graph: the result slot is written by it.
dataflow.thread private @alone(%m: !llvm.ptr {dataflow.result_slot}) ctrl(%ctrl) {
  %v = arith.constant 42 : i64
  llvm.store %v, %m : i64, !llvm.ptr
}
// POINT: result 0: i64 43
func.func @point(%m: memref<?xi8>) -> i64 {
  %one = arith.constant 1 : i64
  %slot = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %t = dataflow.thread.launch @alone args(%slot : !llvm.ptr)
  dataflow.thread.wait %t
  %v = llvm.load %slot : !llvm.ptr -> i64
  %r = func.call @increment(%v) : (i64) -> i64
  return %r : i64
}
func.func private @increment(%v: i64) -> i64 {
  %one = arith.constant 1 : i64
  %r = arith.addi %v, %one : i64
  return %r : i64
}

// One instance a point; no instance when the extent is zero, and the launch
// retires all the same.
dataflow.thread private @each(%m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  %v = arith.index_cast %i : index to i64
  %eight = arith.constant 8 : i64
  %at = arith.muli %v, %eight : i64
  %next = arith.addi %v, %eight : i64
  %r, %d = dataflow.graph.launch @write after(%ctrl) values(%at, %next : i64, i64) memories(%m) returns(i64)
  dataflow.thread.yield %d
}
// LINE: memory 1: 080000000000000009000000000000000a000000000000000000000000000000
// LINE: fired 3: @write:0 dataflow.store
// EMPTY: memory 1: 0000000000000000
// EMPTY-NOT: fired
func.func @line(%n: index, %m: memref<?xi8>) {
  %t = dataflow.thread.launch @each extents(%n) args(%m : memref<?xi8>)
  dataflow.thread.wait %t
  return
}

// Two dimensions: value 16 i + j.
dataflow.thread private @cell(%m: memref<?xi8>, %columns: index) ctrl(%ctrl) coords(%i, %j) {
  %row = arith.muli %i, %columns : index
  %n = arith.addi %row, %j : index
  %eight = arith.constant 8 : index
  %byte = arith.muli %n, %eight : index
  %at = arith.index_cast %byte : index to i64
  %i64 = arith.index_cast %i : index to i64
  %j64 = arith.index_cast %j : index to i64
  %four = arith.constant 4 : i64
  %high = arith.shli %i64, %four : i64
  %v = arith.ori %high, %j64 : i64
  %r, %d = dataflow.graph.launch @write after(%ctrl) values(%at, %v : i64, i64) memories(%m) returns(i64)
  dataflow.thread.yield %d
}
// PLANE: memory 0: 000000000000000001000000000000000200000000000000100000000000000011000000000000001200000000000000
func.func @plane(%m: memref<?xi8>) {
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %t = dataflow.thread.launch @cell extents(%two, %three) args(%m, %three : memref<?xi8>, index)
  dataflow.thread.wait %t
  return
}

// Launches after launches, in a loop; a value of one is a value of the next.
dataflow.thread private @loop(%n: index, %m: memref<?xi8>) ctrl(%ctrl) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %at = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %first = arith.constant 1 : i64
  %e:2 = scf.for %i = %zero to %n step %one iter_args(%a = %ctrl, %v = %first) -> (none, i64) {
    %w = arith.muli %v, %two : i64
    %r, %d = dataflow.graph.launch @write after(%a) values(%at, %w : i64, i64) memories(%m) returns(i64)
    scf.yield %d, %r : none, i64
  }
  dataflow.thread.yield %e#0
}
// CHAIN: memory 1: 2000000000000000
// CHAIN: fired 10: @write:0 dataflow.store
// CHAIN0: memory 1: 0700000000000000
func.func @chain(%n: index, %m: memref<?xi8>) {
  %t = dataflow.thread.launch @loop args(%n, %m : index, memref<?xi8>)
  %u = dataflow.thread.launch @loop after(%t) args(%n, %m : index, memref<?xi8>)
  %zero = arith.constant 0 : index
  %none = arith.cmpi eq, %n, %zero : index
  cf.cond_br %none, ^end, ^more
^more:
  cf.br ^end
^end:
  dataflow.thread.wait %u
  return
}
