; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; LOOM_S0: the structured program of the module and its coverage, twice the
; same; the module itself is what it is without.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_S0=%t/a %opt_loom -passes=loom -S %s -o %t/with.ll
; RUN: env LOOM_S0=%t/b %opt_loom -passes=loom -S %s -o %t/again.ll
; RUN: %opt_loom -passes=loom -S %s -o %t/without.ll
; RUN: cmp %t/with.ll %t/without.ll
; RUN: diff -r %t/a %t/b
; RUN: cat %t/a/s0.ll.*.s0.mlir | FileCheck %s
; RUN: cat %t/a/s0.ll.*.coverage.json | FileCheck %s --check-prefix=COVERAGE
; RUN: loom-opt %t/a/s0.ll.*.s0.mlir -o /dev/null
; Another program of the same module name in the same directory.
; RUN: sed '$a define void @other() { ret void }' %s > %t/other.ll
; RUN: env LOOM_S0=%t/a %opt_loom -passes=loom -disable-output %t/other.ll
; RUN: ls %t/a | FileCheck %s --check-prefix=BOTH
; BOTH: s0.ll.[[FIRST:[0-9a-f]+]].coverage.json
; BOTH-NEXT: s0.ll.[[FIRST]].s0.mlir
; BOTH-NEXT: s0.ll.[[SECOND:[0-9a-f]+]].coverage.json
; BOTH-NEXT: s0.ll.[[SECOND]].s0.mlir

; COVERAGE: "all": 4
; COVERAGE: "multi_block": 4
; COVERAGE: "structured": 3
; COVERAGE: "indirectbr": 1
; COVERAGE: "loops": {
; COVERAGE: "all": 2
; COVERAGE: "exact_trip_count": 1
; COVERAGE: "exact_became_for": 1
; COVERAGE: "became_while": 1
; COVERAGE: "condition-on-load": 1
; COVERAGE: "accesses": {
; COVERAGE: "all": 2
; COVERAGE: "rooted": 2
; COVERAGE: "closed": 1
; COVERAGE: "index-carried": 1

source_filename = "some/where/s0.ll"

; CHECK-NOT: loom.loop.marker
; CHECK-LABEL: llvm.func @sum
; CHECK: scf.for
define i64 @sum(ptr %a, i64 %n) {
entry:
  %enter = icmp sgt i64 %n, 0
  br i1 %enter, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %t = add i64 %s, %v
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi i64 [ 0, %entry ], [ %t, %loop ]
  ret i64 %r
}

; CHECK-LABEL: llvm.func @chase
; CHECK: scf.while
define i64 @chase(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %v, %loop ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %more = icmp ne i64 %v, 0
  br i1 %more, label %loop, label %exit
exit:
  ret i64 %i
}

; CHECK-LABEL: llvm.func @computed
; CHECK: llvm.indirectbr
define i32 @computed(ptr %t) {
entry:
  indirectbr ptr %t, [label %a, label %b]
a:
  ret i32 1
b:
  ret i32 2
}

; Wider than an index: one comparison a case.
; CHECK-LABEL: llvm.func @wide
; CHECK: arith.constant 18446744073709551617 : i128
; CHECK: arith.cmpi eq, {{.*}} : i128
; CHECK: arith.cmpi eq, {{.*}} : i128
; CHECK: llvm.return
define i32 @wide(i128 %x) {
entry:
  switch i128 %x, label %a [ i128 18446744073709551617, label %b
                             i128 7, label %c ]
a:
  ret i32 0
b:
  ret i32 1
c:
  ret i32 2
}
