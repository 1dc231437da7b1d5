// RUN: loom-opt %s --loom-rewrite-dataflow=only=syncs,dead --dataflow-verify-phases | FileCheck %s

// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %x: i64, %m: memref<?xi8>, %o: memref<?xi8>) -> (i32, i64)
    slots [0, 1, 2] partitions [0, 1] exits [-1, -1] {
  // CHECK: %[[D:.*]], %[[DONE:.*]] = dataflow.load
  %d, %done = dataflow.load %m[%x] %start : i64 -> i64
  // CHECK-NEXT: %[[S:.*]] = dataflow.store
  %s = dataflow.store %o[%x] %x %start : i64, i64
  // The start token is implied, the inner sync has no other use, and one token
  // needs no sync.
  %a:2 = dataflow.sync %start, %done : none, none
  %b:2 = dataflow.sync %a#0, %s : none, none
  %c:2 = dataflow.sync %b#1, %b#0 : none, none
  // CHECK-NEXT: %[[J:.*]]:2 = dataflow.sync %[[DONE]], %[[S]]
  // CHECK-NEXT: dataflow.store %{{.*}} %[[J]]#0
  %t = dataflow.store %o[%x] %d %c#0 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e, %d : i32, i64) complete(%t)
}
// A token that comes around a loop implies the one that entered it only if every
// iteration waits for the one before.
// CHECK-LABEL: @loop
dataflow.graph @loop(%start: none, %n: i64, %x: i64, %m: memref<?xi8>, %o: memref<?xi8>) -> i32
    slots [0, 1, 2, 3] partitions [0, 1] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  // CHECK: %[[P:.*]] = dataflow.store
  %p = dataflow.store %m[%x] %x %start : i64, i64
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  %a = dataflow.carry %ph, %p, %s : none
  // CHECK: %[[A:.*]]:2 = dataflow.demux %phase, %{{.*}} :
  %al:2 = dataflow.demux %ph, %a : (i1, none) -> (none, none)
  %s = dataflow.store %m[%iv] %iv %al#1 : i64, i64
  %free = dataflow.invariant %ph, %start : none
  %fl:2 = dataflow.demux %ph, %free : (i1, none) -> (none, none)
  %b = dataflow.carry %ph, %p, %t : none
  // CHECK: %[[B:.*]]:2 = dataflow.demux %phase, %{{.*}} : (i1, none)
  // CHECK: %[[B:.*]]:2 = dataflow.demux %phase, %{{.*}} : (i1, none)
  %bl:2 = dataflow.demux %ph, %b : (i1, none) -> (none, none)
  %t = dataflow.store %o[%iv] %iv %fl#1 : i64, i64
  // CHECK-NOT: dataflow.sync
  // CHECK: dataflow.store %arg2[%arg1] %arg1 %[[A]]#0
  %j:2 = dataflow.sync %al#0, %p : none, none
  %u = dataflow.store %m[%x] %x %j#0 : i64, i64
  // CHECK: %[[K:.*]]:2 = dataflow.sync %[[B]]#0, %[[P]]
  %k:2 = dataflow.sync %bl#0, %p : none, none
  %v = dataflow.store %o[%x] %x %k#0 : i64, i64
  %e = dataflow.constant %start 0 : i32
  // CHECK: complete
  dataflow.graph.return values(%e : i32) complete(%u, %v)
}
// A token of data is none of control: the publication stays.
// CHECK-LABEL: @publish
dataflow.graph @publish(%start: none, %x: i64, %m: memref<?xi8>) -> (i32, i64)
    slots [0, 1] partitions [0] exits [-1, -1] {
  %d, %done = dataflow.load %m[%x] %start : i64 -> i64
  // CHECK: dataflow.sync %start, %{{.*}} : none, i64
  %p:2 = dataflow.sync %start, %d : none, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e, %p#1 : i32, i64) complete(%p#0)
}
// One lane comes after the store, the other doesn't: both are waited for.
// CHECK-LABEL: @lanes
dataflow.graph @lanes(%start: none, %c: i1, %x: i64, %m: memref<?xi8>) -> i32
    slots [0, 1, 2] partitions [0] exits [-1] {
  // CHECK: %[[S:.*]] = dataflow.store
  // CHECK: %[[M:.*]] = dataflow.mux
  // CHECK: complete(%[[M]], %[[S]])
  %s = dataflow.store %m[%x] %x %start : i64, i64
  %l:2 = dataflow.demux %c, %s : (i1, none) -> (none, none)
  %k:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %t = dataflow.mux %c, %l#0, %k#1 : (i1, none, none) -> none
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%t, %s)
}
