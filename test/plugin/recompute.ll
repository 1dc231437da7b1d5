; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A trip count that is computed with an intrinsic (here umin) is recomputed
; inside the region; the intrinsic itself is no live-in.
; RUN: %opt_loom -passes=loom,verify -S %s | FileCheck %s
; CHECK: call {{.*}} @loom.launch.f.0(ptr %{{.*}}, i64 %{{.*}}, i64 %{{.*}})
; CHECK-NOT: ptr @llvm.umin

define i64 @f(ptr %p, i64 %n, i64 %m) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %a = getelementptr i64, ptr %p, i64 %i
  store i64 %i, ptr %a
  %next = add nuw nsw i64 %i, 1
  %in = icmp ult i64 %next, %n
  %in2 = icmp ult i64 %next, %m
  %more = select i1 %in, i1 %in2, i1 false
  br label %latch

latch:
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %next
}
