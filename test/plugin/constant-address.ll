; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Address arithmetic before a nest whose operand is a constant expression: the
; instructions that it becomes come first. It was refused as "import". Found by
; the fuzzer (a memmove between constant addresses in a loop).
; RUN: rm -rf %t.d && mkdir %t.d
; RUN: env LOOM_DUMP=%t.d %opt_loom -passes=loom,verify -disable-output %s
; RUN: FileCheck %s --input-file=%t.d/f.0.1-structured.mlir
; CHECK: loom.spatial_region "f.0"

@g = internal global [64 x i64] zeroinitializer

define void @f(i64 %k, i64 %n) {
entry:
  %p = getelementptr i64, ptr @g, i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @g, i64 208) to i64), i64 ptrtoint (ptr @g to i64))
  %q = getelementptr i64, ptr %p, i64 %k
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %q, i64 %i
  %v = load i64, ptr %a
  %w = add i64 %v, %n
  store i64 %w, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
