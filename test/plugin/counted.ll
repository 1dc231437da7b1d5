; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Which loops become scf.for, by the proof that their trip count does not wrap.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_DUMP=%t %opt_loom -passes=loom,verify -disable-output %s
; RUN: FileCheck %s --check-prefix=GUARD --input-file=%t/guarded.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=FLAGS --input-file=%t/flags.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=DIVIDED --input-file=%t/divided.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=FAR --input-file=%t/far.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=NEAR --input-file=%t/near.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=JOINED --input-file=%t/joined.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=CARRIED --input-file=%t/carried.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=LEAST --input-file=%t/least.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=STRIPES --input-file=%t/stripes.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=LOW --input-file=%t/low.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=MORE --input-file=%t/more.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=ABOVE --input-file=%t/above.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=BENEATH --input-file=%t/beneath.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=NONE --input-file=%t/unproven.0.1-structured.mlir

; The guard says n > 0.
; GUARD: scf.for
define void @guarded(ptr %p, i64 %n) {
entry:
  %enter = icmp sgt i64 %n, 0
  br i1 %enter, label %loop, label %exit

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; The flags of the increment say that it reaches n without a wrap.
; FLAGS: scf.for
define void @flags(ptr %p, i32 %s, i64 %n) {
entry:
  %start = zext i32 %s to i64
  br label %loop

loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; n may be 0, then the loop runs 2^64 times.
; NONE-NOT: scf.for
; NONE: scf.while
; NONE-NOT: scf.for
define void @unproven(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %low = and i64 %i, 7
  %a = getelementptr i64, ptr %p, i64 %low
  store i64 %i, ptr %a
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; Two exits, both computable: a counted loop, then the last iteration.
; RUN: FileCheck %s --check-prefix=SPLIT --input-file=%t/two_exits.0.1-structured.mlir
; SPLIT: scf.for
; SPLIT-NOT: scf.while
; SPLIT: scf.if
; SPLIT-NOT: scf.while
define i64 @two_exits(ptr %p, i32 %n, i32 %m) {
entry:
  %n64 = zext i32 %n to i64
  %m64 = zext i32 %m to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi i64 [ 0, %entry ], [ %t, %body ]
  %stop = icmp eq i64 %i, %m64
  br i1 %stop, label %first, label %body

body:
  %a = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %a
  %t = add i64 %s, %v
  store i64 %t, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n64
  br i1 %more, label %loop, label %second

first:
  ret i64 %s

second:
  %r = add i64 %t, 1
  ret i64 %r
}

; One exit depends on what is read: the loop stays uncounted, but its pointer
; becomes a root with an offset.
; RUN: FileCheck %s --check-prefix=SEARCH --input-file=%t/search.0.1-structured.mlir
; SEARCH: ^bb0(%[[ROOT:.*]]: !llvm.ptr, %{{.*}}: i32)
; SEARCH: scf.while (%[[K:.*]] = %c0_i64) : (i64)
; SEARCH: %[[OFF:.*]] = arith.muli %[[K]], %c12_i64
; SEARCH: llvm.getelementptr %[[ROOT]][%[[OFF]]]
define ptr @search(ptr %p, i32 %what) {
entry:
  br label %loop

loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %v = load i32, ptr %q
  %next = getelementptr inbounds i8, ptr %q, i64 12
  %more = icmp ne i32 %v, %what
  br i1 %more, label %loop, label %exit

exit:
  ret ptr %q
}

; The flags bound the trip count also where the test is an inequality and n may
; be 0.
; RUN: FileCheck %s --check-prefix=ULT --input-file=%t/below.0.1-structured.mlir
; ULT: scf.for
define void @below(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; A bound that was divided before the loop, by what might be zero elsewhere.
; DIVIDED: scf.for
define void @divided(ptr %p, i64 %n, i64 %by) {
entry:
  %blocks = udiv i64 %n, %by
  br label %test

test:
  %enter = icmp sgt i64 %blocks, 0
  br i1 %enter, label %loop, label %exit

loop:
  %i = phi i64 [ 0, %test ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %blocks
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; a < b was tested in 32 bits, and before another branch.
; FAR: scf.for
define void @far(ptr %p, i32 %b, i1 %c) {
entry:
  %a = load i16, ptr %p
  %from = zext i16 %a to i32
  %enter = icmp slt i32 %from, %b
  br i1 %enter, label %choose, label %exit

choose:
  br i1 %c, label %left, label %join

left:
  store i16 0, ptr %p
  br label %join

join:
  %start = zext i32 %from to i64
  %end = zext i32 %b to i64
  br label %loop

loop:
  %i = phi i64 [ %start, %join ], [ %next, %loop ]
  %sum = phi i64 [ 0, %join ], [ %more.sum, %loop ]
  %more.sum = xor i64 %sum, %i
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  store i64 %more.sum, ptr %p
  ret void

exit:
  ret void
}

; a <= b is not enough: for a = b the loop runs 2^64 times.
; NEAR-NOT: scf.for
define void @near(ptr %p, i32 %b, i1 %c) {
entry:
  %a = load i16, ptr %p
  %from = zext i16 %a to i32
  %enter = icmp sle i32 %from, %b
  br i1 %enter, label %choose, label %exit

choose:
  br i1 %c, label %left, label %join

left:
  store i16 0, ptr %p
  br label %join

join:
  %start = zext i32 %from to i64
  %end = zext i32 %b to i64
  br label %loop

loop:
  %i = phi i64 [ %start, %join ], [ %next, %loop ]
  %sum = phi i64 [ 0, %join ], [ %more.sum, %loop ]
  %more.sum = xor i64 %sum, %i
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  store i64 %more.sum, ptr %p
  ret void

exit:
  ret void
}

; Both ways into the loop say that n > 0, and one of them n != 0, n >= 0.
; JOINED: scf.for
define void @joined(ptr %p, i32 %n, i1 %c) {
entry:
  %wide = zext i32 %n to i64
  br i1 %c, label %left, label %right

left:
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %join, label %out

right:
  store i16 0, ptr %p
  %nonzero = icmp ne i32 %n, 0
  br i1 %nonzero, label %join, label %out

join:
  br label %loop

loop:
  %i = phi i64 [ 0, %join ], [ %next, %loop ]
  %sum = phi i64 [ 0, %join ], [ %more.sum, %loop ]
  %more.sum = xor i64 %sum, %i
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %wide
  br i1 %more, label %loop, label %done

done:
  store i64 %more.sum, ptr %p
  ret void

out:
  ret void
}

; The test of the outer loop is about the value before it was decreased: the
; last inner loop runs 2^64 times.
; CARRIED: scf.while
; CARRIED-NOT: scf.for
define void @carried(ptr %p, i32 %start) {
entry:
  %enter = icmp sgt i32 %start, 0
  br i1 %enter, label %outer, label %out

outer:
  %n = phi i32 [ %start, %entry ], [ %less, %latch ]
  %wide = zext i32 %n to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %outer ], [ %next, %loop ]
  %sum = phi i64 [ 0, %outer ], [ %more.sum, %loop ]
  %more.sum = xor i64 %sum, %i
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %wide
  br i1 %more, label %loop, label %latch

latch:
  %half = load i32, ptr %p
  %less = sub i32 %n, %half
  store i64 %more.sum, ptr %p
  %again = icmp sgt i32 %n, 0
  br i1 %again, label %outer, label %out

out:
  ret void
}

; At most eight, and n is positive.
; LEAST: scf.for
define void @least(ptr %p, i32 %n) {
entry:
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %join, label %out

join:
  %few = call i32 @llvm.smin.i32(i32 %n, i32 8)
  %wide = zext i32 %few to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %join ], [ %next, %loop ]
  %sum = phi i64 [ 0, %join ], [ %more.sum, %loop ]
  %more.sum = xor i64 %sum, %i
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %wide
  br i1 %more, label %loop, label %done

done:
  store i64 %more.sum, ptr %p
  ret void

out:
  ret void
}

; There are 64 bytes, so there is one stripe.
; STRIPES: scf.for
define void @stripes(ptr %p, i64 %bytes) {
entry:
  %none = icmp ult i64 %bytes, 64
  br i1 %none, label %out, label %join

join:
  %stripes = lshr i64 %bytes, 6
  br label %loop

loop:
  %i = phi i64 [ 0, %join ], [ %next, %loop ]
  %sum = phi i64 [ 0, %join ], [ %more.sum, %loop ]
  %more.sum = xor i64 %sum, %i
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %stripes
  br i1 %more, label %loop, label %done

done:
  store i64 %more.sum, ptr %p
  ret void

out:
  ret void
}

; The number without its sign bit, which is clear.
; LOW: scf.for
define void @low(ptr %p, i64 %x) {
entry:
  %n = trunc i64 %x to i32
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %join, label %out

join:
  %count = and i64 %x, 2147483647
  br label %loop

loop:
  %i = phi i64 [ 0, %join ], [ %next, %loop ]
  %sum = phi i64 [ 0, %join ], [ %more.sum, %loop ]
  %more.sum = xor i64 %sum, %i
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %count
  br i1 %more, label %loop, label %done

done:
  store i64 %more.sum, ptr %p
  ret void

out:
  ret void
}

; From 1 to n + 1.
; MORE: scf.for
define void @more(ptr %p, i32 %n) {
entry:
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %join, label %out

join:
  %after = add i32 %n, 1
  %end = zext i32 %after to i64
  br label %loop

loop:
  %i = phi i64 [ 1, %join ], [ %next, %loop ]
  %sum = phi i64 [ 0, %join ], [ %more.sum, %loop ]
  %more.sum = xor i64 %sum, %i
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  store i64 %more.sum, ptr %p
  ret void

out:
  ret void
}

; From a number that is at most x, to x.
; ABOVE: scf.for
define void @above(ptr %p, i32 %n, i64 %a) {
entry:
  %x = zext i32 %n to i64
  %from = call i64 @llvm.umin.i64(i64 %x, i64 %a)
  %end = add i64 %x, 1
  br label %loop

loop:
  %i = phi i64 [ %from, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more.sum, %loop ]
  %more.sum = xor i64 %sum, %i
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  store i64 %more.sum, ptr %p
  ret void
}

; That number may be near -2^63, and the count above 2^63.
; BENEATH-NOT: scf.for
define void @beneath(ptr %p, i32 %n, i64 %a) {
entry:
  %x = zext i32 %n to i64
  %from = call i64 @llvm.smin.i64(i64 %x, i64 %a)
  %end = add i64 %x, 1
  br label %loop

loop:
  %i = phi i64 [ %from, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more.sum, %loop ]
  %more.sum = xor i64 %sum, %i
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %end
  br i1 %more, label %loop, label %done

done:
  store i64 %more.sum, ptr %p
  ret void
}

declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.smin.i32(i32, i32)
