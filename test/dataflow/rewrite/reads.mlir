// RUN: loom-opt %s --loom-rewrite-dataflow=only=reads --dataflow-verify-phases | FileCheck %s

// The result waits for the data: the completion needn't wait for the read.
// CHECK-LABEL: @covered
// CHECK: dataflow.sync %start, %start
dataflow.graph @covered(%start: none, %a: i64, %m: memref<?xi8>) -> (i32, i64)
    slots [0, 1] partitions [0] exits [-1, -1] {
  %d, %done = dataflow.load %m[%a] %start : i64 -> i64
  %r:2 = dataflow.sync %start, %done : none, none
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e, %d : i32, i64) complete(%r#0)
}
// Something writes the partition: the order stays.
// CHECK-LABEL: @written
// CHECK: %{{.*}}, %[[DONE:.*]] = dataflow.load
// CHECK: dataflow.store %{{.*}} %[[DONE]]
dataflow.graph @written(%start: none, %a: i64, %m: memref<?xi8>, %w: memref<?xi8>) -> (i32, i64)
    slots [0, 1, 2] partitions [0, 0] exits [-1, -1] {
  %d, %done = dataflow.load %m[%a] %start : i64 -> i64
  %s = dataflow.store %w[%a] %a %done : i64, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e, %d : i32, i64) complete(%s)
}
// So it does when the store has a pointer: it may be anywhere.
// CHECK-LABEL: @anywhere
// CHECK: %{{.*}}, %[[DONE:.*]] = dataflow.load
// CHECK: dataflow.store[%{{.*}}] %{{.*}} %[[DONE]]
dataflow.graph @anywhere(%start: none, %a: i64, %p: !llvm.ptr, %m: memref<?xi8>) -> (i32, i64)
    slots [0, 1, 2] partitions [0] exits [-1, -1] {
  %d, %done = dataflow.load %m[%a] %start : i64 -> i64
  %s = dataflow.store [%p] %a %done : !llvm.ptr, i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e, %d : i32, i64) complete(%s)
}
// The data is wanted in one lane only: nothing else waits for the read.
// CHECK-LABEL: @lane
// CHECK: %{{.*}}, %[[DONE:.*]] = dataflow.load
// CHECK: complete(%[[DONE]])
dataflow.graph @lane(%start: none, %a: i64, %c: i1, %m: memref<?xi8>) -> (i32, i64)
    slots [0, 1, 2] partitions [0] exits [-1, -1] {
  %d, %done = dataflow.load %m[%a] %start : i64 -> i64
  %l:2 = dataflow.demux %c, %d : (i1, i64) -> (i64, i64)
  %b:2 = dataflow.demux %c, %a : (i1, i64) -> (i64, i64)
  %r = dataflow.mux %c, %l#0, %b#1 : (i1, i64, i64) -> i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e, %r : i32, i64) complete(%done)
}
