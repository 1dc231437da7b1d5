// RUN: loom-opt %s -split-input-file -verify-diagnostics

// Vectors, forms of access, the table of actors, segments.

// An indexed access moves as many lanes as it has addresses.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected data of the shape of the address 'vector<4xi64>', got 'vector<2xf32>'}}
  %x, %d = dataflow.load %m[%as] %start : vector<4xi64> -> vector<2xf32>
  dataflow.graph.return values() complete(%d)
}

// -----

// Addresses without lanes to move.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected data of the shape of the address 'vector<4xi64>', got 'f32'}}
  %x, %d = dataflow.load %m[%as] %start : vector<4xi64> -> f32
  dataflow.graph.return values() complete(%d)
}

// -----

// An element has no lanes to mask.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{an element access has no mask}}
  %d = dataflow.store %m[%a] %f %start mask %c : i64, f32
  dataflow.graph.return values() complete(%d)
}

// -----

// One bit per lane.
// expected-note @+1 {{prior use here}}
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expects different type than prior uses: 'vector<4xi1>' vs 'i1'}}
  %d = dataflow.store %m[%a] %v %start mask %c : i64, vector<4xf32>
  dataflow.graph.return values() complete(%d)
}

// -----

// Pointers need no memory.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected a !llvm.ptr address without a memory, got 'vector<4xi64>'}}
  %d = dataflow.store [%as] %v %start : vector<4xi64>, vector<4xf32>
  dataflow.graph.return values() complete(%d)
}

// -----

// What no access moves.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{must be what one access moves}}
  %x, %d = dataflow.load %m[%a] %start : i64 -> vector<4xi1>
  dataflow.graph.return values() complete(%d)
}

// -----

// Scalable vectors are no tokens.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{must be what one access moves}}
  %x, %d = dataflow.load %m[%a] %start : i64 -> vector<[4]xi8>
  dataflow.graph.return values() complete(%d)
}

// -----

// Nor are those of rank 0.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{must be what one access moves}}
  %x, %d = dataflow.load %m[%a] %start : i64 -> vector<i8>
  dataflow.graph.return values() complete(%d)
}

// -----

// Volatile is no attribute of an access: refused, not dropped.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{is not an actor of docs/reference/dataflow-actors.md: has an attribute without a class: 'volatile_'}}
  %x, %d = dataflow.load %m[%a] %start {volatile_} : i64 -> i8
  dataflow.graph.return values() complete(%d)
}

// -----

// Nor is an order.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{has an attribute without a class: 'ordering'}}
  %d = dataflow.store %m[%a] %a %start {ordering = 7 : i64} : i64, i64
  dataflow.graph.return values() complete(%d)
}

// -----

// Atomic operations are named.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{is not an actor of docs/reference/dataflow-actors.md: an atomic access or a fence}}
  llvm.fence acquire
  dataflow.graph.return values() complete(%start)
}

// -----

// Atomic operations are named.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{is not an actor of docs/reference/dataflow-actors.md: an atomic access or a fence}}
  %x = llvm.atomicrmw add %p, %a monotonic : !llvm.ptr, i64
  dataflow.graph.return values() complete(%start)
}

// -----

// Atomic operations are named.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{is not an actor of docs/reference/dataflow-actors.md: an atomic access or a fence}}
  %x = llvm.cmpxchg %p, %a, %a seq_cst seq_cst : !llvm.ptr, i64
  dataflow.graph.return values() complete(%start)
}

// -----

// An access of the program is no actor.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{an access without a control token}}
  %x = llvm.load volatile %p : !llvm.ptr -> i64
  dataflow.graph.return values() complete(%start)
}

// -----

// A rounding mode would decide a token, but no actor has one.
dataflow.graph private @g(%start: none, %x: f64) -> f32 {
  // expected-error @+1 {{has an attribute without a class: 'roundingmode'}}
  %y = arith.truncf %x toward_zero : f64 to f32
  dataflow.graph.return values(%y : f32) complete(%start)
}

// -----

// An operation without a row.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{has no row in the table of actors}}
  %x = math.sin %f : f32
  dataflow.graph.return values() complete(%start)
}

// -----

dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  %i = arith.index_cast %a : i64 to index
  // expected-error @+1 {{with a value of index}}
  %x = arith.addi %i, %i : index
  dataflow.graph.return values() complete(%start)
}

// -----

// A position of another width.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{with an integer that isn't i64}}
  %i = arith.index_cast %c : i1 to index
  dataflow.graph.return values() complete(%start)
}

// -----

dataflow.graph private @g(%start: none, %b: vector<2xi24>) -> () {
  // expected-error @+1 {{of an odd number of bytes}}
  %x = llvm.intr.bswap(%b) : (vector<2xi24>) -> vector<2xi24>
  dataflow.graph.return values() complete(%start)
}

// -----

// Lanes of another type.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected lanes of type 'i64', got 'vector<4xi32>'}}
  %x, %y, %z = dataflow.parallelize %a, %c : i64 -> vector<4xi32>
  dataflow.graph.return values() complete(%start)
}

// -----

// Groups have one dimension.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected a vector of rank 1, got 'vector<2x2xi64>'}}
  %x, %y, %z = dataflow.parallelize %a, %c : i64 -> vector<2x2xi64>
  dataflow.graph.return values() complete(%start)
}

// -----

// Lanes of another type.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected lanes of type 'f64', got 'vector<4xf32>'}}
  %x, %y = dataflow.serialize %v, %k, %c : vector<4xf32> -> f64
  dataflow.graph.return values() complete(%start)
}

// -----

