; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: env LOOM_GATE=1 LOOM_GATE_DEFECT=add %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s
; CHECK: loop nest not offloaded: gate: input {{[0-9]}}: output 1 (i64): host 0x{{[0-9a-f]+}}, graph 0x{{[0-9a-f]+}}{{$}}

; The defect is planted: an addition of the graph subtracts.
target triple = "x86_64-unknown-linux-gnu"

define i64 @f(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %a
  %sum = add i64 %s, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %sum
}
