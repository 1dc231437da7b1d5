// RUN: loom-artifact run %s --entry forms --arg 0=8 --memory 1=hex:0001020304050607000000400000803f --memory 2=24 --orders 25 | FileCheck %s --check-prefix=FORMS
// RUN: loom-artifact run %s --entry pointers --arg 0=@1+4 --memory 1=hex:0000000001000000020000000300000004000000 --orders 25 | FileCheck %s --check-prefix=POINTERS
// RUN: loom-artifact run %s --entry gather --memory 0=hex:0a0b0c0d --memory 1=hex:ffffffff --orders 25 | FileCheck %s --check-prefix=GATHER
// RUN: loom-artifact run %s --entry poisoned --arg 0=7,poison --memory 1=hex:0102030405060708 | FileCheck %s --check-prefix=POISONED

// The forms of accesses, relative to a memory and by pointer, and masks.

// An element; a run of lanes; a masked run. Lanes that are not active are zero
// and touch nothing: the mask goes over the end.
// FORMS: result 0: f32 2
// FORMS-NEXT: result 1: vector<4xi8> {{\[}}4, 5, 6, 7]
// FORMS-NEXT: result 2: vector<4xi32> {{\[}}1065353216, 0, 0, 0]
// FORMS-NEXT: memory 1: 0001020304050607000000400000803f
// FORMS-NEXT: memory 2: 000000000400000000000000060000000000000000000000
dataflow.graph private @forms(%start: none, %n: i64, %m: memref<?xi8>, %o: memref<?xi8>)
    -> (f32, vector<4xi8>, vector<4xi32>) {
  %x, %d = dataflow.load %m[%n] %start : i64 -> f32
  %four = dataflow.constant %start 4 : i64
  %v, %e = dataflow.load %m[%four] %start : i64 -> vector<4xi8>
  %last = dataflow.constant %start 12 : i64
  %first = dataflow.constant %start dense<[true, false, false, false]> : vector<4xi1>
  %w, %f = dataflow.load %m[%last] %start mask %first : i64 -> vector<4xi32>
  %s = dataflow.constant %start dense<[true, false, true, false]> : vector<4xi1>
  %wide = arith.extui %v : vector<4xi8> to vector<4xi32>
  %g = dataflow.store %o[%four] %wide %start mask %s : i64, vector<4xi32>
  %none = dataflow.constant %start dense<false> : vector<4xi1>
  %beyond = dataflow.constant %start 4000 : i64
  %h = dataflow.store %o[%beyond] %wide %g mask %none : i64, vector<4xi32>
  dataflow.graph.return values(%x, %v, %w : f32, vector<4xi8>, vector<4xi32>) complete(%d, %e, %f, %h)
}

// By pointer: one, and a vector of them.
// POINTERS: result 0: i32 1
// POINTERS-NEXT: result 1: vector<2xi32> {{\[}}4, 2]
// POINTERS-NEXT: memory 1: 0000000001000000020000000300000009000000
dataflow.graph private @pointers(%start: none, %p: !llvm.ptr, %q: !llvm.ptr) -> (i32, vector<2xi32>) {
  %x, %d = dataflow.load [%p] %start : !llvm.ptr -> i32
  %o = dataflow.constant %start dense<[16, 8]> : vector<2xi64>
  %ps = llvm.getelementptr %q[%o] : (!llvm.ptr, vector<2xi64>) -> vector<2x!llvm.ptr>, i8
  %v, %e = dataflow.load [%ps] %start : vector<2x!llvm.ptr> -> vector<2xi32>
  %nine = dataflow.constant %start dense<9> : vector<2xi32>
  %one = dataflow.constant %start dense<[true, false]> : vector<2xi1>
  %f = dataflow.store [%ps] %nine %e mask %one : vector<2x!llvm.ptr>, vector<2xi32>
  dataflow.graph.return values(%x, %v : i32, vector<2xi32>) complete(%d, %f)
}

// An indexed load may repeat addresses; the address of an inactive lane may be
// anything, poison too.
// GATHER: result 0: vector<4xi8> {{\[}}13, 13, 10, 0]
// GATHER: memory 1: 0dff0d0a
dataflow.graph private @gather(%start: none, %m: memref<?xi8>, %o: memref<?xi8>) -> vector<4xi8> {
  %a = dataflow.constant %start dense<[3, 3, 0, 99]> : vector<4xi64>
  %s = dataflow.constant %start dense<[true, true, true, false]> : vector<4xi1>
  %v, %d = dataflow.load %m[%a] %start mask %s : vector<4xi64> -> vector<4xi8>
  %b = dataflow.constant %start dense<[0, 2, 3, 1]> : vector<4xi64>
  %p = vector.shuffle %b, %b [0, 1, 2, -1] : vector<4xi64>, vector<4xi64>
  %e = dataflow.store %o[%p] %v %d mask %s : vector<4xi64>, vector<4xi8>
  dataflow.graph.return values(%v : vector<4xi8>) complete(%e)
}

// A byte of poison stays one until it is written; who reads a part of it has
// poison.
// POISONED: result 0: i16 7
// POISONED-NEXT: result 1: i32 poison
// POISONED-NEXT: memory 1: 0700????05060708
dataflow.graph private @poisoned(%start: none, %v: vector<2xi16>, %m: memref<?xi8>) -> (i16, i32) {
  %z = dataflow.constant %start 0 : i64
  %two = dataflow.constant %start 2 : i64
  %d = dataflow.store %m[%z] %v %start : i64, vector<2xi16>
  %x, %e = dataflow.load %m[%z] %d : i64 -> i16
  %y, %f = dataflow.load %m[%two] %d : i64 -> i32
  dataflow.graph.return values(%x, %y : i16, i32) complete(%e, %f)
}
