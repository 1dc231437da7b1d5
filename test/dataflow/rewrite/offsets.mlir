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
