// RUN: loom-opt %s --loom-rewrite-dataflow=only=streams,dead --dataflow-verify-phases | FileCheck %s

// A counter that is only multiplied counts in multiples.
// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %n: i32, %m: memref<?xi8>) -> i32
    slots [0, 1] partitions [0] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %l = arith.extsi %n : i32 to i64
  // CHECK: %[[L:.*]] = arith.extsi
  // CHECK: %[[STEP:.*]] = dataflow.constant %start 4 : i64
  // CHECK: %[[LIMIT:.*]] = arith.muli %[[L]], %{{.*}}
  // CHECK: %iv, %phase = dataflow.stream %{{.*}}, %[[LIMIT]], %[[STEP]] add while slt
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
// Six is no multiple of four: each product stays.
// CHECK-LABEL: @divides
dataflow.graph @divides(%start: none, %n: i32, %m: memref<?xi8>) -> i32
    slots [0, 1] partitions [0] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  // CHECK: %[[L:.*]] = arith.extsi
  // CHECK: dataflow.stream %{{.*}}, %[[L]], %{{.*}} add while slt
  %l = arith.extsi %n : i32 to i64
  %iv, %ph = dataflow.stream %c0, %l, %c1 add while slt : i64
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %k = dataflow.constant %wl#1 4 : i64
  %h = dataflow.constant %wl#1 6 : i64
  %a = arith.muli %iv, %k : i64
  %b = arith.muli %iv, %h : i64
  %s = dataflow.store %m[%a] %b %wl#1 : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%wl#0)
}
// The limit is known to be small, but its multiple would wrap all the same.
// CHECK-LABEL: @small
dataflow.graph @small(%start: none, %n: i16, %m: memref<?xi8>) -> i32
    slots [0, 1] partitions [0] exits [-1] {
  %c0 = dataflow.constant %start 0 : i32
  %c1 = dataflow.constant %start 1 : i32
  // CHECK: %[[L:.*]] = arith.extui
  // CHECK: dataflow.stream %{{.*}}, %[[L]], %{{.*}} add while slt
  %l = arith.extui %n : i16 to i32
  %iv, %ph = dataflow.stream %c0, %l, %c1 add while slt : i32
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %k = dataflow.constant %wl#1 65536 : i32
  // CHECK: arith.muli %iv
  %a = arith.muli %iv, %k : i32
  %b = arith.extui %a : i32 to i64
  %s = dataflow.store %m[%b] %a %wl#1 : i64, i32
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%wl#0)
}
