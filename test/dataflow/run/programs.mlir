// RUN: loom-artifact run %s --arg 0=6 --arg 1=@2+8 --memory 2=hex:0100000002000000030000000400000005000000 | FileCheck %s
// RUN: loom-artifact run %s --arg 0=1 --arg 1=@2+0 --memory 2=hex:0100000002000000030000000400000005000000 | FileCheck %s --check-prefix=ONE

// The structured operations of programs, loads and stores in the order of the
// text: Collatz steps of n, then a[1] += a[0], and a selection by n.
// CHECK: result 0: i64 8
// CHECK-NEXT: result 1: i32 7
// CHECK-NEXT: result 2: i64 200
// CHECK-NEXT: memory 2: 0100000002000000030000000700000005000000
// ONE: result 0: i64 0
// ONE-NEXT: result 1: i32 3
// ONE-NEXT: result 2: i64 101
func.func @host(%n: i64, %p: !llvm.ptr, %q: !llvm.ptr) -> (i64, i32, i64) {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%v = %n, %k = %zero) : (i64, i64) -> (i64, i64) {
    %go = arith.cmpi ne, %v, %one : i64
    scf.condition(%go) %v, %k : i64, i64
  } do {
  ^bb0(%v: i64, %k: i64):
    %low = arith.andi %v, %one : i64
    %odd = arith.trunci %low : i64 to i1
    %next = scf.if %odd -> i64 {
      %t = arith.muli %v, %three : i64
      %u = arith.addi %t, %one : i64
      scf.yield %u : i64
    } else {
      %u = arith.divui %v, %two : i64
      scf.yield %u : i64
    }
    %more = arith.addi %k, %one : i64
    scf.yield %next, %more : i64, i64
  }
  %a = llvm.load %p : !llvm.ptr -> i32
  %at = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %b = llvm.load %at : !llvm.ptr -> i32
  %sum = arith.addi %a, %b : i32
  llvm.store %sum, %at : i32, !llvm.ptr
  %back = llvm.load %at : !llvm.ptr -> i32
  %i = arith.index_cast %n : i64 to index
  %s = scf.index_switch %i -> i64
  case 1 {
    %c = arith.constant 101 : i64
    scf.yield %c : i64
  }
  default {
    %c = arith.constant 200 : i64
    scf.yield %c : i64
  }
  return %r#1, %back, %s : i64, i32, i64
}
