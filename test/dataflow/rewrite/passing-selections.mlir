// RUN: loom-opt %s --loom-rewrite-dataflow=only=passing-selections,dead --dataflow-verify-phases | FileCheck %s

// What passes both lanes unchanged needs no selection; through two of them.
// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %c: i1, %b: i1, %x: i64, %y: i64) -> (i32, i64, i64, i64)
    slots [0, 1, 2, 3] partitions [] exits [-1, -1, -1, -1] {
  %bl:2 = dataflow.demux %c, %b : (i1, i1) -> (i1, i1)
  %xl:2 = dataflow.demux %c, %x : (i1, i64) -> (i64, i64)
  %yl:2 = dataflow.demux %c, %y : (i1, i64) -> (i64, i64)
  %xi:2 = dataflow.demux %bl#0, %xl#0 : (i1, i64) -> (i64, i64)
  %xo = dataflow.mux %bl#0, %xi#0, %xi#1 : (i1, i64, i64) -> i64
  %same = dataflow.mux %c, %xo, %xl#1 : (i1, i64, i64) -> i64
  // Two values, and crossed lanes: these choose.
  // CHECK: %[[X:.*]]:2 = dataflow.demux %arg0, %arg1
  // CHECK: %[[Y:.*]]:2 = dataflow.demux %arg0, %arg2
  // CHECK: %[[TWO:.*]] = dataflow.mux %arg0, %[[X]]#0, %[[Y]]#1
  %two = dataflow.mux %c, %xl#0, %yl#1 : (i1, i64, i64) -> i64
  // CHECK: %[[SUM:.*]] = arith.addi %[[X]]#1, %[[Y]]#1
  %sum = arith.addi %xl#1, %yl#1 : i64
  // CHECK: %[[OTHER:.*]] = dataflow.mux %arg0, %[[X]]#0, %[[SUM]]
  %other = dataflow.mux %c, %xl#0, %sum : (i1, i64, i64) -> i64
  %e = dataflow.constant %start 0 : i32
  // CHECK: values(%{{.*}}, %arg1, %[[TWO]], %[[OTHER]] :
  dataflow.graph.return values(%e, %same, %two, %other : i32, i64, i64, i64) complete(%start)
}
// The mux is all that makes the completion wait for the read.
// CHECK-LABEL: @waits
dataflow.graph @waits(%start: none, %p: i64, %m: memref<?xi8>) -> (i32, i64)
    slots [0, 1] partitions [0] exits [-1, -1] {
  %v, %done = dataflow.load %m[%p] %start : i64 -> i8
  %c = arith.trunci %v : i8 to i1
  %xl:2 = dataflow.demux %c, %p : (i1, i64) -> (i64, i64)
  // CHECK: dataflow.mux
  %same = dataflow.mux %c, %xl#0, %xl#1 : (i1, i64, i64) -> i64
  %e = dataflow.constant %start 0 : i32
  %z:2 = dataflow.sync %start, %same : none, i64
  dataflow.graph.return values(%e, %z#1 : i32, i64) complete(%z#0)
}
