// RUN: loom-opt %s --allow-unregistered-dialect -split-input-file -verify-diagnostics

// Threads, channels and launches.

// Nobody else names a thread.
// expected-error @+1 {{expected to be private}}
dataflow.thread @t() ctrl(%ctrl) {
}

// -----

// An event has no meaning outside.
// expected-error @+1 {{input 0 must not be an event or a token, got 'none'}}
dataflow.thread private @t(%e: none) ctrl(%ctrl) {
}

// -----

// Nor has a token one inside.
// expected-error @+1 {{input 1 must not be an event or a token, got '!dataflow.thread_token'}}
dataflow.thread private @t(%n: i64, %e: !dataflow.thread_token) ctrl(%ctrl) {
}

// -----

// Results go through slots.
// expected-error @+1 {{expected no results, got 'i32'}}
"dataflow.thread"() <{sym_name = "t", function_type = () -> i32, sym_visibility = "private"}> ({
^bb0(%ctrl: none):
  dataflow.thread.yield
}) : () -> ()

// -----

// Without its event.
// expected-error @+1 {{expected block arguments ('i64', none, index...), got ('i64', 'index')}}
"dataflow.thread"() <{sym_name = "t", function_type = (i64) -> (), sym_visibility = "private"}> ({
^bb0(%n: i64, %i: index):
  dataflow.thread.yield
}) : () -> ()

// -----

// Coordinates are index.
// expected-error @+1 {{expected block arguments (, none, index...), got ('none', 'i64')}}
"dataflow.thread"() <{sym_name = "t", function_type = () -> (), sym_visibility = "private"}> ({
^bb0(%ctrl: none, %i: i64):
  dataflow.thread.yield
}) : () -> ()

// -----

// Attributes of inputs only.
// expected-error @+1 {{expected attributes for 0 inputs, got 1}}
"dataflow.thread"() <{sym_name = "t", function_type = () -> (), sym_visibility = "private", arg_attrs = [{}]}> ({
^bb0(%ctrl: none):
  dataflow.thread.yield
}) : () -> ()

// -----

// Not in a function.
func.func @f() {
  // expected-error @+1 {{expects parent op 'builtin.module'}}
  dataflow.thread private @t() ctrl(%ctrl) {
  }
  return
}

// -----

// A slot is memory.
// expected-error @+1 {{expected a !llvm.ptr as the result slot of input 0, got 'i64'}}
dataflow.thread private @t(%s: i64 {dataflow.result_slot}) ctrl(%ctrl) {
}

// -----

// A slot is for results.
dataflow.thread private @t(%s: !llvm.ptr {dataflow.result_slot}) ctrl(%ctrl) {
  // expected-error @+1 {{must not use a result slot: a thread only stores to it}}
  %v = llvm.load %s : !llvm.ptr -> i64
}

// -----

// Nor does it leave.
dataflow.thread private @t(%s: !llvm.ptr {dataflow.result_slot}) ctrl(%ctrl) {
  // expected-error @+1 {{must not use a result slot: a thread only stores to it}}
  llvm.store %s, %s : !llvm.ptr, !llvm.ptr
}

// -----

// No such thread.
func.func @f() {
  // expected-error @+1 {{expected a dataflow.thread named @t}}
  %t = dataflow.thread.launch @t
  return
}

// -----

// A function is no thread.
func.func @f() {
  // expected-error @+1 {{expected a dataflow.thread named @f}}
  %t = dataflow.thread.launch @f
  return
}

// -----

// Other arguments.
dataflow.thread private @t(%n: i64) ctrl(%ctrl) coords(%i) {
}
func.func @f(%n: i32, %e: index) {
  // expected-error @+1 {{expected arguments of types ('i64'), got ('i32')}}
  %t = dataflow.thread.launch @t extents(%e) args(%n : i32)
  return
}

// -----

// Another rank.
dataflow.thread private @t(%n: i64) ctrl(%ctrl) coords(%i) {
}
func.func @f(%n: i64, %e: index) {
  // expected-error @+1 {{expected one extent per coordinate (1), got 2}}
  %t = dataflow.thread.launch @t extents(%e, %e) args(%n : i64)
  return
}

// -----

// Threads launch no threads.
dataflow.thread private @t(%n: i64) ctrl(%ctrl) coords(%i) {
}
dataflow.thread private @u(%n: i64) ctrl(%ctrl) {
  %e = arith.constant 1 : index
  // expected-error @+1 {{expected to be in host code, not in a thread or a graph}}
  %t = dataflow.thread.launch @t extents(%e) args(%n : i64)
}

// -----

// Threads wait for no threads.
dataflow.thread private @u() ctrl(%ctrl) {
  %t = "test.token"() : () -> !dataflow.thread_token
  // expected-error @+1 {{expected to be in host code, not in a thread or a graph}}
  dataflow.thread.wait %t
}

// -----

// For what?
func.func @f() {
  // expected-error @+1 {{expected at least one token}}
  "dataflow.thread.wait"() : () -> ()
  return
}

