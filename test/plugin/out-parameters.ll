; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What posix_memalign allocates is a root of its own, although the pointer comes
; by way of memory: one load behind the call, apart from arguments, globals and
; other allocations. Where others write the slot, or see its address, nothing is
; known.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_DUMP=%t %opt_loom -passes=loom,verify -S %s -o %t.ll
; RUN: FileCheck %s --check-prefix=APART --input-file=%t/apart.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=SAME --input-file=%t/same.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=TOGETHER --input-file=%t/escaped.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=TOGETHER --input-file=%t/written.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=TOGETHER --input-file=%t/mine.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=HOST --input-file=%t.ll

; APART: partitions [0, 1, 2, -1]
; SAME: partitions [0, -1, -1]
; TOGETHER: partitions [0, 0, -1]

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @posix_memalign(ptr, i64, i64)
declare void @see(ptr)

; Stores through a char pointer could change the slot, as far as LLVM knows; all
; the same no load is left in the loop.
; HOST-LABEL: define void @apart(
; HOST: call i32 @posix_memalign(
; HOST-NEXT: load ptr
; HOST: call i32 @posix_memalign(
; HOST-NEXT: load ptr
; HOST-NOT: load ptr
; HOST: ret void
define void @apart(ptr %in, i64 %n) {
entry:
  %slot.a = alloca ptr
  %slot.b = alloca ptr
  %r1 = call i32 @posix_memalign(ptr %slot.a, i64 64, i64 %n)
  %r2 = call i32 @posix_memalign(ptr %slot.b, i64 64, i64 %n)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i8, ptr %in, i64 %i
  %x = load i8, ptr %from
  %a = load ptr, ptr %slot.a
  %to = getelementptr i8, ptr %a, i64 %i
  store i8 %x, ptr %to
  %b = load ptr, ptr %slot.b
  %to.b = getelementptr i8, ptr %b, i64 %i
  store i8 %x, ptr %to.b
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Two places of one allocation have one root.
define void @same(i64 %n, i64 %m) {
entry:
  %slot = alloca ptr
  %r = call i32 @posix_memalign(ptr %slot, i64 64, i64 %n)
  %a = load ptr, ptr %slot
  %middle = getelementptr i8, ptr %a, i64 %m
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i8, ptr %middle, i64 %i
  %x = load i8, ptr %from
  %to = getelementptr i8, ptr %a, i64 %i
  store i8 %x, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @escaped(ptr %in, i64 %n) {
entry:
  %slot = alloca ptr
  call void @see(ptr %slot)
  %r = call i32 @posix_memalign(ptr %slot, i64 64, i64 %n)
  %a = load ptr, ptr %slot
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i8, ptr %in, i64 %i
  %x = load i8, ptr %from
  %to = getelementptr i8, ptr %a, i64 %i
  store i8 %x, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @written(ptr %in, i64 %n, i1 %c, ptr %other) {
entry:
  %slot = alloca ptr
  %r = call i32 @posix_memalign(ptr %slot, i64 64, i64 %n)
  br i1 %c, label %write, label %then
write:
  store ptr %other, ptr %slot
  br label %then
then:
  %a = load ptr, ptr %slot
  br label %loop
loop:
  %i = phi i64 [ 0, %then ], [ %next, %loop ]
  %from = getelementptr i8, ptr %in, i64 %i
  %x = load i8, ptr %from
  %to = getelementptr i8, ptr %a, i64 %i
  store i8 %x, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Not the library's: the program says `nobuiltin`.
define void @mine(ptr %in, i64 %n) {
entry:
  %slot = alloca ptr
  %r = call i32 @posix_memalign(ptr %slot, i64 64, i64 %n) nobuiltin
  %a = load ptr, ptr %slot
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i8, ptr %in, i64 %i
  %x = load i8, ptr %from
  %to = getelementptr i8, ptr %a, i64 %i
  store i8 %x, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
