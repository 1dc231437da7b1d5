; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s
; Fixed vectors become scalars (test/plugin/vectors.c). Those of a length that
; only the machine knows do not,
; CHECK: loop nest not offloaded: vector{{$}}
; nor do very long ones,
; CHECK: loop nest not offloaded: vector{{$}}
; nor a cast that cuts lanes in the middle.
; CHECK: loop nest not offloaded: vector: does not become scalars{{$}}

define void @scalable(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  store <vscale x 4 x i32> zeroinitializer, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @long(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  store <65 x i8> zeroinitializer, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @cut(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load <3 x i32>, ptr %a
  %w = bitcast <3 x i32> %v to <2 x i48>
  %x = extractelement <2 x i48> %w, i64 1
  %y = trunc i48 %x to i32
  store i32 %y, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
