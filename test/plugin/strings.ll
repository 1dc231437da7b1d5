; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions of the C library that are loops over bytes become these loops in the
; copy that is raised; the host keeps its calls. test/programs/src/strings.c runs
; all of them.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_DUMP=%t %opt_loom -passes=loom,verify -S %s -o %t.ll -pass-remarks-missed=loom 2>&1 | FileCheck %s --check-prefix=WHY
; RUN: FileCheck %s --check-prefix=S0 --input-file=%t/lengths.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=HOST --input-file=%t.ll

; S0: scf.while
; S0: scf.while
; S0: llvm.load {{.*}} -> i8
; S0-NOT: llvm.call

; HOST-LABEL: define {{.*}} @lengths(
; HOST: load atomic i32, ptr {{.*}}@loom.region.lengths.0
; HOST: call i64 @strlen(
; HOST-LABEL: define {{.*}} @signs(
; HOST: load atomic i32, ptr {{.*}}@loom.region.signs.0
; HOST: call i32 @strcmp(

; Any number of the sign will do for the library, not for the device.
; WHY-DAG: call: strcmp (more than the sign is used)
; WHY-DAG: call: strlen
; WHY-DAG: call: memchr

declare i64 @strlen(ptr)
declare i32 @strcmp(ptr, ptr)
; Not the library's: another type.
declare i32 @memchr(i32)

define void @lengths(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr ptr, ptr %p, i64 %i
  %s = load ptr, ptr %a
  %r = call i64 @strlen(ptr %s)
  %b = getelementptr i64, ptr %q, i64 %i
  store i64 %r, ptr %b
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @builtin(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr ptr, ptr %p, i64 %i
  %s = load ptr, ptr %a
  %r = call i64 @strlen(ptr %s) nobuiltin
  %b = getelementptr i64, ptr %q, i64 %i
  store i64 %r, ptr %b
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @signs(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr ptr, ptr %p, i64 %i
  %s = load ptr, ptr %a
  %c = call i32 @strcmp(ptr %s, ptr %q)
  %d = icmp slt i32 %c, 1
  %r = zext i1 %d to i64
  %b = getelementptr i64, ptr %q, i64 %i
  store i64 %r, ptr %b
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @values(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr ptr, ptr %p, i64 %i
  %s = load ptr, ptr %a
  %c = call i32 @strcmp(ptr %s, ptr %q)
  %d = icmp slt i32 %c, 2
  %r = zext i1 %d to i64
  %b = getelementptr i64, ptr %q, i64 %i
  store i64 %r, ptr %b
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @own(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr ptr, ptr %p, i64 %i
  %s = load ptr, ptr %a
  %c = call i32 @memchr(i32 7)
  %r = zext i32 %c to i64
  %b = getelementptr i64, ptr %q, i64 %i
  store i64 %r, ptr %b
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
