; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: env LOOM_TARGET=small %opt_loom -passes=loom -pass-remarks=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt_loom -passes=loom -loom-target=small -pass-remarks=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s
; RUN: env LOOM_TARGET=small %opt_loom -passes=loom -loom-target=default -pass-remarks=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s --check-prefix=DEFAULT
; RUN: %opt_loom -passes=loom -pass-remarks=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s --check-prefix=DEFAULT
; CHECK: loop nest not offloaded: target: target 'small' has no arith.divf on f64{{$}}
; CHECK: loop nest offloaded
; DEFAULT-NOT: not offloaded
; DEFAULT-COUNT-2: loop nest offloaded

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @divide(ptr noalias %p, double %d, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %a
  %y = fdiv double %x, %d
  store double %y, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @multiply(ptr noalias %p, double %d, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %a
  %y = fmul double %x, %d
  store double %y, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
