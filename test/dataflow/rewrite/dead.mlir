// RUN: loom-opt %s --loom-rewrite-dataflow=only=dead --dataflow-verify-phases | FileCheck %s

// A loop that only counts for itself, a load whose data nobody wants and an
// input without users go; a store and what it needs stay.
dataflow.graph @f(%start: none, %n: i64, %unused: i64, %m: memref<?xi8>, %o: memref<?xi8>) -> i32
    slots [0, 1, 2, 5] partitions [0, 3] exits [-1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  %ring = dataflow.carry %ph, %c0, %next : i64
  %lane:2 = dataflow.demux %ph, %ring : (i1, i64) -> (i64, i64)
  %next = arith.addi %lane#1, %iv : i64
  %d, %dd = dataflow.load %m[%c0] %start : i64 -> i64
  %s = dataflow.store %o[%c0] %c1 %start : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e : i32) complete(%s)
}
// CHECK: dataflow.graph @f(%start: none, %arg0: memref<?xi8>) -> i32
// CHECK-NEXT: slots [5] partitions [3] exits [-1] {
// CHECK-NEXT: constant %start 0 : i64
// CHECK-NEXT: constant %start 1 : i64
// CHECK-NEXT: store %arg0
// CHECK-NEXT: constant
// CHECK-NEXT: return
