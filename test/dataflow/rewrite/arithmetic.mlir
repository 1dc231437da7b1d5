// RUN: loom-opt %s --loom-rewrite-dataflow=only=arithmetic,dead --dataflow-verify-phases | FileCheck %s

// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %x: i64, %c: i1, %y: i32) -> (i32, i64, i1, i32, i1, i1)
    slots [0, 1, 2] partitions [] exits [-1, -1, -1, -1, -1, -1] {
  %zero = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %a = arith.addi %zero, %x : i64
  %b = arith.muli %a, %one : i64
  // cmp ne (extui c), 0 = c
  %w = arith.extui %c : i1 to i64
  %t = arith.cmpi ne, %w, %zero : i64
  // trunc (extsi y) = y
  %s = arith.extsi %y : i32 to i64
  %n = arith.trunci %s : i64 to i32
  // A constant that i32 doesn't have: the comparison stays wide.
  %big = dataflow.constant %start 4294967296 : i64
  %u = arith.extui %y : i32 to i64
  %wide = arith.cmpi ult, %u, %big : i64
  // CHECK: %[[BIG:.*]] = dataflow.constant %start 4294967296
  // CHECK: %[[U:.*]] = arith.extui %arg2
  // CHECK: %[[WIDE:.*]] = arith.cmpi ult, %[[U]], %[[BIG]]
  // Signed: an extui isn't what it looks like in the narrow type.
  %k = dataflow.constant %start 7 : i64
  %signed = arith.cmpi slt, %u, %k : i64
  // CHECK: %[[K:.*]] = dataflow.constant %start 7 : i64
  // CHECK: %[[SIGNED:.*]] = arith.cmpi slt, %[[U]], %[[K]]
  %e = dataflow.constant %start 0 : i32
  // CHECK: return values(%{{.*}}, %arg0, %arg1, %arg2, %[[WIDE]], %[[SIGNED]] :
  dataflow.graph.return values(%e, %b, %t, %n, %wide, %signed : i32, i64, i1, i32, i1, i1) complete(%start)
}
// trunc (mux c, extui x, constant) is narrow; a lane of another width keeps it.
// CHECK-LABEL: @mux
dataflow.graph @mux(%start: none, %c: i1, %x: i1, %y: i32) -> (i32, i1, i1)
    slots [0, 1, 2] partitions [] exits [-1, -1, -1] {
  %s:2 = dataflow.demux %c, %start : (i1, none) -> (none, none)
  %l:2 = dataflow.demux %c, %x : (i1, i1) -> (i1, i1)
  %o:2 = dataflow.demux %c, %y : (i1, i32) -> (i32, i32)
  %w = arith.extui %l#1 : i1 to i64
  %k = dataflow.constant %s#0 2 : i64
  %m = dataflow.mux %c, %k, %w : (i1, i64, i64) -> i64
  %t = arith.trunci %m : i64 to i1
  // CHECK: %[[L:.*]]:2 = dataflow.demux %arg0, %arg1
  // CHECK: %[[K:.*]] = dataflow.constant %{{.*}}#0 false
  // CHECK: dataflow.mux %arg0, %[[K]], %[[L]]#1 : (i1, i1, i1) -> i1
  %v = arith.extui %o#1 : i32 to i64
  %n = dataflow.mux %c, %k, %v : (i1, i64, i64) -> i64
  %u = arith.trunci %n : i64 to i1
  // CHECK: arith.trunci %{{.*}} : i64 to i1
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e, %t, %u : i32, i1, i1) complete(%start)
}
// A cut extension stays one of its kind, extensions of one kind are one, and a
// mask that isn't all ones stays.
// CHECK-LABEL: @extensions
dataflow.graph @extensions(%start: none, %b: i8, %x: i64) -> (i32, i32, i32, i64, i64, i64, i64)
    slots [0, 1] partitions [] exits [-1, -1, -1, -1, -1, -1, -1] {
  %e = dataflow.constant %start 0 : i32
  %s = arith.extsi %b : i8 to i64
  %u = arith.extui %b : i8 to i64
  %st = arith.trunci %s : i64 to i32
  %ut = arith.trunci %u : i64 to i32
  // CHECK-DAG: %[[S:.*]] = arith.extsi %arg0 : i8 to i32
  // CHECK-DAG: %[[U:.*]] = arith.extui %arg0 : i8 to i32
  %three = dataflow.constant %start 3 : i64
  %ones = dataflow.constant %start -1 : i64
  %some = arith.andi %x, %three : i64
  %all = arith.andi %x, %ones : i64
  // CHECK-DAG: %[[SOME:.*]] = arith.andi %arg1, %{{.*}} : i64
  %half = arith.extsi %b : i8 to i16
  %once = arith.extsi %half : i16 to i64
  %mixed = arith.extui %half : i16 to i64
  // CHECK-DAG: %[[HALF:.*]] = arith.extsi %arg0 : i8 to i16
  // CHECK-DAG: %[[ONCE:.*]] = arith.extsi %arg0 : i8 to i64
  // CHECK-DAG: %[[MIXED:.*]] = arith.extui %[[HALF]] : i16 to i64
  // CHECK: return values(%{{.*}}, %[[S]], %[[U]], %[[SOME]], %arg1, %[[ONCE]], %[[MIXED]] :
  dataflow.graph.return values(%e, %st, %ut, %some, %all, %once, %mixed : i32, i32, i32, i64, i64, i64, i64) complete(%start)
}
