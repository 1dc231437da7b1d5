// RUN: loom-opt %s -split-input-file --dataflow-verify-completion -verify-diagnostics

// Everything that a graph does comes before its completion.

// A store that nothing waits for.
// expected-error @+1 {{the completion doesn't come after '%1 = dataflow.store}}
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %d = dataflow.store %m[%n] %n %start : i64, i64
  %e = dataflow.store %m[%n] %n %start : i64, i64
  dataflow.graph.return values() complete(%d)
}

// -----

// A load that nothing waits for.
// expected-error @+1 {{the completion doesn't come after }}
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %v, %e = dataflow.load %m[%n] %start : i64 -> i64
  %d = dataflow.store %m[%n] %n %start : i64, i64
  dataflow.graph.return values() complete(%d)
}

// -----

// Right: the value of the load is what the store waits for.
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %v, %e = dataflow.load %m[%n] %start : i64 -> i64
  %d = dataflow.store %m[%n] %v %start : i64, i64
  dataflow.graph.return values() complete(%d)
}

// -----

// Right: a result of the launch waits for it.
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> i64 {
  %v, %e = dataflow.load %m[%n] %start : i64 -> i64
  %s:2 = dataflow.sync %start, %n : none, i64
  dataflow.graph.return values(%v : i64) complete(%s#0)
}

// -----

// The exit of a loop without the stores of its body.
// expected-error @+1 {{the completion doesn't come after }}
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %e = dataflow.invariant %ph, %start : none
  %l:2 = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  %d = dataflow.store %m[%iv] %iv %l#1 : i64, i64
  dataflow.graph.return values() complete(%l#0)
}

// -----

// Right: the store goes around.
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %e = dataflow.invariant %ph, %start : none
  %l:2 = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  %d = dataflow.store %m[%iv] %iv %l#1 : i64, i64
  %f = dataflow.carry %ph, %start, %d : none
  %h:2 = dataflow.demux %ph, %f : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%h#0)
}

// -----

// A loop may have no body: what only the body waits for is not covered.
// expected-error @+1 {{the completion doesn't come after }}
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %o = dataflow.store %m[%n] %n %start : i64, i64
  %e = dataflow.invariant %ph, %o : none
  %l:2 = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  %f = dataflow.carry %ph, %start, %l#1 : none
  %h:2 = dataflow.demux %ph, %f : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%h#0)
}

// -----

// What comes before this body is not what this body does.
// expected-error @+1 {{the completion doesn't come after }}
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %f = dataflow.carry %ph, %start, %d : none
  %h:2 = dataflow.demux %ph, %f : (i1, none) -> (none, none)
  %d = dataflow.store %m[%iv] %iv %h#1 : i64, i64
  %g = dataflow.carry %ph, %start, %h#1 : none
  %i:2 = dataflow.demux %ph, %g : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%i#0)
}

// -----

// One lane stores, and the other is handed on.
// expected-error @+1 {{the completion doesn't come after }}
dataflow.graph private @g(%start: none, %n: i64, %c: i1, %m: memref<?xi8>) -> () {
  %l:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %q:2 = dataflow.demux %c, %n : (i1, i64) -> (i64, i64)
  %d = dataflow.store %m[%q#1] %q#1 %l#1 : i64, i64
  %x = dataflow.mux %c, %l#0, %l#1 : (i1, none, none) -> none
  dataflow.graph.return values() complete(%x)
}

// -----

// Right: where it stores, the store is handed on.
dataflow.graph private @g(%start: none, %n: i64, %c: i1, %m: memref<?xi8>) -> () {
  %l:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %q:2 = dataflow.demux %c, %n : (i1, i64) -> (i64, i64)
  %d = dataflow.store %m[%q#1] %q#1 %l#1 : i64, i64
  %x = dataflow.mux %c, %l#0, %d : (i1, none, none) -> none
  dataflow.graph.return values() complete(%x)
}

// -----

// What comes before the selection is needed on both lanes.
// expected-error @+1 {{the completion doesn't come after }}
dataflow.graph private @g(%start: none, %n: i64, %c: i1, %m: memref<?xi8>) -> () {
  %o = dataflow.store %m[%n] %n %start : i64, i64
  %l:2 = dataflow.demux %c, %o : (i1, none) -> (none, none)
  %k:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %x = dataflow.mux %c, %k#0, %l#1 : (i1, none, none) -> none
  dataflow.graph.return values() complete(%x)
}

// -----

// Grouped: the exit of the groups comes after every load of a scalar.
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %e = dataflow.invariant %ph, %start : none
  %l:2 = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  %v, %d = dataflow.load %m[%iv] %l#1 : i64 -> i64
  %w, %k, %gp = dataflow.parallelize %v, %ph : i64 -> vector<4xi64>
  %f = dataflow.invariant %gp, %start : none
  %h:2 = dataflow.demux %gp, %f : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%h#0)
}

// -----

// Grouped: but not after the stores of the groups.
// expected-error @+1 {{the completion doesn't come after }}
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %w, %k, %gp = dataflow.parallelize %iv, %ph : i64 -> vector<4xi64>
  %f = dataflow.invariant %gp, %start : none
  %h:2 = dataflow.demux %gp, %f : (i1, none) -> (none, none)
  %d = dataflow.store %m[%w] %w %h#1 mask %k : vector<4xi64>, vector<4xi64>
  dataflow.graph.return values() complete(%h#0)
}

// -----

// A message that nothing waits for.
// expected-error @+1 {{the completion doesn't come after '}}
dataflow.graph private @g(%start: none, %n: i64) -> i64
    input_segments [1, 0, 0] result_segments [0, 1, 0] {
  %x = arith.addi %n, %n : i64
  %t:2 = dataflow.sync %start, %n : none, i64
  dataflow.graph.return values() streams(%x : i64) complete(%t#0)
}

// -----

// Right: completed with the message.
dataflow.graph private @g(%start: none, %n: i64) -> i64
    input_segments [1, 0, 0] result_segments [0, 1, 0] {
  %x = arith.addi %n, %n : i64
  %t:2 = dataflow.sync %start, %x : none, i64
  dataflow.graph.return values() streams(%t#1 : i64) complete(%t#0)
}

// -----

// A loop in a loop: the inner exit goes around the outer one.
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %f = dataflow.carry %ph, %start, %y#0 : none
  %h:2 = dataflow.demux %ph, %f : (i1, none) -> (none, none)
  %iz = dataflow.constant %h#1 0 : i64
  %io = dataflow.constant %h#1 1 : i64
  %jv, %jp = dataflow.stream %iz, %iv, %io add while slt : i64
  %x = dataflow.carry %jp, %h#1, %d : none
  %y:2 = dataflow.demux %jp, %x : (i1, none) -> (none, none)
  %d = dataflow.store %m[%jv] %jv %y#1 : i64, i64
  dataflow.graph.return values() complete(%h#0)
}
