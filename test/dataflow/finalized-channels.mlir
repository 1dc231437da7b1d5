// RUN: loom-opt %s -split-input-file --dataflow-verify-finalized -verify-diagnostics

// One producer, at least one consumer, and only instances that exist.

// Right: a domain of four hears itself, and one of eight in pairs.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0 floordiv 2)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  %k = dataflow.thread.launch @sink extents(%c8) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// Right: the same extent, whatever it is.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%n) args(%c, %x : !dataflow.channel<f32>, f32)
  %k = dataflow.thread.launch @sink extents(%n) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// Right: a multicast.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0 mod 4)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  %k0 = dataflow.thread.launch @sink extents(%c8) args(%c : !dataflow.channel<f32>)
  %k1 = dataflow.thread.launch @sink extents(%c4) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// Nobody at coordinate 4.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{has a source map that may leave the domain of the producer}}
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0 + 1)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  %k = dataflow.thread.launch @sink extents(%c4) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// Nor below 0.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{has a source map that may leave the domain of the producer}}
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0 - 1)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  %k = dataflow.thread.launch @sink extents(%c4) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// Who knows.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{has a source map that may leave the domain of the producer}}
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%n) args(%c, %x : !dataflow.channel<f32>, f32)
  %k = dataflow.thread.launch @sink extents(%m) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// Eight hear four.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{has a source map that may leave the domain of the producer}}
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  %k = dataflow.thread.launch @sink extents(%c8) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// A map to a place of another rank.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{expected a source map to the 1 coordinates of the producer}}
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0, d0)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  %k = dataflow.thread.launch @sink extents(%c4) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// Two producers.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{expected one producer, got 2}}
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  %s2 = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  %k = dataflow.thread.launch @sink extents(%c4) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// No producer.
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{expected one producer, got 0}}
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %k = dataflow.thread.launch @sink extents(%c4) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// No consumer.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{expected a consumer}}
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  return
}

// -----

// Two maps for one consumer.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0)> : !dataflow.channel<f32>
  // expected-error @+1 {{has another source map than the other receives of the thread}}
  %w = dataflow.channel.receive %c from affine_map<(d0) -> (0)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  %k = dataflow.thread.launch @sink extents(%c4) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// A channel goes nowhere else.
func.func private @callee(!dataflow.channel<f32>)
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  // expected-error @+1 {{must not use a channel}}
  func.call @callee(%c) : (!dataflow.channel<f32>) -> ()
  return
}

// -----

// Nor does it in a thread.
func.func private @callee(%c: !dataflow.channel<f32>) {
  return
}
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  // expected-error @+1 {{must not use a channel}}
  func.call @callee(%c) : (!dataflow.channel<f32>) -> ()
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  return
}

// -----

// A producer for every iteration.
dataflow.thread private @src(%c: !dataflow.channel<f32>, %x: f32) ctrl(%ctrl) coords(%i) {
  dataflow.channel.send %c, %x : !dataflow.channel<f32>
}
dataflow.thread private @sink(%c: !dataflow.channel<f32>) ctrl(%ctrl) coords(%i) {
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0)> : !dataflow.channel<f32>
}
func.func @host(%x: f32, %n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = dataflow.channel.create : !dataflow.channel<f32>
  scf.for %i = %c4 to %c8 step %c4 {
    // expected-error @+1 {{binds a channel of another block}}
    %s = dataflow.thread.launch @src extents(%c4) args(%c, %x : !dataflow.channel<f32>, f32)
  }
  %k = dataflow.thread.launch @sink extents(%c4) args(%c : !dataflow.channel<f32>)
  return
}

// -----

// Two graphs at one end: whose message is first?
dataflow.graph private @out(%start: none, %x: f32) -> f32 result_segments [0, 1, 0] {
  %t:2 = dataflow.sync %start, %x : none, f32
  dataflow.graph.return values() streams(%t#1 : f32) complete(%t#0)
}
dataflow.graph private @in(%start: none, %x: f32) -> () input_segments [0, 1, 0] {
  %t:2 = dataflow.sync %start, %x : none, f32
  dataflow.graph.return values() complete(%t#0)
}
dataflow.thread private @t(%x: f32) ctrl(%ctrl) {
  // expected-error @+1 {{expected one producer, got 2}}
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %a = dataflow.graph.launch @out values(%x : f32) into(%c : !dataflow.channel<f32>)
  %b = dataflow.graph.launch @out values(%x : f32) into(%c : !dataflow.channel<f32>)
  %d = dataflow.graph.launch @in streams(%c : !dataflow.channel<f32>) from [affine_map<() -> ()>]
  dataflow.thread.yield %a, %b, %d
}
func.func @host(%x: f32) {
  %t = dataflow.thread.launch @t args(%x : f32)
  return
}

// -----

// A channel of an instance reaches no other.
dataflow.graph private @out(%start: none, %x: f32) -> f32 result_segments [0, 1, 0] {
  %t:2 = dataflow.sync %start, %x : none, f32
  dataflow.graph.return values() streams(%t#1 : f32) complete(%t#0)
}
dataflow.graph private @in(%start: none, %x: f32) -> () input_segments [0, 1, 0] {
  %t:2 = dataflow.sync %start, %x : none, f32
  dataflow.graph.return values() complete(%t#0)
}
dataflow.thread private @t(%x: f32) ctrl(%ctrl) coords(%i) {
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %a = dataflow.graph.launch @out values(%x : f32) into(%c : !dataflow.channel<f32>)
  // expected-error @+1 {{has a source map that may leave the domain of the producer}}
  %d = dataflow.graph.launch @in streams(%c : !dataflow.channel<f32>) from [affine_map<(d0) -> (0)>]
  dataflow.thread.yield %a, %d
}
func.func @host(%x: f32, %n: index) {
  %t = dataflow.thread.launch @t extents(%n) args(%x : f32)
  return
}
