// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-completion | FileCheck %s
// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-write-image=path=%t.short.img -o /dev/null
// RUN: loom-opt %s --loom-lower-to-dataflow=mechanical --loom-rewrite-dataflow --dataflow-verify-completion --dataflow-write-image=path=%t.star.img -o /dev/null
// RUN: loom-run %t.short.img --orders=25 --region=0 i64:5 i64[]:3 | FileCheck %s --check-prefix=ONCE
// RUN: loom-run %t.star.img --orders=25 --region=0 i64:5 i64[]:3 | FileCheck %s --check-prefix=ONCE
// RUN: loom-run %t.short.img --orders=25 --region=1 i64:100 i64[]:0,0,0,0,0,0 | FileCheck %s --check-prefix=PARALLEL
// RUN: loom-run %t.star.img --orders=25 --region=1 i64:100 i64[]:0,0,0,0,0,0 | FileCheck %s --check-prefix=PARALLEL
// RUN: loom-run %t.short.img --orders=25 --region=2 i64:100 i64[]:1 | FileCheck %s --check-prefix=EMPTY
// RUN: loom-run %t.short.img --orders=25 --region=3 i64[]:0,0,0,0,0,0,0,0 | FileCheck %s --check-prefix=FORALL
// RUN: loom-run %t.star.img --orders=25 --region=3 i64[]:0,0,0,0,0,0,0,0 | FileCheck %s --check-prefix=FORALL
// RUN: loom-run %t.short.img --orders=25 --region=4 i64[]:1,2,3,4,5,6 i64[]:0,0,0,0,0,0,7 | FileCheck %s --check-prefix=COPY
// RUN: loom-run %t.star.img --orders=25 --region=4 i64[]:1,2,3,4,5,6 i64[]:0,0,0,0,0,0,7 | FileCheck %s --check-prefix=COPY

// Structured operations that the lowering knows by others.

