// Branches with stores: negative values are counted and set to zero, large ones
// are cut, in an array of i16. A switch on the low bits picks a weight.
func.func @clamp(%limit0: i16, %d0: !llvm.ptr) -> i32 {
  %r:3 = loom.spatial_region "clamp.0" (%limit0, %d0) partitions [-1, 0] exits [-1, -1, -1] : (i16, !llvm.ptr) -> (i32, i32, i64) {
  ^bb0(%limit: i16, %d: !llvm.ptr):
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %n = arith.constant 40 : i64
    %zero16 = arith.constant 0 : i16
    %three = arith.constant 3 : i16
    %zero = arith.constant 0 : i32
    %inc = arith.constant 1 : i32
    %s:2 = scf.for %i = %z to %n step %one iter_args(%count = %zero, %weight = %z) -> (i32, i64) : i64 {
      %o = arith.muli %i, %two : i64
      %p = llvm.getelementptr %d[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i16
      %negative = arith.cmpi slt, %v, %zero16 : i16
      %c = scf.if %negative -> (i32) {
        llvm.store %zero16, %p : i16, !llvm.ptr
        %m = arith.addi %count, %inc : i32
        scf.yield %m : i32
      } else {
        %large = arith.cmpi sgt, %v, %limit : i16
        scf.if %large {
          llvm.store %limit, %p : i16, !llvm.ptr
        }
        scf.yield %count : i32
      }
      %low = arith.andi %v, %three : i16
      %index = arith.index_castui %low : i16 to index
      %w = scf.index_switch %index -> i64
      case 1 {
        %t = arith.addi %weight, %i : i64
        scf.yield %t : i64
      }
      case 2 {
        %x = llvm.load %p : !llvm.ptr -> i16
        %wide = arith.extsi %x : i16 to i64
        %t = arith.subi %weight, %wide : i64
        scf.yield %t : i64
      }
      default {
        scf.yield %weight : i64
      }
      scf.yield %c, %w : i32, i64
    }
    loom.spatial_yield %zero, %s#0, %s#1 : i32, i32, i64
  }
  return %r#1 : i32
}
