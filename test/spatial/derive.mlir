// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a region to the program of an app.
// RUN: loom-opt --loom-derive-spatial %S/Inputs/saxpy.mlir | FileCheck %s --check-prefix=SAXPY
// RUN: loom-opt --loom-derive-spatial %S/Inputs/gcd.mlir | FileCheck %s --check-prefix=GCD
// RUN: loom-opt --loom-derive-spatial %S/Inputs/fibsearch.mlir | FileCheck %s --check-prefix=FIB
// RUN: loom-opt --loom-derive-spatial %S/Inputs/clamp.mlir | loom-opt | FileCheck %s --check-prefix=CLAMP

// The region stays; the app comes after it.
// SAXPY: loom.spatial_region "saxpy.0"
// SAXPY: spatial.app "saxpy_0" of "saxpy.0" slots 3 exits [-1] floats [0]
// SAXPY: spatial.dram "slots" index 0 slot 0 at 0 : <3 x i64>
// SAXPY: spatial.dram "memory" index 0 slot 1 at 0 : <64 x f32>
// SAXPY: spatial.dram "memory" index 1 slot 2 at 0 written : <64 x f32>
// SAXPY: spatial.dram "outputs" index 0 slot 0 at 0 written : <1 x i64>
// SAXPY: spatial.accel
// SAXPY: %[[X:.*]] = spatial.sram : <64 x f32>
// SAXPY: %[[Y:.*]] = spatial.sram : <64 x f32>
// SAXPY: spatial.foreach %{{.*}} to %{{.*}} step
// The byte offset became the iterator.
// SAXPY-NEXT: ^bb0(%[[I:.*]]: i32):
// SAXPY-NEXT: spatial.read %[[X]][%[[I]]]
// SAXPY-NEXT: spatial.read %[[Y]][%[[I]]]
// SAXPY-NEXT: arith.mulf
// SAXPY-NEXT: arith.addf
// SAXPY-NEXT: spatial.write %{{.*}} to %[[Y]][%[[I]]]
// SAXPY: spatial.store %[[Y]] to

// Carried values survive the dead-write analysis; the old value of one that
// goes into another takes a temporary.
// GCD: spatial.reg keep : <i64>
// GCD: spatial.fsm %{{.*}} : i32 while {
// GCD: } do {
// GCD: spatial.if
// GCD: %[[T:.*]] = spatial.reg : <i64>
// GCD: spatial.reg_write %{{.*}} to %[[T]]
// GCD: %[[V:.*]] = spatial.reg_read %[[T]]
// GCD: spatial.pipe
// GCD-NEXT: spatial.reg_write %[[V]] to
// GCD: } next {

// The zero literals come from the host; exits and floats are noted.
// FIB: spatial.app "fib_search_0" of "fib-search" slots 3 exits [-1, 0, 1, -1] floats [0, 0, 0, 64]
// FIB: %[[K:.*]] = spatial.arg_in 0 : <i64>
// FIB: %[[B:.*]] = spatial.reg_read %[[K]]
// FIB: %[[Z:.*]] = arith.bitcast %[[B]] : i64 to f64
// FIB: arith.negf %[[Z]]
// FIB-NOT: arith.constant {{-?}}0.000000e+00

// Branches without a value keep no register; the text parses again.
// CLAMP: spatial.if
// CLAMP: } else {
// CLAMP: spatial.if
