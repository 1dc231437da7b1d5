; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; sqrt, fmod and fdim are exact operations but for errno: a flag collects whether it
; would be set, and the region declines then. A function of the program that
; happens to have the name is only a function.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_DUMP=%t %opt_loom -passes=loom,verify -disable-output %s -pass-remarks-missed=loom 2>&1 | FileCheck %s --check-prefix=WHY --allow-empty
; RUN: FileCheck %s --input-file=%t/norms.0.1-structured.mlir
; WHY-NOT: math-call

; CHECK: scf.for {{.*}} iter_args({{.*}} = %false{{.*}})
; CHECK: math.sqrt
; CHECK: arith.cmpf olt
; CHECK: arith.remf
; CHECK: arith.subf
; CHECK: arith.cmpf ole
; CHECK: arith.select %{{.*}}, %c-1_i32, %c0_i32
declare double @sqrt(double)
declare double @fmod(double, double)
declare double @fdim(double, double)

define void @norms(ptr %p, i64 %n) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr double, ptr %p, i64 %i
  %v = load double, ptr %a
  %r = call double @sqrt(double %v)
  %m = call double @fmod(double %r, double 3.0)
  %d = call double @fdim(double %m, double 0.5)
  store double %d, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