// -----

// An event is no token.
func.func @f(%e: none) {
  // expected-error @+1 {{operand #0 must be variadic of the retirement of a thread launch, but got 'none'}}
  "dataflow.thread.wait"(%e) : (none) -> ()
  return
}

// -----

// What is carried has bits.
// expected-error @+1 {{expected a payload that is a token other than none and index, got 'none'}}
func.func private @f(!dataflow.channel<none>)

// -----

// A channel carries no channels.
// expected-error @+1 {{expected a payload that is a token other than none and index, got '!dataflow.channel<f32>'}}
func.func private @f(!dataflow.channel<!dataflow.channel<f32>>)

// -----

// Nor tokens of threads.
// expected-error @+1 {{expected a payload that is a token other than none and index, got '!dataflow.thread_token'}}
func.func private @f(!dataflow.channel<!dataflow.thread_token>)

// -----

// Nor memories.
// expected-error @+1 {{expected a payload that is a token other than none and index, got 'memref<?xi8>'}}
func.func private @f(!dataflow.channel<memref<?xi8>>)

// -----

// Host code sends nothing.
func.func @f(%c: !dataflow.channel<f32>, %x: f32) {
  // expected-error @+1 {{expected to be in a dataflow.thread}}
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
  return
}

// -----

// And receives nothing.
func.func @f(%c: !dataflow.channel<f32>) {
  // expected-error @+1 {{expected to be in a dataflow.thread}}
  %x = dataflow.channel.receive %c from affine_map<() -> ()> : !dataflow.channel<f32>
  return
}

// -----

// One dimension per coordinate.
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{has a source map that has 0 dimensions, but the consumer has 1 coordinates}}
  %v = dataflow.channel.receive %c from affine_map<() -> ()> : !dataflow.channel<f32>
}

// -----

// No symbols.
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{has a source map that has symbols}}
  %v = dataflow.channel.receive %c from affine_map<(d0)[s0] -> (d0 + s0)> : !dataflow.channel<f32>
}

// -----

// Total.
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{has a source map that is not defined for all coordinates}}
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0 mod 0)> : !dataflow.channel<f32>
}

// -----

// No graph makes a channel.
dataflow.graph private @h(%start: none) -> () {
  // expected-error @+1 {{must not be in a graph}}
  %c = dataflow.channel.create : !dataflow.channel<f32>
  dataflow.graph.return values() complete(%start)
}

// -----

// Another type.
dataflow.graph private @g(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  dataflow.graph.return values(%n : i64) streams(%t#1 : f32) memories(%m) complete(%t#0)
}
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{expected values of types ('i64'), got ('f32')}}
  %r, %k, %e = dataflow.graph.launch @g values(%x : f32) streams(%c : !dataflow.channel<f32>) from [affine_map<(d0) -> (d0)>] memories(%m) into(%c : !dataflow.channel<f32>) returns(i64) exposes(memref<?xi8>)
}

// -----

// Another payload.
dataflow.graph private @g(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  dataflow.graph.return values(%n : i64) streams(%t#1 : f32) memories(%m) complete(%t#0)
}
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{expected streams of types ('f32'), got ('i64')}}
  %r, %k, %e = dataflow.graph.launch @g values(%n : i64) streams(%d : !dataflow.channel<i64>) from [affine_map<(d0) -> (d0)>] memories(%m) into(%c : !dataflow.channel<f32>) returns(i64) exposes(memref<?xi8>)
}

// -----

// Another payload.
dataflow.graph private @g(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  dataflow.graph.return values(%n : i64) streams(%t#1 : f32) memories(%m) complete(%t#0)
}
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{expected stream results of types ('f32'), got ('i64')}}
  %r, %k, %e = dataflow.graph.launch @g values(%n : i64) streams(%c : !dataflow.channel<f32>) from [affine_map<(d0) -> (d0)>] memories(%m) into(%d : !dataflow.channel<i64>) returns(i64) exposes(memref<?xi8>)
}

// -----

// Another number of memories.
dataflow.graph private @g(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  dataflow.graph.return values(%n : i64) streams(%t#1 : f32) memories(%m) complete(%t#0)
}
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{expected memories of types ('memref<?xi8>'), got ('memref<?xi8>', 'memref<?xi8>')}}
  %r, %k, %e = dataflow.graph.launch @g values(%n : i64) streams(%c : !dataflow.channel<f32>) from [affine_map<(d0) -> (d0)>] memories(%m, %m) into(%c : !dataflow.channel<f32>) returns(i64) exposes(memref<?xi8>)
}

// -----

// Another result.
dataflow.graph private @g(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  dataflow.graph.return values(%n : i64) streams(%t#1 : f32) memories(%m) complete(%t#0)
}
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{expected results of types ('i64'), got ('f32')}}
  %r, %k, %e = dataflow.graph.launch @g values(%n : i64) streams(%c : !dataflow.channel<f32>) from [affine_map<(d0) -> (d0)>] memories(%m) into(%c : !dataflow.channel<f32>) returns(f32) exposes(memref<?xi8>)
}

