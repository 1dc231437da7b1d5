// RUN: loom-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected the start token as first argument}}
dataflow.graph @g(%n: i64) -> i32 slots [0] partitions [] exits [-1] {
}

// -----

// expected-error @+1 {{the first result must be the i32 exit selector}}
dataflow.graph @g(%start: none, %n: i64) -> i64 slots [0] partitions [] exits [-1] {
  dataflow.graph.return values(%n : i64) complete(%start)
}

// -----

// expected-error @+1 {{expected one slot per input (1), got 2}}
dataflow.graph @g(%start: none, %n: i32) -> i32 slots [0, 1] partitions [] exits [-1] {
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

// expected-error @+1 {{expected one partition per memory input (1), got 0}}
dataflow.graph @g(%start: none, %n: i32, %m: memref<?xi8>) -> i32 slots [0, 1] partitions [] exits [-1] {
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

// expected-error @+1 {{expected one exit per result (1), got 2}}
dataflow.graph @g(%start: none, %n: i32) -> i32 slots [0] partitions [] exits [-1, 0] {
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

// expected-error @+1 {{expected slots from 0, got -1}}
dataflow.graph @g(%start: none, %n: i32) -> i32 slots [-1] partitions [] exits [-1] {
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

// expected-error @+1 {{expected partitions from 0, got -2}}
dataflow.graph @g(%start: none, %n: i32, %m: memref<?xi8>) -> i32 slots [0, 1] partitions [-2] exits [-1] {
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

// expected-error @+1 {{expected memory input 0 of type memref<?xi8>, got 'memref<?xf32>'}}
dataflow.graph @g(%start: none, %m: memref<?xf32>) -> i32 slots [0] partitions [0] exits [-1] {
  %0 = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%0 : i32) complete(%start)
}

// -----

// expected-error @+1 {{expected value inputs before memory inputs, got 'i32' at input 1}}
dataflow.graph @g(%start: none, %m: memref<?xi8>, %n: i32) -> i32 slots [0, 1] partitions [0] exits [-1] {
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

// expected-error @+1 {{expected a scalar type of at most 64 bits or a vector of them for input 0, got 'i65'}}
dataflow.graph @g(%start: none, %n: i65) -> i32 slots [0] partitions [] exits [-1] {
  %0 = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%0 : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none) -> i32 slots [] partitions [] exits [-1] {
  // expected-error @+1 {{is not an actor}}
  %0 = arith.constant 0 : i32
  dataflow.graph.return values(%0 : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i32, %p: !llvm.ptr) -> i32 slots [0, 1] partitions [] exits [-1] {
  // expected-error @+1 {{is not an actor}}
  %0 = llvm.load %p : !llvm.ptr -> i32
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i32, %p: !llvm.ptr, %i: i64) -> i32 slots [0, 1, 2] partitions [] exits [-1] {
  // expected-error @+1 {{is not an actor}}
  %0 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i64) -> i32 slots [0] partitions [] exits [-1] {
  // expected-error @+1 {{expected values of types ('i32'), got ('i64')}}
  dataflow.graph.return values(%n : i64) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i32) -> i32 slots [0] partitions [] exits [-1] {
  // expected-error @+1 {{expected at least one completion token}}
  dataflow.graph.return values(%n : i32) complete()
}

// -----

dataflow.graph @g(%start: none, %n: i32, %i: i64, %m: memref<?xi8>) -> i32 slots [0, 1, 2] partitions [0] exits [-1] {
  %d = dataflow.store %m[%i] %n %start : i64, i32
  // expected-error @+1 {{the start token can't complete a graph that accesses memory}}
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i32, %i: i64, %m: memref<?xi8>) -> i32 slots [0, 1, 2] partitions [0] exits [-1] {
  // expected-error @+1 {{expected a !llvm.ptr address without a memory, got 'i64'}}
  %d = dataflow.store [%i] %n %start : i64, i32
  dataflow.graph.return values(%n : i32) complete(%d)
}

// -----

dataflow.graph @g(%start: none, %n: i32, %p: !llvm.ptr, %m: memref<?xi8>) -> i32 slots [0, 1, 2] partitions [0] exits [-1] {
  // expected-error @+1 {{expected an i64 offset into the memory, got '!llvm.ptr'}}
  %v, %d = dataflow.load %m[%p] %start : !llvm.ptr -> i32
  dataflow.graph.return values(%n : i32) complete(%d)
}

// -----

dataflow.graph @g(%start: none, %n: i32, %i: i64, %m: memref<?xi8>) -> i32 slots [0, 1, 2] partitions [0] exits [-1] {
  // expected-error @+1 {{must be what one access moves: i8, i16, i32, i64, f32, f64, !llvm.ptr, or a vector of one of them, but got 'i24'}}
  %v, %d = dataflow.load %m[%i] %start : i64 -> i24
  dataflow.graph.return values(%n : i32) complete(%d)
}

// -----

dataflow.graph @g(%start: none, %n: i32) -> i32 slots [0] partitions [] exits [-1] {
  // expected-error @+1 {{expected an i1 selector for 2 lanes, got 'i32'}}
  %a:2 = dataflow.demux %n, %n : (i32, i32) -> (i32, i32)
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i32, %c: i1) -> i32 slots [0, 1] partitions [] exits [-1] {
  // expected-error @+1 {{expected at least 2 lanes, got 1}}
  %a = dataflow.mux %c, %n : (i1, i32) -> i32
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i32, %c: i1) -> i32 slots [0, 1] partitions [] exits [-1] {
  // expected-error @+1 {{expected an i32 or i64 selector for 3 lanes, got 'i1'}}
  %a = dataflow.mux %c, %n, %n, %n : (i1, i32, i32, i32) -> i32
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i32, %c: i1) -> i32 slots [0, 1] partitions [] exits [-1] {
  // expected-error @+1 {{expected lane 1 of type 'i32', got 'i1'}}
  %a = dataflow.mux %c, %n, %c : (i1, i32, i1) -> i32
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i32) -> i32 slots [0] partitions [] exits [-1] {
  // expected-error @+1 {{expected a value of type 'i64', got 'i32'}}
  %a = dataflow.constant %start 1 : i32 as i64
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i32) -> i32 slots [0] partitions [] exits [-1] {
  // expected-error @+1 {{expected an integer or float attribute}}
  %a = dataflow.constant %start dense<1> : tensor<2xi32> as i32
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

dataflow.graph @g(%start: none, %n: i32, %m: memref<?xi8>) -> i32 slots [0, 1] partitions [0] exits [-1] {
  // expected-error @+1 {{operand #1 must be variadic of a token}}
  %a:2 = dataflow.sync %n, %m : i32, memref<?xi8>
  dataflow.graph.return values(%n : i32) complete(%start)
}
