// RUN: env LOOM_OPT_CHECK_ROUNDTRIP=1 loom-opt %s | FileCheck %s
// RUN: loom-opt %s --dataflow-verify-phases --dataflow-verify-completion -o /dev/null

// Streams, vectors, and accesses in all their forms, written and read back.
// CHECK-LABEL: dataflow.graph private @streams(%start: none, %arg0: i64, %arg1: f32, %arg2: memref<?xi8>) -> (i64, f32, memref<?xi8>)
// CHECK-NEXT: input_segments [1, 1, 1] result_segments [1, 1, 1] {
dataflow.graph private @streams(%start: none, %n: i64, %s: f32, %m: memref<?xi8>) -> (i64, f32, memref<?xi8>)
    input_segments [1, 1, 1] result_segments [1, 1, 1] {
  %t:2 = dataflow.sync %start, %s : none, f32
  %v, %d = dataflow.load %m[%n] %t#0 : i64 -> f32
  %r = arith.addf %v, %t#1 : f32
  %u:2 = dataflow.sync %d, %r : none, f32
  // CHECK: dataflow.graph.return values(%arg0 : i64) streams(%{{.*}} : f32) memories(%arg2) complete(%{{.*}})
  dataflow.graph.return values(%n : i64) streams(%u#1 : f32) memories(%m) complete(%u#0)
}

// CHECK-LABEL: dataflow.graph private @accesses
dataflow.graph private @accesses(%start: none, %a: i64, %p: !llvm.ptr, %as: vector<4xi64>, %ps: vector<2x!llvm.ptr>, %k: vector<4xi1>, %m: memref<?xi8>) -> () {
  // CHECK: dataflow.load %{{.*}}[%{{.*}}] %start : i64 -> vector<2x2xf32>
  %v0, %d0 = dataflow.load %m[%a] %start : i64 -> vector<2x2xf32>
  // CHECK: dataflow.load[%{{.*}}] %start mask %{{.*}} : !llvm.ptr -> vector<4xi8>
  %v1, %d1 = dataflow.load [%p] %start mask %k : !llvm.ptr -> vector<4xi8>
  // CHECK: dataflow.load %{{.*}}[%{{.*}}] %start mask %{{.*}} : vector<4xi64> -> vector<4xf64>
  %v2, %d2 = dataflow.load %m[%as] %start mask %k : vector<4xi64> -> vector<4xf64>
  // CHECK: dataflow.load[%{{.*}}] %start : vector<2x!llvm.ptr> -> vector<2xi16>
  %v3, %d3 = dataflow.load [%ps] %start : vector<2x!llvm.ptr> -> vector<2xi16>
  %ds:4 = dataflow.sync %d0, %d1, %d2, %d3 : none, none, none, none
  // CHECK: dataflow.store %{{.*}}[%{{.*}}] %{{.*}} %{{.*}} : i64, vector<2x2xf32>
  %d4 = dataflow.store %m[%a] %v0 %ds#0 : i64, vector<2x2xf32>
  // CHECK: dataflow.store %{{.*}}[%{{.*}}] %{{.*}} %{{.*}} mask %{{.*}} : vector<4xi64>, vector<4xf64>
  %d5 = dataflow.store %m[%as] %v2 %d4 mask %k : vector<4xi64>, vector<4xf64>
  // CHECK: dataflow.store[%{{.*}}] %{{.*}} %{{.*}} : vector<2x!llvm.ptr>, vector<2xi16>
  %d6 = dataflow.store [%ps] %v3 %d5 : vector<2x!llvm.ptr>, vector<2xi16>
  dataflow.graph.return values() complete(%d6)
}

// CHECK-LABEL: dataflow.graph private @lanes
dataflow.graph private @lanes(%start: none, %a: vector<4xi8>, %i: i64, %x: i8, %p: !llvm.ptr, %c: i1) -> (i32, i8, vector<4xi8>, vector<2xi8>, vector<4x!llvm.ptr>) {
  // CHECK: dataflow.constant %start dense<[1, 2, 3, 4]> : vector<4xi8>
  %k = dataflow.constant %start dense<[1, 2, 3, 4]> : vector<4xi8>
  %s = arith.addi %a, %k overflow<nsw> : vector<4xi8>
  // A selection of a whole vector, lane by lane, and by a mask.
  %l:2 = dataflow.demux %c, %s : (i1, vector<4xi8>) -> (vector<4xi8>, vector<4xi8>)
  %m = dataflow.mux %c, %l#0, %l#1 : (i1, vector<4xi8>, vector<4xi8>) -> vector<4xi8>
  %cmp = arith.cmpi slt, %m, %k : vector<4xi8>
  %sel = arith.select %cmp, %m, %k : vector<4xi1>, vector<4xi8>
  // CHECK: dataflow.pack %{{.*}} : vector<4xi8> -> i32
  %b = dataflow.pack %sel : vector<4xi8> -> i32
  // CHECK: dataflow.unpack %{{.*}} : i32 -> vector<4xi8>
  %u = dataflow.unpack %b : i32 -> vector<4xi8>
  %at = arith.index_cast %i : i64 to index
  // CHECK: vector.extract %{{.*}}[%{{.*}}] : i8 from vector<4xi8>
  %e = vector.extract %u[%at] : i8 from vector<4xi8>
  // CHECK: vector.insert %{{.*}}, %{{.*}} [1] : i8 into vector<4xi8>
  %n = vector.insert %x, %u[1] : i8 into vector<4xi8>
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [5, -1] : vector<4xi8>, vector<4xi8>
  %h = vector.shuffle %n, %u [5, -1] : vector<4xi8>, vector<4xi8>
  %w = arith.extsi %n : vector<4xi8> to vector<4xi64>
  %g = llvm.getelementptr %p[%w] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i8
  dataflow.graph.return values(%b, %e, %n, %h, %g : i32, i8, vector<4xi8>, vector<2xi8>, vector<4x!llvm.ptr>) complete(%start)
}

// Into vectors of four, doubled, and out again; the exit comes after all.
// CHECK-LABEL: dataflow.graph private @groups
dataflow.graph private @groups(%start: none, %n: i64, %m: memref<?xi8>) -> () {
  %z = dataflow.constant %start 0 : i64
  %one = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %z, %n, %one add while slt : i64
  // CHECK: dataflow.parallelize %iv, %phase : i64 -> vector<4xi64>
  %v, %k, %gp = dataflow.parallelize %iv, %ph : i64 -> vector<4xi64>
  %e = dataflow.invariant %gp, %start : none
  %el:2 = dataflow.demux %gp, %e : (i1, none) -> (none, none)
  %d = dataflow.store %m[%v] %v %el#1 mask %k : vector<4xi64>, vector<4xi64>
  %c = dataflow.carry %gp, %start, %d : none
  %cl:2 = dataflow.demux %gp, %c : (i1, none) -> (none, none)
  %sum = arith.addi %v, %v : vector<4xi64>
  // CHECK: dataflow.serialize %{{.*}}, %mask, %group_phase : vector<4xi64> -> i64
  %x, %xp = dataflow.serialize %sum, %k, %gp : vector<4xi64> -> i64
  %f = dataflow.invariant %xp, %cl#0 : none
  %fl:2 = dataflow.demux %xp, %f : (i1, none) -> (none, none)
  %xd = dataflow.store %m[%x] %x %fl#1 : i64, i64
  %xc = dataflow.carry %xp, %cl#0, %xd : none
  %xl:2 = dataflow.demux %xp, %xc : (i1, none) -> (none, none)
  dataflow.graph.return values() complete(%xl#0)
}
