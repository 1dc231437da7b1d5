; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What keeps its CFG, by code. Its computations are spelled canonically and its
; branches keep their hints.
; RUN: mlir-translate --import-llvm %s -o %t.mlir
; RUN: loom-opt --loom-structure %t.mlir -o %t.out 2>%t.err
; RUN: FileCheck %s --input-file=%t.out
; RUN: FileCheck %s --check-prefix=WHY --input-file=%t.err

; WHY: keeps its CFG [indirectbr]
; CHECK-LABEL: llvm.func @computed
; CHECK: arith.addi
; CHECK: llvm.indirectbr
define i32 @computed(ptr %t, i32 %x) {
entry:
  %y = add i32 %x, 1
  indirectbr ptr %t, [label %a, label %b]
a:
  ret i32 %y
b:
  ret i32 2
}

declare i32 @__gxx_personality_v0(...)
declare void @may_throw()

; WHY: keeps its CFG [eh]
; CHECK-LABEL: llvm.func @guarded
; CHECK: llvm.invoke
define i32 @guarded() personality ptr @__gxx_personality_v0 {
entry:
  invoke void @may_throw() to label %ok unwind label %bad
ok:
  ret i32 0
bad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}

; WHY: keeps its CFG [structure] musttail call
; CHECK-LABEL: llvm.func @tail
; CHECK: llvm.cond_br {{.*}} weights([7, 1])
; CHECK: llvm.call musttail
define i32 @tail(i32 %x) {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %a, label %b, !prof !0
a:
  ret i32 0
b:
  %r = musttail call i32 @tail(i32 %x)
  ret i32 %r
}

!0 = !{!"branch_weights", i32 7, i32 1}
