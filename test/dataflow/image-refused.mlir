// RUN: split-file %s %t
// RUN: not loom-opt %t/vectors.mlir --dataflow-write-image=path=%t.vectors 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: not test -e %t.vectors
// RUN: not loom-opt %t/threads.mlir --dataflow-write-image=path=%t.threads 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not test -e %t.threads
// RUN: not loom-opt %t/private.mlir --dataflow-write-image=path=%t.private 2>&1 | FileCheck %s --check-prefix=PRIVATE
// RUN: not test -e %t.private

// What the image has no word for is refused by name; no file is written.
// VECTORS-DAG: refused: dataflow-op: an input of vector<4xi32>
// VECTORS-DAG: refused: dataflow-op: dataflow.parallelize has no form in the image
// VECTORS-DAG: refused: dataflow-op: dataflow.serialize has no form in the image
// VECTORS-DAG: refused: dataflow-op: dataflow.pack has no form in the image
// VECTORS-DAG: refused: dataflow-op: dataflow.unpack has no form in the image
// VECTORS-DAG: refused: dataflow-op: vector.shuffle has no form in the image
// VECTORS-DAG: refused: dataflow-op: arith.index_cast has no form in the image
// VECTORS-DAG: refused: dataflow-op: arith.addi with a value of vector<4xi32>
// VECTORS-DAG: refused: dataflow-op: dataflow.constant with a value of index
// VECTORS-DAG: refused: dataflow-op: dataflow.load with a value of vector<4xi32>
//--- vectors.mlir
dataflow.graph @vectors(%start: none, %n: i32, %w: vector<4xi32>, %m: memref<?xi8>) -> i32 slots [0, 1, 2] partitions [0] exits [-1] {
  %z = dataflow.constant %start 0 : i32
  %a = dataflow.constant %start 0 : i64
  %i = dataflow.constant %start 0 : index
  %j = arith.index_cast %a : i64 to index
  %one = dataflow.constant %start 1 : i32
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i32
  %v, %k, %gp = dataflow.parallelize %iv, %ph : i32 -> vector<4xi32>
  %x, %xp = dataflow.serialize %v, %k, %gp : vector<4xi32> -> i32
  %s = arith.addi %w, %w : vector<4xi32>
  %h = vector.shuffle %s, %s [0, 1] : vector<4xi32>, vector<4xi32>
  %p = dataflow.pack %h : vector<2xi32> -> i64
  %u = dataflow.unpack %p : i64 -> vector<2xi32>
  %l, %d = dataflow.load %m[%a] %start : i64 -> vector<4xi32>
  dataflow.graph.return values(%n : i32) complete(%d)
}

// THREADS-DAG: refused: dataflow-op: dataflow.thread has no form in the image
// THREADS-DAG: refused: dataflow-op: dataflow.graph.launch has no form in the image
// THREADS-DAG: refused: dataflow-op: dataflow.thread.yield has no form in the image
// THREADS-DAG: refused: dataflow-op: dataflow.thread.launch has no form in the image
// THREADS-DAG: refused: dataflow-op: dataflow.channel.create has no form in the image
//--- threads.mlir
dataflow.graph private @g(%start: none) -> () {
  dataflow.graph.return values() complete(%start)
}
dataflow.thread private @t() ctrl(%ctrl) {
  %d = dataflow.graph.launch @g after(%ctrl)
  dataflow.thread.yield %d
}
func.func @host() {
  %c = dataflow.channel.create : !dataflow.channel<f32>
  %t = dataflow.thread.launch @t
  dataflow.thread.wait %t
  return
}

// PRIVATE: refused: dataflow-op: dataflow.graph @g without launch slots
//--- private.mlir
dataflow.graph private @g(%start: none) -> () {
  dataflow.graph.return values() complete(%start)
}
