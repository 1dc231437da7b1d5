; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Whole-module S0: llvm.func stays the envelope, bodies are structured in place.
; RUN: mlir-translate --import-llvm %s | loom-opt --loom-structure | FileCheck %s
; RUN: mlir-translate --import-llvm %s | env LOOM_OPT_CHECK_ROUNDTRIP=1 loom-opt --loom-structure -o /dev/null

declare void @abort()

; A counted loop, its hint on scf.for; weights stay with the branch that has
; them.
; CHECK-LABEL: llvm.func @counted
; CHECK: scf.if
; CHECK: scf.for
; CHECK: overflow<nsw>
; CHECK: llvm.loop_annotation = #{{.*}}
; CHECK: branch_weights = array<i32: 9, 1>
define i32 @counted(ptr %a, i64 %n) {
entry:
  %enter = icmp sgt i64 %n, 0
  br i1 %enter, label %loop, label %exit, !prof !2
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %t = add nsw i32 %s, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  %r = phi i32 [ 0, %entry ], [ %t, %loop ]
  ret i32 %r
}

; Return and unreachable: one exit, and no CFG is left.
; CHECK-LABEL: llvm.func @mixed
; CHECK-NOT: {{ cf\.}}
; CHECK-NOT: llvm.unreachable
; CHECK: llvm.call @abort
; CHECK-NEXT: llvm.intr.assume %false
; CHECK-NOT: {{ cf\.}}
; CHECK: llvm.return
define i32 @mixed(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %bad = icmp slt i32 %v, 0
  br i1 %bad, label %die, label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %v
die:
  call void @abort()
  unreachable
}

; An endless loop beside a return.
; CHECK-LABEL: llvm.func @endless
; CHECK: scf.if
; CHECK: scf.while
; CHECK: llvm.intr.assume %false
; CHECK: llvm.return
define i32 @endless(i1 %c, ptr %p) {
entry:
  br i1 %c, label %loop, label %exit
loop:
  store volatile i32 1, ptr %p
  br label %loop
exit:
  ret i32 3
}

; Only endless: the exit is unreachable.
; CHECK-LABEL: llvm.func @forever
; CHECK: scf.while
; CHECK-NOT: llvm.intr.assume
; CHECK: llvm.unreachable
define void @forever(ptr %p) {
entry:
  br label %loop
loop:
  store volatile i32 1, ptr %p
  br label %loop
}

; A loop with two entries, structured with a selector.
; CHECK-LABEL: llvm.func @irreducible
; CHECK-NOT: {{ cf\.}}
; CHECK: scf.while
; CHECK-NOT: {{ cf\.}}
; CHECK: llvm.return
define i32 @irreducible(i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = phi i32 [ 0, %entry ], [ %y1, %b ]
  %x1 = add i32 %x, 3
  br label %b
b:
  %y = phi i32 [ 1, %entry ], [ %x1, %a ]
  %y1 = add i32 %y, 5
  %more = icmp ult i32 %y1, %n
  br i1 %more, label %a, label %exit
exit:
  ret i32 %y1
}

; A switch keeps its cases and weights.
; CHECK-LABEL: llvm.func @choice
; CHECK: scf.index_switch
; CHECK-SAME: branch_weights = array<i32: 1, 2, 3>
; CHECK: case 255
define i32 @choice(i8 %x) {
entry:
  switch i8 %x, label %c [ i8 -1, label %a
                           i8 3, label %b ], !prof !3
a:
  br label %c
b:
  br label %c
c:
  %r = phi i32 [ 0, %entry ], [ 1, %a ], [ 2, %b ]
  ret i32 %r
}

; undef, poison and freeze stay what they are; vectors and wide types too.
; CHECK-LABEL: llvm.func @values
; CHECK-DAG: ub.poison : i32
; CHECK-DAG: llvm.mlir.undef : i64
; CHECK-DAG: llvm.freeze
; CHECK-DAG: arith.addi {{.*}} : vector<[4]xi32>
; CHECK-DAG: arith.addf {{.*}} : f80
; CHECK-DAG: arith.mulf {{.*}} : f128
; CHECK-DAG: arith.muli {{.*}} : i128
; CHECK-DAG: arith.addf {{.*}} : bf16
define i64 @values(<vscale x 4 x i32> %v, x86_fp80 %e, fp128 %q, i128 %w, bfloat %h, ptr %o) {
  %v1 = add <vscale x 4 x i32> %v, %v
  store <vscale x 4 x i32> %v1, ptr %o
  %e1 = fadd x86_fp80 %e, %e
  store x86_fp80 %e1, ptr %o
  %q1 = fmul fp128 %q, %q
  store fp128 %q1, ptr %o
  %w1 = mul i128 %w, %w
  store i128 %w1, ptr %o
  %h1 = fadd bfloat %h, %h
  store bfloat %h1, ptr %o
  store i32 poison, ptr %o
  %f = freeze i64 undef
  ret i64 %f
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"branch_weights", i32 9, i32 1}
!3 = !{!"branch_weights", i32 1, i32 2, i32 3}
