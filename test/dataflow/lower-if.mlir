// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-phases | FileCheck %s
// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-write-image=path=%t.img -o /dev/null
// RUN: loom-run %t.img --orders=25 i1:1 i32:7 i32[]:1,2 | FileCheck %s --check-prefix=TAKEN
// RUN: loom-run %t.img --orders=25 i1:0 i32:7 i32[]:1,2 | FileCheck %s --check-prefix=NOT

// One-sided, with an effect; then a value from both sides.
llvm.func @f(%a0: i1, %a1: i32, %a2: !llvm.ptr) {
  %r:2 = loom.spatial_region "sides" (%a0, %a1, %a2) partitions [-1, -1, 0] exits [-1, -1] : (i1, i32, !llvm.ptr) -> (i32, i32) {
  ^bb0(%c: i1, %x: i32, %p: !llvm.ptr):
    %z = arith.constant 0 : i32
    scf.if %c {
      llvm.store %x, %p : i32, !llvm.ptr
    }
    %v = scf.if %c -> (i32) {
      %l = llvm.load %p : !llvm.ptr -> i32
      scf.yield %l : i32
    } else {
      %n = arith.subi %z, %x : i32
      scf.yield %n : i32
    }
    loom.spatial_yield %z, %v : i32, i32
  }
  llvm.return
}
// Lane 0 is the missing else: it passes the permission on.
// CHECK-LABEL: dataflow.graph @sides
// CHECK: %[[E:.*]]:2 = dataflow.demux %arg0, %start : (i1, none) -> (none, none)
// CHECK: %[[X:.*]]:2 = dataflow.demux %arg0, %arg1 : (i1, i32) -> (i32, i32)
// CHECK: %[[D:.*]] = dataflow.store %arg2[%{{.*}}] %[[X]]#1 %[[E]]#1 : i64, i32
// CHECK: %[[W:.*]] = dataflow.mux %arg0, %[[E]]#0, %[[D]] : (i1, none, none) -> none
// CHECK: %[[WL:.*]]:2 = dataflow.demux %arg0, %[[W]]
// CHECK: %[[V:.*]], %[[LD:.*]] = dataflow.load %arg2[%{{.*}}] %[[WL]]#1 : i64 -> i32
// CHECK: %[[R:.*]] = dataflow.mux %arg0, %{{.*}}, %[[V]] : (i1, i32, i32) -> i32
// CHECK: %[[O:.*]] = dataflow.mux %arg0, %[[WL]]#0, %[[LD]] : (i1, none, none) -> none
// CHECK: dataflow.graph.return values(%{{.*}}, %[[R]] : i32, i32) complete(%[[O]])
// TAKEN: out 1: 7
// TAKEN-NEXT: slot 2: 7 2
// NOT: out 1: 4294967289
// NOT-NEXT: slot 2: 1 2
