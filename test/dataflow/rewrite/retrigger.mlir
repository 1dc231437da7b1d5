// RUN: loom-opt %s --loom-rewrite-dataflow=only=retrigger,dead --dataflow-verify-phases | FileCheck %s

// The constant is made in the lane and in the loop, where the start token is.
// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %c: i1, %n: i64) -> (i32, i64)
    slots [0, 1] partitions [] exits [-1, -1] {
  %k = dataflow.constant %start 5 : i64
  %e = dataflow.constant %start 0 : i32
  %s:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  // CHECK: %[[S:.*]]:2 = dataflow.demux %arg0, %start
  // CHECK-NEXT: %[[K:.*]] = dataflow.constant %[[S]]#1 5
  %l:2 = dataflow.demux %c, %k : (i1, i64) -> (i64, i64)
  %o = dataflow.constant %s#0 6 : i64
  %m = dataflow.mux %c, %o, %l#1 : (i1, i64, i64) -> i64
  // CHECK: dataflow.mux %arg0, %{{.*}}, %[[K]]
  dataflow.graph.return values(%e, %m : i32, i64) complete(%start)
}
// No such token in the lane: as it was.
// CHECK-LABEL: @alone
dataflow.graph @alone(%start: none, %c: i1, %x: i64) -> (i32, i64)
    slots [0, 1] partitions [] exits [-1, -1] {
  %k = dataflow.constant %start 5 : i64
  %e = dataflow.constant %start 0 : i32
  // CHECK: %[[K:.*]] = dataflow.constant %start 5
  // CHECK: dataflow.demux %arg0, %[[K]]
  %l:2 = dataflow.demux %c, %k : (i1, i64) -> (i64, i64)
  %y:2 = dataflow.demux %c, %x : (i1, i64) -> (i64, i64)
  %m = dataflow.mux %c, %y#0, %l#1 : (i1, i64, i64) -> i64
  dataflow.graph.return values(%e, %m : i32, i64) complete(%start)
}
// The token goes into the lane of another selection: as it was.
// CHECK-LABEL: @other
dataflow.graph @other(%start: none, %c: i1, %d: i1, %x: i64) -> (i32, i64, i64)
    slots [0, 1, 2] partitions [] exits [-1, -1, -1] {
  %k = dataflow.constant %start 5 : i64
  %e = dataflow.constant %start 0 : i32
  // CHECK: %[[K:.*]] = dataflow.constant %start 5
  // CHECK: dataflow.demux %arg0, %[[K]]
  %s:2 = dataflow.demux %d, %start : (i1, none) -> (none, none)
  %l:2 = dataflow.demux %c, %k : (i1, i64) -> (i64, i64)
  %y:2 = dataflow.demux %c, %x : (i1, i64) -> (i64, i64)
  %m = dataflow.mux %c, %y#0, %l#1 : (i1, i64, i64) -> i64
  %a = dataflow.constant %s#0 6 : i64
  %b = dataflow.constant %s#1 7 : i64
  %n = dataflow.mux %d, %a, %b : (i1, i64, i64) -> i64
  dataflow.graph.return values(%e, %m, %n : i32, i64, i64) complete(%start)
}
