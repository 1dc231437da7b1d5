// RUN: env LOOM_OPT_CHECK_ROUNDTRIP=1 loom-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: loom-opt %s --allow-unregistered-dialect --dataflow-verify-finalized -o /dev/null

// A program of threads, channels and graphs, written and read back, and right as
// a whole.
dataflow.graph private @twice(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (f32, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  %v, %d = dataflow.load %m[%n] %t#0 : i64 -> f32
  %r = arith.addf %v, %t#1 : f32
  %u:2 = dataflow.sync %d, %r : none, f32
  dataflow.graph.return values(%r : f32) streams(%u#1 : f32) memories(%m) complete(%u#0)
}

dataflow.graph private @effect(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %d = dataflow.store %m[%n] %n %start : i64, i64
  dataflow.graph.return values() complete(%d)
}

// CHECK-LABEL: dataflow.thread private @source(%arg0: !dataflow.channel<f32>, %arg1: f32) ctrl(%arg2) coords(%arg3, %arg4) {
dataflow.thread private @source(%c: !dataflow.channel<f32>, %v: f32) ctrl(%ctrl) coords(%i, %j) {
  // CHECK-NEXT: dataflow.channel.send %arg0, %arg1 : <f32>
  dataflow.channel.send %c, %v : !dataflow.channel<f32>
  // CHECK-NEXT: dataflow.thread.yield
}

// CHECK-LABEL: dataflow.thread private @sink(%arg0: !dataflow.channel<f32>, %arg1: memref<?xi8>, %arg2: !llvm.ptr {dataflow.result_slot}) ctrl(%arg3) coords(%arg4) attributes {note = 1 : i32} {
dataflow.thread private @sink(%c: !dataflow.channel<f32>, %m: memref<?xi8>, %out: !llvm.ptr {dataflow.result_slot}) ctrl(%ctrl) coords(%i) attributes {note = 1 : i32} {
  // CHECK: dataflow.channel.receive %arg0 from #{{.*}} : <f32>
  %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0, d0 mod 2)> : !dataflow.channel<f32>
  llvm.store %v, %out : f32, !llvm.ptr
  dataflow.thread.yield
}

// A channel of the thread itself, between two of its graphs.
// CHECK-LABEL: dataflow.thread private @pipe
dataflow.thread private @pipe(%in: !dataflow.channel<f32>, %m: memref<?xi8>, %n: i64, %b: i1) ctrl(%ctrl) {
  // CHECK: dataflow.channel.create : <f32>
  %mid = dataflow.channel.create : !dataflow.channel<f32>
  // CHECK: dataflow.graph.launch @twice after(%{{.*}}) values(%{{.*}} : i64) streams(%{{.*}} : !dataflow.channel<f32>) from [#{{.*}}] memories(%{{.*}}) into(%{{.*}} : !dataflow.channel<f32>) returns(f32) exposes(memref<?xi8>)
  %r, %m1, %d1 = dataflow.graph.launch @twice after(%ctrl) values(%n : i64) streams(%in : !dataflow.channel<f32>)
      from [affine_map<() -> (0, 1)>] memories(%m) into(%mid : !dataflow.channel<f32>) returns(f32) exposes(memref<?xi8>)
  %v = dataflow.channel.receive %mid from affine_map<() -> ()> : !dataflow.channel<f32>
  // CHECK: dataflow.graph.launch @effect values(%{{.*}} : i64) memories(%{{.*}})
  %d2 = dataflow.graph.launch @effect values(%n : i64) memories(%m1)
  // CHECK: dataflow.graph.wait %{{.*}}, %{{.*}}
  dataflow.graph.wait %d1, %d2
  %d3 = scf.if %b -> none {
    %d = dataflow.graph.launch @effect after(%d2) values(%n : i64) memories(%m)
    scf.yield %d : none
  } else {
    scf.yield %d2 : none
  }
  // CHECK: dataflow.sync %{{.*}}, %{{.*}} : none, none
  %e:2 = dataflow.sync %d1, %d3 : none, none
  // CHECK: dataflow.thread.yield %{{.*}}#0
  dataflow.thread.yield %e#0
}

// CHECK-LABEL: llvm.func @host
llvm.func @host(%x: f32, %n: i64, %b: i1) -> f32 {
  %m = "test.bytes"() : () -> memref<?xi8>
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %slot = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
  // A multicast: one producer, two consumers.
  %c = dataflow.channel.create : !dataflow.channel<f32>
  // CHECK: dataflow.thread.launch @source extents(%{{.*}}, %{{.*}}) args(%{{.*}}, %{{.*}} : !dataflow.channel<f32>, f32)
  %t0 = dataflow.thread.launch @source extents(%four, %two) args(%c, %x : !dataflow.channel<f32>, f32)
  // CHECK: dataflow.thread.launch @sink after(%{{.*}}) extents(%{{.*}}) args
  %t1 = dataflow.thread.launch @sink after(%t0) extents(%four) args(%c, %m, %slot : !dataflow.channel<f32>, memref<?xi8>, !llvm.ptr)
  // CHECK: dataflow.thread.launch @pipe args
  %t2 = dataflow.thread.launch @pipe args(%c, %m, %n, %b : !dataflow.channel<f32>, memref<?xi8>, i64, i1)
  // CHECK: dataflow.thread.wait %{{.*}}, %{{.*}}
  dataflow.thread.wait %t1, %t2
  %r = llvm.load %slot : !llvm.ptr -> f32
  llvm.return %r : f32
}