// -----

// A memory result that is not named.
dataflow.graph private @g(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  dataflow.graph.return values(%n : i64) streams(%t#1 : f32) memories(%m) complete(%t#0)
}
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{expected memory results of types ('memref<?xi8>'), got ()}}
  %r, %e = dataflow.graph.launch @g values(%n : i64) streams(%c : !dataflow.channel<f32>) from [affine_map<(d0) -> (d0)>] memories(%m) into(%c : !dataflow.channel<f32>) returns(i64)
}

// -----

// A map per stream.
dataflow.graph private @g(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  dataflow.graph.return values(%n : i64) streams(%t#1 : f32) memories(%m) complete(%t#0)
}
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{expected one source map per stream (1), got 0}}
  %r, %k, %e = dataflow.graph.launch @g values(%n : i64) streams(%c : !dataflow.channel<f32>) from [] memories(%m) into(%c : !dataflow.channel<f32>) returns(i64) exposes(memref<?xi8>)
}

// -----

// A map of the thread.
dataflow.graph private @g(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  dataflow.graph.return values(%n : i64) streams(%t#1 : f32) memories(%m) complete(%t#0)
}
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{source map 0 has 2 dimensions, but the consumer has 1 coordinates}}
  %r, %k, %e = dataflow.graph.launch @g values(%n : i64) streams(%c : !dataflow.channel<f32>) from [affine_map<(d0, d1) -> (d0)>] memories(%m) into(%c : !dataflow.channel<f32>) returns(i64) exposes(memref<?xi8>)
}

// -----

// No such graph.
dataflow.graph private @g(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  dataflow.graph.return values(%n : i64) streams(%t#1 : f32) memories(%m) complete(%t#0)
}
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{expected a dataflow.graph named @h}}
  %r, %k, %e = dataflow.graph.launch @h values(%n : i64) streams(%c : !dataflow.channel<f32>) from [affine_map<(d0) -> (d0)>] memories(%m) into(%c : !dataflow.channel<f32>) returns(i64) exposes(memref<?xi8>)
}

// -----

// A thread is no graph.
dataflow.graph private @g(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  dataflow.graph.return values(%n : i64) streams(%t#1 : f32) memories(%m) complete(%t#0)
}
dataflow.thread private @t(%c: !dataflow.channel<f32>, %d: !dataflow.channel<i64>, %n: i64, %x: f32, %m: memref<?xi8>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{expected a dataflow.graph named @t}}
  %r, %k, %e = dataflow.graph.launch @t values(%n : i64) streams(%c : !dataflow.channel<f32>) from [affine_map<(d0) -> (d0)>] memories(%m) into(%c : !dataflow.channel<f32>) returns(i64) exposes(memref<?xi8>)
}

// -----

// An image launches it.
dataflow.graph private @r(%start: none, %n: i32) -> i32 slots [0] partitions [] exits [-1] {
  dataflow.graph.return values(%n : i32) complete(%start)
}
dataflow.thread private @t(%n: i32) ctrl(%ctrl) {
  // expected-error @+1 {{must not launch a region of an image: @r}}
  %r, %e = dataflow.graph.launch @r values(%n : i32) returns(i32)
}

// -----

// Only in a thread.
dataflow.graph private @h(%start: none) -> () {
  dataflow.graph.return values() complete(%start)
}
func.func @f() {
  // expected-error @+1 {{expected to be in a dataflow.thread}}
  %e = dataflow.graph.launch @h
  return
}

// -----

// Graphs launch nothing.
dataflow.graph private @h(%start: none) -> () {
  // expected-error @+1 {{expected to be in a dataflow.thread}}
  %e = dataflow.graph.launch @h
  dataflow.graph.return values() complete(%e)
}

// -----

// For what?
dataflow.thread private @t() ctrl(%ctrl) {
  // expected-error @+1 {{expected at least one event}}
  "dataflow.graph.wait"() : () -> ()
}

// -----

// Only in a thread.
func.func @f(%e: none) {
  // expected-error @+1 {{expected to be in a dataflow.thread}}
  dataflow.graph.wait %e
  return
}

// -----

// A thread joins events, not values.
dataflow.thread private @t(%n: i64) ctrl(%ctrl) {
  // expected-error @+1 {{joins events outside of a graph, expected none}}
  %s:2 = dataflow.sync %ctrl, %n : none, i64
}

// -----

// Host code has no events.
func.func @f(%e: none) {
  // expected-error @+1 {{expected to be in a dataflow.thread}}
  %s = dataflow.sync %e : none
  return
}

// -----

// An actor belongs in a graph.
dataflow.thread private @t(%n: i64) ctrl(%ctrl) {
  // expected-error @+1 {{expects parent op 'dataflow.graph'}}
  %s = dataflow.constant %ctrl 0 : i64
}
