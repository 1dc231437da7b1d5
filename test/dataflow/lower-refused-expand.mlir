// RUN: not loom-opt %s --loom-lower-to-dataflow 2>&1 | FileCheck %s

// What isn't expanded is named.
// CHECK-DAG: refused: dataflow-op: scf.parallel of more than 64 points
// CHECK-DAG: refused: dataflow-op: scf.forall of more than 64 points
// CHECK-DAG: refused: dataflow-op: scf.forall with bounds that aren't constants
// CHECK-DAG: refused: dataflow-op: scf.forall with a step that isn't positive
llvm.func @f(%a0: i64, %a1: !llvm.ptr) {
  %r = loom.spatial_region "loops" (%a0, %a1) partitions [-1, 0] exits [-1] : (i64, !llvm.ptr) -> i32 {
  ^bb0(%n: i64, %p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c65 = arith.constant 65 : index
    %i = arith.index_cast %n : i64 to index
    scf.parallel (%j) = (%c0) to (%c65) step (%c1) {
      llvm.store %n, %p : i64, !llvm.ptr
      scf.reduce
    }
    scf.forall (%j, %k) in (4611686018427387904, 4) {
      llvm.store %n, %p : i64, !llvm.ptr
    }
    scf.forall (%j) in (%i) {
      llvm.store %n, %p : i64, !llvm.ptr
    }
    scf.forall (%j) = (0) to (4) step (0) {
      llvm.store %n, %p : i64, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}

// CHECK-DAG: refused: dataflow-op: scf.execute_region with branches
llvm.func @g(%a0: i1, %a1: !llvm.ptr) {
  %r = loom.spatial_region "branches" (%a0, %a1) partitions [-1, 0] exits [-1] : (i1, !llvm.ptr) -> i32 {
  ^bb0(%c: i1, %p: !llvm.ptr):
    %z = arith.constant 0 : i32
    scf.execute_region {
      cf.cond_br %c, ^a, ^b
    ^a:
      llvm.store %z, %p : i32, !llvm.ptr
      cf.br ^b
    ^b:
      scf.yield
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}

// CHECK-DAG: refused: dataflow-op: memref.copy of a memory that is no view of a pointer
llvm.func @h(%a0: !llvm.ptr) {
  %r = loom.spatial_region "memory" (%a0) partitions [0] exits [-1] : (!llvm.ptr) -> i32 {
  ^bb0(%p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %m = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<4xi32>
    %own = memref.alloc() : memref<4xi32>
    memref.copy %m, %own : memref<4xi32> to memref<4xi32>
    loom.spatial_yield %z : i32
  }
  llvm.return
}

// CHECK-DAG: refused: dataflow-op: memref.copy of a shape that isn't fixed and contiguous
llvm.func @i(%a0: !llvm.ptr) {
  %r = loom.spatial_region "shape" (%a0) partitions [0] exits [-1] : (!llvm.ptr) -> i32 {
  ^bb0(%p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %m = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<?xi32>
    memref.copy %m, %m : memref<?xi32> to memref<?xi32>
    loom.spatial_yield %z : i32
  }
  llvm.return
}

// CHECK-DAG: refused: dataflow-op: memref.copy of elements without an access
llvm.func @j(%a0: !llvm.ptr) {
  %r = loom.spatial_region "elements" (%a0) partitions [0] exits [-1] : (!llvm.ptr) -> i32 {
  ^bb0(%p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %m = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<4xi24>
    memref.copy %m, %m : memref<4xi24> to memref<4xi24>
    loom.spatial_yield %z : i32
  }
  llvm.return
}

// Each is small, all together are not.
// CHECK-DAG: refused: dataflow-size: parallel loops of more than 65536 operations
llvm.func @k(%a0: i64, %a1: !llvm.ptr) {
  %r = loom.spatial_region "size" (%a0, %a1) partitions [-1, 0] exits [-1] : (i64, !llvm.ptr) -> i32 {
  ^bb0(%n: i64, %p: !llvm.ptr):
    %z = arith.constant 0 : i32
    scf.forall (%i) in (64) {
      scf.forall (%j) in (64) {
        scf.forall (%k) in (64) {
          llvm.store %n, %p : i64, !llvm.ptr
        }
      }
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}
