// RUN: loom-artifact run %s --open --orders 25 --entry parallelize --stream '0=1;2;3;4;5;6' --stream '1=true;true;true;true;true;true;false' --stream '2=true' | FileCheck %s --check-prefix=C0
// RUN: loom-artifact run %s --open --orders 25 --entry parallelize --stream '0=1;2;3;4' --stream '1=true;true;true;true;false' --stream '2=true' | FileCheck %s --check-prefix=C1
// RUN: loom-artifact run %s --open --orders 25 --entry parallelize --stream '0=' --stream '1=false' --stream '2=true' | FileCheck %s --check-prefix=C2
// RUN: loom-artifact run %s --open --orders 25 --entry parallelize --stream '0=1;2;3' --stream '1=true;false;false;true;true;false' --stream '2=true' | FileCheck %s --check-prefix=C3
// RUN: loom-artifact run %s --open --orders 25 --entry parallelize --stream '0=1;2' --stream '1=true;true' --stream '2=true' | FileCheck %s --check-prefix=C4
// RUN: loom-artifact run %s --open --orders 25 --entry serialize --stream '0=1,2,3,4;5,6,7,8' --stream '1=true,true,true,true;false,true,true,false' --stream '2=true;true;false' --stream '3=true' | FileCheck %s --check-prefix=C5
// RUN: loom-artifact run %s --open --orders 25 --entry serialize --stream '0=1,2,3,4' --stream '1=false,false,false,false' --stream '2=true;false' --stream '3=true' | FileCheck %s --check-prefix=C6
// RUN: loom-artifact run %s --open --orders 25 --entry serialize --stream '0=' --stream '1=' --stream '2=false;false' --stream '3=true' | FileCheck %s --check-prefix=C7
// RUN: loom-artifact run %s --open --orders 25 --entry back --stream '0=1;2;3;4;5' --stream '1=true;true;true;true;true;false' --stream '2=true' | FileCheck %s --check-prefix=C8
// RUN: loom-artifact run %s --open --orders 25 --entry pack --stream '0=1,2,3,-1;0,0,0,poison' --stream '1=true' | FileCheck %s --check-prefix=C9
// RUN: loom-artifact run %s --open --orders 25 --entry unpack --stream '0=-16580095;poison' --stream '1=true' | FileCheck %s --check-prefix=C10
// RUN: loom-artifact run %s --open --orders 25 --entry floats --stream '0=1.0,-0.0' --stream '1=true' | FileCheck %s --check-prefix=C11
// RUN: loom-artifact run %s --open --orders 25 --entry add --stream '0=1,2,3,4' --stream '1=10,20,poison,-40' --stream '2=true' | FileCheck %s --check-prefix=C12
// RUN: loom-artifact run %s --open --orders 25 --entry select --stream '0=true,false,true,poison' --stream '1=1,2,3,4' --stream '2=10,20,poison,40' --stream '3=true' | FileCheck %s --check-prefix=C13
// RUN: loom-artifact run %s --open --orders 25 --entry one --stream '0=false' --stream '1=1,2,3,4' --stream '2=10,20,30,40' --stream '3=true' | FileCheck %s --check-prefix=C14
// RUN: loom-artifact run %s --open --orders 25 --entry extract --stream '0=1,2,3,4;1,2,3,4;1,2,3,4' --stream '1=1;2;poison' --stream '2=true' | FileCheck %s --check-prefix=C15
// RUN: loom-artifact run %s --open --orders 25 --entry insert --stream '0=1,2,3,4;1,2,3,4' --stream '1=9;9' --stream '2=1;-1' --stream '3=true' | FileCheck %s --check-prefix=C16
// RUN: loom-artifact run %s --open --orders 25 --entry shuffle --stream '0=1,2,3,4' --stream '1=5,6,7,8' --stream '2=true' | FileCheck %s --check-prefix=C17
// RUN: loom-artifact run %s --open --orders 25 --entry special --stream '0=4.0,2.25' --stream '1=1,3' --stream '2=true' | FileCheck %s --check-prefix=C18
// RUN: loom-artifact run %s --open --orders 25 --entry promises --stream '0=1,9223372036854775807,3,4' --stream '1=1,1,64,-4' --stream '2=true' | FileCheck %s --check-prefix=C19

