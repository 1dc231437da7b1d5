; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function with a region and what was inlined into one decide on fmuladd, by
; their own target; other functions keep the choice open.
; RUN: %opt_loom -passes=loom,verify -S %s | FileCheck %s

; CHECK-LABEL: define double @plain(
; CHECK-NOT: fmuladd
; CHECK: fmul double
; CHECK-NEXT: fadd double
define double @plain(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %a = getelementptr double, ptr %p, i64 %i
  %v = load double, ptr %a
  %u = call double @llvm.fmuladd.f64(double %v, double 3.0, double %s)
  %t = call double @step(double %u, double %v)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out

out:
  ret double %t
}

; CHECK-LABEL: define double @fused(
; CHECK-NOT: fmuladd
; CHECK: call double @llvm.fma.f64(
define double @fused(ptr %p, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %a = getelementptr double, ptr %p, i64 %i
  %v = load double, ptr %a
  %t = call double @llvm.fmuladd.f64(double %v, double 3.0, double %s)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out

out:
  ret double %t
}

; CHECK-LABEL: define internal double @step(
; CHECK-NEXT: fmul double
; CHECK-NEXT: fadd double
define internal double @step(double %x, double %y) {
  %z = call double @llvm.fmuladd.f64(double %x, double %x, double %y)
  ret double %z
}

; CHECK-LABEL: define double @untouched(
; CHECK-NEXT: call double @llvm.fmuladd.f64(
define double @untouched(double %x, double %y) {
  %z = call double @llvm.fmuladd.f64(double %x, double %x, double %y)
  ret double %z
}

declare double @llvm.fmuladd.f64(double, double, double)

attributes #0 = { "target-features"="+fma,+avx" }
