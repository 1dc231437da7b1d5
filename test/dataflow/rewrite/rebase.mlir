// RUN: loom-opt %s --loom-rewrite-dataflow=only=rebase,dead --dataflow-verify-phases | FileCheck %s

// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %x: i64, %y: i64, %m: memref<?xi8>, %o: memref<?xi8>) -> i32
    slots [0, 1, 2, 3] partitions [0, 1] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c4 = dataflow.constant %start 4 : i64
  %l = dataflow.constant %start 32 : i64
  // CHECK: %[[L:.*]] = dataflow.constant %start 32
  // CHECK: %[[LIMIT:.*]] = arith.addi %arg0, %[[L]]
  // CHECK: dataflow.stream %arg0, %[[LIMIT]], %{{.*}} add while ne
  %iv, %ph = dataflow.stream %c0, %l, %c4 add while slt : i64
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %xr = dataflow.invariant %ph, %x : i64
  %xl:2 = dataflow.demux %ph, %xr : (i1, i64) -> (i64, i64)
  %yr = dataflow.invariant %ph, %y : i64
  %yl:2 = dataflow.demux %ph, %yr : (i1, i64) -> (i64, i64)
  %a = arith.addi %iv, %xl#1 : i64
  // CHECK: %[[D:.*]] = arith.subi %arg1, %arg0
  // CHECK: %[[R:.*]] = dataflow.invariant %phase, %[[D]]
  // CHECK: %[[RL:.*]]:2 = dataflow.demux %phase, %[[R]]
  // CHECK: %[[B:.*]] = arith.addi %iv, %[[RL]]#1
  %b = arith.addi %iv, %yl#1 : i64
  // CHECK: dataflow.store %arg2[%iv] %[[B]]
  %s = dataflow.store %m[%a] %b %wl#1 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%wl#0)
}
// 30 is no multiple of 4: the counter would miss it.
// CHECK-LABEL: @misses
dataflow.graph @misses(%start: none, %x: i64, %m: memref<?xi8>) -> i32
    slots [0, 1] partitions [0] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c4 = dataflow.constant %start 4 : i64
  %l = dataflow.constant %start 30 : i64
  // CHECK: add while slt
  %iv, %ph = dataflow.stream %c0, %l, %c4 add while slt : i64
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %xr = dataflow.invariant %ph, %x : i64
  %xl:2 = dataflow.demux %ph, %xr : (i1, i64) -> (i64, i64)
  %a = arith.addi %iv, %xl#1 : i64
  %s = dataflow.store %m[%a] %a %wl#1 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%wl#0)
}
// A limit that may be negative: no iteration, not 2^62 of them.
// CHECK-LABEL: @negative
dataflow.graph @negative(%start: none, %n: i32, %x: i64, %m: memref<?xi8>) -> i32
    slots [0, 1, 2] partitions [0] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %l = arith.extsi %n : i32 to i64
  // CHECK: add while slt
  %iv, %ph = dataflow.stream %c0, %l, %c1 add while slt : i64
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %xr = dataflow.invariant %ph, %x : i64
  %xl:2 = dataflow.demux %ph, %xr : (i1, i64) -> (i64, i64)
  %a = arith.addi %iv, %xl#1 : i64
  %s = dataflow.store %m[%a] %a %wl#1 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%wl#0)
}
// A counter that doesn't begin at zero.
// CHECK-LABEL: @begins
dataflow.graph @begins(%start: none, %x: i64, %m: memref<?xi8>) -> i32
    slots [0, 1] partitions [0] exits [-1] {
  %c8 = dataflow.constant %start 8 : i64
  %c4 = dataflow.constant %start 4 : i64
  %l = dataflow.constant %start 32 : i64
  // CHECK: %[[FIRST:.*]] = dataflow.constant %start 8
  // CHECK: %[[INIT:.*]] = arith.addi %arg0, %[[FIRST]]
  // CHECK: dataflow.stream %[[INIT]], %{{.*}}, %{{.*}} add while ne
  %iv, %ph = dataflow.stream %c8, %l, %c4 add while slt : i64
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %xr = dataflow.invariant %ph, %x : i64
  %xl:2 = dataflow.demux %ph, %xr : (i1, i64) -> (i64, i64)
  %a = arith.addi %iv, %xl#1 : i64
  %s = dataflow.store %m[%a] %a %wl#1 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%wl#0)
}
