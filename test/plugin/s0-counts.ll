; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Proofs of trip counts in S0, where loops hold calls.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_S0=%t %opt_loom -passes=loom -disable-output %s
; RUN: cat %t/counts.c.*.s0.mlir | FileCheck %s

source_filename = "counts.c"
declare void @may_exit()

; n may be 0: then the loop runs 2^64 times, or until the call exits. The flags
; of the increment say nothing about that.
; CHECK-LABEL: llvm.func @exits
; CHECK-NOT: scf.for
; CHECK: scf.while
define void @exits(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @may_exit()
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The same with a proof by the branch before it.
; CHECK-LABEL: llvm.func @guarded
; CHECK: scf.for
define void @guarded(i32 %a, i32 %b) {
entry:
  %enter = icmp slt i32 %a, %b
  br i1 %enter, label %pre, label %exit
pre:
  %from = sext i32 %a to i64
  %to = sext i32 %b to i64
  br label %loop
loop:
  %i = phi i64 [ %from, %pre ], [ %next, %loop ]
  call void @may_exit()
  %next = add nsw i64 %i, 1
  %more = icmp ne i64 %next, %to
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; No object has 2^63 bytes, so an access that moves ends the doubt.
; CHECK-LABEL: llvm.func @moves
; CHECK: scf.for
define void @moves(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %next, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  store i8 1, ptr %a
  %next = add i64 %i, -1
  %more = icmp ne i64 %next, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; With a call before it, the access may never come so far.
; CHECK-LABEL: llvm.func @moves_not
; CHECK-NOT: scf.for
; CHECK: scf.while
define void @moves_not(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %next, %loop ]
  call void @may_exit()
  %a = getelementptr i8, ptr %p, i64 %i
  store i8 1, ptr %a
  %next = add i64 %i, -1
  %more = icmp ne i64 %next, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Only known not to be zero: the bound is an unsigned number.
; CHECK-LABEL: llvm.func @large
; CHECK: scf.for unsigned
define void @large(i64 %n) {
entry:
  %enter = icmp ne i64 %n, 0
  br i1 %enter, label %loop, label %exit
loop:
  %i = phi i64 [ %n, %entry ], [ %next, %loop ]
  call void @may_exit()
  %next = add i64 %i, -1
  %more = icmp ne i64 %next, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
