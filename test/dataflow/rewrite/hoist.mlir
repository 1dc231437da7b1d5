// RUN: loom-opt %s --loom-rewrite-dataflow=only=hoist,dead --dataflow-verify-phases | FileCheck %s

// A sum of two repeated values is repeated; a division isn't made in vain.
// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %n: i64, %x: i64, %y: i64, %m: memref<?xi8>) -> i32
    slots [0, 1, 2, 3] partitions [0] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %xr = dataflow.invariant %ph, %x : i64
  %xl:2 = dataflow.demux %ph, %xr : (i1, i64) -> (i64, i64)
  %yr = dataflow.invariant %ph, %y : i64
  %yl:2 = dataflow.demux %ph, %yr : (i1, i64) -> (i64, i64)
  // (iv + x) + y
  // CHECK: %[[SUM:.*]] = arith.addi %arg1, %arg2
  // CHECK: %[[RAW:.*]] = dataflow.invariant %phase, %[[SUM]]
  // CHECK: %[[L:.*]]:2 = dataflow.demux %phase, %[[RAW]]
  // CHECK: arith.addi %iv, %[[L]]#1
  %a = arith.addi %iv, %xl#1 : i64
  %b = arith.addi %a, %yl#1 : i64
  %s = dataflow.store %m[%b] %iv %wl#1 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%wl#0)
}
// CHECK-LABEL: @trap
dataflow.graph @trap(%start: none, %n: i64, %x: i64, %y: i64, %m: memref<?xi8>) -> i32
    slots [0, 1, 2, 3] partitions [0] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %xr = dataflow.invariant %ph, %x : i64
  %xl:2 = dataflow.demux %ph, %xr : (i1, i64) -> (i64, i64)
  %yr = dataflow.invariant %ph, %y : i64
  %yl:2 = dataflow.demux %ph, %yr : (i1, i64) -> (i64, i64)
  // CHECK: arith.divui %{{.*}}#1, %{{.*}}#1
  %a = arith.divui %xl#1, %yl#1 : i64
  %s = dataflow.store %m[%iv] %a %wl#1 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%wl#0)
}
