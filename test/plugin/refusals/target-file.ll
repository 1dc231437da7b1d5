; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A target that can't be used: one line, every nest stays on the host, and the
; module is what it is without Loom.
; RUN: echo 'fabric.target @x { fabric.abi' > %t.mlir
; RUN: env LOOM_TARGET=%t.mlir %opt_loom -passes=loom -pass-remarks-missed=loom -S %s -o %t.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,PARSE
; RUN: opt -S %s -o %t.plain.ll
; RUN: diff %t.ll %t.plain.ll
; RUN: env LOOM_TARGET=nothing %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,NAME
; RUN: env LOOM_TARGET=/nonexistent/x.mlir %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,MISSING
; RUN: env LOOM_TARGET=/dev/zero %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,DEVICE
; PARSE: {{^}}loom: target: {{.*}}.mlir:{{[0-9]+: .*}}; nothing is offloaded{{$}}
; NAME: {{^}}loom: target: there is no built-in target 'nothing' (small, default, large, plasticine); nothing is offloaded{{$}}
; MISSING: {{^}}loom: target: /nonexistent/x.mlir: {{.*}}; nothing is offloaded{{$}}
; DEVICE: {{^}}loom: target: /dev/zero: not a regular file; nothing is offloaded{{$}}
; CHECK: loop nest not offloaded: target-file: {{.+}}
; CHECK-NOT: {{^}}loom:

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

; Nothing to offload: nobody asks for the target.
; RUN: echo 'define void @g() { ret void }' > %t.none.ll
; RUN: env LOOM_TARGET=nothing %opt_loom -passes=loom -disable-output %t.none.ll 2>&1 | count 0
