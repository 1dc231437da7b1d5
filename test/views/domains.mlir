// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iteration domains, footprints and reuse: exact where control and addresses
// are affine, an upper bound or unknown by name elsewhere.
// RUN: loom-opt --loom-views %s -o /dev/null | FileCheck %s
// RUN: loom-opt --loom-views="queries=0" %s -o /dev/null | FileCheck %s --check-prefix=BUDGET

// Without a budget nothing is claimed, and that is said.
// BUDGET-LABEL: views triangle
// BUDGET-NOT: ProvenIndependent
// BUDGET: L0 {{.*}}: ProofNotEstablished (not excluded: A1 and A1: the analysis budget is used up)
// BUDGET: D1 in L0: unknown (the analysis budget is used up)
// BUDGET: the analysis budget is used up: some answers are unknown

// A triangle with a condition.
// CHECK-LABEL: views triangle{{$}}
// CHECK: L0 {{.*}}: ProofNotEstablished (not excluded: A1 and A1: the addresses may wrap)
// CHECK:   L1 {{.*}}: ProvenIndependent{{$}}
// CHECK: D0 in no loop: exact { [] }
// CHECK-NEXT: D1 in L0: exact [arg1] -> { [i0] : 0 <= i0 < arg1 }
// CHECK-NEXT: D2 in L0 L1: exact [arg1] -> { [i0, i1] : i0 < arg1 and 0 <= i1 <= i0 }
// CHECK-NEXT: D3 in L0 L1: exact [arg1] -> { [i0, i1] : i0 < arg1 and 0 <= i1 <= -2 + i0 }
// CHECK: arg0 reads: exact [arg1] -> { [b] : 0 <= b < 4arg1 }, first byte [(0)] : arg1 > 0, last byte [(-1 + 4arg1)] : arg1 > 0, dense
// CHECK: A0 in L0: temporal
// CHECK-NEXT: A0 in L1: contiguous by 4
// CHECK-NEXT: A1 in L0: strided by 400
func.func @triangle(%x0: !llvm.ptr, %n0: i64, %y0: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "triangle" (%x0, %n0, %y0) partitions [0, -1, 1] exits [-1] : (!llvm.ptr, i64, !llvm.ptr) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64, %y: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c400 = arith.constant 400 : i64
    %c100 = arith.constant 100 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %top = arith.addi %i, %c1 : i64
      %row = arith.muli %i, %c100 : i64
      scf.for %j = %c0 to %top step %c1 : i64 {
        %o = arith.muli %j, %c4 : i64
        %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %v = llvm.load %p : !llvm.ptr -> i32
        %k = arith.addi %j, %c1 : i64
        %c = arith.cmpi slt, %k, %i : i64
        scf.if %c {
          %fit = arith.minsi %j, %c1 : i64
          %s = arith.addi %row, %c1 : i64
          %o2 = arith.muli %i, %c400 : i64
          %o3 = arith.addi %o2, %o : i64
          %q = llvm.getelementptr %y[%o3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
          llvm.store %v, %q : i32, !llvm.ptr
        }
      }
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Unequal, unsigned and switched conditions, all exact.
// CHECK-LABEL: views conditions{{$}}
// CHECK: D2 in L0: exact { [i0] : 0 <= i0 <= 9 and ({{.*}}) }
// CHECK: D3 in L0: exact { [i0] : 0 <= i0 <= 4 }
// CHECK: D5 in L0: exact { [i0 = 3] }
// CHECK: arg0 writes: exact { [b] : {{.*}} }, within [0, 40), 36 bytes{{$}}
func.func @conditions(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "conditions" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c5 = arith.constant 5 : i64
    %c10 = arith.constant 10 : i64
    %c6 = arith.constant 6 : i64
    %k = arith.constant -5 : i64
    scf.for %i = %c0 to %c10 step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %ne = arith.cmpi ne, %i, %c6 : i64
      scf.if %ne {
        llvm.store %z, %p : i32, !llvm.ptr
      }
      %ult = arith.cmpi ult, %i, %c5 : i64
      scf.if %ult {
        %v = llvm.load %p : !llvm.ptr -> i32
      }
      %s = arith.index_cast %i : i64 to index
      scf.index_switch %s
      case 3 {
        %v = llvm.load %p : !llvm.ptr -> i8
        scf.yield
      }
      default {
      }
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// A condition on data: an upper bound of domain and footprint.
// CHECK-LABEL: views on_data{{$}}
// CHECK: D2 in L0: over-approximate (depends on a value that varies in ways not followed) [arg1] -> { [i0] : 0 <= i0 < arg1 }
// CHECK: arg0 writes: over-approximate (depends on a value that varies in ways not followed) [arg1] -> { [b] : 0 <= b < 4arg1 }
func.func @on_data(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "on_data" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i32
      %c = arith.cmpi slt, %v, %z : i32
      scf.if %c {
        llvm.store %z, %p : i32, !llvm.ptr
      }
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Every third element of a constant loop: bytes are counted, holes seen.
// CHECK-LABEL: views holes{{$}}
// CHECK: arg0 reads: exact { [b] : {{.*}} }, within [0, 112), 40 bytes{{$}}
// CHECK: A0 in L0: strided by 12
func.func @holes(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "holes" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c10 = arith.constant 10 : i64
    %c12 = arith.constant 12 : i64
    scf.for %i = %c0 to %c10 step %c1 : i64 {
      %o = arith.muli %i, %c12 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i32
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// A window: what one access touches the other comes to later.
// CHECK-LABEL: views window{{$}}
// CHECK: arg0 reads: exact {{.*}}, within [0, 44), 44 bytes, dense
// CHECK: A0 in L0: bytes of A1, 1 iterations before
func.func @window(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "window" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c10 = arith.constant 10 : i64
    scf.for %i = %c0 to %c10 step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i32
      %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
      %w = llvm.load %q : !llvm.ptr -> i32
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}