// Between scalars and vectors, lanes and bits.
// Six values: two groups, zeros after the last.
// C0: result 0: vector<4xi64> stream {{\[}}1, 2, 3, 4{{\]}} {{\[}}5, 6, 0, 0{{\]}}{{$}}
// C0-NEXT: result 1: vector<4xi1> stream {{\[}}true, true, true, true{{\]}} {{\[}}true, true, false, false{{\]}}{{$}}
// C0-NEXT: result 2: i1 stream true true false{{$}}
// C0-NEXT: fired
// Exactly one group.
// C1: result 0: vector<4xi64> stream {{\[}}1, 2, 3, 4{{\]}}{{$}}
// C1-NEXT: result 1: vector<4xi1> stream {{\[}}true, true, true, true{{\]}}{{$}}
// C1-NEXT: result 2: i1 stream true false{{$}}
// C1-NEXT: fired
// No value: F alone.
// C2: result 0: vector<4xi64> stream{{$}}
// C2-NEXT: result 1: vector<4xi1> stream{{$}}
// C2-NEXT: result 2: i1 stream false{{$}}
// C2-NEXT: fired
// F empties the group.
// C3: result 0: vector<4xi64> stream {{\[}}1, 0, 0, 0{{\]}} {{\[}}2, 3, 0, 0{{\]}}{{$}}
// C3-NEXT: result 1: vector<4xi1> stream {{\[}}true, false, false, false{{\]}} {{\[}}true, true, false, false{{\]}}{{$}}
// C3-NEXT: result 2: i1 stream true false false true false{{$}}
// C3-NEXT: fired
// A partial group waits.
// C4: result 0: vector<4xi64> stream{{$}}
// C4-NEXT: result 1: vector<4xi1> stream{{$}}
// C4-NEXT: result 2: i1 stream{{$}}
// C4-NEXT: left: @parallelize:0 dataflow.parallelize is in the middle of a loop
// C4-NEXT: fired
// The active lanes, from lane 0.
// C5: result 0: i64 stream 1 2 3 4 6 7{{$}}
// C5-NEXT: result 1: i1 stream true true true true true true false{{$}}
// C5-NEXT: fired
// A vector without an active lane.
// C6: result 0: i64 stream{{$}}
// C6-NEXT: result 1: i1 stream false{{$}}
// C6-NEXT: fired
// F takes nothing else.
// C7: result 0: i64 stream{{$}}
// C7-NEXT: result 1: i1 stream false false{{$}}
// C7-NEXT: fired
// There and back.
// C8: result 0: i64 stream 1 2 3 4 5{{$}}
// C8-NEXT: result 1: i1 stream true true true true true false{{$}}
// C8-NEXT: fired
// Lane 0 has the lowest bits (ff030201); one lane of poison is all poison.
// C9: result 0: i32 stream -16580095 poison{{$}}
// C9-NEXT: fired
// Row by row.
// C10: result 0: vector<2x2xi8> stream {{\[}}1, 2, 3, -1{{\]}} {{\[}}poison, poison, poison, poison{{\]}}{{$}}
// C10-NEXT: fired
// Bits of floats (3f800000 and 80000000).
// C11: result 0: i64 stream -9223372035789422592{{$}}
// C11-NEXT: fired
// Lane by lane; poison stays in its lane.
// C12: result 0: vector<4xi64> stream {{\[}}11, 22, poison, -36{{\]}}{{$}}
// C12-NEXT: result 1: vector<4xi1> stream {{\[}}true, true, poison, false{{\]}}{{$}}
// C12-NEXT: fired
// The lane that is not chosen may be poison.
// C13: result 0: vector<4xi64> stream {{\[}}1, 20, 3, poison{{\]}}{{$}}
// C13-NEXT: fired
// One condition for all lanes.
// C14: result 0: vector<4xi64> stream {{\[}}10, 20, 30, 40{{\]}}{{$}}
// C14-NEXT: fired
// A lane, a row; outside and poison are poison.
// C15: result 0: i64 stream 4 poison poison{{$}}
// C15-NEXT: result 1: vector<2xi64> stream {{\[}}3, 4{{\]}} {{\[}}3, 4{{\]}} {{\[}}3, 4{{\]}}{{$}}
// C15-NEXT: fired
// Into a lane.
// C16: result 0: vector<2x2xi64> stream {{\[}}1, 2, 9, 4{{\]}} {{\[}}poison, poison, poison, poison{{\]}}{{$}}
// C16-NEXT: fired
// Lanes of both; -1 is poison.
// C17: result 0: vector<3xi64> stream {{\[}}6, poison, 1{{\]}}{{$}}
// C17-NEXT: fired
// By MLIR, and by the table of the device.
// C18: result 0: vector<2xf64> stream {{\[}}2, 1.5{{\]}}{{$}}
// C18-NEXT: result 1: vector<2xi32> stream {{\[}}2, 24{{\]}}{{$}}
// C18-NEXT: fired
// A broken promise is poison in its lane.
// C19: result 0: vector<4xi64> stream {{\[}}2, poison, 67, 0{{\]}}{{$}}
// C19-NEXT: result 1: vector<4xi64> stream {{\[}}2, -2, poison, poison{{\]}}{{$}}
// C19-NEXT: fired

dataflow.graph private @parallelize(%start: none, %x: i64, %p: i1, %go: i1) -> (vector<4xi64>, vector<4xi1>, i1)
    input_segments [0, 3, 0] result_segments [0, 3, 0] {
  %v, %m, %g = dataflow.parallelize %x, %p : i64 -> vector<4xi64>
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%v, %m, %g : vector<4xi64>, vector<4xi1>, i1) complete(%end#0)
}

dataflow.graph private @serialize(%start: none, %v: vector<4xi64>, %m: vector<4xi1>, %g: i1, %go: i1) -> (i64, i1)
    input_segments [0, 4, 0] result_segments [0, 2, 0] {
  %x, %p = dataflow.serialize %v, %m, %g : vector<4xi64> -> i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%x, %p : i64, i1) complete(%end#0)
}

