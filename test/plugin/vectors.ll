; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors cross lane by lane: one slot each. The host code keeps its vectors.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_DUMP=%t %opt_loom -passes=loom,verify -S %s | FileCheck %s
; RUN: FileCheck %s --check-prefix=S0 --input-file=%t/f.0.1-structured.mlir
; A scalar seen as lanes, the low part first.
; RUN: FileCheck %s --check-prefix=CAST --input-file=%t/cast.0.0-imported.mlir
target datalayout = "e-i64:64"

; Four live-ins (n, p, two lanes), the selector and two lanes.
; CHECK-LABEL: define <2 x i32> @f(
; CHECK: alloca [7 x i64]
; CHECK: %[[LOW:.*]] = extractelement <2 x i32> %seed, i64 0
; CHECK: %[[HIGH:.*]] = extractelement <2 x i32> %seed, i64 1
; CHECK: zext i32 %[[LOW]] to i64
; CHECK: zext i32 %[[HIGH]] to i64
; CHECK: call i32 @loom.launch(
; CHECK: %[[A:.*]] = load i32, ptr
; CHECK: %[[B:.*]] = load i32, ptr
; CHECK: %[[V:.*]] = insertelement <2 x i32> poison, i32 %[[A]], i64 0
; CHECK: %[[DEVICE:.*]] = insertelement <2 x i32> %[[V]], i32 %[[B]], i64 1
; CHECK: add <2 x i32>
; CHECK: phi <2 x i32> {{.*}}[ %[[DEVICE]], %loom.ask ]
; S0-NOT: vector

; CAST-NOT: vector
; CAST: llvm.lshr

define <2 x i32> @f(ptr %p, i64 %n, <2 x i32> %seed) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <2 x i32> [ %seed, %entry ], [ %t, %loop ]
  %a = getelementptr <2 x i32>, ptr %p, i64 %i
  %v = load <2 x i32>, ptr %a
  %t = add <2 x i32> %s, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret <2 x i32> %t
}

define void @cast(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %a
  %v = bitcast i64 %x to <2 x i32>
  %w = shufflevector <2 x i32> %v, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %y = bitcast <2 x i32> %w to i64
  store i64 %y, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
