// RUN: loom-opt %s --loom-rewrite-dataflow=only=constants,dead --dataflow-verify-phases | FileCheck %s

// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %c: i1) -> (i32, i8, i32, i32, f32)
    slots [0] partitions [] exits [-1, -1, -1, -1, -1] {
  %a = dataflow.constant %start 100 : i8
  %b = dataflow.constant %start 100 : i8
  %sum = arith.addi %a, %b : i8
  // CHECK: %[[SUM:.*]] = dataflow.constant %start -56 : i8
  // What would trap, or has no value, stays; so do floating-point numbers.
  %one = dataflow.constant %start 1 : i32
  %zero = dataflow.constant %start 0 : i32
  %many = dataflow.constant %start 40 : i32
  %trap = arith.divui %one, %zero : i32
  // CHECK: %[[TRAP:.*]] = arith.divui
  %poison = arith.shli %one, %many : i32
  // CHECK: %[[POISON:.*]] = arith.shli
  %x = dataflow.constant %start 1.0 : f32
  %float = arith.addf %x, %x : f32
  // CHECK: %[[FLOAT:.*]] = arith.addf
  // CHECK: values(%{{.*}}, %[[SUM]], %[[TRAP]], %[[POISON]], %[[FLOAT]] :
  dataflow.graph.return values(%zero, %sum, %trap, %poison, %float : i32, i8, i32, i32, f32) complete(%start)
}
