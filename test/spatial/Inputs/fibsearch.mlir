// Two coupled values in a counted loop, a do-while loop with a store before its
// test, a triangular loop with a reversed index, doubles and a zero literal.
func.func @fibsearch(%x0: f64, %d0: !llvm.ptr, %f0: !llvm.ptr) -> i32 {
  %r:4 = loom.spatial_region "fib-search" (%x0, %d0, %f0) partitions [-1, 0, 1] exits [-1, 0, 1, -1] : (f64, !llvm.ptr, !llvm.ptr) -> (i32, i64, i64, f64) {
  ^bb0(%x: f64, %d: !llvm.ptr, %f: !llvm.ptr):
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %eight = arith.constant 8 : i64
    %n = arith.constant 20 : i64
    %m = arith.constant 12 : i64
    %mask = arith.constant 15 : i64
    %zf = arith.constant 0.0 : f64
    %mz = arith.constant -0.0 : f64
    %half = arith.constant 0.5 : f64
    %zero = arith.constant 0 : i32
    %fib:2 = scf.for %i = %z to %n step %one iter_args(%a = %z, %b = %one) -> (i64, i64) : i64 {
      %s = arith.addi %a, %b : i64
      scf.yield %b, %s : i64, i64
    }
    // d[k & 15] ^= k while the sum stays small
    %w:2 = scf.while (%k = %z, %sum = %z) : (i64, i64) -> (i64, i64) {
      %km = arith.andi %k, %mask : i64
      %o = arith.muli %km, %eight : i64
      %p = llvm.getelementptr %d[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i64
      %t = arith.xori %v, %k : i64
      llvm.store %t, %p : i64, !llvm.ptr
      %k1 = arith.addi %k, %one : i64
      %sum1 = arith.addi %sum, %k1 : i64
      %small = arith.cmpi slt, %sum1, %fib#0 : i64
      scf.condition(%small) %k1, %sum1 : i64, i64
    } do {
    ^bb0(%k: i64, %sum: i64):
      scf.yield %k, %sum : i64, i64
    }
    // f[i - j] for j <= i, from the end of each triangle
    %acc = scf.for %i = %z to %m step %one iter_args(%outer = %zf) -> (f64) : i64 {
      %top = arith.addi %i, %one : i64
      %row = scf.for %j = %z to %top step %one iter_args(%in = %outer) -> (f64) : i64 {
        %q = arith.subi %i, %j : i64
        %o = arith.muli %q, %eight : i64
        %p = llvm.getelementptr %f[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %v = llvm.load %p : !llvm.ptr -> f64
        %h = arith.mulf %v, %x : f64
        %s = arith.addf %in, %h : f64
        %big = arith.cmpf ogt, %v, %half : f64
        %c = arith.select %big, %mz, %h : f64
        llvm.store %c, %p : f64, !llvm.ptr
        scf.yield %s : f64
      }
      scf.yield %row : f64
    }
    loom.spatial_yield %zero, %w#0, %w#1, %acc : i32, i64, i64, f64
  }
  return %r#0 : i32
}
