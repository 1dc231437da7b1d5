// RUN: not loom-artifact run %s --entry bounds --arg 0=5 --memory 1=8 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not loom-artifact run %s --entry bounds --arg 0=-1 --memory 1=8 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: loom-artifact run %s --entry bounds --arg 0=4 --memory 1=8 | FileCheck %s --check-prefix=INSIDE
// RUN: not loom-artifact run %s --entry bounds --arg 0=poison --memory 1=8 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not loom-artifact run %s --entry lane --memory 0=15 2>&1 | FileCheck %s --check-prefix=LANE
// RUN: not loom-artifact run %s --entry pointer --arg 0=0 --memory 1=16 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: not loom-artifact run %s --entry pointer --arg 0=@1+16 --memory 1=16 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: not loom-artifact run %s --entry select --arg 0=3 2>&1 | FileCheck %s --check-prefix=SELECTOR
// RUN: not loom-artifact run %s --entry select --arg 0=poison 2>&1 | FileCheck %s --check-prefix=POISON
// RUN: not loom-artifact run %s --entry phase --arg 0=poison 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not loom-artifact run %s --entry bound --arg 0=poison 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: not loom-artifact run %s --entry mask --arg 0=true,poison --memory 1=8 2>&1 | FileCheck %s --check-prefix=MASK
// RUN: not loom-artifact run %s --entry divide --arg 0=1,7 --arg 1=1,0 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: not loom-artifact run %s --entry divide --arg 0=1,-2147483648 --arg 1=1,-1 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not loom-artifact run %s --entry waits 2>&1 | FileCheck %s --check-prefix=WAITS
// RUN: not loom-artifact run %s --entry left 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not loom-artifact run %s --entry inside --arg 0=true 2>&1 | FileCheck %s --check-prefix=MIDDLE
// RUN: not loom-artifact run %s --entry scatter --memory 0=8 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not loom-artifact run %s --entry endless 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not loom-artifact run %s --entry endless --steps 50 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not loom-artifact run %s --entry ahead --steps 100000000 2>&1 | FileCheck %s --check-prefix=LIMIT

// What may go wrong in a graph, named.

// BOUNDS: run-bounds: an access outside of the memories: @bounds: @bounds:0 dataflow.load: 4 bytes at memory 0 + 5
// BELOW: run-bounds: {{.*}}4 bytes at memory 0 + -1
// INSIDE: result 0: i32 0
// ADDRESS: run-poison: poison decides what happens next: @bounds: @bounds:0 dataflow.load: an address
dataflow.graph private @bounds(%start: none, %n: i64, %m: memref<?xi8>) -> i32 {
  %v, %d = dataflow.load %m[%n] %start : i64 -> i32
  dataflow.graph.return values(%v : i32) complete(%d)
}

// LANE: run-bounds: {{.*}}4 bytes at memory 0 + 12 in lane 3
dataflow.graph private @lane(%start: none, %m: memref<?xi8>) -> vector<4xi32> {
  %n = dataflow.constant %start 0 : i64
  %v, %d = dataflow.load %m[%n] %start : i64 -> vector<4xi32>
  dataflow.graph.return values(%v : vector<4xi32>) complete(%d)
}

// NULL: run-bounds: {{.*}}@pointer:0 dataflow.load: 1 bytes at memory
dataflow.graph private @pointer(%start: none, %p: !llvm.ptr, %q: !llvm.ptr) -> i8 {
  %v, %d = dataflow.load [%p] %start : !llvm.ptr -> i8
  dataflow.graph.return values(%v : i8) complete(%d)
}

// SELECTOR: run-selector: a selector that is no lane: @select: @select:0 dataflow.demux: 3 of 3 lanes
// POISON: run-poison: {{.*}}@select:0 dataflow.demux: a selector
dataflow.graph private @select(%start: none, %s: i32) -> () {
  %l:3 = dataflow.demux %s, %start : (i32, none) -> (none, none, none)
  %r = dataflow.mux %s, %l#0, %l#1, %l#2 : (i32, none, none, none) -> none
  dataflow.graph.return values() complete(%r)
}

// PHASE: run-poison: {{.*}}@phase:0 dataflow.gate: a condition
dataflow.graph private @phase(%start: none, %p: i1) -> () {
  %c, %v = dataflow.gate %p, %start : none
  dataflow.graph.return values() complete(%v)
}

