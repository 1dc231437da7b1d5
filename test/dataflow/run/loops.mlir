// RUN: loom-artifact run %s --open --orders 25 --entry stream --stream '0=0' --stream '1=3' --stream '2=1' --stream '3=true' | FileCheck %s --check-prefix=C0
// RUN: loom-artifact run %s --open --orders 25 --entry stream --stream '0=5' --stream '1=3' --stream '2=1' --stream '3=true' | FileCheck %s --check-prefix=C1
// RUN: loom-artifact run %s --open --orders 25 --entry stream --stream '0=0;7;1' --stream '1=2;7;2' --stream '2=1;1;1' --stream '3=true' | FileCheck %s --check-prefix=C2
// RUN: loom-artifact run %s --open --orders 25 --entry stream --stream '0=0' --stream '1=3' --stream '2=' --stream '3=true' | FileCheck %s --check-prefix=C3
// RUN: loom-artifact run %s --open --orders 25 --entry down --stream '0=4' --stream '1=1' --stream '2=2' --stream '3=true' | FileCheck %s --check-prefix=C4
// RUN: loom-artifact run %s --open --orders 25 --entry down --stream '0=-1' --stream '1=-3' --stream '2=1' --stream '3=true' | FileCheck %s --check-prefix=C5
// RUN: loom-artifact run %s --open --orders 25 --entry shifts --stream '0=64' --stream '1=0' --stream '2=1' --stream '3=true' | FileCheck %s --check-prefix=C6
// RUN: loom-artifact run %s --open --orders 25 --entry mul --stream '0=1' --stream '1=100' --stream '2=3' --stream '3=true' | FileCheck %s --check-prefix=C7
// RUN: loom-artifact run %s --open --orders 25 --entry divisions --stream '0=-100' --stream '1=0' --stream '2=5' --stream '3=true' | FileCheck %s --check-prefix=C8
// RUN: loom-artifact run %s --open --orders 25 --entry carry --stream '0=true;true;false' --stream '1=1' --stream '2=10;20' --stream '3=true' | FileCheck %s --check-prefix=C9
// RUN: loom-artifact run %s --open --orders 25 --entry carry --stream '0=false' --stream '1=1' --stream '2=' --stream '3=true' | FileCheck %s --check-prefix=C10
// RUN: loom-artifact run %s --open --orders 25 --entry carry --stream '0=true;false;false;true;true;false' --stream '1=1;2;3' --stream '2=10;20;30' --stream '3=true' | FileCheck %s --check-prefix=C11
// RUN: loom-artifact run %s --open --orders 25 --entry carry --stream '0=' --stream '1=1;2' --stream '2=' --stream '3=true' | FileCheck %s --check-prefix=C12
// RUN: loom-artifact run %s --open --orders 25 --entry carry --stream '0=true' --stream '1=1;2' --stream '2=' --stream '3=true' | FileCheck %s --check-prefix=C13
// RUN: loom-artifact run %s --open --orders 25 --entry invariant --stream '0=true;true;false' --stream '1=1;2' --stream '2=true' | FileCheck %s --check-prefix=C14
// RUN: loom-artifact run %s --open --orders 25 --entry invariant --stream '0=false;true;false' --stream '1=1;2' --stream '2=true' | FileCheck %s --check-prefix=C15
// RUN: loom-artifact run %s --open --orders 25 --entry gate --stream '0=true;true;true;false' --stream '1=1;2;3;4' --stream '2=true' | FileCheck %s --check-prefix=C16
// RUN: loom-artifact run %s --open --orders 25 --entry gate --stream '0=false' --stream '1=1' --stream '2=true' | FileCheck %s --check-prefix=C17
// RUN: loom-artifact run %s --open --orders 25 --entry gate --stream '0=true;false;false;true;true;false' --stream '1=1;2;3;4;5;6' --stream '2=true' | FileCheck %s --check-prefix=C18

