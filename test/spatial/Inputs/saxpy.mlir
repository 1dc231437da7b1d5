// y[i] = a * x[i] + y[i], 64 times.
func.func @saxpy(%a0: f32, %x0: !llvm.ptr, %y0: !llvm.ptr) -> i32 {
  %r = loom.spatial_region "saxpy.0" (%a0, %x0, %y0) partitions [-1, 0, 1] exits [-1] : (f32, !llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%a: f32, %x: !llvm.ptr, %y: !llvm.ptr):
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %n = arith.constant 64 : i64
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %px = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %py = llvm.getelementptr %y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %vx = llvm.load %px : !llvm.ptr -> f32
      %vy = llvm.load %py : !llvm.ptr -> f32
      %m = arith.mulf %a, %vx : f32
      %s = arith.addf %m, %vy : f32
      llvm.store %s, %py : f32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

