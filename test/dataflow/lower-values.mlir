// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-phases | FileCheck %s
// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-write-image=path=%t.img -o /dev/null
// RUN: loom-run %t.img --orders=5 i7:65 | FileCheck %s --check-prefix=EXEC

// Odd widths, poison as zero, freeze and index casts as nothing.
llvm.func @f(%a0: i7) {
  %r:3 = loom.spatial_region "values" (%a0) partitions [-1] exits [-1, -1, -1] : (i7) -> (i32, i32, i64) {
  ^bb0(%x: i7):
    %z = arith.constant 0 : i32
    %p = ub.poison : i32
    %q = llvm.freeze %p : i32
    %e = arith.extsi %x : i7 to i32
    %s = arith.addi %e, %q : i32
    %i = arith.index_cast %e : i32 to index
    %j = arith.index_cast %i : index to i64
    loom.spatial_yield %z, %s, %j : i32, i32, i64
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @values
// CHECK-SAME: %arg0: i7
// CHECK-NOT: freeze
// CHECK-NOT: index
// CHECK: dataflow.constant %start 0 : i32
// EXEC: out 1: 4294967233
// EXEC: out 2: -63