// Loop actors: every row of their tables, one and two activations, no iteration.
// 0 1 2 and T T T F.
// C0: result 0: i64 stream 0 1 2{{$}}
// C0-NEXT: result 1: i1 stream true true true false{{$}}
// C0-NEXT: fired
// No iteration: F alone.
// C1: result 0: i64 stream{{$}}
// C1-NEXT: result 1: i1 stream false{{$}}
// C1-NEXT: fired
// Activations one after the other.
// C2: result 0: i64 stream 0 1 1{{$}}
// C2-NEXT: result 1: i1 stream true true false false true false{{$}}
// C2-NEXT: fired
// All three bounds, or nothing.
// C3: result 0: i64 stream{{$}}
// C3-NEXT: result 1: i1 stream{{$}}
// C3-NEXT: left: input 0 has 1 tokens left
// C3-NEXT: left: input 1 has 1 tokens left
// C3-NEXT: fired
// Downwards.
// C4: result 0: i8 stream 4 2{{$}}
// C4-NEXT: result 1: i1 stream true true false{{$}}
// C4-NEXT: fired
// Unsigned comparison: 255 254.
// C5: result 0: i8 stream -1 -2{{$}}
// C5-NEXT: result 1: i1 stream true true false{{$}}
// C5-NEXT: fired
// Shifts, modulo 2^8.
// C6: result 0: i8 stream 64 -128{{$}}
// C6-NEXT: result 1: i8 stream 64 32 16 8 4 2 1{{$}}
// C6-NEXT: result 2: i8 stream 64 32 16 8 4 2 1{{$}}
// C6-NEXT: fired
// Products.
// C7: result 0: i64 stream 1 3 9 27 81{{$}}
// C7-NEXT: fired
// Signed and unsigned quotients.
// C8: result 0: i8 stream -100 -20 -4{{$}}
// C8-NEXT: result 1: i8 stream -100 31 6 1{{$}}
// C8-NEXT: fired
// One init, K next, K+1 results.
// C9: result 0: i64 stream 1 10 20{{$}}
// C9-NEXT: fired
// No iteration.
// C10: result 0: i64 stream 1{{$}}
// C10-NEXT: fired
// It returns to init with every F.
// C11: result 0: i64 stream 1 10 2 3 20 30{{$}}
// C11-NEXT: fired
// The init doesn't wait for a phase; the next one does.
// C12: result 0: i64 stream 1{{$}}
// C12-NEXT: left: @carry:0 dataflow.carry is in the middle of a loop
// C12-NEXT: left: input 1 has 1 tokens left
// C12-NEXT: fired
// True without a feedback: the phase stays.
// C13: result 0: i64 stream 1{{$}}
// C13-NEXT: left: @carry:0 dataflow.carry is in the middle of a loop
// C13-NEXT: left: input 0 has 1 tokens left
// C13-NEXT: left: input 1 has 1 tokens left
// C13-NEXT: fired
// K+1 copies, then the next one.
// C14: result 0: i64 stream 1 1 1 2{{$}}
// C14-NEXT: left: @invariant:0 dataflow.invariant is in the middle of a loop
// C14-NEXT: fired
// No iteration, one iteration.
// C15: result 0: i64 stream 1 2 2{{$}}
// C15-NEXT: fired
// K values, and T T F: the last body is the one with F.
// C16: result 0: i1 stream true true false{{$}}
// C16-NEXT: result 1: i64 stream 1 2 3{{$}}
// C16-NEXT: fired
// No body: nothing.
// C17: result 0: i1 stream{{$}}
// C17-NEXT: result 1: i64 stream{{$}}
// C17-NEXT: fired
// Reset by every F.
// C18: result 0: i1 stream false true false{{$}}
// C18-NEXT: result 1: i64 stream 1 4 5{{$}}
// C18-NEXT: fired

dataflow.graph private @stream(%start: none, %a: i64, %b: i64, %c: i64, %go: i1) -> (i64, i1)
    input_segments [0, 4, 0] result_segments [0, 2, 0] {
  %iv, %p = dataflow.stream %a, %b, %c add while slt : i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%iv, %p : i64, i1) complete(%end#0)
}

dataflow.graph private @down(%start: none, %a: i8, %b: i8, %c: i8, %go: i1) -> (i8, i1)
    input_segments [0, 4, 0] result_segments [0, 2, 0] {
  %iv, %p = dataflow.stream %a, %b, %c sub while ugt : i8
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%iv, %p : i8, i1) complete(%end#0)
}

dataflow.graph private @shifts(%start: none, %a: i8, %b: i8, %c: i8, %go: i1) -> (i8, i8, i8)
    input_segments [0, 4, 0] result_segments [0, 3, 0] {
  %iv0, %p0 = dataflow.stream %a, %b, %c shl while ne : i8
  %iv1, %p1 = dataflow.stream %a, %b, %c lshr while ne : i8
  %iv2, %p2 = dataflow.stream %a, %b, %c ashr while ne : i8
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%iv0, %iv1, %iv2 : i8, i8, i8) complete(%end#0)
}

dataflow.graph private @mul(%start: none, %a: i64, %b: i64, %c: i64, %go: i1) -> (i64)
    input_segments [0, 4, 0] result_segments [0, 1, 0] {
  %iv, %p = dataflow.stream %a, %b, %c mul while slt : i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%iv : i64) complete(%end#0)
}

dataflow.graph private @divisions(%start: none, %a: i8, %b: i8, %c: i8, %go: i1) -> (i8, i8)
    input_segments [0, 4, 0] result_segments [0, 2, 0] {
  %iv0, %p0 = dataflow.stream %a, %b, %c sdiv while slt : i8
  %iv1, %p1 = dataflow.stream %a, %b, %c udiv while ugt : i8
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%iv0, %iv1 : i8, i8) complete(%end#0)
}

dataflow.graph private @carry(%start: none, %p: i1, %x: i64, %y: i64, %go: i1) -> (i64)
    input_segments [0, 4, 0] result_segments [0, 1, 0] {
  %r = dataflow.carry %p, %x, %y : i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : i64) complete(%end#0)
}

dataflow.graph private @invariant(%start: none, %p: i1, %x: i64, %go: i1) -> (i64)
    input_segments [0, 3, 0] result_segments [0, 1, 0] {
  %r = dataflow.invariant %p, %x : i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : i64) complete(%end#0)
}

dataflow.graph private @gate(%start: none, %p: i1, %x: i64, %go: i1) -> (i1, i64)
    input_segments [0, 3, 0] result_segments [0, 2, 0] {
  %c, %r = dataflow.gate %p, %x : i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%c, %r : i1, i64) complete(%end#0)
}
