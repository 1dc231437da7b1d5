// RUN: loom-artifact run %s --open --orders 25 --entry constant --stream '0=5;6' --stream '1=true' | FileCheck %s --check-prefix=C0
// RUN: loom-artifact run %s --open --orders 25 --entry sync --stream '0=1;2' --stream '1=3' --stream '2=true' | FileCheck %s --check-prefix=C1
// RUN: loom-artifact run %s --open --orders 25 --entry sync --stream '0=' --stream '1=3' --stream '2=true' | FileCheck %s --check-prefix=C2
// RUN: loom-artifact run %s --open --orders 25 --entry mux --stream '0=false;true;true;false' --stream '1=1;2' --stream '2=10;20' --stream '3=true' | FileCheck %s --check-prefix=C3
// RUN: loom-artifact run %s --open --orders 25 --entry mux --stream '0=true;true' --stream '1=1;2;3' --stream '2=10' --stream '3=true' | FileCheck %s --check-prefix=C4
// RUN: loom-artifact run %s --open --orders 25 --entry mux3 --stream '0=2;0;1' --stream '1=1' --stream '2=2' --stream '3=3' --stream '4=true' | FileCheck %s --check-prefix=C5
// RUN: loom-artifact run %s --open --orders 25 --entry demux --stream '0=false;true;true;false' --stream '1=1;2;3;4' --stream '2=true' | FileCheck %s --check-prefix=C6
// RUN: loom-artifact run %s --open --orders 25 --entry demux --stream '0=false' --stream '1=1;2' --stream '2=true' | FileCheck %s --check-prefix=C7
// RUN: loom-artifact run %s --open --orders 25 --entry demux3 --stream '0=2;0;1' --stream '1=1;2;3' --stream '2=true' | FileCheck %s --check-prefix=C8
// RUN: loom-artifact run %s --open --orders 25 --entry select --stream '0=true;false' --stream '1=1;2' --stream '2=3;4' --stream '3=true' | FileCheck %s --check-prefix=C9

// Constants, joins and selections: tokens in, tokens out, what stays.
// One start token: one constant, and no other.
// C0: result 0: i8 stream 7{{$}}
// C0-NEXT: result 1: i64 stream 5{{$}}
// C0-NEXT: left: input 0 has 1 tokens left
// C0-NEXT: fired
// A join waits for all operands, and emits all of them, in place.
// C1: result 0: i64 stream 1{{$}}
// C1-NEXT: result 1: i32 stream 3{{$}}
// C1-NEXT: left: input 0 has 1 tokens left
// C1-NEXT: fired
// Half of its operands: nothing.
// C2: result 0: i64 stream{{$}}
// C2-NEXT: result 1: i32 stream{{$}}
// C2-NEXT: left: input 1 has 1 tokens left
// C2-NEXT: fired
// A mux takes the selected lane; false is lane 0.
// C3: result 0: i64 stream 1 10 20 2{{$}}
// C3-NEXT: fired
// The other lane stays, and without the selected one nothing happens.
// C4: result 0: i64 stream 10{{$}}
// C4-NEXT: left: input 0 has 1 tokens left
// C4-NEXT: left: input 1 has 3 tokens left
// C4-NEXT: fired
// More lanes: the selector names one.
// C5: result 0: i64 stream 3 1 2{{$}}
// C5-NEXT: fired
// A demux emits on the selected lane only.
// C6: result 0: i64 stream 1 4{{$}}
// C6-NEXT: result 1: i64 stream 2 3{{$}}
// C6-NEXT: fired
// It needs a selector for every value.
// C7: result 0: i64 stream 1{{$}}
// C7-NEXT: result 1: i64 stream{{$}}
// C7-NEXT: left: input 1 has 1 tokens left
// C7-NEXT: fired
// More lanes.
// C8: result 0: i64 stream 2{{$}}
// C8-NEXT: result 1: i64 stream 3{{$}}
// C8-NEXT: result 2: i64 stream 1{{$}}
// C8-NEXT: fired
// arith.select takes both values.
// C9: result 0: i64 stream 1 4{{$}}
// C9-NEXT: fired

dataflow.graph private @constant(%start: none, %x: i64, %go: i1) -> (i8, i64)
    input_segments [0, 2, 0] result_segments [0, 2, 0] {
  %t:2 = dataflow.sync %start, %x : none, i64
  %c = dataflow.constant %t#0 7 : i8
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%c, %t#1 : i8, i64) complete(%end#0)
}

dataflow.graph private @sync(%start: none, %a: i64, %b: i32, %go: i1) -> (i64, i32)
    input_segments [0, 3, 0] result_segments [0, 2, 0] {
  %r:2 = dataflow.sync %a, %b : i64, i32
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r#0, %r#1 : i64, i32) complete(%end#0)
}

dataflow.graph private @mux(%start: none, %s: i1, %x: i64, %y: i64, %go: i1) -> (i64)
    input_segments [0, 4, 0] result_segments [0, 1, 0] {
  %r = dataflow.mux %s, %x, %y : (i1, i64, i64) -> i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : i64) complete(%end#0)
}

dataflow.graph private @mux3(%start: none, %s: i32, %x: i64, %y: i64, %z: i64, %go: i1) -> (i64)
    input_segments [0, 5, 0] result_segments [0, 1, 0] {
  %r = dataflow.mux %s, %x, %y, %z : (i32, i64, i64, i64) -> i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : i64) complete(%end#0)
}

dataflow.graph private @demux(%start: none, %s: i1, %x: i64, %go: i1) -> (i64, i64)
    input_segments [0, 3, 0] result_segments [0, 2, 0] {
  %r:2 = dataflow.demux %s, %x : (i1, i64) -> (i64, i64)
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r#0, %r#1 : i64, i64) complete(%end#0)
}

dataflow.graph private @demux3(%start: none, %s: i64, %x: i64, %go: i1) -> (i64, i64, i64)
    input_segments [0, 3, 0] result_segments [0, 3, 0] {
  %r:3 = dataflow.demux %s, %x : (i64, i64) -> (i64, i64, i64)
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r#0, %r#1, %r#2 : i64, i64, i64) complete(%end#0)
}

dataflow.graph private @select(%start: none, %s: i1, %x: i64, %y: i64, %go: i1) -> (i64)
    input_segments [0, 4, 0] result_segments [0, 1, 0] {
  %r = arith.select %s, %x, %y : i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : i64) complete(%end#0)
}
