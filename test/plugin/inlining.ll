; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Callees of a nest are inlined in the copy that is raised; the host keeps its
; calls. What can't be raised in a callee is named.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_DUMP=%t %opt_loom -passes=loom,verify -S %s -o %t.ll -pass-remarks-missed=loom 2>&1 | FileCheck %s --check-prefix=WHY
; RUN: FileCheck %s --check-prefix=S0 --input-file=%t/sums.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=HOST --input-file=%t.ll

; S0: scf.for
; S0: scf.for
; S0-NOT: llvm.call
; S0: loom.spatial_yield

; HOST-LABEL: define {{.*}} @sums(
; HOST: load atomic i32, ptr {{.*}}@loom.region.sums.0
; HOST: call i32 @sum(ptr
; HOST-NOT: @loom.callee

; Without loops of its own, noinline is a wish about the host's code only.
; HOST-LABEL: define {{.*}} @calls_twice(
; HOST: load atomic i32, ptr {{.*}}@loom.region.calls_twice.0
; HOST: call i32 @twice(

; WHY-DAG: call: thrice (noduplicate)
; WHY-DAG: call: apart (noinline, with loops of its own)
; WHY-DAG: call: recurse (call recurse (recursive))
; WHY-DAG: call: prints (call putchar)
; WHY-DAG: call: varying (may be replaced at run time)
; WHY-DAG: call: stops (does not always return)
; WHY-DAG: call: other (compiled for another target)

declare i32 @putchar(i32)

define internal i32 @sum(ptr %p, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %t, %latch ]
  %a = getelementptr inbounds i32, ptr %p, i32 %i
  %v = load i32, ptr %a
  %low = and i32 %v, 1
  switch i32 %low, label %impossible [
    i32 0, label %latch
    i32 1, label %odd
  ]

impossible:
  unreachable

odd:
  br label %latch

latch:
  %d = phi i32 [ %v, %loop ], [ 7, %odd ]
  %t = add i32 %s, %d
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %t, %latch ]
  ret i32 %r
}

define internal i32 @apart(i32 %n) noinline {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 1, %entry ], [ %t, %loop ]
  %t = mul i32 %s, %n
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %t
}

define void @sums(ptr %p, ptr %lengths, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %lengths, i64 %i
  %length = load i32, ptr %a
  %r = call i32 @sum(ptr %p, i32 %length)
  store i32 %r, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define internal i32 @twice(i32 %x) noinline {
  %r = mul i32 %x, 2
  ret i32 %r
}

define internal i32 @thrice(i32 %x) noduplicate {
  %r = mul i32 %x, 3
  ret i32 %r
}

define internal i32 @recurse(i32 %x) {
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %done, label %more

more:
  %y = lshr i32 %x, 1
  %z = call i32 @recurse(i32 %y)
  br label %done

done:
  %r = phi i32 [ 0, %0 ], [ %z, %more ]
  ret i32 %r
}

define internal i32 @prints(i32 %x) {
  %r = call i32 @putchar(i32 %x)
  ret i32 %r
}

define weak i32 @varying(i32 %x) {
  ret i32 %x
}

define internal i32 @stops(i32 %x) {
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %bad, label %good

bad:
  %r = call i32 @putchar(i32 %x)
  unreachable

good:
  ret i32 %x
}

define internal i32 @other(i32 %x) "target-features"="+fma" {
  ret i32 %x
}

define void @calls_twice(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %r = call i32 @twice(i32 %v)
  store i32 %r, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @calls_thrice(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %r = call i32 @thrice(i32 %v)
  store i32 %r, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @calls_apart(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %r = call i32 @apart(i32 %v)
  store i32 %r, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @calls_recurse(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %r = call i32 @recurse(i32 %v)
  store i32 %r, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @calls_prints(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %r = call i32 @prints(i32 %v)
  store i32 %r, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @calls_varying(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %r = call i32 @varying(i32 %v)
  store i32 %r, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @calls_stops(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %r = call i32 @stops(i32 %v)
  store i32 %r, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @calls_other(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %r = call i32 @other(i32 %v)
  store i32 %r, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
