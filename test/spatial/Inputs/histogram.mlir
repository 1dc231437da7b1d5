// Counts of bytes: the table is indexed by data, 256 entries of i32.
func.func @histogram(%t0: !llvm.ptr, %d0: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "histogram.0" (%t0, %d0) partitions [0, 1] exits [-1] : (!llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%t: !llvm.ptr, %d: !llvm.ptr):
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %four = arith.constant 4 : i64
    %n = arith.constant 100 : i64
    %inc = arith.constant 1 : i32
    %done = arith.constant 0 : i32
    scf.for %i = %z to %n step %one : i64 {
      %p = llvm.getelementptr %d[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %w = arith.extui %v : i8 to i64
      %o = arith.muli %w, %four : i64
      %q = llvm.getelementptr %t[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %old = llvm.load %q : !llvm.ptr -> i32
      %new = arith.addi %old, %inc : i32
      llvm.store %new, %q : i32, !llvm.ptr
    }
    loom.spatial_yield %done : i32
  }
  return %r : i32
}
