; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s
; CHECK: loop nest not offloaded: eh{{$}}

declare void @g()
declare void @h()
declare i32 @__gxx_personality_v0(...)

define void @f(ptr %p, i64 %n) personality ptr @__gxx_personality_v0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  invoke void @g() to label %latch unwind label %pad

latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

pad:
  %l = landingpad { ptr, i32 } catch ptr null
  call void @h()
  ret void

exit:
  ret void
}
