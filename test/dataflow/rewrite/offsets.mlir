// RUN: loom-opt %s --loom-rewrite-dataflow=only=offsets,dead --dataflow-verify-phases | FileCheck %s

// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %x: i64, %y: i64) -> (i32, i64, i64, i64)
    slots [0, 1] partitions [] exits [-1, -1, -1, -1] {
  %k = dataflow.constant %start 3 : i64
  %four = dataflow.constant %start 4 : i64
  %minus = dataflow.constant %start -3 : i64
  %a = arith.addi %x, %k : i64
  // (x + 3) - 3
  %b = arith.addi %a, %minus : i64
  // y + (x + 3) * 4, twice
  // CHECK: %[[M:.*]] = arith.muli %arg0
  // CHECK: %[[S:.*]] = arith.addi %arg1, %[[M]]
  // CHECK: %[[C:.*]] = dataflow.constant %start 12
  // CHECK: %[[T:.*]] = arith.addi %[[S]], %[[C]]
  %m = arith.muli %a, %four : i64
  %s = arith.addi %y, %m : i64
  // Its inner sum has another use that would keep it: as it was.
  // CHECK: %[[A:.*]] = arith.addi %arg1, %{{.*}}
  // CHECK: %[[R:.*]] = arith.muli %[[A]]
  %q = arith.addi %y, %k : i64
  %r = arith.muli %q, %four : i64
  %t = arith.xori %q, %r : i64
  // CHECK: %[[X:.*]] = arith.xori %[[A]], %[[R]]
  %e = dataflow.constant %start 0 : i32
  // CHECK: values(%{{.*}}, %arg0, %[[T]], %[[X]] :
  dataflow.graph.return values(%e, %b, %s, %t : i32, i64, i64, i64) complete(%start)
}
// (x * 3) * 4 = x * 12; a sum in a loop that also repeats what it is of.
// CHECK-LABEL: @products
dataflow.graph @products(%start: none, %n: i64, %x: i64, %m: memref<?xi8>) -> (i32, i64)
    slots [0, 1, 2] partitions [0] exits [-1, -1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %three = dataflow.constant %start 3 : i64
  %four = dataflow.constant %start 4 : i64
  // CHECK: %[[TWELVE:.*]] = dataflow.constant %start 12
  // CHECK: %[[P:.*]] = arith.muli %arg1, %[[TWELVE]]
  %p = arith.muli %x, %three : i64
  %q = arith.muli %p, %four : i64
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  %w = dataflow.carry %ph, %start, %s : none
  %wl:2 = dataflow.demux %ph, %w : (i1, none) -> (none, none)
  %xr = dataflow.invariant %ph, %x : i64
  %xl:2 = dataflow.demux %ph, %xr : (i1, i64) -> (i64, i64)
  %y = arith.addi %x, %three : i64
  %yr = dataflow.invariant %ph, %y : i64
  %yl:2 = dataflow.demux %ph, %yr : (i1, i64) -> (i64, i64)
  // CHECK: %[[K:.*]] = dataflow.constant %{{.*}}#1 3
  // CHECK: %[[Y:.*]] = arith.addi %[[X:.*]]#1, %[[K]]
  // CHECK: dataflow.store %arg2[%[[X]]#1] %[[Y]]
  %s = dataflow.store %m[%xl#1] %yl#1 %wl#1 : i64, i64
  %e = dataflow.constant %start 0 : i32
  // CHECK: values(%{{.*}}, %[[P]] :
  dataflow.graph.return values(%e, %q : i32, i64) complete(%wl#0)
}