// BOUND: run-poison: {{.*}}@bound:1 dataflow.stream: a bound or a step
dataflow.graph private @bound(%start: none, %n: i64) -> () {
  %one = dataflow.constant %start 1 : i64
  %iv, %p = dataflow.stream %one, %n, %one add while slt : i64
  %c = dataflow.invariant %p, %start : none
  %l:2 = dataflow.demux %p, %c : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%l#0)
}

// MASK: run-poison: {{.*}}@mask:1 dataflow.load: a mask
dataflow.graph private @mask(%start: none, %s: vector<2xi1>, %m: memref<?xi8>) -> vector<2xi32> {
  %n = dataflow.constant %start 0 : i64
  %v, %d = dataflow.load %m[%n] %start mask %s : i64 -> vector<2xi32>
  dataflow.graph.return values(%v : vector<2xi32>) complete(%d)
}

// TRAP: run-trap: a computation that the host would trap on: @divide: @divide:0 arith.divsi: a division by zero or by poison in lane 1
// OVERFLOW: run-trap: {{.*}}a division that overflows in lane 1
dataflow.graph private @divide(%start: none, %a: vector<2xi32>, %b: vector<2xi32>) -> vector<2xi32> {
  %r = arith.divsi %a, %b : vector<2xi32>
  %u:2 = dataflow.sync %start, %r : none, vector<2xi32>
  dataflow.graph.return values(%u#1 : vector<2xi32>) complete(%u#0)
}

// A ring without an end: who waits for whom.
// WAITS: run-deadlock: everything that is left waits: @waits: @waits:0 dataflow.sync waits for operand 1 (@waits:1 dataflow.sync)
dataflow.graph private @waits(%start: none) -> () {
  %a:2 = dataflow.sync %start, %b#0 : none, none
  %b:2 = dataflow.sync %a#1, %start : none, none
  dataflow.graph.return values() complete(%a#0)
}

// LEFT: run-leftover: a completed graph has tokens left, or an actor in the middle of a loop: @left: @left:2 dataflow.mux operand 2 has 1 tokens left
dataflow.graph private @left(%start: none) -> () {
  %f = dataflow.constant %start false
  %s:2 = dataflow.sync %start, %start : none, none
  %r = dataflow.mux %f, %s#0, %s#1 : (i1, none, none) -> none
  dataflow.graph.return values() complete(%r)
}

// MIDDLE: run-leftover: {{.*}}@inside:0 dataflow.invariant is in the middle of a loop
dataflow.graph private @inside(%start: none, %p: i1) -> () {
  %c = dataflow.invariant %p, %start : none
  %l:2 = dataflow.demux %p, %c : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%l#1)
}

// LANES: run-lanes: two lanes of one store write the same byte: @scatter: @scatter:2 dataflow.store: lane 1 and an earlier one
dataflow.graph private @scatter(%start: none, %m: memref<?xi8>) -> () {
  %a = dataflow.constant %start dense<[0, 3]> : vector<2xi64>
  %v = dataflow.constant %start dense<[1, 2]> : vector<2xi32>
  %d = dataflow.store %m[%a] %v %start : vector<2xi64>, vector<2xi32>
  dataflow.graph.return values() complete(%d)
}

// STEPS: run-steps: more steps than allowed: limit 1000000
// FEW: run-steps: {{.*}}limit 50
dataflow.graph private @endless(%start: none) -> () {
  %zero = dataflow.constant %start 0 : i64
  %iv, %p = dataflow.stream %zero, %zero, %zero add while eq : i64
  %c = dataflow.invariant %p, %start : none
  %l:2 = dataflow.demux %p, %c : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%l#0)
}

// A counter without a consumer that keeps up.
// LIMIT: run-limit: more memory, tokens or launches than allowed: more than 1048576 tokens
dataflow.graph private @ahead(%start: none) -> i64 {
  %zero = dataflow.constant %start 0 : i64
  %iv, %p = dataflow.stream %zero, %zero, %zero add while eq : i64
  %s:2 = dataflow.sync %start, %iv : none, i64
  %c = dataflow.invariant %p, %s#0 : none
  %l:2 = dataflow.demux %p, %c : (i1, none) -> (none, none)
  dataflow.graph.return values(%s#1 : i64) complete(%l#0)
}
