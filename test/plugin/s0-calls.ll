; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Calls in S0: an indirect call with a proven target becomes direct; a
; dispatcher is cloned per binding of its callback; nothing else changes.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_S0=%t %opt_loom -passes=loom -disable-output %s
; RUN: cat %t/calls.c.*.s0.mlir | FileCheck %s
; RUN: cat %t/calls.c.*.coverage.json | FileCheck %s --check-prefix=COVERAGE

source_filename = "calls.c"

; COVERAGE: "devirtualized": 1
; COVERAGE: "bound_callbacks": 4

; Only one function is ever passed.
; CHECK-LABEL: llvm.func internal @through
; CHECK: llvm.call @add
; CHECK-NOT: arith.constant 3
define internal i32 @through(ptr %f, i32 %x, i32 %always3) {
  %r = call i32 %f(i32 %x)
  %s = add i32 %r, %always3
  ret i32 %s
}

; The original dispatcher stays as it is.
; CHECK-LABEL: llvm.func @each
; CHECK: llvm.call %arg0
; CHECK: llvm.call @each(%arg0,
define i32 @each(ptr %f, i32 %x) noinline {
  %r = call i32 %f(i32 %x)
  %m = icmp sgt i32 %r, 100
  br i1 %m, label %done, label %more
more:
  %s = call i32 @each(ptr %f, i32 %r)
  ret i32 %s
done:
  ret i32 %r
}

; CHECK-LABEL: llvm.func @user
; CHECK: llvm.call @each.with.add
; CHECK: llvm.call @each.with.twice
; CHECK: llvm.call @each(%arg1
; CHECK: llvm.call @each(%{{.*}}
define i32 @user(i32 %x, ptr %unknown) {
  %1 = call i32 @through(ptr @add, i32 %x, i32 3)
  %2 = call i32 @each(ptr @add, i32 %1)
  %3 = call i32 @each(ptr @twice, i32 %2)
  %4 = call i32 @each(ptr %unknown, i32 %3)
  ; Another type: the call stays as it is.
  %5 = call i32 @each(ptr @other, i32 %4)
  ret i32 %5
}

define i32 @add(i32 %x) {
  %r = add i32 %x, 7
  ret i32 %r
}

define i32 @twice(i32 %x) {
  %r = mul i32 %x, 2
  ret i32 %r
}

define i64 @other(i64 %x) {
  ret i64 %x
}

; The clones call themselves.
; CHECK: llvm.func internal {{.*}}@each.with.add
; CHECK: llvm.call @add
; CHECK: llvm.call @each.with.add
; CHECK: llvm.func internal {{.*}}@each.with.twice
; CHECK: llvm.call @twice
; CHECK: llvm.call @each.with.twice
