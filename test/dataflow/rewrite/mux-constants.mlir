// RUN: loom-opt %s --loom-rewrite-dataflow=only=mux-constants,dead --dataflow-verify-phases | FileCheck %s

// A comparison of a mux of constants is one of the selector; equal constants
// need no mux.
// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %i: i64) -> (i32, i1, i32)
    slots [0] partitions [] exits [-1, -1, -1] {
  %s:3 = dataflow.demux %i, %start : (i64, none) -> (none, none, none)
  %a = dataflow.constant %s#0 4 : i32
  %b = dataflow.constant %s#1 9 : i32
  %c = dataflow.constant %s#2 4 : i32
  %m = dataflow.mux %i, %a, %b, %c : (i64, i32, i32, i32) -> i32
  %k = dataflow.constant %start 9 : i32
  %is = arith.cmpi eq, %m, %k : i32
  // CHECK: %[[ONE:.*]] = dataflow.constant %start 1 : i64
  // CHECK: %[[IS:.*]] = arith.cmpi eq, %arg0, %[[ONE]] : i64
  // CHECK: %[[K:.*]] = dataflow.constant %start 7 : i32
  %x = dataflow.constant %s#0 7 : i32
  %y = dataflow.constant %s#1 7 : i32
  %z = dataflow.constant %s#2 7 : i32
  %n = dataflow.mux %i, %x, %y, %z : (i64, i32, i32, i32) -> i32
  %e = dataflow.constant %start 0 : i32
  // CHECK: values(%{{.*}}, %[[IS]], %[[K]] :
  dataflow.graph.return values(%e, %is, %n : i32, i1, i32) complete(%start)
}
// The read of the selector is waited for by the mux alone: the mux stays.
// CHECK-LABEL: @waits
dataflow.graph @waits(%start: none, %p: i64, %m: memref<?xi8>) -> (i32, i32)
    slots [0, 1] partitions [0] exits [-1, -1] {
  %v, %done = dataflow.load %m[%p] %start : i64 -> i8
  %c = arith.trunci %v : i8 to i1
  %s:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %x = dataflow.constant %s#0 7 : i32
  %y = dataflow.constant %s#1 7 : i32
  // CHECK: dataflow.mux
  %n = dataflow.mux %c, %x, %y : (i1, i32, i32) -> i32
  %e:2 = dataflow.sync %start, %n : none, i32
  dataflow.graph.return values(%n, %n : i32, i32) complete(%e#0)
}
// Of false and true the mux is the selector, of true and false the other way.
// CHECK-LABEL: @flags
dataflow.graph @flags(%start: none, %c: i1) -> (i32, i1, i1)
    slots [0] partitions [] exits [-1, -1, -1] {
  %s:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %t0 = dataflow.constant %s#0 true
  %f0 = dataflow.constant %s#0 false
  %t1 = dataflow.constant %s#1 true
  %f1 = dataflow.constant %s#1 false
  %is = dataflow.mux %c, %f0, %t1 : (i1, i1, i1) -> i1
  %isnt = dataflow.mux %c, %t0, %f1 : (i1, i1, i1) -> i1
  %e = dataflow.constant %start 0 : i32
  // CHECK: %[[ZERO:.*]] = dataflow.constant %start false
  // CHECK: %[[NOT:.*]] = arith.cmpi eq, %arg0, %[[ZERO]] : i1
  // CHECK: values(%{{.*}}, %arg0, %[[NOT]] :
  dataflow.graph.return values(%e, %is, %isnt : i32, i1, i1) complete(%start)
}
