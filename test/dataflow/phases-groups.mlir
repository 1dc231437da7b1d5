// RUN: loom-opt %s -split-input-file --dataflow-verify-phases -verify-diagnostics

// Phases of groups, vector accesses and stream inputs.

// A value of the head of the loop: one too many.
// expected-error @+1 {{has operand %1 of phase root, expected body(root, %phase)}}
dataflow.graph private @g(%start: none, %n: i64) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %v, %k, %gp = dataflow.parallelize %one, %ph : i64 -> vector<4xi64>
  dataflow.graph.return values() complete(%start)
}

// -----

// Grouped by something that is no phase.
// expected-error @+1 {{has a condition that isn't the phase of a loop}}
dataflow.graph private @g(%start: none, %n: i64, %b: i1) -> () {
  %v, %k, %gp = dataflow.parallelize %n, %b : i64 -> vector<4xi64>
  dataflow.graph.return values() complete(%start)
}

// -----

// Taken apart by the phase of the scalars, not of the groups.
// expected-error @+1 {{of phase body(root, %group_phase), expected body(root, %phase)}}
dataflow.graph private @g(%start: none, %n: i64) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %v, %k, %gp = dataflow.parallelize %iv, %ph : i64 -> vector<4xi64>
  %x, %xp = dataflow.serialize %v, %k, %ph : vector<4xi64> -> i64
  dataflow.graph.return values() complete(%start)
}

// -----

// A mask of another loop.
// expected-error @+1 {{expected body(root, %group_phase)}}
dataflow.graph private @g(%start: none, %n: i64) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %v, %k, %gp = dataflow.parallelize %iv, %ph : i64 -> vector<4xi64>
  %w, %l, %hp = dataflow.parallelize %iv, %ph : i64 -> vector<4xi64>
  %x, %xp = dataflow.serialize %v, %l, %gp : vector<4xi64> -> i64
  dataflow.graph.return values() complete(%start)
}

// -----

// Scalars and groups don't meet.
// expected-error @+1 {{expected body(root, %phase)}}
dataflow.graph private @g(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %v, %k, %gp = dataflow.parallelize %iv, %ph : i64 -> vector<4xi64>
  %e = dataflow.invariant %ph, %start : none
  %l:2 = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  %d = dataflow.store %m[%iv] %v %l#1 : i64, vector<4xi64>
  %f = dataflow.carry %ph, %start, %d : none
  %h:2 = dataflow.demux %ph, %f : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%h#0)
}

// -----

// A vector load whose mask comes once per launch.
// expected-error @+1 {{has operand %arg1 of phase root, expected body(root, %phase)}}
dataflow.graph private @g(%start: none, %n: i64, %k: vector<4xi1>, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %e = dataflow.invariant %ph, %start : none
  %l:2 = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  %v, %d = dataflow.load %m[%iv] %l#1 mask %k : i64 -> vector<4xi64>
  %f = dataflow.carry %ph, %start, %d : none
  %h:2 = dataflow.demux %ph, %f : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%h#0)
}

// -----

// The order of the groups must be theirs.
// expected-error @+1 {{expected body(root, %group_phase)}}
dataflow.graph private @g(%start: none, %n: i64) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %v, %k, %gp = dataflow.parallelize %iv, %ph : i64 -> vector<4xi64>
  %f = dataflow.carry %gp, %start, %l#1 : none
  %e = dataflow.invariant %ph, %start : none
  %l:2 = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  %h:2 = dataflow.demux %gp, %f : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%h#0)
}

// -----

// A group of itself never starts.
// expected-error @+1 {{waits for a token that it makes itself}}
dataflow.graph private @g(%start: none, %n: i64) -> () {
  %v, %k, %gp = dataflow.parallelize %n, %gp : i64 -> vector<4xi64>
  dataflow.graph.return values() complete(%start)
}

// -----

// A stream with two rates.
// expected-error @+1 {{has operand %arg1 of phase root, expected body(root, %phase)}}
dataflow.graph private @g(%start: none, %n: i64, %s: i64) -> ()
    input_segments [1, 1, 0] {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %a:2 = dataflow.sync %start, %s : none, i64
  %b = arith.addi %iv, %s : i64
  dataflow.graph.return values() complete(%a#0)
}

// -----

// Nobody says how often.
// expected-error @+1 {{of phase unknown}}
dataflow.graph private @g(%start: none, %s: i64) -> ()
    input_segments [0, 1, 0] {
  %b = arith.addi %s, %s : i64
  %t:2 = dataflow.sync %start, %b : none, i64
  dataflow.graph.return values() complete(%t#0)
}

// -----

// Right: a stream taken once per iteration, and one given.
dataflow.graph private @g(%start: none, %n: i64, %s: i64) -> i64
    input_segments [1, 1, 0] result_segments [0, 1, 0] {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  %b = arith.addi %iv, %s : i64
  %e = dataflow.carry %ph, %start, %l#1 : none
  %l:2 = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  dataflow.graph.return values() streams(%b : i64) complete(%l#0)
}
