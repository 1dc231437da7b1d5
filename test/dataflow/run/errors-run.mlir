// RUN: not loom-artifact run %s 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not loom-artifact run %s --entry nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not loom-artifact run %s --entry thread 2>&1 | FileCheck %s --check-prefix=THREAD
// RUN: not loom-artifact run %s --entry plain 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not loom-artifact run %s --entry plain --arg 0=5,6 --memory 1=8 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not loom-artifact run %s --entry plain --arg 0=x --memory 1=8 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not loom-artifact run %s --entry plain --arg 0=4294967296 --memory 1=8 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not loom-artifact run %s --entry plain --arg 0=1 --memory 1=hex:0 2>&1 | FileCheck %s --check-prefix=HEX
// RUN: not loom-artifact run %s --entry plain --arg 0=1 --memory 1=%t.none 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not loom-artifact run %s --entry plain --arg 0=1 --memory 1=8 --arg 7=1 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not loom-artifact run %s --entry plain --arg 0=1 --memory 1=@0+8 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: not loom-artifact run %s --entry plain --arg 0=1 --memory 1=8 --steps many 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not loom-artifact run %s --entry plain --arg 0=1 --memory 1=8 --fast 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not loom-artifact run %s --entry plain --arg 0=1 --memory 1=67108865 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: echo "0a 0b" > %t.hex && loom-artifact run %s --entry plain --arg 0=1 --memory 1=%t.hex --show-bytes 1 | FileCheck %s --check-prefix=SHOWN
// RUN: not loom-artifact run %s --entry half 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not loom-artifact run %s --entry long 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not loom-artifact run %s --entry heap 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not loom-artifact run %s --entry calls 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not loom-artifact run %s --entry volatile --memory 0=8 2>&1 | FileCheck %s --check-prefix=VOLATILE
// RUN: not loom-artifact run %s --entry extents --arg 0=-1 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not loom-artifact run %s --entry extents --arg 0=4611686018427387904 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not loom-artifact run %s --entry extents --arg 0=poison 2>&1 | FileCheck %s --check-prefix=POISON
// RUN: not loom-artifact run %s --entry deep 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not loom-artifact run %s --entry branch --arg 0=poison 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: echo "not a module" > %t.bad && not loom-artifact run %t.bad 2>&1 | FileCheck %s --check-prefix=BAD

// What is refused before or outside of a graph, by name.

// ENTRY: run-entry: {{.*}}the module has not exactly one function or graph
// NOBODY: run-entry: there is no such entry, or it can't be one: @nobody
// THREAD: run-entry: {{.*}}@thread
// BAD: run-unverified: the module does not verify
// MISSING: run-argument: an argument does not fit the entry: input 0: needs one value
// LANES: run-argument: {{.*}}input 0: needs 1 lanes, got 2
// TEXT: run-argument: {{.*}}input 0: x
// WIDE: run-argument: {{.*}}input 0: 4294967296
// HEX: run-argument: {{.*}}input 1: hex:0
// FILE: run-argument: {{.*}}input 1:
// NUMBER: run-argument: {{.*}}input 7: 1
// PLACE: run-argument: {{.*}}input 1: input 0 has no memory
// OPTION: run-argument: {{.*}}--steps many
// UNKNOWN: run-argument: {{.*}}--fast
// BYTES: run-argument: {{.*}}input 1: 67108865
// SHOWN: memory 1: 0a... (2 bytes)
dataflow.graph private @plain(%start: none, %n: i32, %m: memref<?xi8>) -> () {
  dataflow.graph.return values() complete(%start)
}

dataflow.thread private @thread() ctrl(%ctrl) coords(%i) {
}

// TYPE: run-type: a value of a type that no token has: arith.constant (line {{[0-9]+}}): a value of type f16
func.func @half() {
  %x = arith.constant 1.0 : f16
  return
}

// LONG: run-type: {{.*}}a value of type vector<5000xi8>
dataflow.graph private @long(%start: none) -> () {
  %v = dataflow.constant %start dense<0> : vector<5000xi8>
  %u:2 = dataflow.sync %start, %v : none, vector<5000xi8>
  dataflow.graph.return values() complete(%u#0)
}

// OP: run-op: an operation that can't be executed here: memref.alloc (line {{[0-9]+}}): storage that no launch binds
func.func @heap() {
  %n = arith.constant 8 : index
  %m = memref.alloc(%n) : memref<?xi8>
  return
}

// CALL: run-op: {{.*}}func.call (line {{[0-9]+}}): calls no function of the module
func.func private @elsewhere()
func.func @calls() {
  func.call @elsewhere() : () -> ()
  return
}

// VOLATILE: run-op: {{.*}}llvm.load (line {{[0-9]+}}): is volatile or atomic
func.func @volatile(%p: !llvm.ptr) {
  %v = llvm.load volatile %p : !llvm.ptr -> i32
  return
}

// EXTENT: run-extent: a thread launch with a negative extent: @extents: dataflow.thread.launch (line {{[0-9]+}}): -1
// MANY: run-limit: {{.*}}more than 16384 instances and launches
// POISON: run-poison: {{.*}}an extent
func.func @extents(%n: index) {
  %t = dataflow.thread.launch @thread extents(%n)
  dataflow.thread.wait %t
  return
}

// DEEP: run-limit: {{.*}}calls nested too deeply
func.func @deep() {
  func.call @deep() : () -> ()
  return
}

// BRANCH: run-poison: {{.*}}@branch: scf.if (line {{[0-9]+}}): a condition
func.func @branch(%c: i1) {
  scf.if %c {
  }
  return
}
