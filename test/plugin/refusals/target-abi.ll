; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: sed 's/index \[32, 64\]/index [32, 64] triple "aarch64"/; s/@default/@arm/' %loom_src/passes/Fabric/Builtin/targets/default.mlir > %t.mlir
; RUN: env LOOM_TARGET=%t.mlir %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s
; CHECK: loop nest not offloaded: target: target 'arm' has no triple x86_64-pc-linux-gnu{{$}}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  store i32 0, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
