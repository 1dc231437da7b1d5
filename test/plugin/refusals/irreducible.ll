; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s
; CHECK: loop nest not offloaded: irreducible{{$}}

define void @f(ptr %p, i32 %n, i1 %c) {
entry:
  br i1 %c, label %a, label %b

a:
  store i32 1, ptr %p
  br label %b

b:
  %v = load i32, ptr %p
  %more = icmp ult i32 %v, %n
  br i1 %more, label %a, label %exit

exit:
  ret void
}
