// RUN: loom-opt %s --loom-rewrite-dataflow=only=tail-rings,dead --dataflow-verify-phases | FileCheck %s

// The read tail enters with a read before the loop, and both are the store
// after each iteration: one ring.
// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %n: i64, %x: i64, %m: memref<?xi8>) -> (i32, i64)
    slots [0, 1, 2] partitions [0] exits [-1, -1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %d, %done = dataflow.load %m[%c0] %start : i64 -> i64
  %j:2 = dataflow.sync %start, %done : none, none
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  // CHECK: %[[R:.*]] = dataflow.carry %phase, %{{.*}}#0, %[[S:.*]] : none
  // CHECK-NOT: dataflow.carry
  %w = dataflow.carry %ph, %start, %s : none
  %r = dataflow.carry %ph, %j#0, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %rl:2 = dataflow.demux %ph, %r : (i1, none) -> (none, none)
  %v, %vd = dataflow.load %m[%iv] %wl#1 : i64 -> i64
  %k:2 = dataflow.sync %rl#1, %vd : none, none
  // CHECK: %[[S]] = dataflow.store
  %s = dataflow.store %m[%iv] %v %k#0 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e, %d : i32, i64) complete(%rl#0)
}
// Neither first token implies the other: they are the orders of two partitions.
// CHECK-LABEL: @apart
dataflow.graph @apart(%start: none, %n: i64, %x: i64, %m: memref<?xi8>, %o: memref<?xi8>) -> i32
    slots [0, 1, 2, 3] partitions [0, 1] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %p = dataflow.store %m[%c0] %x %start : i64, i64
  %q = dataflow.store %o[%c0] %x %start : i64, i64
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  // CHECK: dataflow.carry
  // CHECK: dataflow.carry
  %a = dataflow.carry %ph, %p, %s : none
  %b = dataflow.carry %ph, %q, %s : none
  %al:2 = dataflow.demux %ph, %a : (i1, none) -> (none, none)
  %bl:2 = dataflow.demux %ph, %b : (i1, none) -> (none, none)
  %k:2 = dataflow.sync %al#1, %bl#1 : none, none
  %s = dataflow.store %m[%iv] %iv %k#0 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%al#0, %bl#0)
}
