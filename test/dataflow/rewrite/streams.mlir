// RUN: loom-opt %s --loom-rewrite-dataflow=only=streams,dead --dataflow-verify-phases | FileCheck %s

// A counter that is only multiplied counts in multiples.
// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %n: i32, %m: memref<?xi8>) -> i32
    slots [0, 1] partitions [0] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %l = arith.extsi %n : i32 to i64
  // CHECK: %[[L:.*]] = arith.extsi
  // CHECK: %[[LIMIT:.*]] = arith.muli %[[L]], %{{.*}}
  // CHECK: dataflow.stream %{{.*}}, %[[LIMIT]], %{{.*}} add while slt
  %iv, %ph = dataflow.stream %c0, %l, %c1 add while slt : i64
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %k = dataflow.constant %wl#1 4 : i64
  %h = dataflow.constant %wl#1 12 : i64
  // CHECK: %[[THREE:.*]] = dataflow.constant %{{.*}} 3 : i64
  // CHECK: %[[B:.*]] = arith.muli %iv, %[[THREE]]
  // CHECK: dataflow.store %arg1[%iv] %[[B]]
  %a = arith.muli %iv, %k : i64
  %b = arith.muli %iv, %h : i64
  %s = dataflow.store %m[%a] %b %wl#1 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%wl#0)
}
// The limit may be anything: its multiple might wrap.
// CHECK-LABEL: @wraps
dataflow.graph @wraps(%start: none, %n: i64, %m: memref<?xi8>) -> i32
    slots [0, 1] partitions [0] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  // CHECK: dataflow.stream %{{.*}}, %arg0, %{{.*}} add while slt
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %k = dataflow.constant %wl#1 4 : i64
  // CHECK: arith.muli %iv
  %a = arith.muli %iv, %k : i64
  %s = dataflow.store %m[%a] %a %wl#1 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%wl#0)
}
