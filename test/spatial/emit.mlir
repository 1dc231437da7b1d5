// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Scala text.
// RUN: loom-opt --loom-emit-spatial %S/Inputs/saxpy.mlir -o /dev/null | FileCheck %s --check-prefix=APP
// RUN: loom-opt --loom-emit-spatial=check=true %S/Inputs/saxpy.mlir -o /dev/null | FileCheck %s --check-prefix=SELF
// RUN: loom-opt --loom-emit-spatial=check=true %S/Inputs/fibsearch.mlir -o /dev/null | FileCheck %s --check-prefix=FIB
// RUN: loom-opt --loom-emit-spatial %s -o /dev/null | FileCheck %s

// APP: import spatial.dsl._
// APP: //   0: launch slots, 3 x I64
// APP: //   1: memory 0 before, 64 x Float, bytes 0 and on of the pointer in slot 1
// APP: //   3: memory 1 after, 64 x Float, written
// APP: @spatial object saxpy_0 extends SpatialApp {
// APP-NEXT: def main(args: Array[String]): Unit = {
// APP-NEXT: val slotsFile = loadBinary[I64](args(0))
// APP-NEXT: assert((slotsFile.length === 3.to[I32]), "launch slots: wrong file size")
// APP: Accel {
// APP: chip2 load mem1(0::64)
// APP: Sequential.Foreach(0.to[I32] until 64.to[I32] by 1.to[I32]) { i0 =>
// APP-NEXT: val v3 = chip1(i0)
// APP-NEXT: val v4 = chip2(i0)
// APP-NEXT: val v5 = v2 * v3
// APP-NEXT: val v6 = v5 + v4
// APP-NEXT: chip2(i0) = v6
// APP-NEXT: }
// APP: mem1(0::64) store chip2
// APP: writeBinary(getMem(mem1), args(3))
// APP-NEXT: writeBinary(getMem(results), args(4))
// APP-NEXT: println("DONE (saxpy.0)")

// SELF: @spatial object saxpy_0_check extends SpatialApp {
// SELF: (a.as[I32] === b.as[I32]) || (a.isNaN && b.isNaN)
// SELF: println("PASS: " + mux(pass, 1.to[I32], 0.to[I32]) + " (saxpy.0)")
// SELF-NEXT: assert(pass, "saxpy.0: wrong result")

// A result of another exit does not count.
// FIB: val result0Same = (got(0) === resultsWanted(0)){{$}}
// FIB: val result2Same = (got(2) === resultsWanted(2)) || (resultsWanted(0) !== 1L.to[I64])
// FIB: val result3Same = (got(3) === resultsWanted(3)) || (got(3).as[Double].isNaN && resultsWanted(3).as[Double].isNaN)

// The spellings that Spatial gets right, each where the plain form is wrong.
// CHECK: val [[K:k[0-9]+]] = ArgIn[I64]
// CHECK-NEXT: setArg([[K]], 4294967301L.to[I64])
// CHECK: val [[C:v[0-9]+]] = [[K]].value
// CHECK: val [[X:v[0-9]+]] = chip0(0.to[I32])
// CHECK: val [[A:v[0-9]+]] = chip0(1.to[I32])
// CHECK: val [[F:v[0-9]+]] = v{{[0-9]+}}.as[Float]
// CHECK: = ~[[X]]{{$}}
// CHECK: = (-v{{[0-9]+}}) + 5L.to[I64]
// CHECK: = ([[X]] + (([[X]] >> 63) >>> 61)) >> 3
// CHECK: = [[X]] - ((([[X]] + (([[X]] >> 63) >>> 61)) >> 3) << 3)
// CHECK: = [[X]] - ([[X]] / 10L.to[I64]) * 10L.to[I64]
// CHECK: = [[X]] * [[C]]
// CHECK: = [[X]] << 40
// CHECK: = [[X]] << ([[A]] & 63L.to[I64]).to[I16]
// CHECK: = [[X]] >> 63{{$}}
// CHECK: = ([[X]].as[U64] / [[A]].as[U64]).as[I64]
// CHECK: = ([[X]].as[U64] < [[A]].as[U64])
// CHECK: = (([[F]] <= 1.5f.to[Float]) && (1.5f.to[Float] <= [[F]]))
// CHECK: = ([[F]].isNaN || 1.5f.to[Float].isNaN)
func.func @spell(%x0: i64, %a0: i64, %f0: f32) -> i32 {
  %r:14 = loom.spatial_region "spell.0" (%x0, %a0, %f0) partitions [-1, -1, -1] exits [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1] : (i64, i64, f32) -> (i32, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i1, i1, i1) {
  ^bb0(%x: i64, %a: i64, %f: f32):
    %z = arith.constant 0 : i32
    %m1 = arith.constant -1 : i64
    %c3 = arith.constant 3 : i64
    %c5 = arith.constant 5 : i64
    %c8 = arith.constant 8 : i64
    %c10 = arith.constant 10 : i64
    %c40 = arith.constant 40 : i64
    %wide = arith.constant 4294967301 : i64
    %power = arith.constant 1099511627776 : i64
    %h = arith.constant 1.5 : f32
    %v0 = arith.xori %x, %m1 : i64
    %t = arith.subi %x, %c3 : i64
    %v1 = arith.subi %c5, %t : i64
    %v2 = arith.divsi %x, %c8 : i64
    %v3 = arith.remsi %x, %c8 : i64
    %v4 = arith.remsi %x, %c10 : i64
    %v5 = arith.muli %x, %wide : i64
    %v6 = arith.muli %x, %power : i64
    %v7 = arith.shli %x, %a : i64
    %u = arith.shrsi %x, %c40 : i64
    %v8 = arith.shrsi %u, %c40 : i64
    %v9 = arith.divui %x, %a : i64
    %v10 = arith.cmpi ult, %x, %a : i64
    %v11 = arith.cmpf oeq, %f, %h : f32
    %v12 = arith.cmpf uno, %f, %h : f32
    loom.spatial_yield %z, %v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7, %v8, %v9, %v10, %v11, %v12 : i32, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i1, i1, i1
  }
  return %r#0 : i32
}
