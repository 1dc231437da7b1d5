; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The canonical spelling of a module: a standard operation where it says the
; same with all flags, the LLVM operation otherwise.
; RUN: mlir-translate --import-llvm %s | loom-opt --loom-structure | FileCheck %s

; CHECK-LABEL: llvm.func @integers
; CHECK: arith.addi {{.*}} overflow<nsw, nuw>
; CHECK: arith.shrui {{.*}} exact
; CHECK: arith.divsi {{.*}} exact
; CHECK: llvm.or disjoint
; CHECK: arith.ori
; CHECK: llvm.zext nneg
; CHECK: arith.extui
; CHECK: arith.trunci {{.*}} overflow<nuw>
; CHECK: "llvm.intr.ctlz"({{.*}}) <{is_zero_poison = true}>
; CHECK: math.ctlz
; CHECK: llvm.intr.fshl
; CHECK: llvm.intr.bitreverse
; CHECK: llvm.intr.sadd.sat
; CHECK: llvm.icmp "eq" {{.*}} !llvm.ptr
define void @integers(i64 %a, i64 %b, i32 %c, ptr %o) {
  %1 = add nuw nsw i64 %a, %b
  store i64 %1, ptr %o
  %2 = lshr exact i64 %a, %b
  store i64 %2, ptr %o
  %3 = sdiv exact i64 %a, %b
  store i64 %3, ptr %o
  %4 = or disjoint i64 %a, %b
  store i64 %4, ptr %o
  %5 = or i64 %a, %b
  store i64 %5, ptr %o
  %6 = zext nneg i32 %c to i64
  store i64 %6, ptr %o
  %7 = zext i32 %c to i64
  store i64 %7, ptr %o
  %8 = trunc nuw i64 %a to i32
  store i32 %8, ptr %o
  %9 = call i64 @llvm.ctlz.i64(i64 %a, i1 true)
  store i64 %9, ptr %o
  %10 = call i64 @llvm.ctlz.i64(i64 %a, i1 false)
  store i64 %10, ptr %o
  %11 = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 5)
  store i64 %11, ptr %o
  %12 = call i64 @llvm.bitreverse.i64(i64 %a)
  store i64 %12, ptr %o
  %13 = call i64 @llvm.sadd.sat.i64(i64 %a, i64 %b)
  store i64 %13, ptr %o
  %p = inttoptr i64 %a to ptr
  %14 = icmp eq ptr %p, %o
  store i1 %14, ptr %o
  ret void
}

; CHECK-LABEL: llvm.func @floats
; CHECK: arith.addf {{.*}} fastmath<nnan,contract>
; CHECK: arith.cmpf olt, {{.*}} fastmath<ninf>
; CHECK: math.fma
; CHECK: llvm.intr.fmuladd
; CHECK: math.sin
; CHECK: llvm.call_intrinsic "llvm.fptosi.sat.i32.f64"
; CHECK: arith.select
; CHECK: llvm.select {{.*}} {fastmathFlags = #llvm.fastmath<nsz>}
; CHECK: math.roundeven
; CHECK: llvm.intr.powi
define void @floats(double %a, double %b, i1 %c, ptr %o) {
  %1 = fadd nnan contract double %a, %b
  store double %1, ptr %o
  %2 = fcmp ninf olt double %a, %b
  store i1 %2, ptr %o
  %3 = call double @llvm.fma.f64(double %a, double %b, double %a)
  store double %3, ptr %o
  %4 = call double @llvm.fmuladd.f64(double %a, double %b, double %a)
  store double %4, ptr %o
  %5 = call double @llvm.sin.f64(double %a)
  store double %5, ptr %o
  %6 = call i32 @llvm.fptosi.sat.i32.f64(double %a)
  store i32 %6, ptr %o
  %7 = select i1 %c, double %a, double %b
  store double %7, ptr %o
  %8 = select nsz i1 %c, double %a, double %b
  store double %8, ptr %o
  %9 = call double @llvm.nearbyint.f64(double %a)
  store double %9, ptr %o
  %v = insertelement <2 x double> poison, double %a, i32 0
  %10 = call <2 x double> @llvm.powi.v2f64.i32(<2 x double> %v, i32 2)
  store <2 x double> %10, ptr %o
  ret void
}

; The function observes the floating-point environment, or says something about
; it that nobody knows: its arithmetic keeps the LLVM spelling.
; CHECK-LABEL: llvm.func @trapping
; CHECK: arith.addi
; CHECK: llvm.fadd
define double @trapping(double %a, i64 %n, ptr %o) "no-trapping-math"="false" {
  %1 = add i64 %n, 1
  store i64 %1, ptr %o
  %2 = fadd double %a, %a
  ret double %2
}
; CHECK-LABEL: llvm.func @unknown
; CHECK: llvm.fadd
define double @unknown(double %a) "some-new-policy"="3" {
  %1 = fadd double %a, %a
  ret double %1
}
; CHECK-LABEL: llvm.func @usual
; CHECK: arith.addf
define double @usual(double %a) nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" {
  %1 = fadd double %a, %a
  ret double %1
}
; CHECK-LABEL: llvm.func @flushing
; CHECK: llvm.fadd
define double @flushing(double %a) "denormal-fp-math"="preserve-sign,preserve-sign" {
  %1 = fadd double %a, %a
  ret double %1
}

declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.bitreverse.i64(i64)
declare i64 @llvm.sadd.sat.i64(i64, i64)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.fmuladd.f64(double, double, double)
declare double @llvm.sin.f64(double)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare double @llvm.nearbyint.f64(double)
declare <2 x double> @llvm.powi.v2f64.i32(<2 x double>, i32)
