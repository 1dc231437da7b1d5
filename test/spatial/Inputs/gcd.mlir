// Euclid's algorithm in a loop without a count; the gcd and the number of steps
// leave the region.
func.func @gcd(%x0: i64, %y0: i64) -> i64 {
  %r:3 = loom.spatial_region "gcd.0" (%x0, %y0) partitions [-1, -1] exits [-1, -1, 0] : (i64, i64) -> (i32, i64, i32) {
  ^bb0(%x: i64, %y: i64):
    %z = arith.constant 0 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %g:3 = scf.while (%a = %x, %b = %y, %n = %zero) : (i64, i64, i32) -> (i64, i64, i32) {
      %more = arith.cmpi ne, %b, %z : i64
      scf.condition(%more) %a, %b, %n : i64, i64, i32
    } do {
    ^bb0(%a: i64, %b: i64, %n: i32):
      %rest = arith.remui %a, %b : i64
      %m = arith.addi %n, %one : i32
      scf.yield %b, %rest, %m : i64, i64, i32
    }
    loom.spatial_yield %zero, %g#0, %g#2 : i32, i64, i32
  }
  return %r#1 : i64
}
