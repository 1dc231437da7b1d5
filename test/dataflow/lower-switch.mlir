// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-phases | FileCheck %s
// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-write-image=path=%t.img -o /dev/null
// RUN: loom-run %t.img --orders=25 i32:1 | FileCheck %s --check-prefix=D1
// RUN: loom-run %t.img --orders=25 i32:-1 | FileCheck %s --check-prefix=DX
// RUN: loom-run %t.img --region=1 --orders=25 i64:9 | FileCheck %s --check-prefix=S9
// RUN: loom-run %t.img --region=1 --orders=25 i64:2 | FileCheck %s --check-prefix=SX
// RUN: loom-run %t.img --region=2 --orders=25 i64:5 | FileCheck %s --check-prefix=O5
// RUN: loom-run %t.img --region=2 --orders=25 i64:0 | FileCheck %s --check-prefix=OX

llvm.func @f(%a0: i32, %a1: i64) {
  // Cases 0..n-1: the selector is the argument, limited to n.
  %r:2 = loom.spatial_region "dense" (%a0) partitions [-1] exits [-1, -1] : (i32) -> (i32, i32) {
  ^bb0(%x: i32):
    %z = arith.constant 0 : i32
    %i = arith.index_castui %x : i32 to index
    %v = scf.index_switch %i -> i32
    case 0 {
      %a = arith.constant 10 : i32
      scf.yield %a : i32
    }
    case 1 {
      %a = arith.constant 11 : i32
      scf.yield %a : i32
    }
    default {
      %a = arith.constant 19 : i32
      scf.yield %a : i32
    }
    loom.spatial_yield %z, %v : i32, i32
  }
  // Other cases: compared one by one, eager selects.
  %s:2 = loom.spatial_region "sparse" (%a1) partitions [-1] exits [-1, -1] : (i64) -> (i32, i32) {
  ^bb0(%x: i64):
    %z = arith.constant 0 : i32
    %i = arith.index_castui %x : i64 to index
    %v = scf.index_switch %i -> i32
    case 5 {
      %a = arith.constant 25 : i32
      scf.yield %a : i32
    }
    case 9 {
      %a = arith.constant 29 : i32
      scf.yield %a : i32
    }
    default {
      scf.yield %z : i32
    }
    loom.spatial_yield %z, %v : i32, i32
  }
  // One case: an i1 selector.
  %o:2 = loom.spatial_region "one" (%a1) partitions [-1] exits [-1, -1] : (i64) -> (i32, i32) {
  ^bb0(%x: i64):
    %z = arith.constant 0 : i32
    %i = arith.index_castui %x : i64 to index
    %v = scf.index_switch %i -> i32
    case 5 {
      %a = arith.constant 35 : i32
      scf.yield %a : i32
    }
    default {
      scf.yield %z : i32
    }
    loom.spatial_yield %z, %v : i32, i32
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @dense
// CHECK: %[[X:.*]] = arith.extui %arg0 : i32 to i64
// CHECK: %[[S:.*]] = arith.minui %[[X]], %{{.*}} : i64
// CHECK: dataflow.mux %[[S]], %{{.*}}, %{{.*}}, %{{.*}} : (i64, i32, i32, i32) -> i32
// CHECK-LABEL: dataflow.graph @sparse
// CHECK-COUNT-2: arith.select
// CHECK: dataflow.mux %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (i64, i32, i32, i32) -> i32
// CHECK-LABEL: dataflow.graph @one
// CHECK: %[[IS:.*]] = arith.cmpi eq, %arg0
// CHECK: dataflow.mux %[[IS]], %{{.*}}, %{{.*}} : (i1, i32, i32) -> i32
// D1: out 1: 11
// DX: out 1: 19
// S9: out 1: 29
// SX: out 1: 0
// O5: out 1: 35
// OX: out 1: 0
