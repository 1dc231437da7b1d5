// RUN: loom-opt %s -split-input-file --dataflow-verify-phases -verify-diagnostics

// A selected lane joined with what is always there.
// expected-error @+1 {{has operand}}
dataflow.graph @join(%start: none, %c: i1) -> i32 slots [0] partitions [] exits [-1] {
  %z = dataflow.constant %start 0 : i32
  %l:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %s:2 = dataflow.sync %start, %l#0 : none, none
  dataflow.graph.return values(%z : i32) complete(%s#0)
}

// -----

// Both lanes joined: they never meet.
// expected-error @+1 {{expected select(root, %arg0, 0)}}
dataflow.graph @lanes(%start: none, %c: i1) -> i32 slots [0] partitions [] exits [-1] {
  %z = dataflow.constant %start 0 : i32
  %l:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %s:2 = dataflow.sync %l#0, %l#1 : none, none
  %m = dataflow.mux %c, %s#0, %l#1 : (i1, none, none) -> none
  dataflow.graph.return values(%z : i32) complete(%m)
}

// -----

// Lanes in the wrong order.
// expected-error @+1 {{of phase select(root, %arg0, 1), expected select(root, %arg0, 0)}}
dataflow.graph @order(%start: none, %c: i1) -> i32 slots [0] partitions [] exits [-1] {
  %z = dataflow.constant %start 0 : i32
  %l:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %m = dataflow.mux %c, %l#1, %l#0 : (i1, none, none) -> none
  dataflow.graph.return values(%z : i32) complete(%m)
}

// -----

// Another selector than that of the demux.
// expected-error @+1 {{of phase select(root, %arg0, 0), expected select(root, %arg1, 0)}}
dataflow.graph @selector(%start: none, %c: i1, %d: i1) -> i32 slots [0, 1] partitions [] exits [-1] {
  %z = dataflow.constant %start 0 : i32
  %l:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %m = dataflow.mux %d, %l#0, %l#1 : (i1, none, none) -> none
  dataflow.graph.return values(%z : i32) complete(%m)
}

// -----

// Feedback from the head instead of the body: one token too many.
// expected-error @+1 {{of phase loop(root, %phase), expected body(root, %phase)}}
dataflow.graph @feedback(%start: none, %n: i64) -> i32 slots [0] partitions [] exits [-1] {
  %z = dataflow.constant %start 0 : i32
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %one, %n, %one add while slt : i64
  %e = dataflow.carry %ph, %start, %e : none
  %l:2 = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  dataflow.graph.return values(%z : i32) complete(%l#0)
}

// -----

// A captured value without a projection.
// expected-error @+1 {{has operand %arg0 of phase root, expected body(root, %phase)}}
dataflow.graph @capture(%start: none, %n: i64) -> i32 slots [0] partitions [] exits [-1] {
  %z = dataflow.constant %start 0 : i32
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %one, %n, %one add while slt : i64
  %s = arith.addi %iv, %n : i64
  %a = dataflow.carry %ph, %one, %s : i64
  %l:2 = dataflow.demux %ph, %a : (i1, i64) -> (i64, i64)
  %p:2 = dataflow.sync %start, %l#0 : none, i64
  dataflow.graph.return values(%z : i32) complete(%p#0)
}

// -----

// A result that has a token per iteration.
// expected-error @+1 {{of phase body(root, %phase), expected root}}
dataflow.graph @result(%start: none, %n: i32) -> i32 slots [0] partitions [] exits [-1] {
  %one = dataflow.constant %start 1 : i32
  %iv, %ph = dataflow.stream %one, %n, %one add while slt : i32
  dataflow.graph.return values(%iv : i32) complete(%start)
}

// -----

// A gate's condition drives a carry that is fed once too often.
// expected-error @+1 {{has a condition that isn't the phase of a loop}}
dataflow.graph @gate(%start: none, %c: i1) -> i32 slots [0] partitions [] exits [-1] {
  %z = dataflow.constant %start 0 : i32
  %a, %b = dataflow.gate %c, %start : none
  dataflow.graph.return values(%z : i32) complete(%b)
}

// -----

// A ring without a carry never starts.
// expected-error @+1 {{waits for a token that it makes itself}}
dataflow.graph @ring(%start: none, %n: i32) -> i32 slots [0] partitions [] exits [-1] {
  %a = arith.addi %b, %n : i32
  %b = arith.addi %a, %n : i32
  dataflow.graph.return values(%a : i32) complete(%start)
}

// -----

// Through a stream: its init is needed first.
// expected-error @+1 {{waits for a token that it makes itself}}
dataflow.graph @streamring(%start: none, %n: i32) -> i32 slots [0] partitions [] exits [-1] {
  %iv, %ph = dataflow.stream %iv, %n, %n add while slt : i32
  dataflow.graph.return values(%n : i32) complete(%start)
}

// -----

// Right: a loop whose phase is its own carried value, and a selection by the
// phase of a loop.
dataflow.graph @right(%start: none, %c: i1) -> i32 slots [0] partitions [] exits [-1] {
  %p = dataflow.carry %p, %c, %next : i1
  %e = dataflow.invariant %p, %start : none
  %l:2 = dataflow.demux %p, %e : (i1, none) -> (none, none)
  %next = dataflow.constant %l#1 false
  %x = dataflow.constant %l#0 1 : i32
  %y = dataflow.constant %l#1 2 : i32
  %m = dataflow.mux %p, %x, %y : (i1, i32, i32) -> i32
  %q:2 = dataflow.demux %p, %m : (i1, i32) -> (i32, i32)
  dataflow.graph.return values(%q#0 : i32) complete(%l#0)
}
