// RUN: loom-opt %s --loom-rewrite-dataflow=only=identity-rings,dead --dataflow-verify-phases | FileCheck %s

// A ring fed by its own lane is an invariant, and the loop leaves it unchanged;
// with the sync of two such rings.
// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %n: i64, %x: i64, %m: memref<?xi8>) -> (i32, i64)
    slots [0, 1, 2] partitions [0] exits [-1, -1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  // CHECK: %[[E:.*]] = dataflow.invariant %phase, %start : none
  %e = dataflow.carry %ph, %start, %el#1 : none
  %el:2 = dataflow.demux %ph, %e : (i1, none) -> (none, none)
  // CHECK-NEXT: %[[EL:.*]]:2 = dataflow.demux %phase, %[[E]]
  %r = dataflow.carry %ph, %start, %rn#0 : none
  %rl:2 = dataflow.demux %ph, %r : (i1, none) -> (none, none)
  %rn:2 = dataflow.sync %rl#1, %el#1 : none, none
  %s = dataflow.carry %ph, %start, %st : none
  %sl:2 = dataflow.demux %ph, %s : (i1, none) -> (none, none)
  // CHECK-NEXT: %[[S:.*]] = dataflow.carry %phase, %start
  // CHECK-NEXT: %[[SL:.*]]:2 = dataflow.demux %phase, %[[S]]
  %w:2 = dataflow.sync %sl#1, %rn#0 : none, none
  // CHECK-NEXT: dataflow.sync %[[SL]]#1, %[[EL]]#1
  %st = dataflow.store %m[%iv] %iv %w#0 : i64, i64
  %v = dataflow.carry %ph, %x, %vl#1 : i64
  %vl:2 = dataflow.demux %ph, %v : (i1, i64) -> (i64, i64)
  %z = dataflow.constant %start 0 : i32
  // CHECK: values(%{{.*}}, %arg1 : i32, i64) complete(%start, %[[SL]]#0, %start)
  dataflow.graph.return values(%z, %vl#0 : i32, i64) complete(%el#0, %sl#0, %rl#0)
}
// A ring that carries the order of a read is none. A loop of unknown end keeps
// its exit.
// CHECK-LABEL: @keep
dataflow.graph @keep(%start: none, %n: i64, %m: memref<?xi8>) -> i32
    slots [0, 1] partitions [0] exits [-1] {
  // CHECK: %[[E:.*]] = dataflow.invariant %[[P:.*]], %start
  // CHECK: %[[R:.*]] = dataflow.carry %[[P]], %start
  %e = dataflow.carry %p, %start, %el#1 : none
  %r = dataflow.carry %p, %start, %rl#1 : none
  %nr = dataflow.invariant %p, %n : i64
  %d, %done = dataflow.load %m[%nr] %e : i64 -> i8
  %p = arith.trunci %d : i8 to i1
  // CHECK: %[[EL:.*]]:2 = dataflow.demux %[[P]], %[[E]]
  %el:2 = dataflow.demux %p, %e : (i1, none) -> (none, none)
  // CHECK: %[[RN:.*]]:2 = dataflow.sync %[[R]]
  // CHECK: %[[RL:.*]]:2 = dataflow.demux %[[P]], %[[RN]]#0
  %rn:2 = dataflow.sync %r, %done : none, none
  %rl:2 = dataflow.demux %p, %rn#0 : (i1, none) -> (none, none)
  %z = dataflow.constant %start 0 : i32
  // CHECK: complete(%[[EL]]#0, %[[RL]]#0)
  dataflow.graph.return values(%z : i32) complete(%el#0, %rl#0)
}