dataflow.graph private @back(%start: none, %x: i64, %p: i1, %go: i1) -> (i64, i1)
    input_segments [0, 3, 0] result_segments [0, 2, 0] {
  %v, %m, %g = dataflow.parallelize %x, %p : i64 -> vector<4xi64>
  %y, %q = dataflow.serialize %v, %m, %g : vector<4xi64> -> i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%y, %q : i64, i1) complete(%end#0)
}

dataflow.graph private @pack(%start: none, %v: vector<4xi8>, %go: i1) -> (i32)
    input_segments [0, 2, 0] result_segments [0, 1, 0] {
  %r = dataflow.pack %v : vector<4xi8> -> i32
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : i32) complete(%end#0)
}

dataflow.graph private @unpack(%start: none, %x: i32, %go: i1) -> (vector<2x2xi8>)
    input_segments [0, 2, 0] result_segments [0, 1, 0] {
  %r = dataflow.unpack %x : i32 -> vector<2x2xi8>
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : vector<2x2xi8>) complete(%end#0)
}

dataflow.graph private @floats(%start: none, %v: vector<2xf32>, %go: i1) -> (i64)
    input_segments [0, 2, 0] result_segments [0, 1, 0] {
  %r = dataflow.pack %v : vector<2xf32> -> i64
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : i64) complete(%end#0)
}

dataflow.graph private @add(%start: none, %v: vector<4xi64>, %w: vector<4xi64>, %go: i1) -> (vector<4xi64>, vector<4xi1>)
    input_segments [0, 3, 0] result_segments [0, 2, 0] {
  %r = arith.addi %v, %w : vector<4xi64>
  %c = arith.cmpi slt, %v, %w : vector<4xi64>
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r, %c : vector<4xi64>, vector<4xi1>) complete(%end#0)
}

dataflow.graph private @select(%start: none, %c: vector<4xi1>, %v: vector<4xi64>, %w: vector<4xi64>, %go: i1) -> (vector<4xi64>)
    input_segments [0, 4, 0] result_segments [0, 1, 0] {
  %r = arith.select %c, %v, %w : vector<4xi1>, vector<4xi64>
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : vector<4xi64>) complete(%end#0)
}

dataflow.graph private @one(%start: none, %c: i1, %v: vector<4xi64>, %w: vector<4xi64>, %go: i1) -> (vector<4xi64>)
    input_segments [0, 4, 0] result_segments [0, 1, 0] {
  %r = arith.select %c, %v, %w : vector<4xi64>
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : vector<4xi64>) complete(%end#0)
}

dataflow.graph private @extract(%start: none, %v: vector<2x2xi64>, %k: i64, %go: i1) -> (i64, vector<2xi64>)
    input_segments [0, 3, 0] result_segments [0, 2, 0] {
  %i = arith.index_cast %k : i64 to index
  %r = vector.extract %v[1, %i] : i64 from vector<2x2xi64>
  %s = vector.extract %v[1] : vector<2xi64> from vector<2x2xi64>
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r, %s : i64, vector<2xi64>) complete(%end#0)
}

dataflow.graph private @insert(%start: none, %v: vector<2x2xi64>, %x: i64, %k: i64, %go: i1) -> (vector<2x2xi64>)
    input_segments [0, 4, 0] result_segments [0, 1, 0] {
  %i = arith.index_cast %k : i64 to index
  %r = vector.insert %x, %v[%i, 0] : i64 into vector<2x2xi64>
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : vector<2x2xi64>) complete(%end#0)
}

dataflow.graph private @shuffle(%start: none, %v: vector<4xi64>, %w: vector<4xi64>, %go: i1) -> (vector<3xi64>)
    input_segments [0, 3, 0] result_segments [0, 1, 0] {
  %r = vector.shuffle %v, %w [5, -1, 0] : vector<4xi64>, vector<4xi64>
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r : vector<3xi64>) complete(%end#0)
}

dataflow.graph private @special(%start: none, %v: vector<2xf64>, %b: vector<2xi32>, %go: i1) -> (vector<2xf64>, vector<2xi32>)
    input_segments [0, 3, 0] result_segments [0, 2, 0] {
  %r = math.sqrt %v : vector<2xf64>
  %s = llvm.intr.fshl(%b, %b, %b) : (vector<2xi32>, vector<2xi32>, vector<2xi32>) -> vector<2xi32>
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r, %s : vector<2xf64>, vector<2xi32>) complete(%end#0)
}

dataflow.graph private @promises(%start: none, %v: vector<4xi64>, %w: vector<4xi64>, %go: i1) -> (vector<4xi64>, vector<4xi64>)
    input_segments [0, 3, 0] result_segments [0, 2, 0] {
  %r = arith.addi %v, %w overflow<nsw> : vector<4xi64>
  %s = arith.shli %v, %w : vector<4xi64>
  %end:2 = dataflow.sync %start, %go : none, i1
  dataflow.graph.return values() streams(%r, %s : vector<4xi64>, vector<4xi64>) complete(%end#0)
}
