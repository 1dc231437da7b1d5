; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s
; CHECK: loop nest not offloaded: no-exit{{$}}

define void @f(ptr %p) {
entry:
  br label %loop

loop:
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  br label %loop
}
