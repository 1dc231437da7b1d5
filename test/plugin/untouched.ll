; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A module of which nothing is taken comes out byte for byte as it went in,
; also when clones were prepared, outlined and thrown away.
; RUN: opt %s -o %t.plain.bc
; RUN: %opt_loom -passes=loom %s -o %t.loom.bc
; RUN: cmp %t.plain.bc %t.loom.bc
; (Text where MLIR was loaded: it registers metadata kinds with the context,
; which bitcode lists and object code does not.)
; RUN: opt %S/splice.ll -S -o %t.plain.ll
; RUN: env LOOM_INJECT_REFUSAL=import %opt_loom -passes=loom %S/splice.ll -S -o %t.a.ll
; RUN: cmp %t.a.ll %t.plain.ll
; RUN: env LOOM_OFFLOAD=off %opt_loom -passes=loom %S/splice.ll -S -o %t.b.ll
; RUN: cmp %t.b.ll %t.plain.ll

declare void @g(i64)

define void @f(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %a
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 8, i1 false)
  call void @g(i64 %v)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
