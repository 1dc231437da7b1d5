// RUN: loom-artifact run %s --entry order --orders 25 | FileCheck %s --check-prefix=ORDER
// RUN: loom-artifact run %s --entry multicast --memory 0=64 --orders 25 | FileCheck %s --check-prefix=MULTICAST
// RUN: loom-artifact run %s --entry shifted --memory 0=32 --orders 25 | FileCheck %s --check-prefix=SHIFTED
// RUN: loom-artifact run %s --entry pipe --memory 0=16 --orders 25 | FileCheck %s --check-prefix=PIPE
// RUN: loom-artifact run %s --entry held --orders 25 | FileCheck %s --check-prefix=HELD
// RUN: not loom-artifact run %s --entry starved 2>&1 | FileCheck %s --check-prefix=STARVED
// RUN: not loom-artifact run %s --entry ring 2>&1 | FileCheck %s --check-prefix=RING
// RUN: not loom-artifact run %s --entry twice 2>&1 | FileCheck %s --check-prefix=TWICE

// Messages: in order, all of them for everybody, by source map; who waits.

// Sends 1 to n, in the order of the program.
dataflow.thread private @count(%c: !dataflow.channel<i64>, %n: index) ctrl(%ctrl) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %k = arith.addi %i, %one : index
    %v = arith.index_cast %k : index to i64
    dataflow.channel.send %c, %v : !dataflow.channel<i64>
  }
}
// ((1 * 10) + 2) * 10 + 3 ...: the order shows.
dataflow.thread private @digits(%c: !dataflow.channel<i64>, %n: index, %out: !llvm.ptr {dataflow.result_slot}) ctrl(%ctrl) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %none) -> i64 {
    %v = dataflow.channel.receive %c from affine_map<() -> ()> : !dataflow.channel<i64>
    %b = arith.muli %a, %ten : i64
    %w = arith.addi %b, %v : i64
    scf.yield %w : i64
  }
  llvm.store %r, %out : i64, !llvm.ptr
}
// ORDER: result 0: i64 12345
// ORDER-NEXT: result 1: i64 123
func.func @order() -> (i64, i64) {
  %five = arith.constant 5 : index
  %three = arith.constant 3 : index
  %one = arith.constant 1 : i64
  %a = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %b = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %c = dataflow.channel.create : !dataflow.channel<i64>
  // The consumers first: they block.
  %t0 = dataflow.thread.launch @digits args(%c, %five, %a : !dataflow.channel<i64>, index, !llvm.ptr)
  %t1 = dataflow.thread.launch @digits args(%c, %three, %b : !dataflow.channel<i64>, index, !llvm.ptr)
  %t2 = dataflow.thread.launch @count args(%c, %five : !dataflow.channel<i64>, index)
  dataflow.thread.wait %t0, %t1, %t2
  %x = llvm.load %a : !llvm.ptr -> i64
  %y = llvm.load %b : !llvm.ptr -> i64
  return %x, %y : i64, i64
}

