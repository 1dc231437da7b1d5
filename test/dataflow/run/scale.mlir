// RUN: loom-artifact run %s --arg 0=3 --memory 1=hex:010000000000000002000000000000000300000000000000 --memory 2=32 --orders 25 | FileCheck %s
// RUN: loom-artifact run %s --arg 0=0 --memory 1=0 --memory 2=8 | FileCheck %s --check-prefix=NONE

// A loop over a memory: y[i] = x[i] * 3, and how often.
// CHECK: result 0: i64 3
// CHECK-NEXT: memory 1: 010000000000000002000000000000000300000000000000
// CHECK-NEXT: memory 2: 0300000000000000060000000000000009000000000000000000000000000000
// CHECK-NEXT: fired 1: @scale:0 dataflow.constant
// CHECK-DAG: fired 5: @scale:3 dataflow.stream
// CHECK-DAG: fired 3: @scale:{{.*}} dataflow.load
// CHECK-DAG: fired 3: @scale:{{.*}} dataflow.store
// CHECK: 25 other orders gave the same
// NONE: result 0: i64 0
// NONE: memory 2: 0000000000000000
// NONE-NOT: dataflow.store
dataflow.graph private @scale(%start: none, %n: i64, %x: memref<?xi8>, %y: memref<?xi8>) -> i64 {
  %zero = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %eight = dataflow.constant %start 8 : i64
  %iv, %phase = dataflow.stream %zero, %n, %one add while slt : i64
  %e = dataflow.invariant %phase, %start : none
  %el:2 = dataflow.demux %phase, %e : (i1, none) -> (none, none)
  %sizes = dataflow.invariant %phase, %eight : i64
  %sl:2 = dataflow.demux %phase, %sizes : (i1, i64) -> (i64, i64)
  %at = arith.muli %iv, %sl#1 : i64
  %v, %d = dataflow.load %x[%at] %el#1 : i64 -> i64
  %three = dataflow.constant %el#1 3 : i64
  %w = arith.muli %v, %three : i64
  %order = dataflow.carry %phase, %start, %stored : none
  %ol:2 = dataflow.demux %phase, %order : (i1, none) -> (none, none)
  %both:2 = dataflow.sync %ol#1, %d : none, none
  %stored = dataflow.store %y[%at] %w %both#0 : i64, i64
  %c = dataflow.carry %phase, %zero, %next : i64
  %cl:2 = dataflow.demux %phase, %c : (i1, i64) -> (i64, i64)
  %inc = dataflow.constant %el#1 1 : i64
  %next = arith.addi %cl#1, %inc : i64
  dataflow.graph.return values(%cl#0 : i64) complete(%ol#0)
}
