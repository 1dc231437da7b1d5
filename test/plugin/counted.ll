; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Which loops become scf.for, by the proof that their trip count does not wrap.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_DUMP=%t %opt_loom -passes=loom,verify -disable-output %s
; RUN: FileCheck %s --check-prefix=GUARD --input-file=%t/guarded.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=FLAGS --input-file=%t/flags.0.1-structured.mlir
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
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a
  %next = add i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
