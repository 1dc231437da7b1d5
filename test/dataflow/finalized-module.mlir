// RUN: loom-opt %s -split-input-file --dataflow-verify-finalized -verify-diagnostics

// What a whole program has, and what its launches bind.

// A graph that nothing launches.
// expected-error @+1 {{is never launched}}
dataflow.graph private @g(%start: none) -> () {
  dataflow.graph.return values() complete(%start)
}

// -----

// A thread that nothing launches.
// expected-error @+1 {{is never launched}}
dataflow.thread private @t() ctrl(%ctrl) {
}

// -----

// Right: the runtime launches it.
dataflow.graph @g(%start: none, %n: i32) -> i32 slots [0] partitions [] exits [-1] {
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

// A region that has no graph yet.
func.func @f(%n: i32) -> i32 {
  // expected-error @+1 {{must not be in a finalized program}}
  %r = loom.spatial_region "r" (%n) partitions [-1] exits [-1] : (i32) -> i32 {
  ^bb0(%a: i32):
    // expected-error @+1 {{must not be in a finalized program}}
    loom.spatial_yield %a : i32
  }
  return %r : i32
}

// -----

// A cast that means nothing.
func.func @f(%p: !llvm.ptr) -> memref<?xi8> {
  // expected-error @+1 {{must not be in a finalized program}}
  %m = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<?xi8>
  return %m : memref<?xi8>
}

// -----

// Nobody knows what it does.
func.func private @callee()
dataflow.thread private @t() ctrl(%ctrl) {
  // expected-error @+1 {{in a thread must call a function of the module that holds none of the dataflow dialect}}
  func.call @callee() : () -> ()
}
func.func @host() {
  %t = dataflow.thread.launch @t
  return
}

// -----

// Through a pointer.
dataflow.thread private @t(%p: !llvm.ptr) ctrl(%ctrl) {
  // expected-error @+1 {{in a thread must call a function of the module}}
  llvm.call %p() : !llvm.ptr, () -> ()
}
llvm.func @host(%p: !llvm.ptr) {
  %t = dataflow.thread.launch @t args(%p : !llvm.ptr)
  llvm.return
}

// -----

// It launches, two calls away.
func.func private @outer() {
  func.call @inner() : () -> ()
  return
}
func.func private @inner() {
  // expected-error @+1 {{expected one producer, got 0}}
  %c = dataflow.channel.create : !dataflow.channel<f32>
  return
}
dataflow.thread private @t() ctrl(%ctrl) {
  // expected-error @+1 {{in a thread must call a function of the module}}
  func.call @outer() : () -> ()
}
func.func @host() {
  %t = dataflow.thread.launch @t
  return
}

// -----

// Right: an ordinary function, and one that calls itself.
func.func private @callee() {
  func.call @callee() : () -> ()
  return
}
dataflow.thread private @t() ctrl(%ctrl) {
  func.call @callee() : () -> ()
}
func.func @host() {
  %t = dataflow.thread.launch @t
  return
}

// -----

// Fewer than none.
dataflow.thread private @t() ctrl(%ctrl) coords(%i) {
}
func.func @host() {
  %e = arith.constant -1 : index
  // expected-error @+1 {{extent 0 is negative: -1}}
  %t = dataflow.thread.launch @t extents(%e)
  return
}

// -----

// Memory behind no pointer.
dataflow.thread private @t(%p: !llvm.ptr) ctrl(%ctrl) {
}
llvm.func @host() {
  %p = llvm.mlir.poison : !llvm.ptr
  // expected-error @+1 {{binds a pointer that is undefined}}
  %t = dataflow.thread.launch @t args(%p : !llvm.ptr)
  llvm.return
}

// -----

// Memory behind no pointer, of a graph.
dataflow.graph private @g(%start: none, %p: !llvm.ptr) -> () {
  %v, %d = dataflow.load [%p] %start : !llvm.ptr -> i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t() ctrl(%ctrl) {
  %p = llvm.mlir.undef : !llvm.ptr
  // expected-error @+1 {{binds a pointer that is undefined}}
  %d = dataflow.graph.launch @g values(%p : !llvm.ptr)
  dataflow.thread.yield %d
}
func.func @host() {
  %t = dataflow.thread.launch @t
  return
}

// -----

// A memory from nowhere.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%b: i1, %m: memref<?xi8>, %n: memref<?xi8>) ctrl(%ctrl) {
  %x = arith.select %b, %m, %n : memref<?xi8>
  // expected-error @+1 {{memory 0 is not a memory input of the thread}}
  %d = dataflow.graph.launch @g memories(%x)
  dataflow.thread.yield %d
}
func.func @host(%b: i1, %m: memref<?xi8>) {
  %t = dataflow.thread.launch @t args(%b, %m, %m : i1, memref<?xi8>, memref<?xi8>)
  return
}

// -----

// A slot of somebody else.
dataflow.thread private @t(%s: !llvm.ptr {dataflow.result_slot}) ctrl(%ctrl) {
}
llvm.func @host(%p: !llvm.ptr) {
  // expected-error @+1 {{expected a result slot that the caller allocates as argument 0}}
  %t = dataflow.thread.launch @t args(%p : !llvm.ptr)
  llvm.return
}

// -----

// Read before it is there.
dataflow.thread private @t(%s: !llvm.ptr {dataflow.result_slot}) ctrl(%ctrl) {
}
llvm.func @host() -> f32 {
  %n = arith.constant 1 : i32
  %p = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
  %t = dataflow.thread.launch @t args(%p : !llvm.ptr)
  // expected-error @+1 {{must not use a result slot before the thread has been waited for}}
  %v = llvm.load %p : !llvm.ptr -> f32
  dataflow.thread.wait %t
  llvm.return %v : f32
}

// -----

// Right: read after it.
dataflow.thread private @t(%s: !llvm.ptr {dataflow.result_slot}) ctrl(%ctrl) {
}
llvm.func @host() -> f32 {
  %n = arith.constant 1 : i32
  %p = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
  %t = dataflow.thread.launch @t args(%p : !llvm.ptr)
  dataflow.thread.wait %t
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.return %v : f32
}

// -----

// Written behind the back of the thread.
dataflow.thread private @t(%s: !llvm.ptr {dataflow.result_slot}) ctrl(%ctrl) {
}
llvm.func @host() -> f32 {
  %n = arith.constant 1 : i32
  %p = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
  %t = dataflow.thread.launch @t args(%p : !llvm.ptr)
  dataflow.thread.wait %t
  %v = llvm.load %p : !llvm.ptr -> f32
  // expected-error @+1 {{must not use a result slot before the thread has been waited for}}
  llvm.store %v, %p : f32, !llvm.ptr
  llvm.return %v : f32
}

// -----

// Graphs are checked as everywhere.
// expected-error @+1 {{dataflow-completion: the completion doesn't come after}}
dataflow.graph @g(%start: none, %n: i32, %a: i64, %m: memref<?xi8>) -> i32 slots [0, 1, 2] partitions [0] exits [-1] {
  %d = dataflow.store %m[%a] %n %start : i64, i32
  %e = dataflow.store %m[%a] %n %start : i64, i32
  dataflow.graph.return values(%n : i32) complete(%d)
}
