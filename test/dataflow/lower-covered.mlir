// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-verify-completion | FileCheck %s
// RUN: loom-opt %s --loom-lower-to-dataflow --loom-rewrite-dataflow --dataflow-verify-completion -o /dev/null
// RUN: loom-opt %s --loom-lower-to-dataflow=mechanical --dataflow-verify-completion -o /dev/null
// RUN: loom-opt %s --loom-lower-to-dataflow=mechanical --loom-rewrite-dataflow --dataflow-verify-completion -o /dev/null
// RUN: loom-opt %s --loom-lower-to-dataflow --dataflow-write-image=path=%t.img -o /dev/null
// RUN: loom-run %t.img --orders=50 --region=1 i64:0 i64[]:7,8 i64[]:1,2 | FileCheck %s --check-prefix=LANE

// A read from what nothing writes isn't waited for only if on every path
// something else waits for its data.

// Used in an inner loop alone, which may have no iteration: waited for.
llvm.func @f(%a0: i64, %a1: !llvm.ptr, %a2: !llvm.ptr) {
  %r = loom.spatial_region "inner" (%a0, %a1, %a2) partitions [-1, 0, 1] exits [-1] : (i64, !llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%n: i64, %p: !llvm.ptr, %q: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %v = llvm.load %p : !llvm.ptr -> i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      llvm.store %v, %q : i64, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @inner
// CHECK: %{{.*}}, %[[DONE:.*]] = dataflow.load %arg1
// CHECK: dataflow.graph.return values({{.*}}) complete({{.*}}%[[DONE]]

// Used in one lane alone: waited for.
llvm.func @g(%a0: i64, %a1: !llvm.ptr, %a2: !llvm.ptr) {
  %r = loom.spatial_region "lane" (%a0, %a1, %a2) partitions [-1, 0, 1] exits [-1] : (i64, !llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%n: i64, %p: !llvm.ptr, %q: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %v = llvm.load %p : !llvm.ptr -> i64
    %c = arith.cmpi eq, %n, %c0 : i64
    scf.if %c {
      llvm.store %v, %q : i64, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @lane
// CHECK: %{{.*}}, %[[DONE:.*]] = dataflow.load %arg1
// CHECK: dataflow.graph.return values({{.*}}) complete({{.*}}%[[DONE]]
// LANE: slot 2: 7 2

// Used in every lane: the store of each waits for it.
llvm.func @h(%a0: i64, %a1: !llvm.ptr, %a2: !llvm.ptr) {
  %r = loom.spatial_region "lanes" (%a0, %a1, %a2) partitions [-1, 0, 1] exits [-1] : (i64, !llvm.ptr, !llvm.ptr) -> i32 {
  ^bb0(%n: i64, %p: !llvm.ptr, %q: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %v = llvm.load %p : !llvm.ptr -> i64
    %c = arith.cmpi eq, %n, %c0 : i64
    scf.if %c {
      llvm.store %v, %q : i64, !llvm.ptr
    } else {
      %w = arith.addi %v, %n : i64
      llvm.store %w, %q : i64, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @lanes
// CHECK: %{{.*}}, %[[DONE:.*]] = dataflow.load %arg1
// CHECK-NOT: %[[DONE]]
// CHECK: dataflow.graph.return

// One lane yields it, the other doesn't: waited for.
llvm.func @y(%a0: i64, %a1: !llvm.ptr) {
  %r:2 = loom.spatial_region "yield" (%a0, %a1) partitions [-1, 0] exits [-1, -1] : (i64, !llvm.ptr) -> (i32, i64) {
  ^bb0(%n: i64, %p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %v = llvm.load %p : !llvm.ptr -> i64
    %c = arith.cmpi eq, %n, %c0 : i64
    %w = scf.if %c -> i64 {
      scf.yield %v : i64
    } else {
      scf.yield %n : i64
    }
    loom.spatial_yield %z, %w : i32, i64
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @yield
// CHECK: %{{.*}}, %[[DONE:.*]] = dataflow.load %arg1
// CHECK: dataflow.graph.return values({{.*}}) complete({{.*}}%[[DONE]]

// Used before the condition of a loop: that runs at least once.
llvm.func @b(%a0: i64, %a1: !llvm.ptr) {
  %r:2 = loom.spatial_region "before" (%a0, %a1) partitions [-1, 0] exits [-1, -1] : (i64, !llvm.ptr) -> (i32, i64) {
  ^bb0(%n: i64, %p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %v = llvm.load %p : !llvm.ptr -> i64
    %w = scf.while (%i = %n) : (i64) -> i64 {
      %c = arith.cmpi slt, %i, %v : i64
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %j = arith.addi %i, %c1 : i64
      scf.yield %j : i64
    }
    loom.spatial_yield %z, %w : i32, i64
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @before
// CHECK: %{{.*}}, %[[DONE:.*]] = dataflow.load %arg1
// CHECK-NOT: %[[DONE]]
// CHECK: dataflow.graph.return

// Used after the condition of a loop alone: waited for.
llvm.func @a(%a0: i64, %a1: !llvm.ptr) {
  %r:2 = loom.spatial_region "after" (%a0, %a1) partitions [-1, 0] exits [-1, -1] : (i64, !llvm.ptr) -> (i32, i64) {
  ^bb0(%n: i64, %p: !llvm.ptr):
    %z = arith.constant 0 : i32
    %c9 = arith.constant 9 : i64
    %v = llvm.load %p : !llvm.ptr -> i64
    %w = scf.while (%i = %n) : (i64) -> i64 {
      %c = arith.cmpi slt, %i, %c9 : i64
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %j = arith.addi %i, %v : i64
      scf.yield %j : i64
    }
    loom.spatial_yield %z, %w : i32, i64
  }
  llvm.return
}
// CHECK-LABEL: dataflow.graph @after
// CHECK: %{{.*}}, %[[DONE:.*]] = dataflow.load %arg1
// CHECK: dataflow.graph.return values({{.*}}) complete({{.*}}%[[DONE]]
