// RUN: loom-opt %s -split-input-file --dataflow-verify-finalized -verify-diagnostics

// What a thread yields: a minimal frontier of its launches, on every path.

// A launch that nobody waits for.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  // expected-error @+1 {{comes before nothing that the thread yields, on every path}}
  %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Right: the second comes after the first.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
  %e = dataflow.graph.launch @g after(%d) memories(%m)
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// The first says nothing new.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
  %e = dataflow.graph.launch @g after(%d) memories(%m)
  // expected-error @+1 {{needs no member 0: the others come after all that it covers}}
  dataflow.thread.yield %d, %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// The start of the thread is no launch.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
  // expected-error @+1 {{needs no member 1}}
  dataflow.thread.yield %d, %ctrl
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Right: two that know nothing of each other, joined or not.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
  %e = dataflow.graph.launch @g after(%ctrl) memories(%m)
  dataflow.thread.yield %d, %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Right: joined.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
  %e = dataflow.graph.launch @g after(%ctrl) memories(%m)
  %s:2 = dataflow.sync %d, %e : none, none
  dataflow.thread.yield %s#1
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// To wait is not to yield.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  // expected-error @+1 {{comes before nothing that the thread yields, on every path}}
  %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
  dataflow.graph.wait %d
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Right: where there is no launch, another event will do.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %e = scf.if %b -> none {
    %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
    scf.yield %d : none
  } else {
    scf.yield %ctrl : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Where there is one, it will not.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %e = scf.if %b -> none {
    // expected-error @+1 {{comes before nothing that the thread yields, on every path}}
    %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
    scf.yield %ctrl : none
  } else {
    scf.yield %ctrl : none
  }
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// A launch before both branches, handed on by one.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  // expected-error @+1 {{comes before nothing that the thread yields, on every path}}
  %o = dataflow.graph.launch @g after(%ctrl) memories(%m)
  %e = scf.if %b -> none {
    %d = dataflow.graph.launch @g after(%o) memories(%m)
    scf.yield %d : none
  } else {
    scf.yield %ctrl : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Right: handed on by both.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %o = dataflow.graph.launch @g after(%ctrl) memories(%m)
  %e = scf.if %b -> none {
    %d = dataflow.graph.launch @g after(%o) memories(%m)
    scf.yield %d : none
  } else {
    scf.yield %o : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Right: a switch.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %i = arith.index_castui %b : i1 to index
  %e = scf.index_switch %i -> none
  case 0 {
    %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
    scf.yield %d : none
  }
  default {
    scf.yield %ctrl : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Right: every iteration after the one before.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %ctrl) -> none {
    %d = dataflow.graph.launch @g after(%a) memories(%m)
    scf.yield %d : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Right: every iteration on its own, collected.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %ctrl) -> none {
    %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
    %s:2 = dataflow.sync %a, %d : none, none
    scf.yield %s#0 : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Only the last iteration.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %ctrl) -> none {
    // expected-error @+1 {{comes before nothing that the thread yields, on every path}}
    %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
    scf.yield %d : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// A loop without iterations yields what it got.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  // expected-error @+1 {{comes before nothing that the thread yields, on every path}}
  %o = dataflow.graph.launch @g after(%ctrl) memories(%m)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %ctrl) -> none {
    %d = dataflow.graph.launch @g after(%o) memories(%m)
    %s:2 = dataflow.sync %a, %d : none, none
    scf.yield %s#0 : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Right: a while with launches in both halves.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %e = scf.while (%a = %ctrl) : (none) -> none {
    %h = dataflow.graph.launch @g after(%a) memories(%m)
    scf.condition(%b) %h : none
  } do {
  ^bb0(%x: none):
    %d = dataflow.graph.launch @g after(%x) memories(%m)
    scf.yield %d : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// A body that hands nothing on.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %e = scf.while (%a = %ctrl) : (none) -> none {
    // expected-error @+1 {{comes before nothing that the thread yields, on every path}}
    %h = dataflow.graph.launch @g after(%a) memories(%m)
    scf.condition(%b) %h : none
  } do {
  ^bb0(%x: none):
    scf.yield %ctrl : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// A body that nobody waits for.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %e = scf.while (%a = %ctrl) : (none) -> none {
    %h = dataflow.graph.launch @g after(%a) memories(%m)
    scf.condition(%b) %h : none
  } do {
  ^bb0(%x: none):
    // expected-error @+1 {{comes before nothing that the thread yields, on every path}}
    %d = dataflow.graph.launch @g after(%x) memories(%m)
    scf.yield %x : none
  }
  dataflow.thread.yield %e
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}

// -----

// Waits for no launch.
dataflow.graph private @g(%start: none, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %d = dataflow.store %m[%z] %z %start : i64, i64
  dataflow.graph.return values() complete(%d)
}
dataflow.thread private @t(%m: memref<?xi8>, %b: i1) ctrl(%ctrl) {
  %d = dataflow.graph.launch @g after(%ctrl) memories(%m)
  // expected-error @+1 {{waits for an event that comes after no launch}}
  dataflow.graph.wait %ctrl
  dataflow.thread.yield %d
}
func.func @host(%m: memref<?xi8>, %b: i1) {
  %t = dataflow.thread.launch @t args(%m, %b : memref<?xi8>, i1)
  return
}
