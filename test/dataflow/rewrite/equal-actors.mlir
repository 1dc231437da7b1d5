// RUN: loom-opt %s --loom-rewrite-dataflow=only=equal-actors,dead --dataflow-verify-phases | FileCheck %s

// Equal computations, and two rings that are equal if they are: by induction.
// CHECK-LABEL: @f
dataflow.graph @f(%start: none, %n: i64, %x: i64) -> (i32, i64, i64)
    slots [0, 1] partitions [] exits [-1, -1, -1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  // CHECK: %[[A:.*]] = dataflow.carry
  %a = dataflow.carry %ph, %x, %an : i64
  %b = dataflow.carry %ph, %x, %bn : i64
  // CHECK-NEXT: %[[AL:.*]]:2 = dataflow.demux %phase, %[[A]]
  %al:2 = dataflow.demux %ph, %a : (i1, i64) -> (i64, i64)
  %bl:2 = dataflow.demux %ph, %b : (i1, i64) -> (i64, i64)
  // CHECK-NEXT: arith.muli
  %an = arith.muli %al#1, %iv : i64
  %bn = arith.muli %iv, %bl#1 : i64
  %e = dataflow.constant %start 0 : i32
  // CHECK: values(%{{.*}}, %[[AL]]#0, %[[AL]]#0 :
  dataflow.graph.return values(%e, %al#0, %bl#0 : i32, i64, i64) complete(%start)
}
// Feedback that differs: two rings. Two streams always stay two.
// CHECK-LABEL: @differ
dataflow.graph @differ(%start: none, %n: i64, %x: i64) -> (i32, i64, i64)
    slots [0, 1] partitions [] exits [-1, -1, -1] {
  %c0 = dataflow.constant %start 0 : i64
  %c1 = dataflow.constant %start 1 : i64
  // CHECK: dataflow.stream
  // CHECK: dataflow.carry
  // CHECK: dataflow.stream
  // CHECK: dataflow.carry
  // CHECK: dataflow.carry
  %iv, %ph = dataflow.stream %c0, %n, %c1 add while slt : i64
  %a = dataflow.carry %ph, %x, %an : i64
  %al:2 = dataflow.demux %ph, %a : (i1, i64) -> (i64, i64)
  %an = arith.muli %al#1, %iv : i64
  %jv, %qh = dataflow.stream %c0, %n, %c1 add while slt : i64
  %b = dataflow.carry %qh, %al#0, %bn : i64
  %c = dataflow.carry %qh, %al#0, %cn : i64
  %bl:2 = dataflow.demux %qh, %b : (i1, i64) -> (i64, i64)
  %cl:2 = dataflow.demux %qh, %c : (i1, i64) -> (i64, i64)
  %bn = arith.muli %jv, %bl#1 : i64
  %cn = arith.subi %jv, %cl#1 : i64
  %e = dataflow.constant %start 0 : i32
  dataflow.graph.return values(%e, %bl#0, %cl#0 : i32, i64, i64) complete(%start)
}
// Loads of one address with one permission are one; after a store they aren't.
// CHECK-LABEL: @loads
dataflow.graph @loads(%start: none, %x: i64, %m: memref<?xi8>) -> (i32, i64, i64, i64)
    slots [0, 1] partitions [0] exits [-1, -1, -1, -1] {
  // CHECK: %[[D:.*]], %[[DONE:.*]] = dataflow.load
  // CHECK-NEXT: %[[S:.*]] = dataflow.store %arg1[%arg0] %arg0 %{{.*}}
  // CHECK-NEXT: %[[D2:.*]], %{{.*}} = dataflow.load %arg1[%arg0] %[[S]]
  %d, %done = dataflow.load %m[%x] %start : i64 -> i64
  %f, %fone = dataflow.load %m[%x] %start : i64 -> i64
  %s = dataflow.store %m[%x] %x %fone : i64, i64
  %g, %gone = dataflow.load %m[%x] %s : i64 -> i64
  %e = dataflow.constant %start 0 : i32
  // CHECK: values(%{{.*}}, %[[D]], %[[D]], %[[D2]] :
  dataflow.graph.return values(%e, %d, %f, %g : i32, i64, i64, i64) complete(%gone)
}
// Comparisons that differ in what they ask.
// CHECK-LABEL: @asks
dataflow.graph @asks(%start: none, %x: i64, %y: i64, %f: f64, %g: f64) -> (i32, i1, i1, i1, i1)
    slots [0, 1, 2, 3] partitions [] exits [-1, -1, -1, -1, -1] {
  // CHECK-DAG: %[[A:.*]] = arith.cmpi slt
  // CHECK-DAG: %[[B:.*]] = arith.cmpi ult
  // CHECK-DAG: %[[C:.*]] = arith.cmpf olt
  // CHECK-DAG: %[[D:.*]] = arith.cmpf ult
  %a = arith.cmpi slt, %x, %y : i64
  %b = arith.cmpi ult, %x, %y : i64
  %c = arith.cmpf olt, %f, %g : f64
  %d = arith.cmpf ult, %f, %g : f64
  %e = dataflow.constant %start 0 : i32
  // CHECK: values(%{{.*}}, %[[A]], %[[B]], %[[C]], %[[D]] :
  dataflow.graph.return values(%e, %a, %b, %c, %d : i32, i1, i1, i1, i1) complete(%start)
}
