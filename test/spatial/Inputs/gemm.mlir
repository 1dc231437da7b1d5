// C += A * B for 6 x 5 and 5 x 7 matrices of i32, row by row.
func.func @gemm(%a0: !llvm.ptr, %b0: !llvm.ptr, %c0: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "gemm.0" (%a0, %b0, %c0) partitions [0, 1, 2] exits [-1] : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr):
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %four = arith.constant 4 : i64
    %rows = arith.constant 6 : i64
    %inner = arith.constant 5 : i64
    %cols = arith.constant 7 : i64
    %done = arith.constant 0 : i32
    scf.for %i = %z to %rows step %one : i64 {
      %ra = arith.muli %i, %inner : i64
      %rc = arith.muli %i, %cols : i64
      scf.for %j = %z to %cols step %one : i64 {
        %ic = arith.addi %rc, %j : i64
        %oc = arith.shli %ic, %two : i64
        %pc = llvm.getelementptr %c[%oc] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %old = llvm.load %pc : !llvm.ptr -> i32
        %sum = scf.for %k = %z to %inner step %one iter_args(%acc = %old) -> (i32) : i64 {
          %ia = arith.addi %ra, %k : i64
          %oa = arith.muli %ia, %four : i64
          %pa = llvm.getelementptr %a[%oa] : (!llvm.ptr, i64) -> !llvm.ptr, i8
          %va = llvm.load %pa : !llvm.ptr -> i32
          %rb = arith.muli %k, %cols : i64
          %ib = arith.addi %rb, %j : i64
          %ob = arith.muli %ib, %four : i64
          %pb = llvm.getelementptr %b[%ob] : (!llvm.ptr, i64) -> !llvm.ptr, i8
          %vb = llvm.load %pb : !llvm.ptr -> i32
          %p = arith.muli %va, %vb : i32
          %s = arith.addi %acc, %p : i32
          scf.yield %s : i32
        }
        llvm.store %sum, %pc : i32, !llvm.ptr
      }
    }
    loom.spatial_yield %done : i32
  }
  return %r : i32
}