// A graph that takes two messages at its stream input and writes both.
dataflow.graph private @two(%start: none, %at: i64, %s: i64, %m: memref<?xi8>) -> ()
    input_segments [1, 1, 1] result_segments [0, 0, 0] {
  %zero = dataflow.constant %start 0 : i64
  %limit = dataflow.constant %start 2 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %p = dataflow.stream %zero, %limit, %one add while slt : i64
  %base = dataflow.invariant %p, %at : i64
  %bl:2 = dataflow.demux %p, %base : (i1, i64) -> (i64, i64)
  %o = dataflow.carry %p, %start, %d : none
  %ol:2 = dataflow.demux %p, %o : (i1, none) -> (none, none)
  %v:2 = dataflow.sync %ol#1, %s : none, i64
  %eight = dataflow.constant %v#0 8 : i64
  %off = arith.muli %iv, %eight : i64
  %to = arith.addi %bl#1, %off : i64
  %d = dataflow.store %m[%to] %v#1 %v#0 : i64, i64
  dataflow.graph.return values() complete(%ol#0)
}
// Two launches of one site take turns: 1 2, then 3 4.
dataflow.thread private @writer(%c: !dataflow.channel<i64>, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  %x = arith.constant 32 : index
  %b = arith.muli %i, %x : index
  %at = arith.index_cast %b : index to i64
  %sixteen = arith.constant 16 : i64
  %to = arith.addi %at, %sixteen : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 2 : index
  %e:2 = scf.for %k = %zero to %n step %one iter_args(%a = %ctrl, %w = %at) -> (none, i64) {
    %d = dataflow.graph.launch @two values(%w : i64) streams(%c : !dataflow.channel<i64>)
        from [affine_map<(d0) -> ()>] memories(%m)
    %f:2 = dataflow.sync %a, %d : none, none
    scf.yield %f#0, %to : none, i64
  }
  dataflow.thread.yield %e#0
}
// Every instance hears the whole sequence.
// MULTICAST: memory 0: 01000000000000000200000000000000030000000000000004000000000000000100000000000000020000000000000003000000000000000400000000000000
func.func @multicast(%m: memref<?xi8>) {
  %four = arith.constant 4 : index
  %two = arith.constant 2 : index
  %c = dataflow.channel.create : !dataflow.channel<i64>
  %t0 = dataflow.thread.launch @writer extents(%two) args(%c, %m : !dataflow.channel<i64>, memref<?xi8>)
  %t1 = dataflow.thread.launch @count args(%c, %four : !dataflow.channel<i64>, index)
  dataflow.thread.wait %t0, %t1
  return
}

// A source map: consumer i hears producer 3 - i.
dataflow.thread private @self(%c: !dataflow.channel<i64>) ctrl(%ctrl) coords(%i) {
  %v = arith.index_cast %i : index to i64
  dataflow.channel.send %c, %v : !dataflow.channel<i64>
}
dataflow.graph private @put(%start: none, %at: i64, %v: i64, %m: memref<?xi8>) -> () {
  %d = dataflow.store %m[%at] %v %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @mirror(%c: !dataflow.channel<i64>, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (3 - d0)> : !dataflow.channel<i64>
  %x = arith.constant 8 : index
  %b = arith.muli %i, %x : index
  %at = arith.index_cast %b : index to i64
  %d = dataflow.graph.launch @put after(%ctrl) values(%at, %v : i64, i64) memories(%m)
  dataflow.thread.yield %d
}
// SHIFTED: memory 0: 0300000000000000020000000000000001000000000000000000000000000000
func.func @shifted(%m: memref<?xi8>) {
  %four = arith.constant 4 : index
  %c = dataflow.channel.create : !dataflow.channel<i64>
  %t0 = dataflow.thread.launch @mirror extents(%four) args(%c, %m : !dataflow.channel<i64>, memref<?xi8>)
  %t1 = dataflow.thread.launch @self extents(%four) args(%c : !dataflow.channel<i64>)
  dataflow.thread.wait %t0, %t1
  return
}

// Graphs at both ends: 0 1 2 ... squared on the way, in a thread of its own.
dataflow.graph private @squares(%start: none, %n: i64) -> i64
    input_segments [1, 0, 0] result_segments [0, 1, 0] {
  %zero = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %p = dataflow.stream %zero, %n, %one add while slt : i64
  %o = dataflow.carry %p, %start, %u#0 : none
  %ol:2 = dataflow.demux %p, %o : (i1, none) -> (none, none)
  %sq = arith.muli %iv, %iv : i64
  %u:2 = dataflow.sync %ol#1, %sq : none, i64
  dataflow.graph.return values() streams(%u#1 : i64) complete(%ol#0)
}
dataflow.thread private @both(%m: memref<?xi8>) ctrl(%ctrl) {
  %mid = dataflow.channel.create : !dataflow.channel<i64>
  %n = arith.constant 2 : i64
  %at = arith.constant 0 : i64
  %d = dataflow.graph.launch @two after(%ctrl) values(%at : i64) streams(%mid : !dataflow.channel<i64>)
      from [affine_map<() -> ()>] memories(%m)
  %e = dataflow.graph.launch @squares after(%ctrl) values(%n : i64) into(%mid : !dataflow.channel<i64>)
  dataflow.graph.wait %d
  dataflow.thread.yield %d, %e
}
// PIPE: memory 0: 00000000000000000100000000000000
func.func @pipe(%m: memref<?xi8>) {
  %t = dataflow.thread.launch @both args(%m : memref<?xi8>)
  dataflow.thread.wait %t
  return
}

// The second launch of a site is done before the first one starts: its message
// comes second all the same.
dataflow.graph private @one(%start: none, %v: i64) -> i64
    input_segments [1, 0, 0] result_segments [0, 1, 0] {
  %u:2 = dataflow.sync %start, %v : none, i64
  dataflow.graph.return values() streams(%u#1 : i64) complete(%u#0)
}
dataflow.graph private @late(%start: none, %s: i64) -> ()
    input_segments [0, 1, 0] result_segments [0, 0, 0] {
  %u:2 = dataflow.sync %start, %s : none, i64
  dataflow.graph.return values() complete(%u#0)
}
dataflow.thread private @pair(%c: !dataflow.channel<i64>) ctrl(%ctrl) {
  %gate = dataflow.channel.create : !dataflow.channel<i64>
  %l = dataflow.graph.launch @late streams(%gate : !dataflow.channel<i64>) from [affine_map<() -> ()>]
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %e:3 = scf.for %k = %zero to %two step %one iter_args(%a = %l, %b = %ctrl, %last = %ctrl) -> (none, none, none) {
    %j = arith.addi %k, %one : index
    %v = arith.index_cast %j : index to i64
    %d = dataflow.graph.launch @one after(%a) values(%v : i64) into(%c : !dataflow.channel<i64>)
    scf.yield %b, %d, %d : none, none, none
  }
  dataflow.graph.wait %e#2
  %v = arith.constant 0 : i64
  dataflow.channel.send %gate, %v : !dataflow.channel<i64>
  dataflow.thread.yield %e#1, %e#0
}
// HELD: result 0: i64 12
func.func @held() -> i64 {
  %two = arith.constant 2 : index
  %one = arith.constant 1 : i64
  %a = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %c = dataflow.channel.create : !dataflow.channel<i64>
  %t0 = dataflow.thread.launch @digits args(%c, %two, %a : !dataflow.channel<i64>, index, !llvm.ptr)
  %t1 = dataflow.thread.launch @pair args(%c : !dataflow.channel<i64>)
  dataflow.thread.wait %t0, %t1
  %x = llvm.load %a : !llvm.ptr -> i64
  return %x : i64
}

// One message too few: who waits is said.
// STARVED: run-deadlock: everything that is left waits: @starved: waits at dataflow.thread.wait (line {{[0-9]+}}); @digits[]: waits at dataflow.channel.receive (line {{[0-9]+}})
func.func @starved() {
  %five = arith.constant 5 : index
  %four = arith.constant 4 : index
  %one = arith.constant 1 : i64
  %a = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %c = dataflow.channel.create : !dataflow.channel<i64>
  %t0 = dataflow.thread.launch @digits args(%c, %five, %a : !dataflow.channel<i64>, index, !llvm.ptr)
  %t1 = dataflow.thread.launch @count args(%c, %four : !dataflow.channel<i64>, index)
  dataflow.thread.wait %t0, %t1
  return
}

// Two threads that wait for each other.
dataflow.thread private @echo(%in: !dataflow.channel<i64>, %out: !dataflow.channel<i64>) ctrl(%ctrl) {
  %v = dataflow.channel.receive %in from affine_map<() -> ()> : !dataflow.channel<i64>
  dataflow.channel.send %out, %v : !dataflow.channel<i64>
}
// RING: run-deadlock: everything that is left waits: @echo[]: waits at dataflow.channel.receive (line {{[0-9]+}}); @echo[]: waits at
func.func @ring() {
  %a = dataflow.channel.create : !dataflow.channel<i64>
  %b = dataflow.channel.create : !dataflow.channel<i64>
  %t0 = dataflow.thread.launch @echo args(%a, %b : !dataflow.channel<i64>, !dataflow.channel<i64>)
  %t1 = dataflow.thread.launch @echo args(%b, %a : !dataflow.channel<i64>, !dataflow.channel<i64>)
  return
}

// TWICE: run-channel: a channel with two producers
func.func @twice() {
  %one = arith.constant 1 : index
  %c = dataflow.channel.create : !dataflow.channel<i64>
  %t0 = dataflow.thread.launch @count args(%c, %one : !dataflow.channel<i64>, index)
  %t1 = dataflow.thread.launch @count args(%c, %one : !dataflow.channel<i64>, index)
  return
}
