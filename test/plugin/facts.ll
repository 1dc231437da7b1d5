; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What the host function knows of a live-in goes with the outlined nest.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_DUMP=%t %opt_loom -passes=loom,verify -disable-output %s
; RUN: FileCheck %s --input-file=%t/known.0.1-structured.mlir
; RUN: FileCheck %s --check-prefix=NOTHING --input-file=%t/unknown.0.1-structured.mlir

@table = internal global [16 x i32] zeroinitializer, align 16

; The branch before says 0 < n < 100; the address of a variable is a fact.
; CHECK: llvm.func @known.0(
; CHECK-DAG: !llvm.ptr {llvm.align = 16 : i64, llvm.dereferenceable = 64 : i64, llvm.nonnull}
; CHECK-DAG: i32 {llvm.range = #llvm.constant_range<i32, 1, 100>}
define i32 @known(i32 %n) {
entry:
  %small = icmp ult i32 %n, 100
  br i1 %small, label %test, label %out

test:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %out

loop:
  %i = phi i32 [ 0, %test ], [ %next, %loop ]
  %s = phi i32 [ 0, %test ], [ %t, %loop ]
  %index = and i32 %i, 15
  %wide = zext i32 %index to i64
  %a = getelementptr i32, ptr @table, i64 %wide
  %v = load i32, ptr %a
  %m = mul i32 %v, %n
  %t = add i32 %s, %m
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %out

out:
  %r = phi i32 [ 0, %entry ], [ 0, %test ], [ %t, %loop ]
  ret i32 %r
}

; NOTHING: llvm.func @unknown.0(%{{.*}}: !llvm.ptr, %{{.*}}: i32)
define i32 @unknown(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %wide = zext i32 %i to i64
  %a = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %a
  %t = add i32 %s, %v
  %next = add i32 %i, 1
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %out

out:
  ret i32 %t
}
