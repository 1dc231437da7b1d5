; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s
; CHECK: loop nest not offloaded: int-width{{$}}

define void @f(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  store i192 0, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
