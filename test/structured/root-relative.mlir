// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The marker of an address that is an index from its root: a unit attribute of
// the exact access, nothing else.
// RUN: loom-opt --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK: llvm.load {{.*}} {loom.root_relative_address}
// CHECK: llvm.store {{.*}} {loom.root_relative_address}
func.func @fine(%p: !llvm.ptr) {
  %0 = llvm.load %p {loom.root_relative_address} : !llvm.ptr -> i32
  llvm.store %0, %p {loom.root_relative_address} : i32, !llvm.ptr
  return
}

// -----

func.func @payload(%p: !llvm.ptr) {
  // expected-error @+1 {{has no payload}}
  %0 = llvm.load %p {loom.root_relative_address = "index"} : !llvm.ptr -> i32
  return
}

// -----

func.func @address(%p: !llvm.ptr, %i: i64) -> !llvm.ptr {
  // expected-error @+1 {{belongs to an llvm.load or llvm.store}}
  %0 = llvm.getelementptr %p[%i] {loom.root_relative_address} : (!llvm.ptr, i64) -> !llvm.ptr, i32
  return %0 : !llvm.ptr
}

// -----

// Finalized dataflow has none.

dataflow.graph @g(%start: none, %n: i32, %i: i64, %m: memref<?xi8>) -> i32 slots [0, 1, 2] partitions [0] exits [-1] {
  // expected-error @+1 {{belongs to an llvm.load or llvm.store}}
  %v, %d = dataflow.load %m[%i] %start {loom.root_relative_address} : i64 -> i32
  dataflow.graph.return values(%n : i32) complete(%d)
}