// Blocks that run once: of one block, of several in a row, nested.
llvm.func @f(%a0: i64, %a1: !llvm.ptr) {
  %r:2 = loom.spatial_region "once" (%a0, %a1) partitions [-1, 0] exits [-1, -1] : (i64, !llvm.ptr) -> (i32, i64) {
  ^bb0(%n: i64, %p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %v = scf.execute_region -> i64 {
      %l = llvm.load %p : !llvm.ptr -> i64
      %s = arith.addi %l, %n : i64
      %w = scf.execute_region -> i64 {
        llvm.store %s, %p : i64, !llvm.ptr
        cf.br ^next(%s : i64)
      ^next(%t: i64):
        %l2 = llvm.load %p : !llvm.ptr -> i64
        %u = arith.addi %l2, %t : i64
        cf.br ^last
      ^last:
        scf.yield %u : i64
      }
      scf.yield %w : i64
    }
    scf.execute_region {
      llvm.store %v, %p : i64, !llvm.ptr
      scf.yield
    }
    loom.spatial_yield %z, %v : i32, i64
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @once
// CHECK-NOT: scf
// CHECK: dataflow.graph.return
// ONCE: out 1: 16
// ONCE: slot 1: 16

// Two by three points; a sum and a difference of all, in order.
llvm.func @g(%a0: i64, %a1: !llvm.ptr) {
  %r:3 = loom.spatial_region "parallel" (%a0, %a1) partitions [-1, 0] exits [-1, -1, -1] : (i64, !llvm.ptr) -> (i32, i64, i64) {
  ^bb0(%n: i64, %p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c24 = arith.constant 24 : i64
    %c4 = arith.constant 4 : i64
    %zero = arith.constant 0 : i64
    %s:2 = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c6) step (%c1, %c2) init (%zero, %n) -> (i64, i64) {
      %i64 = arith.index_cast %i : index to i64
      %j64 = arith.index_cast %j : index to i64
      %row = arith.muli %i64, %c24 : i64
      %column = arith.muli %j64, %c4 : i64
      %o = arith.addi %row, %column : i64
      %a = llvm.getelementptr %p[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %o, %a : i64, !llvm.ptr
      scf.reduce(%o, %j64 : i64, i64) {
      ^bb0(%l: i64, %e: i64):
        %t = arith.addi %l, %e : i64
        scf.reduce.return %t : i64
      }, {
      ^bb0(%l: i64, %e: i64):
        %d = arith.subi %l, %e : i64
        scf.reduce.return %d : i64
      }
    }
    loom.spatial_yield %z, %s#0, %s#1 : i32, i64, i64
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @parallel
// CHECK-COUNT-6: dataflow.store
// CHECK-NOT: dataflow.store
// CHECK: dataflow.graph.return
// PARALLEL: out 1: 120
// PARALLEL: out 2: 88
// PARALLEL: slot 1: 0 8 16 24 32 40

// One empty dimension leaves nothing, however long the other is.
llvm.func @e(%a0: i64, %a1: !llvm.ptr) {
  %r:2 = loom.spatial_region "empty" (%a0, %a1) partitions [-1, 0] exits [-1, -1] : (i64, !llvm.ptr) -> (i32, i64) {
  ^bb0(%n: i64, %p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %many = arith.constant 9223372036854775807 : index
    %s = scf.parallel (%i, %j) = (%c0, %c0) to (%many, %c0) step (%c1, %c1) init (%n) -> (i64) {
      llvm.store %n, %p : i64, !llvm.ptr
      scf.reduce(%n : i64) {
      ^bb0(%l: i64, %e: i64):
        scf.reduce.return %e : i64
      }
    }
    loom.spatial_yield %z, %s : i32, i64
  }
  llvm.return
}
// EMPTY: out 1: 100
// EMPTY: slot 1: 1

// Eight points, from a negative one, with a loop in each; a parallel loop in a
// parallel loop.
llvm.func @h(%a0: !llvm.ptr) {
  %r = loom.spatial_region "forall" (%a0) partitions [0] exits [-1] : (!llvm.ptr) -> i32 {
  ^bb0(%p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %c16 = arith.constant 16 : i64
    scf.forall (%i) = (-2) to (2) step (1) {
      %i64 = arith.index_cast %i : index to i64
      scf.forall (%j) in (2) {
        %j64 = arith.index_cast %j : index to i64
        %two = arith.addi %i64, %i64 : i64
        %four = arith.constant 4 : i64
        %at = arith.addi %two, %four : i64
        %k = arith.addi %at, %j64 : i64
        %o = arith.muli %k, %c8 : i64
        %a = llvm.getelementptr %p[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %s = scf.for %x = %zero to %k step %one iter_args(%acc = %i64) -> (i64) : i64 {
          %t = arith.addi %acc, %c16 : i64
          scf.yield %t : i64
        }
        llvm.store %s, %a : i64, !llvm.ptr
      }
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @forall
// CHECK-COUNT-8: dataflow.store
// CHECK-NOT: dataflow.store
// CHECK: dataflow.graph.return
// FORALL: slot 0: -2 14 31 47 64 80 97 113

// Six elements, read and written one after the other.
llvm.func @c(%a0: !llvm.ptr, %a1: !llvm.ptr) {
  %r = loom.spatial_region "copy" (%a0, %a1) partitions [0, 0] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%p: !llvm.ptr, %q: !llvm.ptr):
    %z = arith.constant 0 : i32
    %from = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<2x3xi64>
    %to = builtin.unrealized_conversion_cast %q : !llvm.ptr to memref<2x3xi64>
    memref.copy %from, %to : memref<2x3xi64> to memref<2x3xi64>
    loom.spatial_yield %z : i32
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @copy
// CHECK: %[[RING:.*]] = dataflow.carry %{{.*}}, %start, %[[STORE:.*]] : none
// CHECK: %[[B:.*]]:2 = dataflow.demux %{{.*}}, %[[RING]]
// CHECK: %[[V:.*]], %[[READ:.*]] = dataflow.load %arg0[%{{.*}}] %[[B]]#1 : i64 -> i64
// CHECK: %[[STORE]] = dataflow.store %arg1[%{{.*}}] %[[V]] %[[READ]] : i64, i64
// COPY: slot 1: 1 2 3 4 5 6 7