// Not all bits.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected an integer of exactly the bits of 'vector<4xi1>', got 'i8'}}
  %x = dataflow.pack %k : vector<4xi1> -> i8
  dataflow.graph.return values() complete(%start)
}

// -----

// Too many bits.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected an integer of exactly the bits of 'vector<4xf32>', got 'i64'}}
  %x = dataflow.unpack %a : i64 -> vector<4xf32>
  dataflow.graph.return values() complete(%start)
}

// -----

// Pointers have no bits.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected lanes that are numbers, got 'vector<1x!llvm.ptr>'}}
  %x = dataflow.unpack %a : i64 -> vector<1x!llvm.ptr>
  dataflow.graph.return values() complete(%start)
}

// -----

// A constant of another shape.
dataflow.graph private @g(%start: none, %a: i64, %as: vector<4xi64>, %p: !llvm.ptr, %v: vector<4xf32>, %f: f32, %k: vector<4xi1>, %c: i1, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected dense lanes of type 'vector<4xi32>'}}
  %x = dataflow.constant %start dense<1> : vector<2xi32> as vector<4xi32>
  dataflow.graph.return values() complete(%start)
}

// -----

// Streams have to be counted.
// expected-error @+1 {{expected three counts of inputs from 0, got array<i32: 1, 1>}}
dataflow.graph private @g(%start: none, %a: i64, %b: i64) -> () input_segments [1, 1] {
  dataflow.graph.return values() complete(%start)
}

// -----

// Counts from 0.
// expected-error @+1 {{expected three counts of inputs from 0}}
dataflow.graph private @g(%start: none, %a: i64, %b: i64) -> () input_segments [3, -1, 0] {
  dataflow.graph.return values() complete(%start)
}

// -----

// All of them.
// expected-error @+1 {{expected counts of all 2 inputs}}
dataflow.graph private @g(%start: none, %a: i64, %b: i64) -> () input_segments [1, 0, 0] {
  dataflow.graph.return values() complete(%start)
}

// -----

// A memory is no stream.
// expected-error @+1 {{expected value inputs before memory inputs, got 'memref<?xi8>' at input 1}}
dataflow.graph private @g(%start: none, %a: i64, %m: memref<?xi8>) -> () input_segments [1, 1, 0] {
  dataflow.graph.return values() complete(%start)
}

// -----

// A stream is no memory.
// expected-error @+1 {{expected value results before memory results, got 'i64' at result 0}}
dataflow.graph private @g(%start: none, %a: i64) -> i64 result_segments [0, 0, 1] {
  dataflow.graph.return values(%a : i64) complete(%start)
}

// -----

// Events are no results.
// expected-error @+1 {{expected a scalar type of at most 64 bits or a vector of them for result 0, got 'none'}}
dataflow.graph private @g(%start: none) -> none {
  dataflow.graph.return values(%start : none) complete(%start)
}

// -----

// A region of an image has no streams.
// expected-error @+1 {{a graph with slots has no streams and no memory results}}
dataflow.graph @g(%start: none, %a: i32) -> i32 input_segments [0, 1, 0] slots [0] partitions [] exits [-1] {
  dataflow.graph.return values(%a : i32) complete(%start)
}

// -----

// All three or none.
// expected-error @+1 {{expected partitions and exits with the slots}}
dataflow.graph @g(%start: none, %a: i32) -> i32 slots [0] exits [-1] {
  dataflow.graph.return values(%a : i32) complete(%start)
}

// -----

// All three or none.
// expected-error @+1 {{expected slots with partitions and exits}}
dataflow.graph private @g(%start: none, %a: i32) -> i32 exits [-1] {
  dataflow.graph.return values(%a : i32) complete(%start)
}

// -----

// Nobody but a thread launches it.
// expected-error @+1 {{a graph without slots is launched by threads, expected it to be private}}
dataflow.graph @g(%start: none, %a: i32) -> i32 {
  dataflow.graph.return values(%a : i32) complete(%start)
}

// -----

// A message is work.
dataflow.graph private @g(%start: none, %a: i32) -> i32 result_segments [0, 1, 0] {
  // expected-error @+1 {{the start token can't complete a graph with streams}}
  dataflow.graph.return values() streams(%a : i32) complete(%start)
}

// -----

// So is taking one.
dataflow.graph private @g(%start: none, %a: i32) -> () input_segments [0, 1, 0] {
  // expected-error @+1 {{the start token can't complete a graph with streams}}
  dataflow.graph.return values() complete(%start)
}

// -----

// Results where they belong.
dataflow.graph private @g(%start: none, %a: i32) -> i32 result_segments [0, 1, 0] {
  %s:2 = dataflow.sync %start, %a : none, i32
  // expected-error @+1 {{expected values of types (), got ('i32')}}
  dataflow.graph.return values(%s#1 : i32) complete(%s#0)
}

// -----

// Results where they belong.
dataflow.graph private @g(%start: none, %a: i32) -> i32 {
  %s:2 = dataflow.sync %start, %a : none, i32
  // expected-error @+1 {{expected values of types ('i32'), got ()}}
  dataflow.graph.return values() streams(%s#1 : i32) complete(%s#0)
}

// -----

// Results where they belong.
dataflow.graph private @g(%start: none, %a: i32, %b: i32) -> (i32, i32) result_segments [1, 1, 0] {
  %s:2 = dataflow.sync %start, %a : none, i32
  // expected-error @+1 {{expected streams of types ('i32'), got ()}}
  dataflow.graph.return values(%b : i32) complete(%s#0)
}

// -----

// Results where they belong.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  // expected-error @+1 {{expected memories of types (), got ('memref<?xi8>')}}
  dataflow.graph.return values() memories(%m) complete(%start)
}
