; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A trip count that ScalarEvolution knows by a recurrence of another loop is
; computed from the value that the host has of it.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_DUMP=%t %opt_loom -passes=loom,verify -pass-remarks=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --check-prefix=AROUND --input-file=%t/around.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=BEFORE --input-file=%t/before.0.1-structured.mlir
; RUN: %opt_loom -passes=loom -S %s | FileCheck %s --check-prefix=POISON
; RUN: FileCheck %s --check-prefix=LOADED --input-file=%t/loaded.1.1-structured.mlir

; REMARK-NOT: outline

declare void @use(i32)

; The loop around it counts down by two; the nest begins three above.
; AROUND: llvm.func @around.0(
; AROUND: scf.for
define void @around(ptr %p, i32 noundef %n, i32 noundef %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ %n, %entry ], [ %down, %latch ]
  %from = add nsw i32 %i, 3
  %some = icmp slt i32 %from, %m
  br i1 %some, label %loop, label %latch

loop:
  %j = phi i32 [ %from, %outer ], [ %next, %loop ]
  %s = phi i32 [ 0, %outer ], [ %t, %loop ]
  %wide = sext i32 %j to i64
  %a = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %a
  %t = add i32 %s, %v
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %latch

latch:
  %r = phi i32 [ 0, %outer ], [ %t, %loop ]
  call void @use(i32 %r)
  %down = add nsw i32 %i, -2
  %again = icmp sgt i32 %down, 3
  br i1 %again, label %outer, label %out

out:
  ret void
}

; The loop before it has ended, and counted in 64 bits.
; BEFORE: llvm.func @before.0(
; BEFORE: scf.for
define i32 @before(ptr %p, i32 %m) {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %down, %first ]
  %down = add nsw i64 %i, -1
  %at = getelementptr i32, ptr %p, i64 %down
  %u = load volatile i32, ptr %at
  %stay = icmp sgt i32 %u, 0
  br i1 %stay, label %first, label %then

then:
  %from = trunc i64 %down to i32
  br label %loop

loop:
  %j = phi i32 [ %from, %then ], [ %next, %loop ]
  %s = phi i32 [ 0, %then ], [ %t, %loop ]
  %wide = sext i32 %j to i64
  %a = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %a
  %t = add i32 %s, %v
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %out

out:
  ret i32 %t
}

; A value of that loop that is no recurrence.
; LOADED: llvm.func @loaded.1(
; LOADED: scf.for
define i32 @loaded(ptr %p, i32 %m) {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %down, %first ]
  %down = add nsw i64 %i, -1
  %at = getelementptr i32, ptr %p, i64 %down
  %u = load i32, ptr %at
  %stay = icmp sgt i32 %u, 0
  br i1 %stay, label %first, label %loop

loop:
  %j = phi i32 [ %u, %first ], [ %next, %loop ]
  %s = phi i32 [ 0, %first ], [ %t, %loop ]
  %wide = sext i32 %j to i64
  %a = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %a
  %t = add i32 %s, %v
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %out

out:
  ret i32 %t
}

; The first phi of that loop may be poison where the count is not: nothing tests it,
; and it claims not to wrap. The second one can't be.
; POISON-LABEL: define void @poison(
; POISON: %k = phi
; POISON: loom.ask:
; POISON-NOT: %k
; POISON: zext i32 %i to i64
; POISON-NOT: %k
; POISON: loom.host:
define void @poison(ptr %p, i32 noundef %n, i32 noundef %m) {
entry:
  br label %outer

outer:
  %k = phi i32 [ %n, %entry ], [ %less, %latch ]
  %i = phi i32 [ 100, %entry ], [ %down, %latch ]
  %from = mul i32 %i, 3
  %some = icmp slt i32 %from, %m
  br i1 %some, label %loop, label %latch

loop:
  %j = phi i32 [ %from, %outer ], [ %next, %loop ]
  %s = phi i32 [ 0, %outer ], [ %t, %loop ]
  %wide = sext i32 %j to i64
  %a = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %a
  %t = add i32 %s, %v
  %next = add nsw i32 %j, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %latch

latch:
  %r = phi i32 [ 0, %outer ], [ %t, %loop ]
  call void @use(i32 %r)
  call void @use(i32 %k)
  %down = add i32 %i, -2
  %less = add nsw i32 %k, -2
  %again = icmp sgt i32 %down, 3
  br i1 %again, label %outer, label %out

out:
  ret void
}
