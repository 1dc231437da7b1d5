; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The nest stays in place as host code; a guard before it asks the runtime, and
; both ways meet behind it.
; RUN: %opt_loom -passes=loom,verify -S %s | FileCheck %s
; The same input gives the same module.
; RUN: %opt_loom -passes=loom -S %s -o %t.1
; RUN: %opt_loom -passes=loom -S %s -o %t.2
; RUN: cmp %t.1 %t.2
; The cold calls keep the registers of the host code where the back end can.
; RUN: sed '1i target triple = "x86_64-pc-linux-gnu"' %s | %opt_loom -passes=loom,verify -S - | FileCheck %s --check-prefix=X86
; X86: call preserve_allcc i32 @loom.launch(
; X86: call preserve_allcc void @loom.check(
; X86: define internal preserve_allcc void @loom.check(
; X86: define internal preserve_allcc i32 @loom.launch(
; A module that went through Loom is left alone.
; RUN: %opt_loom -passes=loom,loom -S %s | FileCheck %s --check-prefix=TWICE
; TWICE-COUNT-1: @loom.image =
; TWICE-NOT: @loom.image.

; CHECK-DAG: @loom.image = internal constant {{.*}} section ".loom.image", align 16
; CHECK-DAG: @loom.region.sum.0 = internal {{.*}}global {{.*}} { i32 2, i32 0, i32 0, i32 0, ptr @loom.image, i64 {{[0-9]+}}, ptr null }

; CHECK-LABEL: define i32 @sum(
; Two live-ins, the selector and a live-out.
; CHECK: %[[SLOTS:.*]] = alloca [4 x i64]
; CHECK: %[[STATE:.*]] = load atomic i32, ptr getelementptr {{.*}}@loom.region.sum.0{{.*}} monotonic
; CHECK: %[[ASK:.*]] = icmp ne i32 %[[STATE]], 1
; CHECK: br i1 %[[ASK]], label %loom.ask, label %loom.host, !prof
; CHECK: loom.ask:
; CHECK: store ptr %p, ptr
; CHECK: %[[OUT:.*]] = getelementptr inbounds i64, ptr %[[SLOTS]], i64 2
; CHECK: %[[EXIT:.*]] = call i32 @loom.launch(ptr @loom.region.sum.0, ptr %[[SLOTS]], ptr %[[OUT]])
; The live-out is read as it is, before anything is decided.
; CHECK: load i32, ptr
; CHECK: %[[HOST:.*]] = icmp eq i32 %[[EXIT]], -1
; CHECK: br i1 %[[HOST]], label %loom.host, label
; CHECK: loom.host:
; Nothing of the guard is alive across the nest: the flag is read behind it.
; CHECK-NOT: phi i32 [ 1,
; CHECK: %[[CHECKS:.*]] = load atomic i32, ptr getelementptr {{.*}}@loom.region.sum.0{{.*}} monotonic
; CHECK: icmp ne i32 %[[CHECKS]], 0
; CHECK: loom.check:
; CHECK: call void @loom.check(ptr @loom.region.sum.0, ptr %[[SLOTS]], i32 0)

; CHECK: define internal void @loom.check(
; CHECK: define internal i32 @loom.launch({{.*}}) #[[COLD:[0-9]+]]
; CHECK: %[[TICKET:.*]] = call i32 @loom_rt_launch(ptr %0
; CHECK: icmp eq i32 %[[TICKET]], 0
; CHECK: select i1
; CHECK: attributes #[[COLD]] = { cold noinline nounwind

define i32 @sum(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %t = add i32 %s, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %t
}
